package ab

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// turnSampler measures implementations in turns: in a sample each runs once in a process, those of a group directly
// after each other, in random order on one core.
type turnSampler struct {
	*timeSampler
	all *contests
}

// turn is some benchmarks in one process.
type turn struct {
	benchmarks []*benchmark
	core       int
}

// takeTurns measures the groups until each implementation has a verdict, or the time is over.
func takeTurns(ctx context.Context, j *job, b *builds, links *linkPool, all *contests, v *judges) error {
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
			all.ranking.Hurry = all.timeToLook(all.groups) > j.Left()
		}
		all.ranking.Look(false)
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
	const least, part = 4, 0.3
	if each := links.cost * time.Duration(len(b.packages)); each > 0 && links.most == math.MaxInt {
		links.most = max(least, int(part*float64(links.Left())/float64(each)))
	}
}

// sampleWhole makes each sample of a group one run, if one of its implementations allocates: the fastest of short runs
// would leave out the garbage collection of some.
func (t *turnSampler) sampleWhole(g *contest) {
	if slices.ContainsFunc(g.entries, func(e *entry) bool { return e.first[frame.New].figures[report.AllocsUnit] > 0 }) {
		for _, e := range g.entries {
			t.sizes[e.benchmark].total = t.work.duration
		}
	}
}

