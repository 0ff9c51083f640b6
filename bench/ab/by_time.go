package ab

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// contest is a group whose implementations are measured in turns.
type contest struct {
	*group
	pairs map[*implementation][]judge.Pair // samples by round, the same on both sides
	clock report.Clock
	rows  []*groupRow // by unit; the first one decides
}

// contests are the contests of a run, with their judges.
type contests struct {
	judges *judge.Table
	judged verdict.Groups
	all    []*contest
}

// newContests returns contests before their first round.
func newContests(v *judge.Table, groups []*group) *contests {
	c := &contests{judges: v, judged: verdict.Groups{Rule: v.Family.Rule}}
	for _, g := range groups {
		c.all = append(c.all, &contest{group: g, pairs: make(map[*implementation][]judge.Pair)})
		c.judged.Expected += pairsOf(len(g.entries))
	}
	return c
}

// rounds is the largest number of rounds of a group.
func (c *contests) rounds() (most int) {
	for _, g := range c.all {
		for _, pairs := range g.pairs {
			most = max(most, len(pairs))
		}
	}
	return most
}

// benchmarks lists the implementations of all groups.
func (c *contests) benchmarks() (all []*listing.Benchmark) {
	for _, g := range c.all {
		for _, e := range g.entries {
			all = append(all, e.Benchmark)
		}
	}
	return all
}

// turnSampler measures implementations in turns: in a sample each runs once in a process, those of a group directly
// after each other, in random order on one core.
type turnSampler struct {
	*timing.Sampler
	*contests
}

// takeTurns measures the groups until each implementation has a verdict, or the time is over. The work of a sample is
// chosen by the time if it is empty.
func takeTurns(ctx context.Context, links *build.Links, c *contests, work timing.Work) error {
	benchmarks := c.benchmarks()
	t := &turnSampler{timing.NewSampler(links, c.plan(benchmarks, work, links.Left()), c.judges), c}
	for _, g := range c.all {
		t.sampleWhole(g)
	}
	const sizing = 3 // rounds before those that count
	limited, cancel := context.WithDeadline(ctx, links.End().Add(timing.Grace))
	defer cancel()
	for round := 1; links.Left() > 0; round++ {
		open := c.open(links.Left())
		if len(open) == 0 {
			break
		}
		links.Report(frame.Progress{Phase: "measuring in turns", Round: round, Rows: len(benchmarks),
			Decided: len(benchmarks) - len(open), Left: links.Left()})
		pairs, err := t.Sample(limited, open)
		t.addRound(pairs)
		if round == sizing {
			c.judged.Hurry = c.timeToLook(c.all...) > links.Left()
		}
		c.judged.Look(false)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case limited.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		const least = 4 // links, which take a part of the time that is left
		if each := links.Cost * time.Duration(len(links.Packages)); each > 0 && links.Most == math.MaxInt {
			links.Most = max(least, int(frame.Share(frame.GroupLinks)*float64(links.Left())/float64(each)))
		}
	}
	return nil
}

// plan chooses the work of samples, so that the planned rounds fit into the time that is left, and whether benchmarks
// share processes.
func (c *contests) plan(benchmarks []*listing.Benchmark, work timing.Work, left time.Duration) timing.Plan {
	p := timing.Plan{Benchmarks: benchmarks, Work: work, Lanes: 1}
	if p.Work != (timing.Work{}) {
		return p
	}
	p.Work.Duration = timing.SampleTime((len(benchmarks)+1)/2, left)
	if p.RoundsTime()/2 > left && c.judges.HasCPU {
		p.Share, p.Work.Duration = true, timing.SmallSample
	}
	return p
}

// sampleWhole makes each sample of a group one run, if one of its implementations allocates: the fastest of short runs
// would leave out the garbage collection of some.
func (t *turnSampler) sampleWhole(g *contest) {
	if slices.ContainsFunc(g.entries, func(e *implementation) bool { return e.First[frame.New].Figures[report.AllocsUnit] > 0 }) {
		for _, e := range g.entries {
			t.Sizes[e.Benchmark].Total = t.Work.Duration
		}
	}
}

// open lists the benchmarks for another round. Where time is short, groups before their first look come first, and the
// last of them wait if the time does not bring all of them there.
func (c *contests) open(left time.Duration) (open []*listing.Benchmark) {
	const enough = 1.5 // times longer than the first looks take
	isShort := time.Duration(enough*float64(c.timeToLook(c.all...))) > left
	sum := time.Duration(0)
	for _, g := range c.all {
		missing := c.timeToLook(g)
		if sum += missing; isShort && (missing == 0 && len(g.rows) > 0 || sum > left && len(open) > 0) {
			continue
		}
		for _, e := range c.openOf(g) {
			open = append(open, e.Benchmark)
		}
	}
	return open
}

