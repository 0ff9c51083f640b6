package count

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A missing, old or broken valgrind is refused with a reason.
func TestFindValgrind(t *testing.T) {
	testkit.SkipIf(t, runtime.GOOS != "linux", "scripts of a shell stand for valgrind")
	version := `if [ "$1" = --version ]; then echo valgrind-3.21.0.GIT; exit; fi` + "\n"
	for name, test := range map[string]struct{ script, want string }{
		"missing":   {"", "not installed"},
		"old":       {"echo valgrind-3.17.0", "3.17.0 is too old"},
		"something": {"echo hello", `unknown answer "hello\n"`},
		"fails":     {"echo no such file >&2; exit 3", "exit status 3: no such file"},
		"without tools": {version + "echo tool not found >&2; exit 1",
			"3.21.0.GIT does not work: exit status 1: tool not found"},
		"works": {version, ""},
	} {
		dir := t.TempDir()
		if test.script != "" {
			script := []byte("#!/bin/sh\n" + test.script)
			testkit.NoError(t, os.WriteFile(filepath.Join(dir, "valgrind"), script, 0o700))
		}
		t.Setenv("PATH", dir)
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, "true"), []byte("#!/bin/sh\n"), 0o700))
		c, err := findValgrind(t.Context(), t.TempDir())
		if test.want != "" {
			testkit.WantError(t, err, test.want, "%s", name)
		} else {
			testkit.Equal(t, testkit.Must(c, err)(t).String(), "valgrind 3.21.0.GIT", "%s", name)
		}
	}
}

func TestPattern(t *testing.T) {
	got := Pattern([]string{"BenchmarkA", "BenchmarkB/n=1/x|y"})
	testkit.Equal(t, got, `^BenchmarkA$|^BenchmarkB$/^n=1$/^x\|y$`, "pattern")
}

func TestIterations(t *testing.T) {
	for _, test := range []struct {
		op             time.Duration
		sections, work float64 // work in Work
		n              int
	}{
		{0, 0, 1, 250_000}, {100, 0, 1, 2_500}, {100, 0, 10, 25_000}, {100, 1, 1, 25}, {100, 40, 1, 2},
		{900 * time.Microsecond, 0, 1, 2}, {9 * time.Millisecond, 0, 1, 1},
		{400 * time.Millisecond, 0, 1, 1}, {time.Second, 0, 1, 0},
	} {
		n, reason := Iterations(test.op, test.sections, time.Duration(test.work)*Work)
		testkit.Equal(t, n, test.n, "%+v: iterations", test)
		testkit.Equal(t, reason != "", n == 0, "%+v: %q is a reason", test, reason)
	}
}

// The settings that a count needs come after those of the user.
func TestEnvironment(t *testing.T) {
	t.Setenv("GODEBUG", "madvdontneed=1")
	c := &Counter{valgrind: "valgrind"}
	env := c.environment([]string{"GODEBUG=panicnil=1", "GOGC=50"}, "UR_AB_WORK=x")
	last := func(name string) string {
		for _, setting := range slices.Backward(env) {
			if strings.HasPrefix(setting, name+"=") {
				return setting
			}
		}
		return ""
	}
	for _, want := range []string{"GODEBUG=panicnil=1,asyncpreemptoff=1,gcstoptheworld=2,cpu.rdtscp=off", "GOGC=off",
		"GOMAXPROCS=1", "UR_AB_WORK=x"} {
		name, _, _ := strings.Cut(want, "=")
		testkit.Equal(t, last(name), want, "setting")
	}
}

func TestMessages(t *testing.T) {
	var m messages
	for _, text := range []string{"goos: linux\npan", "ic: no core\n\ngoroutine 1\n", strings.Repeat("x", 1<<20), "\n",
		"  exit 2 \n"} {
		testkit.MustEqual(t, testkit.Must(m.Write([]byte(text)))(t), len(text), "bytes that are written")
	}
	testkit.Equal(t, m.cause, "panic: no core", "cause")
	testkit.Equal(t, m.last, "exit 2", "last line")
}

func TestCompare(t *testing.T) {
	for name, test := range map[string]struct {
		before, after []Function
		want          []string
	}{
		"more calls": {
			[]Function{{"parse.skipSpace", "parse.Parse", 100, 8}, {"parse.Parse", "", 50, 1}},
			[]Function{{"parse.skipSpace", "parse.Parse", 141, 12}, {"parse.Parse", "", 50.01, 1}},
			[]string{"parse.skipSpace +41, 8 to 12 calls"}},
		"fewer instructions": {
			[]Function{{"a.F", "", 100, 1}}, []Function{{"a.F", "", 60, 1}},
			[]string{"a.F -40, 1 to 1 calls"}},
		"once": {
			[]Function{{"a.F", "", 100, 0.25}}, []Function{{"a.F", "", 400, 1}},
			[]string{"a.F +300, 0.25 to 1 calls"}},
		"new and gone": {
			[]Function{{"a.F", "", 100, 1}, {"b.Old", "a.F", 10, 1}},
			[]Function{{"a.F", "", 100, 1}, {"a.New", "a.F", 30, 2}},
			[]string{"a.New +30, 0 to 2 calls", "b.Old -10, 1 to 0 calls"}},
		"renamed": {
			[]Function{{"a.(*T).old", "a.F", 100, 3}}, []Function{{"a.(*T).new", "a.F", 101, 3}},
			[]string{"a.(*T).new +1, 3 to 3 calls"}},
		"not renamed: another package": {
			[]Function{{"example.com/a.f", "", 100, 3}}, []Function{{"example.com/b.f", "", 100, 3}},
			[]string{"example.com/b.f +100, 0 to 3 calls",
				"example.com/a.f -100, 3 to 0 calls"}},
		"closures numbered anew": {
			[]Function{{"a.F.func1", "a.F", 100, 3}, {"a.F.func2.1", "a.F.func2", 7, 1}, {"a.F", "", 10, 1},
				{"a.G[...]", "", 5, 1}},
			[]Function{{"a.F.func2", "a.F", 100, 3}, {"a.F.func3.1", "a.F.func3", 7, 1}, {"a.F", "", 10, 1},
				{"a.G[go.shape.int]", "", 9, 1}},
			[]string{"a.G +4, 1 to 1 calls"}},
		"inlined": {
			[]Function{{"a.small", "a.F", 60, 10}, {"a.F", "", 100, 1}}, []Function{{"a.F", "", 140, 1}},
			[]string{"a.F -20, 1 to 1 calls"}},
		"no longer inlined": {
			[]Function{{"a.F", "", 140, 1}}, []Function{{"a.small", "a.F", 60, 10}, {"a.F", "", 100, 1}},
			[]string{"a.F +20, 1 to 1 calls"}},
		"new work of an unchanged caller": {
			[]Function{{"a.F", "", 140, 1}}, []Function{{"a.extra", "a.F", 60, 10}, {"a.F", "", 150, 1}},
			[]string{"a.extra +60, 0 to 10 calls", "a.F +10, 1 to 1 calls"}},
	} {
		got := text.List(Compare(test.before, test.after), func(f report.Function) string {
			return fmt.Sprintf("%s %+.4g, %g to %g calls", f.Name, f.More, f.Calls[0], f.Calls[1])
		})
		testkit.Equal(t, got, test.want, "%s", name)
	}
}

// TestMain lets a counter run this test binary: a benchmark is a number of steps.
func TestMain(m *testing.M) {
	served, err := Serve(func(name string) (func() error, error) {
		var steps int
		if _, err := fmt.Sscanf(name, "Steps/n=%d", &steps); err != nil {
			return nil, errors.New("no steps")
		}
		return func() error { walk(steps); return nil }, nil
	})
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case !served:
		testkit.Main(m)
	}
}

var walked int

//go:noinline
func walk(steps int) {
	for range steps {
		walked += walked>>3 + 1
	}
}

// A process counts its own passes, exactly with valgrind, and a benchmark that it refuses has the reason.
func TestServe(t *testing.T) {
	counters := map[string]*Counter{"clock of the task, as perf event": {name: "perf", env: []string{"UR_AB_PERF=1:1"}}}
	if !hasPerfEvent("1:1") {
		delete(counters, "clock of the task, as perf event")
	}
	if c, err := findValgrind(t.Context(), t.TempDir()); err == nil {
		counters["valgrind"] = c
	}
	testkit.SkipIf(t, len(counters) == 0, "neither perf events nor valgrind")
	for name, c := range counters {
		result := testkit.Must(c.Run(t.Context(), Job{
			Args:       func([]string) []string { return []string{os.Args[0]} },
			Iterations: map[string]int{"Steps/n=1000000": 2, "Steps/n=4000000": 1, "Walk": 1},
			Functions:  true, Timeout: time.Minute, Folder: t.TempDir(),
		}))(t)
		testkit.Equal(t, result.Failed, map[string]string{"Walk": "no steps"}, "%s: failed", name)
		a, b := result.Benchmarks["Steps/n=1000000"][0].Instructions, result.Benchmarks["Steps/n=4000000"][0].Instructions
		testkit.FatalIf(t, !(a > 0 && b > 0), "%s: counts %v and %v", name, a, b)
		if name == "valgrind" { // the clock counts nanoseconds
			testkit.ErrorIf(t, a < 1_000_000, "%s: %v instructions for a million steps", name, a)
			testkit.Near(t, b/a, 4, 0.001, "%s: instructions of 4 times the steps, in times", name)
		}
	}
}
