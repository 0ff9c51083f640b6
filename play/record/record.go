// Package record keeps games: players, rules, dice, moves, thinking times and result. It reads
// and writes a format of its own and the formats of other programs.
//
// A [Game] is the content of one record. [NewReader] reads games one after another from any
// [Format]. Reading is strict: every game returned can be replayed, and a game that breaks the
// rules or the format is a [*Fault] with its line. [NewWriter] writes games.
package record

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Game is the record of a game.
type Game struct {
	Rules *board.Rules // nil for Finkel's, those of package board

	Players [2]string // by side; "" if unknown
	Pieces  int       // of each player, 1 to 7, or 1 to 10 under other rules

	// Start is the position before the first turn. The zero Position stands for the start of a
	// whole game: all pieces in hand, Light to move.
	Start board.Position

	Dice   *DiceOrigin // source of the rolls; nil if unknown
	Turns  []Turn
	Result Result

	// Meta holds further facts, such as the date of the game. Keys of foreign formats are kept.
	Meta map[string]string

	hash string // as the record gives it, while it is read
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
	for r, n := range resultNames {
		if n == name {
			return Result(r), nil
		}
	}
	return 0, fmt.Errorf("result %q (want one of %q)", clip(name), resultNames)
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

// Step is a turn of a replay.
type Step struct {
	Number   int // from 0
	Position board.Position
	Roll     int
	Moves    []board.Move // legal, in ascending order of the moving piece; valid until the next step
	Choice   int          // index in Moves; -1 for a pass
	Next     board.Position
	Millis   int64

	Rules *board.Rules // nil for Finkel's
}

// Move returns the move of a step. The step must not be a pass.
func (s *Step) Move() board.Move { return s.Moves[s.Choice] }

// Text returns the move as people write it, or "pass".
func (s *Step) Text() string {
	if s.Choice < 0 {
		return "pass"
	}
	return s.Notation(s.Move())
}

// Begin returns the position before the first turn. It returns an error if the number of pieces
// or Start breaks the rules.
func (g *Game) Begin() (p board.Position, err error) {
	r := g.Rules
	if r == nil {
		r, err = board.Finkel(), board.CheckPieces(g.Pieces)
	}
	if err == nil {
		r, err = r.WithPieces(g.Pieces)
	}
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
	if g.Start, err = ruleSet(g.Rules).ParsePosition(text); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	return nil
}

// StartText returns the text form of Start, "" for the start of a whole game.
func (g *Game) StartText() string {
	if g.Start == (board.Position{}) {
		return ""
	}
	return ruleSet(g.Rules).FormatPosition(g.Start)
}

// Replay plays the game again. It calls see, unless nil, after each turn and returns the last
// position. Its error names the turn that breaks the rules and the rule.
func (g *Game) Replay(see func(*Step)) (board.Position, error) {
	last, err := g.replay(see)
	return last.at, err
}

// replay is Replay with the rules of the last position.
func (g *Game) replay(see func(*Step)) (state, error) {
	p, err := g.start()
	if err != nil {
		return p, err
	}
	if err := g.checkDice(); err != nil {
		return p, err
	}
	var buf [board.MaxMoves]board.Move
	var s Step
	for i, t := range g.Turns {
		if _, over := p.winner(); over {
			return p, fmt.Errorf("turn %d: the game is over since turn %d", i+1, i)
		}
		if t.Roll < 0 || int(t.Roll) > p.rules.MaxRoll() {
			return p, fmt.Errorf("turn %d: a roll of %d (want 0 to %d)", i+1, t.Roll, p.rules.MaxRoll())
		}
		moves := p.moves(buf[:0], int(t.Roll))
		chosen, err := choice(&p, moves, t)
		if err != nil {
			return p, fmt.Errorf("turn %d: %w", i+1, err)
		}
		s = p.step(i, int(t.Roll), moves, chosen)
		s.Millis = t.Millis
		p.at = s.Next
		if see != nil {
			see(&s)
		}
	}
	return p, g.checkResult(p)
}

// checkDice compares the rolls with those of the dice, if they are known.
func (g *Game) checkDice() error {
	if g.Dice == nil {
		return nil
	}
	dice := ruleSet(g.Rules).Dice(g.Dice.Seed, g.Dice.Game)
	for i, t := range g.Turns {
		if want := dice.Roll(); want != int(t.Roll) {
			return fmt.Errorf("turn %d: roll %d (want %[5]d, by game %[3]d of seed %[4]d)", i+1, t.Roll, g.Dice.Game, g.Dice.Seed, want)
		}
	}
	return nil
}

// choice returns the index of a turn's move among the legal moves, -1 for a pass.
func choice(p *state, moves []board.Move, t Turn) (int, error) {
	side := p.turn()
	if t.From == Pass {
		if len(moves) > 0 {
			return 0, fmt.Errorf("passes, but %s can move, as by %s", side, p.notation(moves[0]))
		}
		return -1, nil
	}
	for i, m := range moves {
		if int8(m.From) == t.From {
			return i, nil
		}
	}
	from := "from the hand"
	if t.From > 0 {
		from = "from " + p.rules.Tile(side, int(t.From))
	}
	if len(moves) == 0 {
		return 0, fmt.Errorf("moves %s by %d, but %s has no legal move", from, t.Roll, side)
	}
	return 0, fmt.Errorf("moves %s by %d, which %s cannot", from, t.Roll, side)
}

// checkResult compares the result with where the game ended.
func (g *Game) checkResult(last state) error {
	winner, over := last.winner()
	if over != (g.Result == LightWins || g.Result == DarkWins) {
		if over {
			return fmt.Errorf("the result is %q, but %s has all pieces home", g.Result, winner)
		}
		return fmt.Errorf("the result is %q, but neither side has all pieces home", g.Result)
	}
	if won, _ := g.Result.Winner(); over && won != winner {
		return fmt.Errorf("the result is %q, but %s has all pieces home", g.Result, winner)
	}
	return nil
}

// Tally replays the game and counts its events, as the game itself did. A game that was won
// counts as one game.
func (g *Game) Tally() (tally ur.Tally, err error) {
	_, err = g.Replay(func(s *Step) {
		tally.Turns++
		if s.Choice < 0 {
			tally.Passes++
			return
		}
		tally.Moves++
		if s.Move().Capture {
			tally.Captures++
		}
		if ruleSet(s.Rules).IsRosette(int(s.Move().To)) {
			tally.Rosettes++
		}
	})
	if winner, won := g.Result.Winner(); won {
		tally.Games, tally.Wins[winner] = 1, 1
	}
	return tally, err
}

// clip shortens foreign text to keep an error message readable.
func clip(s string) string { return text.Clip(s) }