// timeToLook is the time of the rounds of groups until their first look.
func (c *contests) timeToLook(groups ...*contest) (sum time.Duration) {
	first := c.judged.FirstLook()
	for _, g := range groups {
		for _, e := range c.openOf(g) {
			sum += time.Duration(max(0, first-len(g.pairs[e]))) * c.judges.Of(e.Benchmark).Round
		}
	}
	return sum
}

// openOf lists the implementations of a group that need another round.
func (c *contests) openOf(g *contest) (open []*implementation) {
	if len(g.rows) == 0 {
		for _, e := range g.entries {
			if c.judges.Of(e.Benchmark).IsOpen() {
				open = append(open, e)
			}
		}
		return open
	}
	for _, i := range g.rows[0].group.Open() {
		if c.judges.Of(g.entries[i].Benchmark).IsOpen() {
			open = append(open, g.entries[i])
		}
	}
	return open
}

// Sample implements [judge.Sampler]. The pairs have the same sample on both sides.
func (t *turnSampler) Sample(ctx context.Context, benchmarks []*listing.Benchmark) (taken []judge.Pair, err error) {
	paths := make(map[*listing.Package]string)
	for _, turn := range t.order(benchmarks) {
		first := turn.Benchmarks[0]
		path, full := first.Pkg.Binaries[frame.New], t.Sizes[first].Full
		if full && paths[first.Pkg] == "" {
			linked, err := t.Take(ctx, first.Pkg.TestPackage)
			if err != nil {
				return taken, err
			}
			paths[first.Pkg] = linked[frame.New]
		}
		if full {
			path = paths[first.Pkg]
		}
		pairs, err := t.run(ctx, turn, path, full)
		taken = append(taken, pairs...)
		if err != nil || t.Left() == 0 {
			return taken, err
		}
	}
	return taken, nil
}

// order divides benchmarks among processes, and puts these into a random order: groups one after the other, and within
// a group its implementations, each in a process. Where processes take long to start, or are too many, one of them runs
// the same implementation of all groups.
func (t *turnSampler) order(benchmarks []*listing.Benchmark) (turns []*timing.PartRun) {
	var sharing []*implementation
	for _, i := range t.Rand.Perm(len(t.all)) {
		g := t.all[i]
		var entries []*implementation
		for _, e := range g.entries {
			if slices.Contains(benchmarks, e.Benchmark) {
				entries = append(entries, e)
			}
		}
		isSized := !slices.ContainsFunc(entries, func(e *implementation) bool { return !t.Sizes[e.Benchmark].Full })
		core := t.Cores[t.Rand.IntN(len(t.Cores))]
		for _, k := range t.Rand.Perm(len(entries)) {
			e := entries[k]
			full := t.Sizes[e.Benchmark].Full
			switch {
			case full && !isSized: // the others are not ready for a round
			case t.Share || g.pkg.Overhead > listing.LongSetUp:
				sharing = append(sharing, e)
			default:
				turns = append(turns, &timing.PartRun{Benchmarks: []*listing.Benchmark{e.Benchmark}, Core: core})
			}
		}
	}
	var shared []*timing.PartRun
	type column struct {
		pkg   *listing.Package
		value string
		full  bool
	}
	columnOf := func(e *implementation) column { return column{e.Pkg, e.value, t.Sizes[e.Benchmark].Full} }
	for _, same := range text.Groups(sharing, columnOf) {
		var all []*listing.Benchmark
		for _, e := range same {
			all = append(all, e.Benchmark)
		}
		for _, part := range t.Divide(all) {
			shared = append(shared, &timing.PartRun{Benchmarks: part, Core: t.Cores[t.Rand.IntN(len(t.Cores))]})
		}
	}
	for _, i := range t.Rand.Perm(len(shared)) {
		turns = append(turns, shared[i])
	}
	return turns
}

// run runs benchmarks in one process.
func (t *turnSampler) run(ctx context.Context, r *timing.PartRun, path string, counts bool) ([]judge.Pair, error) {
	first := r.Benchmarks[0]
	r.WithSiblings = t.Sizes[first].WithSiblings
	r.Timeout = 20*t.Judges.TimeOfRound(r.Benchmarks) + max(10*time.Second, t.Left()/2)
	if first.Procs > 1 {
		r.Core = frame.NoCore
	}
	samples, err := t.RunSide(ctx, r, frame.New, path, nil)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	same := maps.Clone(samples)
	for b, s := range same {
		s.Elapsed = 0 // it took the time of one process
		same[b] = s
	}
	r.Samples, r.Failures = [2]map[*listing.Benchmark]listing.Sample{same, samples}, [2]error{err, err}
	return t.TakePairs(r, 1, counts), nil
}
