package ab

import (
	"io"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
)

// job is a run with its options.
type job struct {
	Options
	*frame.Run
	testArgs []string // the user's arguments of test programs
}

// request returns what a comparison of commits needs of the job.
func (j *job) request() *source.Request {
	return &source.Request{Run: j.Run, Dir: j.Dir, Base: j.Base, Head: j.Head, Packages: j.Packages, Bench: j.Bench, Tags: j.Tags,
		Prepare: j.Prepare}
}

// newJob opens the working folder of a run and starts its clock.
func newJob(o Options) (*job, error) {
	for o.Seed == 0 {
		o.Seed = rand.Uint64() >> 32
	}
	args, err := source.ParseTestArgs(o.Args)
	if err != nil {
		return nil, err
	}
	r, err := frame.NewRun(o.Dir, o.Seed, frame.NewBudget(o.Time, o.Explain))
	if err != nil {
		return nil, err
	}
	r.OnPhase = func(phase string, rows int) { o.progress(Progress{Phase: phase, Rows: rows}) }
	return &job{Options: o, Run: r, testArgs: args}, nil
}

// ExplainTime prints how a run with the options shares its time among its phases.
func (o *Options) ExplainTime(w io.Writer) error { return frame.NewBudget(o.Time, o.Explain).Write(w) }
