// Package record keeps games: players, rules, dice, moves, thinking times and result. It reads
// and writes a format of its own and the formats of other programs.
//
// A [Game] is the content of one record. [NewReader] reads games one after another from any
// [Format]. Reading is strict: every game returned can be replayed, and a game that breaks the
// rules or the format is a [*Fault] with its line. [NewWriter] writes games.
package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
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

// DiceOrigin name the rolls of a game: those of a game of a seed, as [board.Rules.Dice] has them.
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

// Step is a turn at the board: a roll, the legal moves, and, once the turn is finished, the
// outcome.
type Step struct {
	Seed   uint64
	Game   uint64 // number of the game; with Seed it determines the dice, if they are known
	Number int    // the turn's number in its game, from 0

	Rules    *board.Rules
	Position board.Position
	Roll     int
	Moves    []board.Move // legal, in ascending order of the moving piece; in a replay valid until the next step

	// The outcome.
	Choice int            // index in Moves; -1 for a pass
	Next   board.Position // where the next turn begins
	Millis int64          // see [Turn]
}

// Side returns the side that moves or passes.
func (s *Step) Side() board.Side { return s.Position.Turn() }

// Notation returns a legal move of the step as people write it.
func (s *Step) Notation(m board.Move) string { return s.Rules.Notation(s.Side(), m) }

// Play finishes the turn with the move of an index in Moves, -1 for a pass.
func (s *Step) Play(choice int) {
	if s.Choice = choice; choice < 0 {
		s.Next = s.Position.Pass()
	} else {
		s.Next = s.Rules.Apply(s.Position, s.Moves[choice])
	}
}

// Passed reports whether a finished turn was a pass.
func (s *Step) Passed() bool { return s.Choice < 0 }

// Move returns the move of a finished turn that was not a pass.
func (s *Step) Move() board.Move { return s.Moves[s.Choice] }

// Text returns the move as people write it, or "pass".
func (s *Step) Text() string {
	if s.Passed() {
		return "pass"
	}
	return s.Notation(s.Move())
}

// Turn returns the record of a finished turn.
func (s *Step) Turn() Turn {
	t := Turn{Roll: int8(s.Roll), From: Pass, Millis: s.Millis}
	if !s.Passed() {
		t.From = int8(s.Move().From)
	}
	return t
}

// Count adds a finished turn to a tally.
func (s *Step) Count(tally *ur.Tally) {
	tally.Turns++
	if s.Passed() {
		tally.Passes++
		return
	}
	tally.Moves++
	if s.Move().Capture {
		tally.Captures++
	}
	if s.Rules.IsRosette(int(s.Move().To)) {
		tally.Rosettes++
	}
}

// Begin returns the position before the first turn. It returns an error if the number of pieces
// or Start breaks the rules, and for a game without rules.
func (g *Game) Begin() (p board.Position, err error) {
	if g.Rules == nil {
		return p, errors.New("a game without rules (want a rule set)")
	}
	r, err := g.Rules.WithPieces(g.Pieces)
	if err != nil {
		return p, err
	}
	if p = g.Start; p == (board.Position{}) {
		return r.Start(), nil
	}
	if err = r.Check(p); err == nil && p.Pieces() != g.Pieces {
		err = fmt.Errorf("a position of %d pieces (want %d)", p.Pieces(), g.Pieces)
	}
	if err != nil {
		return p, fmt.Errorf("start: %w", err)
	}
	return p, nil
}

// SetStart sets Start from the text form of a position under the rules of the game.
func (g *Game) SetStart(text string) error {
	var err error
	if g.Start, err = g.Rules.ParsePosition(text); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	return nil
}

// StartText returns the text form of Start, "" for the start of a whole game.
func (g *Game) StartText() string {
	if g.Start == (board.Position{}) {
		return ""
	}
	return g.Rules.FormatPosition(g.Start)
}

// replay plays a game by its rules, turn by turn. Formats read games with it.
type replay struct {
	Step   // the last turn; before the first, Next is where the game begins
	game   *Game
	played int // turns
	buf    [board.MaxMoves]board.Move
}

