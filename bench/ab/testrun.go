package ab

import (
	"context"
	"errors"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// procsToRun lists the values of GOMAXPROCS to run benchmarks with.
func (j *job) procsToRun() []int {
	procs, _ := j.procs() // they were checked
	switch {
	case procs != nil:
		return procs
	case len(j.cores) > 0:
		return []int{1} // there is one core to run on
	}
	return []int{j.mostProcs()}
}

// mostProcs is the number of processors of a parallel benchmark.
func (j *job) mostProcs() int {
	if n, err := strconv.Atoi(os.Getenv("GOMAXPROCS")); err == nil && n > 0 {
		return n
	}
	return max(1, len(j.cores), runtime.NumCPU())
}

// testRun is a run of a test binary, whose side is in place.
type testRun struct {
	pkg     *testPackage
	side    int
	path    string // test binary
	core    int
	timeout time.Duration
	env     []string
	args    []string
}

// run runs the binary.
func (c *testRun) run(ctx context.Context, j *job) (outcome, error) {
	p := program{args: append([]string{c.path, "-test.run=^$", "-test.timeout=0"}, c.args...),
		dir: c.pkg.dirs[c.side], core: c.core,
		timeout: c.timeout, env: append(c.env, "TMPDIR="+j.scratch.path("tmp"))}
	return p.run(ctx)
}

// benchArgs returns the arguments of a test binary for running benchmarks.
func benchArgs(pattern, benchTime string, procs int) []string {
	return []string{"-test.bench=" + pattern, "-test.benchtime=" + benchTime, "-test.benchmem", "-test.cpu=" +
		strconv.Itoa(procs)}
}

// joinPatterns returns the pattern of benchmarks that share a process: a list of names for each level. Those
// with siblings run with all of them.
func joinPatterns(names []string, siblings bool) string {
	var levels [][]string
	for _, name := range names {
		for i, element := range strings.Split("Benchmark"+name, "/") {
			if i == len(levels) {
				levels = append(levels, nil)
			}
			levels[i] = append(levels[i], regexp.QuoteMeta(element))
		}
	}
	if siblings {
		levels = levels[:1]
	}
	return strings.Join(text.List(levels, func(names []string) string {
		slices.Sort(names)
		return "^(" + strings.Join(slices.Compact(names), "|") + ")$"
	}), "/")
}

// functionPattern restricts the user's pattern to functions. One with several alternatives
// below functions stays as it is.
func functionPattern(functions []string, bench string) string {
	_, rest, sub := strings.Cut(bench, "/")
	if sub && strings.Contains(bench, "|") {
		return bench
	}
	pattern := "^(" + strings.Join(functions, "|") + ")$"
	if sub {
		pattern += "/" + rest
	}
	return pattern
}

// assertion matches the reason that an assertion of testify prints below its place, and the line behind it.
var assertion = text.Regexp(`(?m)^\s*Error:[ \t]*(.*)\n[ \t]*(.*)`)

// loggedMessage matches a message of a test or benchmark, behind its file and line.
var loggedMessage = text.Regexp(`(?m)^ .*?_test\.go:(?:\d+: )?(.*)$`)

// failureOf describes the failure of benchmarks from their output. An [errTimeout] stays.
func failureOf(out []byte, err error) error {
	if late, ok := errors.AsType[errTimeout](err); ok {
		return late
	}
	if logged := loggedMessage().FindSubmatch(out); logged != nil {
		message := strings.TrimSpace(string(logged[1]))
		if found := assertion().FindSubmatch(out); message == "" && found != nil {
			message = string(found[1])
			if strings.HasSuffix(message, ":") {
				message += " " + string(found[2])
			}
		}
		return errors.New(strings.TrimSpace(message))
	}
	if failed, ok := errors.AsType[*processError](err); ok {
		for line := range strings.Lines(failed.messages + string(out)) {
			if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
				return errors.New(strings.TrimSpace(line))
			}
		}
	}
	return err
}
