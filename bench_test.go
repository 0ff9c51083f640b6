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
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The ladder: every engine at every scope. "ur bench run" takes the same samples interleaved.

func BenchmarkValue(b *testing.B) { benchmarkScope(b, bench.Value) }
func BenchmarkTurn(b *testing.B)  { benchmarkScope(b, bench.Turn) }
func BenchmarkGame(b *testing.B)  { benchmarkScope(b, bench.Game) }

// workloads are shared by all runs of a scope. A process makes the work of the scopes that it
// measures.
var workloads sync.Map // from bench.Scope to *bench.Workload

func workload(scope bench.Scope) (*bench.Workload, error) {
	if w, ok := workloads.Load(scope); ok {
		return w.(*bench.Workload), nil
	}
	w, err := bench.NewWorkload(bench.DefaultSize(), scope)
	if err == nil {
		workloads.Store(scope, w)
	}
	return w, err
}

// writeHeader describes the work once, in front of all benchmarks.
var writeHeader = sync.OnceValue(func() error { return bench.WriteHeader(os.Stdout) })

// benchmarkScope runs the benchmarks of one scope, an engine each, behind the signature of their
// work.
func benchmarkScope(b *testing.B, scope bench.Scope) {
	w := testkit.Must(workload(scope))(b)
	testkit.NoError(b, writeHeader())
	fmt.Printf("signature: %s\n", w.Signature(scope))
	for _, e := range engine.All() {
		b.Run(bench.SubName(e.Name()), func(b *testing.B) {
			if err := ur.Available(e); err != nil {
				b.Skip(err)
			}
			benchmark := testkit.Must(w.Benchmark(e, scope))(b)
			benchtest.Run(b, benchmark)
		})
	}
}
