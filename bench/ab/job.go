package ab

import (
	"io"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/count"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
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

// buildRequest returns what the builds need of the job.
func (j *job) buildRequest() *build.Request {
	return &build.Request{Request: j.request(), Tests: j.Tests, Args: j.testArgs, Layouts: j.layouts}
}

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

// selection returns what the user wants of the benchmarks.
func (j *job) selection() *listing.Selection {
	return &listing.Selection{Procs: j.procsToRun(), MostProcs: j.MostProcs(), SetsProcs: j.CPU != "", IsExcluded: j.isExcluded}
}

// timeOptions returns how times are measured.
func (j *job) timeOptions() timing.Options {
	return timing.Options{Horizon: j.Horizon, OnlyCounts: j.Judge == CountOnly, Work: j.sample, Rounds: j.rounds}
}

// countRequest returns what counts need of the job.
func (j *job) countRequest(b *build.Builds, v *judge.Table, c *build.Cache) count.Request {
	return count.Request{Builds: b, Cache: c, Judges: v, Bounds: j.Budget, OnlyCounts: j.Judge == CountOnly, Procs: len(j.procsToRun())}
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
	r.OnProgress = o.Progress
	return &job{Options: o, Run: r, testArgs: args}, nil
}

// ExplainTime prints how a run with the options shares its time among its phases.
func (o *Options) ExplainTime(w io.Writer) error { return frame.NewBudget(o.Time, o.Explain).Write(w) }
