package train

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/rating"
)

// Score is how a match against a rival ended.
type Score struct {
	Rival string `json:"rival"` // the name of a player
	Games int64  `json:"games"`
	Wins  int64  `json:"wins"` // games won

	// Beaten records, permanently, that a sequential test has found the learner stronger than
	// the rival.
	Beaten bool `json:"beaten,omitempty"`
}

// Rate returns the share of games won, 0..1.
func (s Score) Rate() float64 { return float64(s.Wins) / float64(max(1, s.Games)) }

// Interval returns the 95 % confidence interval of the rate. Games of a pair share their dice
// with the sides exchanged; that makes the true interval no wider.
func (s Score) Interval() (low, high float64) { return rating.Wilson(s.Wins, s.Games) }

// String returns the score as in "70.1 % (69.2 to 71.0) against brain:classic".
func (s Score) String() string {
	low, high := s.Interval()
	return fmt.Sprintf("%.1f %% (%.1f to %.1f) against %s", 100*s.Rate(), 100*low, 100*high, s.Rival)
}
