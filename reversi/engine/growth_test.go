package engine

import (
	_ "embed"
	"math"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// growing holds positions of self-play with 20 to 40 empty squares.
//
//go:embed testdata/midgame.obf
var growing string

// A search to two plies more takes about twice the nodes: so wide are the margins of ProbCut. Without it, depth 12 has
// other values, by less than a disc on average. With -long the table of docs/reversi.md is printed (-v).
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("searches five million nodes")
	}
	deepest := 14
	if testkit.Long() {
		deepest = 18
	}
	weights := learned(t)
	exact, err := New(Options{Weights: weights, Without: probCutting})
	if err != nil {
		t.Fatal(err)
	}
	before, surprise, squares, compared := uint64(0), 0.0, 0.0, 0.0
	for depth := 12; depth <= deepest; depth += 2 {
		nodes := uint64(0)
		for line := range strings.Lines(growing) {
			p, ok, err := board.ParseOBF(strings.TrimSpace(line))
			if err != nil || !ok {
				t.Fatalf("%q: %v", line, err)
			}
			if p.Board.Empties() <= depth {
				continue
			}
			s, err := New(Options{Weights: weights})
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Search(t.Context(), p.Board, Limits{Depth: depth})
			if err != nil {
				t.Fatal(err)
			}
			nodes += r.Nodes
			if depth > 12 || !testkit.Long() {
				continue
			}
			full, err := exact.Search(t.Context(), p.Board, Limits{Depth: depth})
			if err != nil {
				t.Fatal(err)
			}
			d := float64(r.Value-full.Value) / eval.Disc
			surprise, squares, compared = surprise+math.Abs(d), squares+float64(d*d), compared+1
		}
		t.Logf("depth %d: %.2f million nodes", depth, float64(nodes)/1e6)
		if growth := float64(nodes) / float64(before); before > 0 && growth > 2.5 {
			t.Errorf("depth %d: %.2f times the nodes of depth %d (want at most 2.5)", depth, growth, depth-2)
		}
		before = nodes
	}
	if compared > 0 {
		t.Logf("depth 12 without ProbCut: values differ by %.2f discs on average, the root of the mean square is %.2f", surprise/compared, math.Sqrt(squares/compared))
		if surprise/compared > 0.6 {
			t.Errorf("depth 12: ProbCut changes values by %.2f discs on average (want at most 0.6)", surprise/compared)
		}
	}
}
