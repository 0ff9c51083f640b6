package ab

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// turnSampler measures implementations in turns: in a sample each runs once in a process, those of a group directly
// after each other, in random order on one core.
type turnSampler struct {
	*timeSampler
	all *groupList
}

// turn is some benchmarks in one process.
type turn struct {
	benchmarks []*benchmark
	core       int
}

// takeTurns measures the groups until each implementation has a verdict, or the time is over.
func takeTurns(ctx context.Context, j *job, b *builds, links *linkPool, all *groupList, v *judges) error {
	benchmarks := all.benchmarks()
	t := &turnSampler{newTimeSampler(j, b, links, planTurns(j, b, benchmarks), v), all}
	for _, g := range all.groups {
		t.sampleWhole(g)
	}
	const sizing = 3 // rounds before those that count
	limited, cancel := context.WithDeadline(ctx, j.End().Add(grace))
	defer cancel()
	for round := 1; j.Left() > 0; round++ {
		open := all.open(j.Left())
		if len(open) == 0 {
			break
		}
		j.progress(Progress{Phase: "measuring in turns", Round: round, Rows: len(benchmarks),
			Decided: len(benchmarks) - len(open), Left: j.Left()})
		pairs, err := t.Sample(limited, open)
		all.addRound(t, pairs)
		if round == sizing {
			all.judged.Hurry = all.timeToLook(all.groups) > j.Left()
		}
		all.judged.Look(false)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case limited.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		boundLayouts(links, b)
	}
	return nil
}

// planTurns chooses the work of samples, so that the planned rounds fit into the time, and whether benchmarks share
// processes.
func planTurns(j *job, b *builds, benchmarks []*benchmark) plan {
	p := plan{benchmarks: benchmarks, work: j.sample, lanes: 1}
	if p.work != (sampleWork{}) {
		return p
	}
	p.work.duration = sampleTime((len(benchmarks)+1)/2, j.Left())
	if p.roundsTime()/2 > j.Left() && b.cpuClock != report.NoClock {
		p.share, p.work.duration = true, smallSample
	}
	return p
}

// boundLayouts bounds the links of rounds by a part of the time that is left.
func boundLayouts(links *linkPool, b *builds) {
	const least = 4
	if each := links.cost * time.Duration(len(b.packages)); each > 0 && links.most == math.MaxInt {
		links.most = max(least, int(frame.Share(frame.GroupLinks)*float64(links.Left())/float64(each)))
	}
}

// sampleWhole makes each sample of a group one run, if one of its implementations allocates: the fastest of short runs
// would leave out the garbage collection of some.
func (t *turnSampler) sampleWhole(g *group) {
	if slices.ContainsFunc(g.entries, func(e *implementation) bool { return e.first[frame.New].figures[report.AllocsUnit] > 0 }) {
		for _, e := range g.entries {
			t.sizes[e.benchmark].total = t.work.duration
		}
	}
}

// open lists the benchmarks for another round. Where time is short, groups before their first look come first, and the
// last of them wait if the time does not bring all of them there.
func (c *groupList) open(left time.Duration) (open []*benchmark) {
	const enough = 1.5 // times longer than the first looks take
	isShort := time.Duration(enough*float64(c.timeToLook(c.groups))) > left
	sum := time.Duration(0)
	for _, g := range c.groups {
		missing := c.timeToLook([]*group{g})
		if sum += missing; isShort && (missing == 0 && len(g.rows) > 0 || sum > left && len(open) > 0) {
			continue
		}
		for _, e := range g.open() {
			open = append(open, e.benchmark)
		}
	}
	return open
}

// timeToLook is the time of the rounds of groups until their first look.
func (c *groupList) timeToLook(groups []*group) (sum time.Duration) {
	first := c.judged.FirstLook()
	for _, g := range groups {
		for _, e := range g.open() {
			sum += time.Duration(max(0, first-len(e.pairs))) * e.expected
		}
	}
	return sum
}

// open lists the implementations of a group that need another round.
func (g *group) open() (open []*implementation) {
	if len(g.rows) == 0 {
		for _, e := range g.entries {
			if e.isOpen() {
				open = append(open, e)
			}
		}
		return open
	}
	for _, i := range g.rows[0].group.Open() {
		if g.entries[i].isOpen() {
			open = append(open, g.entries[i])
		}
	}
	return open
}

// Sample implements [Sampler]. The pairs have the same sample on both sides.
func (t *turnSampler) Sample(ctx context.Context, benchmarks []*benchmark) (taken []Pair, err error) {
	paths := make(map[*testPackage]string)
	for _, turn := range t.order(benchmarks) {
		first := turn.benchmarks[0]
		full := t.sizes[first].full
		if full && paths[first.pkg] == "" {
			linked, err := t.links.take(ctx, first.pkg)
			if err != nil {
				return taken, err
			}
			paths[first.pkg] = linked[frame.New]
		}
		path := first.pkg.binaries[frame.New]
		if full {
			path = paths[first.pkg]
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
func (t *turnSampler) order(benchmarks []*benchmark) (turns []turn) {
	type column struct {
		pkg   *testPackage
		value string
		full  bool
	}
	columns := make(map[column][]*benchmark)
	var keys []column
	for _, i := range t.Rand.Perm(len(t.all.groups)) {
		g := t.all.groups[i]
		var entries []*implementation
		for _, e := range g.entries {
			if slices.Contains(benchmarks, e.benchmark) {
				entries = append(entries, e)
			}
		}
		isSized := !slices.ContainsFunc(entries, func(e *implementation) bool { return !t.sizes[e.benchmark].full })
		core := t.Cores[t.Rand.IntN(len(t.Cores))]
		for _, k := range t.Rand.Perm(len(entries)) {
			e := entries[k]
			full := t.sizes[e.benchmark].full
			switch {
			case full && !isSized: // the others are not ready for a round
			case t.share || g.pkg.overhead > longSetUp:
				key := column{g.pkg, e.value, full}
				if columns[key] == nil {
					keys = append(keys, key)
				}
				columns[key] = append(columns[key], e.benchmark)
			default:
				turns = append(turns, turn{[]*benchmark{e.benchmark}, core})
			}
		}
	}
	var shared []turn
	for _, key := range keys {
		for _, part := range t.divide(columns[key]) {
			shared = append(shared, turn{part, t.Cores[t.Rand.IntN(len(t.Cores))]})
		}
	}
	for _, i := range t.Rand.Perm(len(shared)) {
		turns = append(turns, shared[i])
	}
	return turns
}

// run runs benchmarks in one process.
func (t *turnSampler) run(ctx context.Context, of turn, path string, counts bool) ([]Pair, error) {
	first := of.benchmarks[0]
	r := &partRun{benchmarks: of.benchmarks, withSiblings: t.sizes[first].withSiblings, core: of.core,
		timeout: 20*expectedTime(of.benchmarks) + max(10*time.Second, t.Left()/2)}
	if first.procs > 1 {
		r.core = frame.NoCore
	}
	samples, err := t.runSide(ctx, r, frame.New, path)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	same := maps.Clone(samples)
	for b, s := range same {
		s.elapsed = 0 // it took the time of one process
		same[b] = s
	}
	r.samples, r.failures = [2]map[*benchmark]sample{same, samples}, [2]error{err, err}
	return t.takePairs(r, 1, counts), nil
}
