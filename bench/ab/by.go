package ab

import (
	"context"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/count"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// By chooses the implementations to compare.
type By struct {
	// Key is the part of names in which implementations differ: "eval" or "/eval" for /eval=..., and "/2" for the second part
	// below the function.
	Key      string
	Baseline string // value that all ratios refer to; "" is the fastest one of each group
	Fastest  string // value that no other one should beat by the limit; "" demands nothing
}

// Implementations measures benchmarks of one commit whose names differ only in a key, in turns, and finds the fastest
// ones. Head is the commit, "" the work tree; Base, Old and New must be empty. Errors are those of [Run]: a key, or a
// value, that the benchmarks do not have is an [*InputError] before anything is measured.
func Implementations(ctx context.Context, o Options, by By) (r *report.Ranking, err error) {
	if err = CheckKey(by.Key); err == nil {
		err = o.Check()
	}
	if err == nil && (o.Old != "" || o.Base != "") {
		err = frame.InputErrorf("implementations are those of one commit (want no base, and no commands)")
	}
	if err != nil {
		return nil, err
	}
	run, err := o.begin()
	if err != nil {
		return nil, err
	}
	defer run.Close(&err)
	by.Baseline, by.Fastest = printedValue(by.Baseline), printedValue(by.Fastest)
	return compareImplementations(ctx, &o, run, by)
}

// compareImplementations builds the commit, groups its benchmarks, and counts and measures them.
func compareImplementations(ctx context.Context, o *Options, run *frame.Run, by By) (*report.Ranking, error) {
	limited, cancel := run.Begin(frame.Builds).Context(ctx)
	defer cancel()
	request := o.request(run)
	request.Alone = true
	s, b, err := buildSides(ctx, limited, request, o.Judge == CountOnly)
	if err != nil {
		return nil, err
	}
	rules, selection := o.rules(), o.selection(len(run.Cores), run.MostProcs())
	key, _ := parseKey(by.Key) // it was checked
	list := groupList{Builds: b, Selection: selection, key: key, limitOf: rules.LimitOf, units: make(map[string]int)}
	if err = list.find(ctx); err == nil {
		err = list.check(by)
	}
	if err != nil {
		return nil, err
	}
	links := build.NewLinks(b)
	all := newContests(judge.NewTable(rules, list.units, b.CPUClock != report.NoClock), list.groups)
	var counter *count.Sampler
	if o.Judge != TimeOnly {
		counter, err = count.TakeGroups(ctx, o.countRequest(links, all.judges, len(selection.Procs)), all.benchmarks())
	}
	if err == nil && o.Judge != CountOnly {
		err = takeTurns(ctx, links, all, o.sample)
	}
	if err != nil && counter == nil && all.rounds() == 0 {
		return nil, err
	}
	ranked, without := all.describe(by.Baseline)
	for _, name := range without {
		run.Note("%s does not have %s: its ratios refer to the fastest one", name, by.Baseline)
	}
	common := o.newReport(run)
	r := &report.Ranking{Schema: report.RankingSchema, Key: key.String(), Fastest: by.Fastest, Date: common.Date,
		Limit: o.Limit, Alpha: all.judged.Alpha, Groups: ranked, Measurement: common.Measurement, Notes: common.Notes,
		Incomplete: list.fails, Interrupted: ctx.Err() != nil}
	r.Commit, r.Subject, r.WorkTree = s.HeadCommit()
	r.Rounds = all.rounds()
	describeBuilds(&r.Measurement, links, counter)
	r.Decide()
	return r, err
}

// group is the implementations of a group: benchmarks whose names differ in the key only.
type group struct {
	pkg     *listing.Package
	name    string // of the group
	limit   float64
	entries []*implementation
	absent  []absence
}

// implementation is one of the benchmarks of a group.
type implementation struct {
	*listing.Benchmark
	value string
	keyed string // name with the key
}

// absence is an implementation that a group does not have, and why.
type absence struct{ value, reason string }
