package ur_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/benchtest"
	"github.com/seed-09dcdc84/ur/engine"
)

// The ladder: every engine at every level. "ur bench run" takes the same samples interleaved.

func BenchmarkValue(b *testing.B) { benchmarkLevel(b, bench.Value) }
func BenchmarkTurn(b *testing.B)  { benchmarkLevel(b, bench.Turn) }
func BenchmarkGame(b *testing.B)  { benchmarkLevel(b, bench.Game) }

// workloads are shared by all runs of a level. A process makes the work of the levels that it
// measures.
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

// writeHeader describes the work once, in front of all benchmarks.
var writeHeader = sync.OnceValue(func() error { return bench.WriteHeader(os.Stdout) })

// benchmarkLevel runs the benchmarks of one level, an engine each, behind the signature of their
// work.
func benchmarkLevel(b *testing.B, level bench.Level) {
	w, err := workload(level)
	if err != nil {
		b.Fatal(err)
	}
	if err := writeHeader(); err != nil {
		b.Fatal(err)
	}
	fmt.Printf("signature: %s\n", w.Signature(level))
	for _, e := range engine.All() {
		b.Run(bench.SubName(e.Name()), func(b *testing.B) {
			if err := ur.Available(e); err != nil {
				b.Skip(err)
			}
			benchmark, err := w.Benchmark(e, level)
			if err != nil {
				b.Fatal(err)
			}
			benchtest.Run(b, benchmark)
		})
	}
}
