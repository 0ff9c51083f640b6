package ab

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// procsToRun lists the values of GOMAXPROCS to run benchmarks with.
func (j *job) procsToRun() []int {
	procs, _ := j.procs() // they were checked
	switch {
	case procs != nil:
		return procs
	case len(j.Cores) > 0:
		return []int{1} // there is one core to run on
	}
	return []int{j.MostProcs()}
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
func (c *testRun) run(ctx context.Context, j *job) (frame.Result, error) {
	p := frame.Program{Args: slices.Concat([]string{c.path, "-test.run=^$", "-test.timeout=0"}, c.args, c.pkg.args[c.side]),
		Dir: c.pkg.dirs[c.side], Core: c.core, Timeout: c.timeout,
		Env: slices.Concat(c.pkg.env[c.side], c.env, []string{"TMPDIR=" + j.Scratch.Path("tmp")})}
	most := time.Until(j.Latest())
	if most <= 0 {
		return frame.Result{}, frame.TimeoutError{Limit: j.Time}
	}
	if p.Timeout == 0 || p.Timeout > most {
		p.Timeout = most
	}
	return p.Run(ctx)
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
