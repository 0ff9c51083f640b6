// Package puzzle holds instructive positions, found in games by the exact solution and
// explained by its numbers. [All] returns the built-in puzzles.
package puzzle

import (
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// Puzzle is a position with a roll and the values of its moves. In a file it is a line of JSON
// with schema ur.puzzle/1. Probabilities are 0 to 1, for the side to move.
type Puzzle struct {
	Schema   string   `json:"schema"`
	Number   int      `json:"number"`   // number from 1
	Kind     string   `json:"kind"`     // page, greed, capture, rosette, quiet or close
	Source   string   `json:"source"`   // where it comes from
	Position string   `json:"position"` // the position as text, as in records
	Roll     int      `json:"roll"`
	Best     string   `json:"best"`    // move in notation
	Moves    []Move   `json:"moves"`   // moves by the moving piece's square
	Choices  []Choice `json:"choices"` // choices of players
}

// Move is a legal move with its value in the exact solution.
type Move struct {
	Move   string  `json:"move"`   // move in notation
	Win    float64 `json:"win"`    // under perfect play
	Regret float64 `json:"regret"` // its regret
	Risk   float64 `json:"risk"`   // probability that the opponent's next roll can capture; 0 when this side rolls again
}

// Choice is a player's move in a puzzle.
type Choice struct {
	Player string `json:"player"`
	Move   string `json:"move"` // move in notation
}

// schema of a puzzle.
const schema = "ur.puzzle/1"

// titles are the headlines of puzzles by their themes.
var titles = map[string]string{
	"page":    "Discussed on the page of TD-Ur",
	"greed":   "What looks best at once is not",
	"capture": "A rosette, or a capture? The capture",
	"rosette": "A rosette, or a capture? The rosette",
	"quiet":   "Neither rosette nor capture",
	"close":   "Two ways that are worth the same",
}

// Title describes a puzzle's theme. It may reveal the answer.
func (p *Puzzle) Title() string { return titles[p.Kind] }

// MustTurn returns the puzzle as a turn of a game, with the legal moves in the order of Moves. The
// position must be legal.
func (p *Puzzle) MustTurn() *play.Turn {
	t := &play.Turn{Rules: board.Finkel(), Roll: p.Roll}
	var err error
	if t.Position, err = t.Rules.ParsePosition(p.Position); err != nil {
		panic(err) // a test checks the built-in puzzles
	}
	t.Moves = t.Rules.Moves(nil, t.Position, p.Roll)
	return t
}

// Good is the largest regret of a move that counts as good as the best, in win probability: too
// small for a person to notice.
const Good = 0.001

// Index returns the number of a move by its notation, or -1.
func (p *Puzzle) Index(move string) int {
	return slices.IndexFunc(p.Moves, func(m Move) bool { return m.Move == move })
}

// risk returns the probability that a side's opponent, if it is to move, rolls a capture.
func risk(p board.Position, side board.Side) float64 {
	if _, over := p.Winner(); over || p.Turn() == side {
		return 0
	}
	r, ways := board.Finkel(), 0
	for roll := 1; roll <= r.MaxRoll(); roll++ {
		if slices.ContainsFunc(r.Moves(nil, p, roll), func(m board.Move) bool { return m.Capture }) {
			ways += r.Weight(roll)
		}
	}
	return float64(ways) / float64(r.WeightSum())
}

// Judge fills in the values of the moves from the exact solution.
func (p *Puzzle) Judge(t *solve.Table) {
	p.Schema = schema
	turn := p.MustTurn()
	best, worth := t.BestMove(turn.Position, turn.Moves)
	p.Best, p.Moves = turn.Notation(turn.Moves[best]), nil
	for _, m := range turn.Moves {
		win := rounded(t.After(turn.Position, m))
		p.Moves = append(p.Moves,
			Move{turn.Notation(m), win, rounded(rounded(worth) - win),
				rounded(risk(turn.Rules.Apply(turn.Position, m), turn.Side()))})
	}
}

// NamedPlayer is a player with a display name.
type NamedPlayer struct {
	Name string
	play.Player
}

// Ask adds the choices of players to a puzzle, before those already stored.
func (p *Puzzle) Ask(ctx context.Context, players []NamedPlayer) error {
	turn := p.MustTurn()
	var choices []Choice
	for _, player := range players {
		instance, err := player.New(engine.Fastest())
		if err != nil {
			return err
		}
		choice, err := instance.Choose(ctx, turn)
		if err != nil {
			return err
		}
		choices = append(choices, Choice{player.Name, p.Moves[choice].Move})
	}
	p.Choices = append(choices, p.Choices...)
	return nil
}

//go:embed puzzles.jsonl
var builtin string

// All returns the built-in puzzles.
func All() (puzzles []*Puzzle, err error) {
	decoder := json.NewDecoder(strings.NewReader(builtin))
	for decoder.More() && err == nil {
		p := new(Puzzle)
		err = decoder.Decode(p)
		puzzles = append(puzzles, p)
	}
	return puzzles, err
}

// rounded rounds to millionths, enough for any reader.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }
