package count

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
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
