package ab

import (
	"context"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
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
