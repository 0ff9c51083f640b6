package ab

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// trapSources has a function for each way to meet the change, or to refer to it only.
const trapSources = `package traps

import "reflect"

type T struct{ n int }

type area interface{ area() int }
type other interface{ other() int }

func (t T) area() int { return t.n }

//go:noinline
func (t T) other() int { return t.n * 3 }

var shapes = []area{T{1}, T{2}}
var others = []other{T{1}}

type New struct{ n int }

func (t *New) area() int { return t.n }

type Tagged struct {
	A int ` + "`json:\"a\"`" + `
}

type Marked struct{}

type marker interface{ Mark() }

var table = [4]int{0, 1, 4, 9}

//go:noinline
func changed(n int) int { return n * 3 }

//go:noinline
func read(i int) int { return table[i&3] }

func Changed(n int) int { return changed(n) }

func seldom(n int) int {
	if n == 1<<40 {
		return changed(n)
	}
	return n
}

//go:noinline
func tag(x any) string { return string(reflect.TypeOf(x).Field(0).Tag) }

//go:noinline
func isMarked(x any) bool { _, ok := x.(marker); return ok }

//go:noinline
func areaOf(x area) int { return x.area() }
`

const trapBenchmarks = `package traps

import (
	"runtime"
	"testing"
)

var sink any

func BenchmarkTwin(b *testing.B)     { for i := 0; i < b.N; i++ { sink = seldom(i) } }
func BenchmarkAhead(b *testing.B)    { BenchmarkParallel(b) }
func BenchmarkLate(b *testing.B)     { for i := 0; i < b.N; i++ { sink = seldom(i) } }
func BenchmarkMethod(b *testing.B)   { for i := 0; i < b.N; i++ { sink = shapes[i&1].area() } }
func BenchmarkSeldom(b *testing.B)   { for i := 0; i < b.N; i++ { sink = seldom(i) } }
func BenchmarkRuns(b *testing.B)     { for i := 0; i < b.N; i++ { sink = changed(i) } }
func BenchmarkOther(b *testing.B)    { for i := 0; i < b.N; i++ { sink = others[0].other() } }
func BenchmarkNew(b *testing.B)      { for i := 0; i < b.N; i++ { sink = areaOf(&New{i}) } }
func BenchmarkTable(b *testing.B)    { for i := 0; i < b.N; i++ { sink = read(i) } }
func BenchmarkTag(b *testing.B)      { for i := 0; i < b.N; i++ { sink = tag(Tagged{}) } }
func BenchmarkMarked(b *testing.B)   { for i := 0; i < b.N; i++ { sink = isMarked(Marked{}) } }
func BenchmarkAlone(b *testing.B) {
	if runtime.GOMAXPROCS(0) > 1 { // it is measured on one processor
		changed(1)
	}
}
func BenchmarkThread(b *testing.B) {
	for i := 0; i < b.N; i++ {
		done := make(chan int)
		go func() { done <- changed(i) }()
		sink = <-done
	}
}
func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if runtime.GOMAXPROCS(0) > 1 { // as where goroutines meet
				changed(1)
			}
		}
	})
}
func BenchmarkSub(b *testing.B) {
	b.Run("seldom", BenchmarkSeldom)
	b.Run("runs", BenchmarkRuns)
}
func BenchmarkSkips(b *testing.B) {
	if sink != nil || b.N > 0 {
		b.Skip("no server")
	}
	sink = changed(b.N)
}
`

// trapTwin has a benchmark of the same name in the external test package.
const trapTwin = `package traps_test

import (
	"testing"

	"example.com/traps"
)

func BenchmarkTwin(b *testing.B) {
	for i := 0; i < b.N; i++ {
		traps.Changed(i)
	}
}
`

// trapData reads a file that differs.
const trapData = `package data

import "os"

//go:noinline
func missing() []byte { return []byte("none") }

func f() []byte {
	text, err := os.ReadFile("words.txt")
	if err != nil {
		return missing()
	}
	return text
}
`

// Benchmarks that do not run the change are not reached; all others are. The first ones in the file end before a trap,
// and two of them are no proof: a twin meets the change in the external tests, one ahead with several processors.
func TestTraps(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": "module example.com/traps\n\ngo 1.22\n", "a.go": trapSources,
		"a_test.go": trapBenchmarks, "b_test.go": trapTwin,
		"data/a.go": trapData, "data/words.txt": "one",
		"data/a_test.go":  "package data\n\nimport \"testing\"\n\nfunc BenchmarkData(b *testing.B) { b.Log(f()) }\n",
		"start/a.go":      "package start\n\nvar fast bool\n\nfunc f() bool { return fast }\n",
		"start/b.go":      "package start\n\nfunc init() { fast = true }\n",
		"start/a_test.go": "package start\n\nimport \"testing\"\n\nfunc BenchmarkStart(b *testing.B) { b.Log(f()) }\n"})
	commit(t, dir, "two", map[string]string{"start/b.go": "package start\n",
		"data/words.txt": "two", "data/a.go": strings.Replace(trapData, "none", "no words", 1), "a.go": strings.NewReplacer(
			"n * 3", "n * 5", `"a"`, `"b"`, "4, 9", "4, 8",
			"func (t *New) area()", "func (t *New) Volume() int { return t.n }\n\nfunc (t *New) area()",
			"type marker", "func (Marked) Mark() {}\n\ntype marker").Replace(trapSources)})
	codes, reached, b := codesOf(t, dir, "one", "two")
	o := DefaultOptions()
	b.Budget = frame.NewBudget(time.Hour, false) // whatever else the machine does
	for function, code := range codes {
		testkit.Equal(t, code, report.ChangedCode, "code that %s can reach", function)
	}
	l := testkit.Must(listing.List(t.Context(), b, reached, o.selection(len(b.Cores), b.MostProcs())))(t)
	p := l.Benchmarks[0].Pkg
	testkit.WantErrorIs(t, build.SetTraps(p.Binaries[frame.New], b.Scratch.Path("lost"), map[string]bool{"lost": true}), build.ErrNoTraps,
		"a function that the program does not have")
	for _, b := range l.Benchmarks {
		switch b.Printed {
		case "Parallel":
			slow := *b
			slow.Procs = 1 // as without figures
			l.Slow = append(l.Slow, &slow)
		case "Late", "Runs", "Alone":
			l.Slow = append(l.Slow, b)
		}
	}
	traps := timing.Timer{Links: build.NewLinks(b), Judges: judge.NewTable(o.rules(), nil, true), Options: timing.Options{Horizon: o.Horizon}}
	testkit.Equal(t, len(traps.FindQuiet(testkit.CanceledContext(), l)), 0, "functions that are quiet without time")
	quiet := traps.FindQuiet(t.Context(), l)
	l, reached = l.Without(quiet), reached.Without(quiet)
	if b.MostProcs() > 1 { // nothing meets on one processor
		testkit.Equal(t, listingtest.Names(l.Slow), "RunsParallel", "slow benchmarks that meet a trap")
	}
	for function, want := range map[string]report.Code{"Seldom": report.SameCode, "Method": report.SameCode,
		"New": report.SameCode, "Late": report.SameCode, "Alone": report.SameCode} {
		testkit.Equal(t, reached[0].Reach["Benchmark"+function].Code, want, "code of %s", function)
	}
	for _, function := range strings.Fields("Ahead Runs Other Table Tag Marked Thread Parallel Sub Skips Twin") {
		if (function == "Parallel" || function == "Ahead") && b.MostProcs() == 1 {
			continue // nothing meets on one processor
		}
		testkit.Equal(t, reached[0].Reach["Benchmark"+function].Code, report.ChangedCode, "code of %s", function)
	}
	testkit.Equal(t, reached[1].Reach["BenchmarkData"].Code, report.ChangedCode, "code beside data that differs")
	testkit.Equal(t, reached[2].Reach["BenchmarkStart"].Code, report.ChangedCode, "code behind a lost initialization")
	for _, b := range l.Benchmarks {
		testkit.Equal(t, b.Reach.Code, report.ChangedCode, "code of listed %s", b.Name)
	}
}
