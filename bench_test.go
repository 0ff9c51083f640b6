package ur_test

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/gobench"
)

// The ladder: every engine at every level.
//
//	go test -bench . -count 10 | go tool benchstat -col /eval -
//
// compares them side by side; "ur bench run" takes the same samples interleaved.

func BenchmarkValue(b *testing.B) { benchmarkLevel(b, bench.Value) }
func BenchmarkTurn(b *testing.B)  { benchmarkLevel(b, bench.Turn) }
func BenchmarkGame(b *testing.B)  { benchmarkLevel(b, bench.Game) }
func BenchmarkMatch(b *testing.B) { benchmarkLevel(b, bench.Match) }

// workloads are shared by all benchmarks of a level. A process that measures one level does
// not wait for the work of the others.
var workloads sync.Map // from bench.Level to *bench.Workload

func workload(level bench.Level) (*bench.Workload, error) {
	if w, ok := workloads.Load(level); ok {
		return w.(*bench.Workload), nil
	}
	w, err := bench.NewWorkload(bench.DefaultSize(), level)
	if err == nil {
		workloads.Store(level, w)
	}
	return w, err
}

// TestMain prints what the benchmarks measure once, in front of them all.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.bench"); f != nil && f.Value.String() != "" {
		w, err := workload(bench.Value)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := w.WriteHeader(os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// benchmarkLevel runs the cases of one level, an engine each, behind a line that says
// which work it is.
func benchmarkLevel(b *testing.B, level bench.Level) {
	w, err := workload(level)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Printf("signature: %s\n", w.Signature(level))
	for _, e := range engine.All() {
		representation, eval := engine.SplitName(e)
		b.Run("board="+representation+"/eval="+eval, func(b *testing.B) { benchmarkCase(b, w, e, level) })
	}
}

// benchmarkCase checks the answers of an engine and then measures passes over the work.
func benchmarkCase(b *testing.B, w *bench.Workload, e ur.Engine, level bench.Level) {
	if err := ur.Available(e); err != nil {
		b.Skip(err)
	}
	c, err := bench.NewCase(w, e, level)
	if err != nil {
		b.Fatal(err)
	}
	gobench.Run(b, c)
}
