package ur_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/benchtest"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// The ladder: every engine at every scope. "ur bench run" takes the same samples interleaved.

func BenchmarkValue(b *testing.B) { benchmarkScope(b, bench.Value) }
func BenchmarkTurn(b *testing.B)  { benchmarkScope(b, bench.Turn) }
func BenchmarkMoves(b *testing.B) { benchmarkScope(b, bench.Moves) }
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
			testkit.SkipOn(b, ur.Available(e))
			one, err := w.Benchmark(e, scope)
			testkit.SkipIf(b, errors.Is(err, bench.ErrNoMoves), "%v", err)
			benchtest.Run(b, testkit.Must(one, err)(b))
		})
	}
}

var benchmarksFile = flag.String("benchmarks", "",
	"check the names of the benchmarks in this file, the output of go test -bench")

// checkNames reads benchmarks and returns how many there are, or what is wrong with the
// name of one: each part must be key=value, as benchstat splits it, with a key once.
func checkNames(r io.Reader, name string) (int, error) {
	names := map[string]bool{}
	for reader := benchfmt.NewReader(r, name); reader.Scan(); {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		full := string(result.Name.Full())
		names[full] = true
		_, parts := result.Name.Parts()
		seen := map[string]bool{}
		for _, part := range parts {
			if part[0] == '-' { // GOMAXPROCS
				continue
			}
			key, value, ok := strings.Cut(string(part[1:]), "=")
			if !ok || key == "" || value == "" || seen[key] {
				return 0, fmt.Errorf("benchmark %s: part %q is not a new key=value", full, part)
			}
			seen[key] = true
			if got, err := project(result, "/"+key); err != nil || got != value {
				return 0, fmt.Errorf("benchmark %s: by %q it is %q (%v), want %q", full, "/"+key, got, err, value)
			}
		}
	}
	return len(names), nil
}

// project returns what benchstat shows of a result in a column of a key.
func project(result *benchfmt.Result, key string) (string, error) {
	var parser benchproc.ProjectionParser
	filter, err := benchproc.NewFilter("*")
	if err != nil {
		return "", err
	}
	projection, err := parser.Parse(key, filter)
	if err != nil {
		return "", err
	}
	return projection.Project(result).StringValues(), nil
}

// Tools split a benchmark's name into keys and values, so every name must be made of
// them. With -benchmarks it is those of a file, which the checks fill with all benchmarks
// of the tree; without, those of the ladder.
func TestBenchmarkNames(t *testing.T) {
	if *benchmarksFile != "" {
		f := testkit.Must(os.Open(*benchmarksFile))(t)
		defer f.Close()
		n, err := checkNames(f, *benchmarksFile)
		testkit.ErrorIf(t, err != nil || n < 100, "%d benchmarks: %v", n, err)
		return
	}
	var text strings.Builder
	for _, e := range engine.All() {
		representation, eval, _ := strings.Cut(e.Name(), "/")
		fmt.Fprintf(&text, "BenchmarkValue/board=%s/eval=%s-2 1 5 ns/eval\n", representation, eval)
	}
	testkit.Equal(t, testkit.Must(checkNames(strings.NewReader(text.String()), "ladder"))(t), len(engine.All()),
		"names of the ladder")
	for _, wrong := range []string{"engine=array16/scalar/tell=true", "plain", "a=", "=b", "a=1/a=2"} {
		line := strings.NewReader("BenchmarkX/" + wrong + "-2 1 5 ns/op\n")
		testkit.WantError(t, testkit.ErrorOf(checkNames(line, "wrong")), "", "the name X/%s", wrong)
	}
}
