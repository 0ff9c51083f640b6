package bench_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/benchtest"
)

// Names have keys, so benchstat can pivot on them.
func ExampleSuite_Select() {
	suite, err := bench.LookupSuite(bench.EnginesSuite)
	if err != nil {
		panic(err)
	}
	set, err := suite.Select(bench.Selection{Match: regexp.MustCompile("/board=array16/eval=scalar$"),
		Scopes: []bench.Scope{bench.Value, bench.Game}})
	for _, b := range set.Benchmarks {
		fmt.Println(b.Name, b.Unit, err)
	}
	// Output:
	// Value/board=array16/eval=scalar ns/eval <nil>
	// Game/board=array16/eval=scalar us/game <nil>
}

// The benchmarks of the suites search and reversi have the names of "ur bench run".

func BenchmarkSearch(b *testing.B)  { benchtest.Suite(b, "search", "Search") }
func BenchmarkTable(b *testing.B)   { benchtest.Suite(b, "search", "Table") }
func BenchmarkHorizon(b *testing.B) { benchtest.Suite(b, "search", "Horizon") }
func BenchmarkMoves(b *testing.B)   { benchtest.Suite(b, "reversi", "Moves") }
func BenchmarkFlips(b *testing.B)   { benchtest.Suite(b, "reversi", "Flips") }
func BenchmarkExpand(b *testing.B)  { benchtest.Suite(b, "reversi", "Expand") }
func BenchmarkPerft(b *testing.B)   { benchtest.Suite(b, "reversi", "Perft") }
func BenchmarkValue(b *testing.B)   { benchtest.Suite(b, "reversi", "Value") }
func BenchmarkSolve(b *testing.B)   { benchtest.Suite(b, "reversi", "Solve") }
func BenchmarkMidgame(b *testing.B) { benchtest.Suite(b, "reversi", "Midgame") }
