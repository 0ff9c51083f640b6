package ab

import (
	"context"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/count"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
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
	key, err := parseKey(by.Key)
	if err == nil {
		err = o.Check()
	}
	if err == nil && (o.Old != "" || o.Base != "") {
		err = frame.InputErrorf("implementations are those of one commit (want no base, and no commands)")
	}
	if err != nil {
		return nil, err
	}
	j, err := newJob(o)
	if err != nil {
		return nil, err
	}
	defer j.close(&err)
	j.alone = true
	by.Baseline, by.Fastest = printedValue(by.Baseline), printedValue(by.Fastest)
	return compareImplementations(ctx, &groupList{Selection: j.selection(), job: j, by: by, key: key,
		units: make(map[string]int)})
}

// compareImplementations builds the commit, groups its benchmarks, and counts and measures them.
func compareImplementations(ctx context.Context, all *groupList) (*report.Ranking, error) {
	j := all.job
	limited, cancel := j.Begin(frame.Builds).Context(ctx)
	defer cancel()
	s, b, err := j.build(ctx, limited)
	if err != nil {
		return nil, err
	}
	if err := all.list(ctx, b); err != nil {
		return nil, err
	}
	links := build.NewLinks(b)
	v := judge.NewTable(j.rules(), all.units, b.CPUClock != report.NoClock)
	all.judges, all.judged.Rule = v, v.Family.Rule
	var counter *count.Sampler
	if j.Judge != TimeOnly {
		counter, err = count.TakeGroups(ctx, j.countRequest(b, v, links.Cache), all.benchmarks())
	}
	if err == nil && j.Judge != CountOnly {
		err = takeTurns(ctx, links, all)
	}
	if err != nil && counter == nil && all.rounds() == 0 {
		return nil, err
	}
	r := all.report(ctx)
	r.Commit, r.Subject, r.WorkTree = s.HeadCommit()
	j.describeBuilds(&r.Measurement, links, counter)
	return r, err
}

// groupList has the groups of implementations of a run.
type groupList struct {
	by     By
	key    nameKey
	groups []*group
	judged verdict.Groups
	lone   []absence      // benchmarks without figures in a group of their own
	fails  bool           // something outside of the groups fails
	units  map[string]int // better directions of custom units, tidied, as programs declare them
	*listing.Selection
	job    *job
	judges *judge.Table
}

// group is the implementations of a group: benchmarks whose names differ in the key only.
type group struct {
	pkg     *listing.Package
	name    string // of the group
	entries []*implementation
	absent  []absence

	clock report.Clock
	rows  []*groupRow // by unit; the first one decides
	limit float64
}

// implementation is one of the benchmarks of a group.
type implementation struct {
	*listing.Benchmark
	value string
	keyed string       // name with the key
	pairs []judge.Pair // samples by round, the same on both sides
}

// absence is an implementation that a group does not have, and why.
type absence struct{ value, reason string }

// groupRow compares the implementations of a group in a unit.
type groupRow struct {
	judge.Reading
	group  *verdict.Group // nil of a row that is not judged
	reason string         // of a row that is not judged
}

// rounds is the largest number of rounds of a group.
func (c *groupList) rounds() (most int) {
	for _, g := range c.groups {
		for _, e := range g.entries {
			most = max(most, len(e.pairs))
		}
	}
	return most
}

// benchmarks lists the implementations of all groups.
func (c *groupList) benchmarks() (all []*listing.Benchmark) {
	for _, g := range c.groups {
		for _, e := range g.entries {
			all = append(all, e.Benchmark)
		}
	}
	return all
}

// values lists the values of the key in all groups, in order of their appearance.
func (c *groupList) values() (all []string) {
	for _, g := range c.groups {
		for _, e := range g.entries {
			if !slices.Contains(all, e.value) {
				all = append(all, e.value)
			}
		}
	}
	return all
}
