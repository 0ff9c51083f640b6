package build

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// TestRun is a run of a test binary, whose side is in place.
type TestRun struct {
	Pkg     *TestPackage
	Side    int
	Path    string // test binary; "" is the one of the build
	Core    int
	Timeout time.Duration
	Env     []string
	Args    []string
	Started func() // is called when the process runs in the side's folder, which may move then; or nil
}

// RunTest runs a test binary.
func (b *Builds) RunTest(ctx context.Context, c TestRun) (frame.Result, error) {
	path := cmp.Or(c.Path, c.Pkg.Binaries[c.Side])
	p := frame.Program{Args: slices.Concat([]string{path, "-test.run=^$", "-test.timeout=0"}, c.Args, c.Pkg.Args[c.Side]),
		Dir: c.Pkg.Dirs[c.Side], Core: c.Core, Timeout: c.Timeout, Started: c.Started,
		Env: slices.Concat(c.Pkg.Env[c.Side], c.Env, []string{"TMPDIR=" + b.Scratch.Path("tmp")})}
	most := time.Until(b.Latest())
	if most <= 0 {
		return frame.Result{}, frame.TimeoutError{Limit: b.Total()}
	}
	if p.Timeout == 0 || p.Timeout > most {
		p.Timeout = most
	}
	return p.Run(ctx)
}

// Pin returns the core that a process is started on, and variables for it. Where the timers are ours, they choose the core,
// because a process started on one core would see a machine with one processor.
func (b *Builds) Pin(core int) (start int, env []string) {
	t := b.Sides.Trees[frame.New]
	if core == frame.NoCore || t.Overlay == nil || t.Toolchain.GOOS != "linux" {
		return core, nil
	}
	return frame.NoCore, []string{fmt.Sprint("UR_AB_CORE=", core)}
}

// BenchArgs returns the arguments of a test binary for running benchmarks.
func BenchArgs(pattern, benchTime string, procs int) []string {
	return []string{"-test.bench=" + pattern, "-test.benchtime=" + benchTime, "-test.benchmem", "-test.cpu=" +
		strconv.Itoa(procs)}
}

// JoinPatterns returns the pattern of benchmarks that share a process: a list of names for each level. Those
// with siblings run with all of them.
func JoinPatterns(names []string, siblings bool) string {
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

// FunctionPattern restricts the user's pattern to functions. One with several alternatives
// below functions stays as it is.
func FunctionPattern(functions []string, bench string) string {
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