// open lists the benchmarks for another round. Where time is short, groups before their first look come first, and the
// last of them wait if the time does not bring all of them there.
func (c *contests) open(left time.Duration) (open []*benchmark) {
	const enough = 1.5 // times longer than the first looks take
	isShort := time.Duration(enough*float64(c.timeToLook(c.groups))) > left
	sum := time.Duration(0)
	for _, g := range c.groups {
		missing := c.timeToLook([]*contest{g})
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
func (c *contests) timeToLook(groups []*contest) (sum time.Duration) {
	first := c.ranking.FirstLook()
	for _, g := range groups {
		for _, e := range g.open() {
			sum += time.Duration(max(0, first-len(e.pairs))) * e.expected
		}
	}
	return sum
}

// open lists the implementations of a group that need another round.
func (g *contest) open() (open []*entry) {
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
		var entries []*entry
		for _, e := range g.entries {
			if slices.Contains(benchmarks, e.benchmark) {
				entries = append(entries, e)
			}
		}
		isSized := !slices.ContainsFunc(entries, func(e *entry) bool { return !t.sizes[e.benchmark].full })
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

// addRound adds a round to the groups all of whose open implementations have a sample.
func (c *contests) addRound(t *turnSampler, pairs []Pair) {
	taken := make(map[*benchmark]Pair)
	for _, p := range pairs {
		taken[p.Benchmark] = p
	}
	for _, g := range c.groups {
		open := g.open()
		if len(open) == 0 || slices.ContainsFunc(open, func(e *entry) bool { _, ok := taken[e.benchmark]; return !ok }) {
			g.dropBroken()
			continue
		}
		if g.rows == nil && !g.begin(c, t, taken) {
			continue
		}
		for _, e := range open {
			e.pairs = append(e.pairs, taken[e.benchmark])
		}
		for _, row := range g.rows {
			row.add(g, taken)
		}
	}
}

// dropBroken excludes the implementations that cannot be measured any more.
func (g *contest) dropBroken() {
	for i, e := range g.entries {
		for _, row := range g.rows {
			if row.group != nil && e.state == stateNotJudged {
				row.group.Implementations[i].Gone = true
			}
		}
	}
}

// begin chooses the clock and the rows of a group by its first round. It returns false where the implementations must be
// measured again, by one clock, or report nothing to judge.
func (g *contest) begin(c *contests, t *turnSampler, taken map[*benchmark]Pair) bool {
	g.clock = report.CPU
	for _, p := range present(g, taken) {
		if p.clock != report.CPU {
			g.clock = report.Wall
		}
	}
	again := false
	for _, e := range g.entries {
		if z := t.sizes[e.benchmark]; z.clock != g.clock && e.isOpen() {
			z.clock, z.full, again = g.clock, false, true
		}
	}
	if again {
		return false
	}
	g.addRows(c, taken)
	if len(g.rows) == 0 || g.rows[0].group == nil {
		g.rows = nil
		for _, e := range g.entries {
			e.abandon(verdict.NotJudged, "the implementations report neither a time nor another unit that all of them have")
		}
		return false
	}
	g.dropBroken()
	return true
}

// add adds a round of a row. What is no measurement ends a row other than that of times.
func (r *contestRow) add(g *contest, taken map[*benchmark]Pair) {
	if r.group == nil {
		return
	}
	figures := make([]float64, len(g.entries))
	for i, e := range g.entries {
		p, ok := taken[e.benchmark]
		if figures[i] = math.NaN(); ok {
			figures[i] = r.read(&p.sides[frame.New])
		}
	}
	if err := r.group.Add(figures); err != nil && r != g.rows[0] {
		r.group = nil
	}
}

// addRows chooses the units of a group: times, those of ReportMetric that all implementations report, and memory.
func (g *contest) addRows(c *contests, taken map[*benchmark]Pair) {
	add := func(unit string, clock report.Clock, better int, read func(s *sample) float64) {
		row := &contestRow{unit: unit, clock: clock, read: read}
		if better != 0 {
			row.group = c.ranking.Add(len(g.entries))
			row.group.Limit, row.group.Higher = g.limit, better > 0
		}
		g.rows = append(g.rows, row)
	}
	switch hasTime := !slices.ContainsFunc(present(g, taken), func(p Pair) bool { return !p.sides[frame.New].hasTime() }); {
	case hasTime && g.clock == report.CPU:
		add(report.TimeUnit, g.clock, -1, func(s *sample) float64 { return s.cpu })
	case hasTime:
		add(report.TimeUnit, g.clock, -1, func(s *sample) float64 { return s.wall })
	}
	for _, unit := range g.units(taken) {
		factor, tidied := report.Tidy(1, unit)
		better := c.judges.direction(unit)
		follows := !slices.ContainsFunc(present(g, taken), func(p Pair) bool { return !followsTimer(seenOf(p), unit) })
		switch isTime := strings.HasPrefix(tidied, "sec/"); {
		case slices.Contains(builtinUnits, unit):
			add(unit, "", -1, func(s *sample) float64 { return s.figures[unit] })
		case isTime && g.clock == report.CPU && follows:
			add(tidied, report.CPU, better, func(s *sample) float64 { return factor * s.figures[unit] * s.cpu / s.wall })
		case isTime:
			add(tidied, report.Wall, better, func(s *sample) float64 { return factor * s.figures[unit] })
		default:
			add(tidied, "", better, func(s *sample) float64 { return factor * s.figures[unit] })
		}
	}
	rank := func(r *contestRow) int { // of a group without times of an operation
		return slices.Index([]bool{r.unit == report.TimeUnit, r.group != nil && r.clock != "", r.group != nil, true}, true)
	}
	slices.SortStableFunc(g.rows, func(a, b *contestRow) int { return rank(a) - rank(b) })
}

// units lists the units that all implementations report beside the time, without rates that repeat it; memory comes last.
func (g *contest) units(taken map[*benchmark]Pair) (units []string) {
	pairs := present(g, taken)
	for _, unit := range append(slices.Sorted(maps.Keys(pairs[0].sides[frame.New].figures)), report.BytesUnit, report.AllocsUnit) {
		isMissing := slices.ContainsFunc(pairs, func(p Pair) bool {
			_, ok := p.sides[frame.New].figures[unit]
			return !ok || !slices.Contains(builtinUnits, unit) && repeatsTime(seenOf(p), unit)
		})
		if unit == timePrinted || unit == "MB/s" || isMissing {
			continue
		}
		units = slices.DeleteFunc(units, func(u string) bool { return u == unit })
		units = append(units, unit)
	}
	return units
}

// present lists the pairs of a group's implementations.
func present(g *contest, taken map[*benchmark]Pair) (pairs []Pair) {
	for _, e := range g.entries {
		if p, ok := taken[e.benchmark]; ok {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// seenOf returns the runs of a pair, and those before it.
func seenOf(p Pair) [][2]sample { return append(slices.Clone(p.earlier), p.sides) }
