package ab

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/process"
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

// givenTestFlags are the flags of package testing that the user may give to the test programs.
var givenTestFlags = []string{"short", "parallel", "skip", "failfast", "fullpath"}

// testFlag matches the other ones, which the run sets or whose output is not that of benchmarks, and flags of the build.
var testFlag, buildFlag = text.Regexp(`^(bench|benchmem|benchtime|blockprofile(rate)?|count|cover\w*|cpu(profile)?|fuzz\w*|json|list|` +
	`mem(profile(rate)?)|mutexprofile(fraction)?|outputdir|paniconexit0|run|shuffle|timeout|trace|v)$`),
	text.Regexp(`^(race|msan|asan|tags|gcflags|asmflags|ldflags|mod|modfile|overlay|pgo|toolexec|trimpath|vet)$`)

// parseTestArgs returns arguments of test programs as the programs take them, from those of "go test": -short becomes
// -test.short, and what stands behind -args stays as it is.
func parseTestArgs(line string) ([]string, error) {
	if line == "" {
		return nil, nil
	}
	words, err := process.SplitWords(line, os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%w (want words as of a shell, as in -short -args -config FILE)", err)
	}
	for i, word := range words {
		flag, isFlag := strings.CutPrefix(strings.Replace(word, "--", "-", 1), "-")
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "test."), "=")
		switch {
		case !isFlag:
		case name == "args":
			return slices.Delete(words, i, i+1), nil
		case slices.Contains(givenTestFlags, name):
			words[i] = "-test." + strings.TrimPrefix(flag, "test.")
		case testFlag().MatchString(name):
			return nil, fmt.Errorf("-%s cannot be passed on: each run sets it, or it changes the output (want flags of the tests, or -%s)", name, strings.Join(givenTestFlags, ", -"))
		case buildFlag().MatchString(name):
			return nil, fmt.Errorf("-%s is a flag of the build (want GOFLAGS=-%s)", name, flag)
		}
	}
	return words, nil
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
