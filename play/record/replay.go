package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

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

// checkDice compares the rolls with the throws of the dice, if these are known.
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
