package ab

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
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
	defer func() {
		if removing := j.Scratch.Remove(); err == nil && removing != nil {
			err = removing
		}
	}()
	return compareImplementations(ctx, j, by, key)
}

// compareImplementations builds the commit, groups its benchmarks, and counts and measures them.
func compareImplementations(ctx context.Context, j *job, by By, key nameKey) (*report.Ranking, error) {
	load := report.Load()
	limited, cancel := context.WithDeadline(ctx, j.End())
	defer cancel()
	if j.Judge == CountOnly { // without a counter, nothing need be built
		if _, err := findCounter(limited, j); err != nil {
			return nil, err
		}
	}
	b, err := buildOne(limited, j)
	if err = timeError(ctx, limited, j, err); err != nil {
		return nil, err
	}
	all, err := findGroups(ctx, j, b, by, key)
	if err != nil {
		return nil, err
	}
	links := newLinkPool(j, b)
	v := newJudges(&j.Options, all.units, b.cpuClock != report.NoClock)
	all.judges = v
	counter, err := countGroups(ctx, j, b, links, all, v)
	if err == nil && j.Judge != CountOnly {
		err = takeTurns(ctx, j, b, links, all, v)
	}
	if err != nil && counter == nil && all.rounds() == 0 {
		return nil, err
	}
	r := all.report()
	r.Commit, r.Subject, r.WorkTree = b.sides.Commits[frame.New], b.sides.Subject, b.sides.WorkTree
	if r.WorkTree {
		r.Commit, r.Subject = "", ""
	}
	r.Incomplete = all.fails || len(b.inState(report.Failed)) > 0
	r.Go, r.CPUClock, r.Layouts = b.goVersion, b.cpuClock, links.made()
	if counter != nil {
		r.Counter, r.Seeds = counter.counter.Name(), counter.seeds
	}
	r.Load = append(load, report.Load()...)
	describeRun(ctx, j, r)
	return r, err
}

// buildOne builds the test binaries of one commit. Both sides of its packages are the same.
func buildOne(ctx context.Context, j *job) (*builds, error) {
	s, err := source.CheckOutOne(ctx, j.request())
	if err != nil {
		return nil, err
	}
	j.Show("reading packages", 0)
	t := s.Trees[frame.New]
	if err := t.List(ctx); err != nil {
		return nil, errors.Join(ctx.Err(), frame.InputErrorf("%s: %v", s.Labels[frame.New], err))
	}
	b := newBuilds(j, s)
	if len(b.packages) == 0 {
		return nil, noBenchmarks(j, s)
	}
	if err := b.prepare(ctx, j); err != nil {
		return nil, err
	}
	j.Show("building "+s.Labels[frame.New], 0)
	b.programs[frame.New] = code.NewPrograms()
	if err := b.buildSide(ctx, j, b.packages, frame.New, nil); err != nil {
		return nil, err
	}
	for _, p := range b.packages {
		p.binaries[frame.Old], p.links[frame.Old] = p.binaries[frame.New], p.links[frame.New]
		p.args[frame.New], p.env[frame.New] = append(t.Toolchain.TestArgs(), j.testArgs...), t.Env
		p.args[frame.Old], p.env[frame.Old] = p.args[frame.New], p.env[frame.New]
		if p.messages[frame.New] != "" {
			p.State, p.Error = report.Failed, p.messages[frame.New]
			j.Note("%s does not build: %s", p.Path, p.Error)
		}
	}
	if failed := b.inState(report.Failed); len(failed) == len(b.packages) {
		return nil, frame.InputErrorf("no package with benchmarks builds:\n%s", failed[0].Error)
	}
	return b, nil
}

// newBuilds lists the packages of one commit, all of whose benchmarks are reached.
func newBuilds(j *job, s *source.Sides) *builds {
	b, t := &builds{sides: s}, s.Trees[frame.New]
	names := source.ShortNames(t.Matched)
	for i, path := range t.Matched {
		dir := t.Packages[path].Dir
		p := &testPackage{Package: &report.Package{Path: path, State: report.Measured}, name: names[path],
			file: fmt.Sprint(i), tests: report.OwnTests, dirs: [2]string{dir, dir}, reach: make(map[string]reach.Change)}
		for _, function := range t.Functions[path] {
			p.reach[function] = reach.Change{Code: report.UnknownCode}
		}
		b.packages = append(b.packages, p)
	}
	return b
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
	job    *job
	judges *judges
}

// group is the implementations of a group: benchmarks whose names differ in the key only.
type group struct {
	pkg     *testPackage
	name    string // of the group
	entries []*implementation
	absent  []absence

	clock report.Clock
	rows  []*groupRow // by unit; the first one decides
	limit float64
}

// implementation is one of the benchmarks of a group.
type implementation struct {
	*benchmark
	value string
	keyed string // name with the key
	pairs []Pair // samples by round, the same on both sides
}

// absence is an implementation that a group does not have, and why.
type absence struct{ value, reason string }

// groupRow compares the implementations of a group in a unit.
type groupRow struct {
	unit   string
	clock  report.Clock
	read   func(s *sample) float64
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
func (c *groupList) benchmarks() (all []*benchmark) {
	for _, g := range c.groups {
		for _, e := range g.entries {
			all = append(all, e.benchmark)
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
