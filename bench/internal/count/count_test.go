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
	if runtime.GOOS != "linux" {
		t.Skip("scripts of a shell stand for valgrind")
	}
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
			if err := os.WriteFile(filepath.Join(dir, "valgrind"), []byte("#!/bin/sh\n"+test.script),
				0o700); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", dir)
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, "true"), []byte("#!/bin/sh\n"), 0o700))
		c, err := findValgrind(t.Context(), t.TempDir())
		switch {
		case test.want == "" && (err != nil || c.String() != "valgrind 3.21.0.GIT"):
			t.Errorf("%s: %v, error %v", name, c, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
}

func TestPattern(t *testing.T) {
	got, want := Pattern([]string{"BenchmarkA", "BenchmarkB/n=1/x|y"}), `^BenchmarkA$|^BenchmarkB$/^n=1$/^x\|y$`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
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
		if n != test.n || (n == 0) != (reason != "") {
			t.Errorf("%+v: %d %q", test, n, reason)
		}
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
		if name, _, _ := strings.Cut(want, "="); last(name) != want {
			t.Errorf("%s, want %s", last(name), want)
		}
	}
}

func TestMessages(t *testing.T) {
	var m messages
	for _, text := range []string{"goos: linux\npan", "ic: no core\n\ngoroutine 1\n", strings.Repeat("x", 1<<20), "\n",
		"  exit 2 \n"} {
		if n, err := m.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if m.cause != "panic: no core" || m.last != "exit 2" {
		t.Errorf("cause %q, last line %q", m.cause, m.last)
	}
}
