// Package puzzle holds positions to learn from: found in games by the exact solution, and
// explained by its numbers. [All] returns those that come with the program, and [Search.Find] looks for
// others.
package puzzle

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
)

// Puzzle is a position with a roll, and what the moves are worth. It stands in a line of
// JSON, of schema ur.puzzle/1. Probabilities are 0 to 1 and of the side to move.
type Puzzle struct {
	Schema   string         `json:"schema"`
	Number   int            `json:"number"` // from 1
	Kind     string         `json:"kind"`   // one of [Kinds]
	Source   string         `json:"source"` // where it comes from
	Position board.Position `json:"position"`
	Roll     int            `json:"roll"`
	Best     string         `json:"best"` // in the notation of moves
	Moves    []Move         `json:"moves"`
	Choices  []Choice       `json:"choices"` // what players make of it; in a file those who may not be at hand later
}

// Move is what the exact solution says of a legal move.
type Move struct {
	Move   string  `json:"move"`
	Win    float64 `json:"win"`    // under perfect play
	Regret float64 `json:"regret"` // what it gives away against the best
	Risk   float64 `json:"risk"`   // that the other side's next throw can capture; 0 when this one throws again
}

// Choice is the move that a player makes.
type Choice struct {
	Player string `json:"player"`
	Move   string `json:"move"`
}

// Schema of a puzzle.
const Schema = "ur.puzzle/1"

// Kind is what a puzzle is about.
type Kind struct {
	Name string
	Help string // as the headline of a puzzle
}

// Kinds are what puzzles are about.
func Kinds() []Kind {
	return []Kind{
		{"page", "Discussed on the page of TD-Ur"},
		{"greed", "What looks best at once is not"},
		{"capture", "A rosette, or a capture? The capture"},
		{"rosette", "A rosette, or a capture? The rosette"},
		{"quiet", "Neither rosette nor capture"},
		{"close", "Two ways that are worth the same"},
	}
}

// Title returns what a puzzle is about, in words. It may tell the answer.
func (p *Puzzle) Title() string {
	kinds := Kinds()
	return kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == p.Kind })].Help
}

// Legal returns the legal moves, in the order of Moves.
func (p *Puzzle) Legal() []board.Move { return p.Position.Moves(nil, p.Roll) }

// Good is what a move may give away and still be as good as the best: too little for a
// person to see, in probability to win.
const Good = 0.001

// Index returns the number of a move by its notation, or -1.
func (p *Puzzle) Index(move string) int {
	return slices.IndexFunc(p.Moves, func(m Move) bool { return m.Move == move })
}

// Check returns what is wrong with a puzzle by the rules, and in itself.
func (p *Puzzle) Check() error {
	legal := p.Legal()
	if p.Schema != Schema || p.Roll < 1 || p.Roll > board.MaxRoll || len(legal) < 2 || len(legal) != len(p.Moves) {
		return fmt.Errorf("puzzle %d: schema %q, a roll of %d and %d moves of %d", p.Number, p.Schema, p.Roll, len(p.Moves), len(legal))
	}
	if !slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Name == p.Kind }) {
		return fmt.Errorf("puzzle %d: unknown kind %q", p.Number, p.Kind)
	}
	best := p.Index(p.Best)
	if best < 0 {
		return fmt.Errorf("puzzle %d: the best move %q is none", p.Number, p.Best)
	}
	for i, m := range p.Moves {
		if want := legal[i].Notation(p.Position.Turn()); m.Move != want {
			return fmt.Errorf("puzzle %d: move %d is %q, want %q", p.Number, i+1, m.Move, want)
		}
		if m.Win < 0 || m.Win > p.Moves[best].Win || m.Regret < 0 || (m.Regret == 0) != (m.Win == p.Moves[best].Win) || m.Risk != rounded(Risk(p.Position.Apply(legal[i]), p.Position.Turn())) {
			return fmt.Errorf("puzzle %d: the numbers of %s cannot be", p.Number, m.Move)
		}
	}
	for _, c := range p.Choices {
		if p.Index(c.Move) < 0 {
			return fmt.Errorf("puzzle %d: %s chooses %q, which is no move", p.Number, c.Player, c.Move)
		}
	}
	return nil
}

// Risk returns the probability that a side's opponent, if it is to move, throws what lets it
// capture.
func Risk(p board.Position, side board.Side) float64 {
	if _, over := p.Winner(); over || p.Turn() == side {
		return 0
	}
	ways := 0
	for roll, n := range board.RollWays {
		if slices.ContainsFunc(p.Moves(nil, roll), func(m board.Move) bool { return m.Capture }) {
			ways += n
		}
	}
	const all = 16
	return float64(ways) / all
}

// Judge fills in what the exact solution says of the moves.
func (p *Puzzle) Judge(t solve.Table) {
	side := p.Position.Turn()
	legal := p.Legal()
	best, worth := solve.BestMove(t, p.Position, legal)
	p.Best = legal[best].Notation(side)
	p.Moves = nil
	for _, m := range legal {
		win := solve.After(t, p.Position, m)
		p.Moves = append(p.Moves, Move{m.Notation(side), rounded(win), rounded(worth) - rounded(win), rounded(Risk(p.Position.Apply(m), side))})
		last := &p.Moves[len(p.Moves)-1]
		last.Regret = rounded(last.Regret)
	}
}

//go:embed puzzles.jsonl
var builtin string

// All returns the puzzles that come with the program.
func All() ([]*Puzzle, error) { return Read(builtin) }

// Read reads puzzles, one a line.
func Read(text string) (puzzles []*Puzzle, err error) {
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		p := new(Puzzle)
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(p); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if err := p.Check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		puzzles = append(puzzles, p)
	}
	return puzzles, nil
}
