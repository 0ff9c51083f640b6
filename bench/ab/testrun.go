package ab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
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
	p := program{args: slices.Concat([]string{c.path, "-test.run=^$", "-test.timeout=0"}, c.args, c.pkg.args[c.side]),
		dir: c.pkg.dirs[c.side], core: c.core, timeout: c.timeout,
		env: slices.Concat(c.pkg.env[c.side], c.env, []string{"TMPDIR=" + j.scratch.path("tmp")})}
	most := time.Until(j.Latest())
	if most <= 0 {
		return outcome{}, errTimeout{j.Time}
	}
	if p.timeout == 0 || p.timeout > most {
		p.timeout = most
	}
	return p.run(ctx)
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

// assertion matches the reason that an assertion of testify prints below its place, and the line behind it.
var assertion = text.Regexp(`(?m)^\s*Error:[ \t]*(.*)\n[ \t]*(.*)`)

// loggedMessage matches a message of a test or benchmark, behind its file and line.
var loggedMessage = text.Regexp(`(?m)^ +[^\t\n]*?\.go:\d+: ?(.*)$`)

// failureOf describes the failure of a test program by what it printed. An [errTimeout] stays.
func failureOf(out []byte, err error) error {
	if late, ok := errors.AsType[errTimeout](err); ok {
		return late
	}
	failed, isFailed := errors.AsType[*processError](err)
	messages := ""
	if isFailed {
		messages = failed.messages
	}
	_, failing, _ := strings.Cut(string(out), "--- FAIL:")
	for _, find := range []func() string{
		func() string { return lastLogged(failing) },
		func() string { return fatalLine(messages + string(out)) },
		func() string { return lastLogged(string(out)) },
		func() string { before, _, _ := strings.Cut(messages, "Usage of "); return text.LastLine(before) },
		func() string { return text.LastLine(resultLine().ReplaceAllString(string(out), "")) },
	} {
		if message := find(); message != "" {
			return errors.New(message)
		}
	}
	if isFailed {
		return fmt.Errorf("the process ends by %w and prints no reason", failed.err)
	}
	return err
}

// resultLine matches a line of a test program that is no reason.
var resultLine = text.Regexp(`(?m)^(PASS|FAIL|ok|exit status|goos:|goarch:|pkg:|cpu:|Benchmark|ur-|\s*--- |\?).*$`)

// lastLogged returns the last message that a failing benchmark logged, and the reason of an assertion.
func lastLogged(out string) string {
	out, _, _ = strings.Cut(out, "\n--- ")
	message := ""
	for _, logged := range loggedMessage().FindAllStringSubmatch(out, -1) {
		message = cmp.Or(strings.TrimSpace(logged[1]), message)
	}
	if found := assertion().FindStringSubmatch(out); message == "" && found != nil {
		if message = found[1]; strings.HasSuffix(message, ":") {
			message += " " + found[2]
		}
	}
	return strings.TrimSpace(message)
}

// fatalLine returns the first line by which Go's runtime, or package testing or flag, ends a program.
func fatalLine(out string) string {
	return strings.TrimSpace(fatal().FindString(out))
}

var fatal = text.Regexp(`(?m)^(panic: |fatal error: |flag provided but not defined: |flag needs an argument: |invalid (boolean )?(flag )?value ).*$`)
