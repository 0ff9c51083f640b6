package bench

import (
	_ "embed" // of the corpus
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur"
)

// Size is the amount of work of a [Workload] at each level. One pass over it is the shortest
// timed interval.
type Size struct {
	// Positions evaluated at the value level, spread evenly over the candidates of the corpus.
	// They must be too many for a branch predictor to learn by heart: with 1024 of them,
	// evaluators that branch ran up to a third faster here than in play. And they must be few
	// enough to stay in the second-level cache.
	Positions int

	// TurnGames are played turn by turn at the turn level.
	TurnGames int

	// Games are played in one call by an engine that plays several side by side, also at the
	// turn level. There must be enough of them to make lanes that run empty at the end negligible.
	Games int

	// FirstGames of the Games are played in one call by every other engine: a slow engine could
	// not play them all in the time of a sample. Games differ in length, so the reported time
	// is that of a game with the mean length of all Games.
	FirstGames int
}

// DefaultSize returns the size of everything published: 4096 positions take 264 KiB as
// 16-bit numbers, 100 games are about 18,000 turns, 10,000 games leave each of 64
// lanes 156 to play, and 250 take the oracle less than a tenth of a second.
func DefaultSize() Size {
	return Size{Positions: 4096, TurnGames: 100, Games: 10_000, FirstGames: 250}
}

// check returns an error for an invalid size.
func (s Size) check() error {
	switch {
	case s.Positions < 1 || s.TurnGames < 1 || s.Games < 1 || s.FirstGames < 1:
		return errors.New("workload: invalid size (want 1 or more)")
	case s.FirstGames > s.Games:
		return fmt.Errorf("workload: %[2]d games to play, more than all %[1]d", s.Games, s.FirstGames)
	}
	return nil
}

// workloadSeed is the seed of all games.
const workloadSeed = 1

// corpusText is a sample of turns of real games, a line each: a position and a roll with a tab between
// them. A test keeps it equal to the games, and -update makes it. Figures of different versions must
// not be compared.
//
//go:embed corpus.txt
var corpusText string

// workloadBrain is the brain of all measurements: the one set by hand, so figures stay
// comparable when a better built-in brain plays longer or shorter games.
func workloadBrain() *ur.Brain { return ur.ClassicBrain() }

// Workload is fixed work with the right answers: every engine plays the same games
// with the same brains and must come to the same end. It is not changed after it
// was made, and may be shared.
type Workload struct {
	Size  Size
	Brain *ur.Brain // of both sides

	works      map[Level]work
	signatures map[Level]string
	played     *gamesWork // the games, when they were played
}

// NewWorkload does the work of the given levels once, or of all levels when none is given:
// with the oracle, except for the games after the first ones (see games). The seed of the
// games is 1.
func NewWorkload(size Size, only ...Level) (*Workload, error) {
	if err := size.check(); err != nil {
		return nil, err
	}
	w := &Workload{Size: size, Brain: workloadBrain(), works: make(map[Level]work), signatures: make(map[Level]string)}
	if len(only) == 0 {
		only = Levels()
	}
	for _, level := range only {
		if _, err := ParseLevel(string(level)); err != nil {
			return nil, err
		}
		made, err := works[level](w)
		if err != nil {
			return nil, err
		}
		w.works[level] = made
		if w.signatures[level], err = sign(made.answers()); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// games plays the games, once.
func (w *Workload) games() (g *gamesWork, err error) {
	if w.played == nil {
		w.played, err = newGames(w.Size, w.Brain)
	}
	return w.played, err
}

// Signature is one number, 16 hexadecimal digits, for all answers at a level. It changes with
// the rules, the brain or the work of that level only.
func (w *Workload) Signature(level Level) string { return w.signatures[level] }

// description names the work in one line.
func (s Size) description() string {
	return fmt.Sprintf("%d positions, %d games by turns, %d games or the first %d, of seed %d",
		s.Positions, s.TurnGames, s.Games, s.FirstGames, workloadSeed)
}