// begin goes to the start of the game.
func (r *replay) begin() (err error) {
	r.Step, r.played = Step{Rules: r.game.Rules}, 0
	if d := r.game.Dice; d != nil {
		r.Seed, r.Game = d.Seed, d.Game
	}
	r.Next, err = r.game.Begin()
	return err
}

// roll begins a turn.
func (r *replay) roll(roll int) error {
	r.Number, r.Position, r.Roll = r.played, r.Next, roll
	if _, over := r.Position.Winner(); over {
		return fmt.Errorf("the game is over since turn %d", r.played)
	}
	if most := r.Rules.MaxRoll(); roll < 0 || roll > most {
		return fmt.Errorf("a roll of %d (want 0 to %d)", roll, most)
	}
	r.Moves = r.Rules.Moves(r.buf[:0], r.Position, roll)
	return nil
}

// finish finishes the turn with the move of an index, -1 for a pass.
func (r *replay) finish(choice int) {
	r.Play(choice)
	r.played++
}

// turn plays a turn: a pass, or the move for which is returns true. The function name describes
// the move in errors.
func (r *replay) turn(roll int, pass bool, name func() string, is func(m board.Move) bool) error {
	if err := r.roll(roll); err != nil {
		return err
	}
	choice := -1
	if !pass {
		choice = slices.IndexFunc(r.Moves, is)
	}
	switch side := r.Side(); {
	case pass && len(r.Moves) > 0:
		return fmt.Errorf("%s passes, but can move: %s", side, r.legal())
	case !pass && len(r.Moves) == 0:
		return fmt.Errorf("%s moves %s, but has no legal move", side, name())
	case !pass && choice < 0:
		return fmt.Errorf("%s moves %s (want one of %s)", side, name(), r.legal())
	}
	r.finish(choice)
	return nil
}

// legal lists the legal moves.
func (r *replay) legal() string { return strings.Join(text.List(r.Moves, r.Notation), ", ") }

// notated plays a notation's move, "" for a pass, and records it.
func (r *replay) notated(roll int, move string) error {
	name := func() string { return fmt.Sprintf("%q", text.Clip(move)) }
	err := r.turn(roll, move == "", name, func(m board.Move) bool { return r.Notation(m) == move })
	if err == nil {
		r.record()
	}
	return err
}

// record adds the turn to the game.
func (r *replay) record() { r.game.Turns = append(r.game.Turns, r.Step.Turn()) }

// Replay plays the game again. It calls see, unless nil, after each turn and returns the last
// position. Its error names the turn that breaks the rules and the rule.
func (g *Game) Replay(see func(*Step)) (board.Position, error) {
	r := replay{game: g}
	err := cmp.Or(r.begin(), g.checkDice())
	if err != nil {
		return r.Next, err
	}
	for i, t := range g.Turns {
		name := func() string {
			if t.From == board.Start {
				return "from the hand"
			}
			return "from " + r.Rules.Tile(r.Side(), int(t.From))
		}
		if err := r.turn(int(t.Roll), t.From == Pass, name,
			func(m board.Move) bool { return int8(m.From) == t.From }); err != nil {
			return r.Next, fmt.Errorf("turn %d: %w", i+1, err)
		}
		r.Millis = t.Millis
		if see != nil {
			see(&r.Step)
		}
	}
	return r.Next, g.checkResult(r.Next)
}

// checkDice compares the rolls with those of the dice, if they are known.
func (g *Game) checkDice() error {
	if g.Dice == nil {
		return nil
	}
	dice := g.Rules.Dice(g.Dice.Seed, g.Dice.Game)
	for i, t := range g.Turns {
		if want := dice.Roll(); want != int(t.Roll) {
			return fmt.Errorf("turn %d: roll %d (want %[5]d, by game %[3]d of seed %[4]d)", i+1,
				t.Roll, g.Dice.Game, g.Dice.Seed, want)
		}
	}
	return nil
}

// checkResult compares the result with where the game ended.
func (g *Game) checkResult(last board.Position) error {
	winner, over := last.Winner()
	switch won := g.Result == LightWins || g.Result == DarkWins; {
	case over && g.Result != LightWins+Result(winner):
		return fmt.Errorf("the result is %q, but %s has all pieces home", g.Result, winner)
	case won && !over:
		return fmt.Errorf("the result is %q, but neither side has all pieces home", g.Result)
	}
	return nil
}
