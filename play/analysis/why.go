package analysis

import (
	"fmt"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
)

// Why explains a move by the built-in brain: the pairs of numbers in which the position after it
// differs from that after another move. Points are values of the brain for the side that moves.
type Why struct {
	Over    string   `json:"over"`    // the other move: the best one, or the second best if the move is the best
	Points  int32    `json:"points"`  // the value of the move minus that of the other move
	Reasons []Reason `json:"reasons"` // the pairs, the largest first; they sum to the points
}

// Reason is the difference in the product of a pair of numbers.
type Reason struct {
	Pair   string `json:"pair"` // such as "Light B4 and Dark hand"; the last one may be all others
	Points int32  `json:"points"`
}

// mostReasons is the number of pairs with a line of their own.
const mostReasons = 6

var whyBrain = sync.OnceValue(ur.DefaultBrain)

// Why explains a move of the turn that the advice is about. It returns nil for a turn without
// another move, and under rules that brains do not play.
func (a *Advice) Why(t *play.Turn, move int) *Why {
	if !t.Rules.IsFinkel() || len(t.Moves) < 2 {
		return nil
	}
	other := a.Best
	if move == a.Best {
		other = (move + 1) % len(t.Moves)
		for i, win := range a.Win {
			if i != move && win > a.Win[other] {
				other = i
			}
		}
	}
	after := func(i int) board.Position { return t.Rules.Apply(t.Position, t.Moves[i]) }
	w, sign := &Why{Over: t.Notation(t.Moves[other]), Reasons: []Reason{}}, int32(t.Side().Sign())
	terms := whyBrain().Compare(after(move), after(other))
	rest := Reason{}
	for i, t := range terms {
		points := sign * t.Product
		w.Points += points
		if i < mostReasons {
			w.Reasons = append(w.Reasons, Reason{pairName(t.Row, t.Column), points})
		} else {
			rest.Points += points
		}
	}
	if n := len(terms) - mostReasons; n > 0 {
		rest.Pair = text.Plural(n, "other pair")
		w.Reasons = append(w.Reasons, rest)
	}
	return w
}

// pairName names a pair of numbers. The square of a number is the number's own name.
func pairName(row, column int) string {
	if row == column {
		return board.NumberName(row)
	}
	return board.NumberName(column) + " and " + board.NumberName(row)
}

// Text returns the explanation of a move in lines.
func (w *Why) Text(move string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "The built-in brain values %s over %s by %+d, of which\n\n", move, w.Over, w.Points)
	for _, r := range w.Reasons {
		fmt.Fprintf(&out, "  %+6d  %s\n", r.Points, r.Pair)
	}
	return out.String()
}
