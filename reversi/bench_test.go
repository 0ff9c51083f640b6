package reversi_test

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/gobench"
	"github.com/seed-09dcdc84/ur/internal/reversi/suite"
)

// run runs the subjects of a group as benchmarks, under the names of "ur bench run
// --suite reversi".
func run(b *testing.B, group string) {
	all, err := suite.All()
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range all {
		if name, ok := strings.CutPrefix(s.Name(), group+"/"); ok {
			b.Run(name, func(b *testing.B) { gobench.Run(b, s) })
		}
	}
}

func BenchmarkMoves(b *testing.B)   { run(b, "Moves") }
func BenchmarkFlips(b *testing.B)   { run(b, "Flips") }
func BenchmarkExpand(b *testing.B)  { run(b, "Expand") }
func BenchmarkPerft(b *testing.B)   { run(b, "Perft") }
func BenchmarkState(b *testing.B)   { run(b, "State") }
func BenchmarkValue(b *testing.B)   { run(b, "Value") }
func BenchmarkSolve(b *testing.B)   { run(b, "Solve") }
func BenchmarkMidgame(b *testing.B) { run(b, "Midgame") }
