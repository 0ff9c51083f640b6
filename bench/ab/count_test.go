package ab

import (
	"cmp"
	"context"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	counting "github.com/seed-09dcdc84/ur/bench/ab/internal/count"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// countedBenchmarks are benchmarks with timers of all kinds, and some that fail.
const countedBenchmarks = `package a

import (
	"fmt"
	"os"
	"testing"
	"time"
)

var (
	sink  int
	words = map[string]int{}
	bytes []byte
)

func init() {
	for i := range 500 {
		words[fmt.Sprint(i)] = i
	}
}

//go:noinline
func work(n int) (s int) {
	for i := range n {
		s = s*31 + i
	}
	return s
}

func repeat(b *testing.B, n int) {
	for i := 0; i < b.N; i++ {
		sink += work(n)
	}
}

func BenchmarkN(b *testing.B) { repeat(b, 1000) }

func BenchmarkLoop(b *testing.B) {
	sink += work(1e5)
	for b.Loop() {
		sink += work(1000)
	}
}

func BenchmarkStops(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		sink += work(5000)
		b.StartTimer()
		sink += work(1000)
	}
}

func BenchmarkReset(b *testing.B) {
	sink += work(1e5)
	b.StopTimer()
	b.StartTimer()
	sink += work(1e5)
	b.ResetTimer()
	repeat(b, 1000)
}

func BenchmarkSub(b *testing.B) {
	for _, n := range []int{1000, 2000} {
		b.Run(fmt.Sprintf("n of %d/x+y (z)", n), func(b *testing.B) { repeat(b, n) })
	}
}

func BenchmarkOnce(b *testing.B) { repeat(b, 1e5) }

func BenchmarkMemory(b *testing.B) {
	for i := 0; i < b.N; i++ {
		bytes = make([]byte, 1024)
	}
}

func BenchmarkMap(b *testing.B) {
	for i := 0; i < b.N; i++ {
		for k := range words {
			sink += words[k]
		}
	}
}

func BenchmarkFails(b *testing.B) {
	if os.Getenv("UR_AB_COUNT") != "" && b.N > 1 {
		b.Fatal("no")
	}
}

func BenchmarkHangs(b *testing.B) {
	if os.Getenv("UR_AB_COUNT") != "" {
		time.Sleep(time.Hour)
	}
}

func BenchmarkPanics(b *testing.B) {
	if os.Getenv("UR_AB_COUNT") != "" {
		panic("no core")
	}
}

func BenchmarkZ(b *testing.B) { repeat(b, 1000) }

func BenchmarkCalled(b *testing.B) { fmt.Println("called", b.N) }

func BenchmarkLooped(b *testing.B) {
	n := 0
	for b.Loop() {
		n++
	}
	fmt.Println("looped", n)
}
`

// countJob counts some benchmarks of a binary.
func countJob(t *testing.T, binary, dir string, iterations map[string]int) count.Job {
	return count.Job{Dir: dir, Iterations: iterations, Functions: true, Seed: 1, Timeout: time.Minute,
		Folder: t.TempDir(),
		Args: func(names []string) []string {
			return append([]string{binary, "-test.run=^$", "-test.timeout=0"},
				build.BenchArgs(count.Pattern(names), "1x", 1)...)
		}}
}

// needCounter skips the test on a machine that cannot count.
func needCounter(t *testing.T) *count.Counter {
	t.Helper()
	counter, err := count.Find(t.Context(), t.TempDir())
	testkit.SkipOn(t, err)
	return counter
}

// Without a counter, times judge alone, unless the user demands counts: the error says how to get one.
func TestNoCounter(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // without valgrind
	_, err := count.Find(t.Context(), t.TempDir())
	testkit.SkipIf(t, err == nil, "the kernel of this machine counts")
	const way = "apt-get install valgrind"
	run := newTestRun(t, DefaultOptions())
	testkit.NoError(t, testkit.ErrorOf(counting.FindCounter(t.Context(), run, false)))
	testkit.WantText(t, strings.Join(run.Remarks, "\n"), way)
	testkit.WantErrorAs[*InputError](t, testkit.ErrorOf(counting.FindCounter(t.Context(), run, true)), way, "demanded counts")
	o := DefaultOptions()
	o.Judge = CountOnly
	o.Progress = func(p Progress) { t.Errorf("%+v before the answer", p) } // such as a build
	testkit.WantErrorAs[*InputError](t, testkit.ErrorOf(Run(t.Context(), o)), way, "demanded counts")
}

// Counters see what they have to in one binary.
func TestCounts(t *testing.T) {
	binary, dir := buildPatched(t, countedBenchmarks)
	t.Run("sections", func(t *testing.T) { testCountedSections(t, binary, dir) })
	if testkit.Long() {
		t.Run("despite failures", func(t *testing.T) { testCountsDespiteFailures(t, binary, dir) })
	}
	t.Run("perf events", func(t *testing.T) { testPerfEvents(t, binary, dir) })
	t.Run("repeats", func(t *testing.T) { testRepeats(t, binary, dir) })
}

// A count holds the timed sections alone, whatever the timers do. It repeats exactly.
func testCountedSections(t *testing.T, binary, dir string) {
	counter := needCounter(t)
	n := testkit.Trials(100, 500)
	iterations := map[string]int{"BenchmarkN": n, "BenchmarkLoop": n, "BenchmarkStops": 10, "BenchmarkReset": n,
		"BenchmarkSub/n_of_1000/x+y_(z)": n, "BenchmarkSub/n_of_2000/x+y_(z)": n, "BenchmarkOnce": 1, "BenchmarkMap": 3,
		"BenchmarkMemory": 500}
	first, err := counter.Run(t.Context(), countJob(t, binary, dir, iterations))
	testkit.FatalIf(t, err != nil || len(first.Failed) > 0 || len(first.Benchmarks) != len(iterations),
		"%+v, error %v", first, err)
	want := first.Benchmarks["BenchmarkN"][0].Instructions
	for name, times := range map[string]float64{"BenchmarkLoop": 1, "BenchmarkStops": 1, "BenchmarkReset": 1,
		"BenchmarkSub/n_of_1000/x+y_(z)": 1, "BenchmarkSub/n_of_2000/x+y_(z)": 2, "BenchmarkOnce": 100} {
		got := first.Benchmarks[name][0].Instructions
		testkit.ErrorIf(t, math.Abs(got/(times*want)-1) > 0.02,
			"%s: %v instructions, want %v times %v", name, got, times, want)
	}
	if counter.Name() == "perf" || first.Unseeded != "" {
		return
	}
	f := first.Benchmarks["BenchmarkStops"][0].Functions[0]
	testkit.ErrorIf(t, !strings.HasSuffix(f.Name, "/a.work") && f.Name != "a.work" || f.Calls != 1,
		"most instructions in %+v", f)
	iterations = map[string]int{"BenchmarkN": n, "BenchmarkReset": n, "BenchmarkLoop": n, "BenchmarkStops": 2,
		"BenchmarkOnce": 1, "BenchmarkSub/n_of_1000/x+y_(z)": n, "BenchmarkMemory": 500}
	job := countJob(t, binary, dir, iterations)
	job.Runs = make(map[string]int)
	for name := range iterations {
		job.Runs[name] = testkit.Trials(2, 3)
	}
	job.Functions = false
	again, err := counter.Run(t.Context(), job)
	testkit.FatalIf(t, err != nil || len(again.Benchmarks) != len(iterations), "%+v, error %v", again, err)
	if testkit.Long() {
		repeated := testkit.Must(counter.Run(t.Context(), job))(t).Benchmarks
		for name, runs := range again.Benchmarks {
			same := name == "BenchmarkMemory" || reflect.DeepEqual(runs, repeated[name]) // its pages come in batches
			testkit.ErrorIf(t, !same, "%s: %+v, and again %+v", name, runs, repeated[name])
		}
	}
	for name, runs := range again.Benchmarks {
		want := first.Benchmarks[name][0].Instructions
		memory := runs[0].Memory
		testkit.Equal(t, memory.Bytes >= 1024 && memory.Allocs >= 1, name == "BenchmarkMemory", "%s: a kilobyte in %+v", name, memory)
		testkit.Equal(t, len(runs), job.Runs[name], "%s: number of runs", name)
		for i, figures := range runs {
			const most = 100 // instructions of the requests of callgrind
			testkit.ErrorIf(t, math.Abs(figures.Instructions-want) > most,
				"%s: %v instructions in run %d, with functions %v", name, figures.Instructions, i, want)
		}
	}
}

// A benchmark that fails, hangs or ends the process has a reason, and the others have counts.
// Nothing remains, also if the context ends.
func testCountsDespiteFailures(t *testing.T, binary, dir string) {
	counter := needCounter(t)
	reasons := map[string]string{"BenchmarkFails": "fails under ", "BenchmarkPanics": "panic: no core",
		"BenchmarkHangs": "takes longer than 1m0s under "}
	job := countJob(t, binary, dir, map[string]int{"BenchmarkN": 50, "BenchmarkZ": 50})
	for name := range reasons {
		job.Iterations[name] = 5
	}
	result, err := counter.Run(t.Context(), job)
	testkit.ErrorIf(t, err != nil || len(result.Failed) != len(reasons) || len(result.Benchmarks) != 2,
		"%+v, error %v", result, err)
	for name, want := range reasons {
		testkit.WantText(t, name+": "+result.Failed[name], want)
	}
	job.Timeout = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	testkit.Equal(t, testkit.ErrorOf(counter.Run(ctx, job)), context.DeadlineExceeded, "error of the ended context")
	testkit.Equal(t, testkit.Must(filepath.Glob(filepath.Join(job.Folder, "*")))(t), nil, "files that remain")
}

// A counter of the kernel counts inside the timers. The test takes the clock of the task, which every
// kernel has, in nanoseconds.
func testPerfEvents(t *testing.T, binary, dir string) {
	args := append([]string{binary, "-test.run=^$"}, build.BenchArgs("^Benchmark(N|Once)$", "200x", 1)...)
	p := frame.Program{Args: args, Dir: dir, Core: frame.NoCore, Env: []string{"UR_AB_PERF=1:1"}}
	counts := make(map[string]float64) // least of some runs: on a busy machine the clock runs while pages are loaded
	for range 3 {
		out := testkit.Must(p.Run(t.Context()))(t)
		for line := range strings.Lines(string(out.Output)) {
			fields := strings.Fields(line)
			if i := slices.Index(fields, "ur-instructions"); i > 0 {
				count := testkit.Must(strconv.ParseFloat(fields[i-1], 64))(t)
				counts[fields[0]] = min(count, cmp.Or(counts[fields[0]], count))
			}
		}
	}
	testkit.SkipIf(t, len(counts) == 0, "this kernel has no perf events")
	n, once := counts["BenchmarkN"], counts["BenchmarkOnce"]
	testkit.ErrorIf(t, !(n > 0) || !(once > 20*n), "%v and %v ns, want a hundred times as much", n, once)
}
