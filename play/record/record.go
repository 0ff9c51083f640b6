// Package record keeps games: players, rules, dice, moves, thinking times and result. It reads
// and writes a format of its own and the formats of other programs.
//
// A [Game] is the content of one record. [NewReader] reads games one after another from any
// [Format]. Reading is strict: every game returned can be replayed, and a game that breaks the
// rules or the format is a [*Fault] with its line. [NewWriter] writes games.
package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Game is the record of a game.
type Game struct {
	Rules *board.Rules

	Players [2]string // players by side; "" if unknown
	Pieces  int       // each player's pieces, 1 to 7, or 1 to 10 under other rules

	// Start is the position before the first turn. The zero Position stands for the start of a
	// whole game: all pieces in hand, Light to move.
	Start board.Position

	Dice   *DiceOrigin // source of the rolls; nil if unknown
	Turns  []Turn
	Result Result

	// Meta holds further facts, such as the date of the game. Keys of foreign formats are kept.
	Meta map[string]string

	hash string // hash as the record gives it, while it is read
}

// DiceOrigin names the rolls of a game: [board.Rules.Dice] returns them for a seed and the number of a game.
type DiceOrigin struct {
	Seed uint64 `json:"seed"`
	Game uint64 `json:"game"` // number of the game
}

// Turn is one roll and the move made with it.
type Turn struct {
	Roll int8 // 0 to 4, or as the rules have it
	From int8 // square of the moved piece, 0 to 14, or as the rules have it; [Pass] if no move was possible

	// Millis is the time of the clock since the game began when the turn was over, in
	// thousandths of a second; 0 when there was no clock.
	Millis int64
}

// Pass is the From of a turn without a move.
const Pass = -1

// Result is how a game ended.
type Result uint8

// The results.
const (
	Unfinished    Result = iota
	LightWins            // all pieces are home
	DarkWins             // all pieces are home
	LightResigned        // and Dark has won
	DarkResigned         // and Light has won
	Abandoned            // no winner
)

var resultNames = [...]string{"unfinished", "light", "dark", "light resigned", "dark resigned", "abandoned"}

// String names the result: "unfinished", "light", "dark", "light resigned", "dark
// resigned" or "abandoned".
func (r Result) String() string { return resultNames[r] }

// parseResult returns the result of a name.
func parseResult(name string) (Result, error) {
	if r := slices.Index(resultNames[:], name); r >= 0 {
		return Result(r), nil
	}
	return 0, fmt.Errorf("result %q (want one of %q)", text.Clip(name), resultNames)
}

// Winner returns the side that won, if any.
func (r Result) Winner() (side board.Side, won bool) {
	switch r {
	case LightWins, DarkResigned:
		return board.Light, true
	case DarkWins, LightResigned:
		return board.Dark, true
	}
	return 0, false
}

// RulesText returns a rule set as records name it: by the name of a built-in one, otherwise by its
// definition in JSON.
func RulesText(r *board.Rules) string {
	if b, err := board.Lookup(r.Name()); err == nil && b.Equal(r) {
		return r.Name()
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r.Name()
	}
	return string(text)
}

// ParseRules reads the text of RulesText.
func ParseRules(text string) (r *board.Rules, err error) {
	if strings.HasPrefix(text, "{") {
		r, err = board.Parse([]byte(text))
	} else {
		r, err = board.Lookup(text)
	}
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return r, nil
}
