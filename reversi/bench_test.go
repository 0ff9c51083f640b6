package reversi_test

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/reversi/suite"
)

// run runs the subjects of a group as benchmarks, under the names that "reversi bench"
// gives them.
func run(b *testing.B, group string) {
	all, err := suite.All()
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range all {
		if s.Group() != group {
			continue
		}
		b.Run(strings.TrimPrefix(s.Name(), group+"/"), func(b *testing.B) {
			pieces := 0.0
			for b.Loop() {
				n, err := s.Pass()
				if err != nil {
					b.Fatal(err)
				}
				pieces += n
			}
			b.ReportMetric(experiment.PerUnit(b.Elapsed(), pieces, s.Unit()), s.Unit())
			if nodes := s.Nodes(); nodes > 0 {
				b.ReportMetric(float64(nodes), "nodes")
			}
		})
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
