package reversi_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur/bench/benchtest"
)

// The benchmarks of the suite reversi, under the names of "ur bench run --suite reversi".

func BenchmarkMoves(b *testing.B)   { benchtest.Suite(b, "reversi", "Moves") }
func BenchmarkFlips(b *testing.B)   { benchtest.Suite(b, "reversi", "Flips") }
func BenchmarkExpand(b *testing.B)  { benchtest.Suite(b, "reversi", "Expand") }
func BenchmarkPerft(b *testing.B)   { benchtest.Suite(b, "reversi", "Perft") }
func BenchmarkState(b *testing.B)   { benchtest.Suite(b, "reversi", "State") }
func BenchmarkValue(b *testing.B)   { benchtest.Suite(b, "reversi", "Value") }
func BenchmarkSolve(b *testing.B)   { benchtest.Suite(b, "reversi", "Solve") }
func BenchmarkMidgame(b *testing.B) { benchtest.Suite(b, "reversi", "Midgame") }
