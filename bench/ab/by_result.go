package ab

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// describe judges for the last time, and describes the groups by their ratios to a baseline. It returns the names of those
// without it.
func (c *contests) describe(baseline string) (ranked []report.RankedGroup, without []string) {
	c.judged.Look(true)
	ranked = []report.RankedGroup{}
	for _, g := range c.all {
		base := slices.IndexFunc(g.entries, func(e *implementation) bool { return e.value == baseline })
		if base < 0 && baseline != "" {
			without = append(without, g.name)
		}
		ranked = append(ranked, c.describeGroup(g, base))
	}
	return ranked, without
}

// describeGroup describes a group: its implementations, the fastest first, in all units. Ratios refer to the best one where
// the baseline is below 0.
func (c *contests) describeGroup(g *contest, base int) report.RankedGroup {
	fewest := c.fewestInstructions(g)
	best := fewest
	if len(g.rows) > 0 {
		best = g.rows[0].group.Best()
	}
	if base < 0 {
		base = max(0, best)
	}
	out := report.RankedGroup{Package: g.pkg.Path, Name: g.name, Baseline: g.entries[base].value}
	all := make([][]report.RankedRow, len(g.entries)) // by implementation
	for i, row := range g.rows {
		for k := range g.entries {
			all[k] = append(all[k], c.describeRow(g, row, k, base))
		}
		if i == 0 && fewest >= 0 {
			c.addCounts(g, all, base)
		}
	}
	if len(g.rows) == 0 {
		for k, e := range g.entries {
			if !c.judges.OnlyCounts { // counts never decide between times
				all[k] = append(all[k], c.unmeasured(e))
			}
		}
		if c.judges.OnlyCounts || best >= 0 {
			c.addCounts(g, all, base)
		}
		if c.judges.OnlyCounts && fewest >= 0 {
			c.addMemory(g, all, base)
		}
	}
	order := make([]int, len(g.entries))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareRows(all[a][0], all[b][0]) })
	for _, k := range order {
		out.Rows = append(out.Rows, all[k]...)
		if e := g.entries[k]; len(g.pairs[e]) > 0 {
			out.Samples = append(out.Samples, g.samples(e))
		}
	}
	for _, a := range g.absent {
		out.Rows = append(out.Rows, report.NewRankedRow(a.value, all[0][0].Unit, a.reason))
	}
	return out
}

// compareRows puts the smaller ratio first, and what has none last.
func compareRows(a, b report.RankedRow) int {
	ratio := func(r report.RankedRow) float64 {
		if math.IsNaN(float64(r.Ratio)) {
			return math.Inf(1)
		}
		return float64(r.Ratio)
	}
	return cmp.Compare(ratio(a), ratio(b))
}

// unmeasured returns the row of an implementation whose group has no round.
func (c *contests) unmeasured(e *implementation) report.RankedRow {
	out := report.NewRankedRow(e.value, report.TimeUnit, c.whyNot(e))
	if c.judges.Of(e.Benchmark).IsMeasurable() {
		out.Verdict, out.Reason = verdict.Undecided, frame.NotMeasured
	}
	return out
}

// whyNot is the reason of an implementation that cannot be measured.
func (c *contests) whyNot(e *implementation) string {
	return strings.NewReplacer(frame.FailsOnBoth, "fails", frame.SkipsOnBoth, "skips").Replace(c.judges.Of(e.Benchmark).Reason)
}

// describeRow returns the row of an implementation in a unit.
func (c *contests) describeRow(g *contest, row *groupRow, k, base int) report.RankedRow {
	e := g.entries[k]
	out := report.NewRankedRow(e.value, row.Unit, c.whyNot(e))
	out.Clock, out.N = row.Clock, len(g.pairs[e])
	var figures []float64
	for _, p := range g.pairs[e] {
		if x := row.Read(&p.Sides[frame.New]); !math.IsNaN(x) {
			figures = append(figures, x)
		}
	}
	out.Figure = verdict.Number(verdict.Median(figures))
	switch {
	case row.group == nil:
		out.Verdict, out.Reason = verdict.NotJudged, row.reason
		return out
	case !c.judges.Of(e.Benchmark).IsMeasurable():
		return out
	}
	ratio, lo, hi := row.group.Ratio(k, base)
	out.Ratio, out.Lo, out.Hi = verdict.Number(ratio), verdict.Number(lo), verdict.Number(hi)
	out.Verdict, out.Judge = row.group.Implementations[k].Verdict, verdict.ByTime
	switch {
	case out.Verdict != verdict.Undecided:
	case row.group.IsAlone():
		out.Reason = frame.NoOthers
	default:
		out.Reason = "the interval contains the limit"
	}
	return out
}

// addCounts adds the rows of instructions. Their verdicts are on the work, which is a poor measure of the time of different
// implementations.
func (c *contests) addCounts(g *contest, all [][]report.RankedRow, base int) {
	fewest := c.fewestInstructions(g)
	var rows []*judge.Counts
	for _, e := range g.entries {
		rows = append(rows, c.judges.Of(e.Benchmark).Counts)
	}
	isAlone := true // whether all others take more
	for k, e := range g.entries {
		out := report.NewRankedRow(e.value, report.CountUnit, cmp.Or(c.whyNot(e), frame.NotCounted))
		if x, n := instructions(rows[k]); n > 0 {
			out.Figure, out.N, out.Judge = verdict.Number(x), n, verdict.ByCount
			if _, m := instructions(rows[base]); m > 0 {
				result := compareCounts(g.limit, rows[base], rows[k])
				out.Ratio, out.Lo, out.Hi = verdict.Number(1+result.Delta), verdict.Number(1+result.Lo), verdict.Number(1+result.Hi)
			}
			out.Verdict, out.Reason = verdictOfCount(compareCounts(g.limit, rows[fewest], rows[k]))
			isAlone = isAlone && (k == fewest || out.Verdict == verdict.Slower)
		} else if rows[k] != nil {
			out.Reason = cmp.Or(rows[k].Reason, out.Reason)
		}
		all[k] = append(all[k], out)
	}
	if fewest >= 0 && isAlone {
		last := &all[fewest][len(all[fewest])-1]
		last.Verdict = verdict.Fastest
	}
}

// addMemory adds the rows of memory in the counting processes, beside a count of instructions. An
// implementation is slower if it has more than may pass beside the one with the least.
func (c *contests) addMemory(g *contest, all [][]report.RankedRow, base int) {
	for _, unit := range judge.MemoryUnits {
		figures := make([]float64, len(g.entries))
		for k, e := range g.entries {
			_, x := c.judges.Of(e.Benchmark).Counts.Memory(unit)
			figures[k] = math.Floor(x) // as package testing prints it
		}
		least := math.Inf(1)
		for _, x := range figures {
			if x < least { // not NaN, of what is not counted
				least = x
			}
		}
		for k, e := range g.entries {
			out := report.NewRankedRow(e.value, unit, cmp.Or(c.whyNot(e), frame.NotCounted))
			if counts := c.judges.Of(e.Benchmark).Counts; !math.IsNaN(figures[k]) {
				ratio := verdict.Number(math.Exp(verdict.LogRatio(figures[base], figures[k])))
				out.Figure, out.Ratio, out.Lo, out.Hi = verdict.Number(figures[k]), ratio, ratio, ratio
				out.N, out.Judge, out.Verdict, out.Reason = len(counts.Pairs), verdict.ByCount, verdict.Equal, ""
				if c.judges.IsMore(e.Benchmark, unit, least, figures[k]) {
					out.Verdict = verdict.Slower
				}
			}
			all[k] = append(all[k], out)
		}
	}
}

// verdictOfCount is the verdict on a count beside the fewest instructions.
func verdictOfCount(c verdict.Count) (verdict.Verdict, string) {
	switch c.Verdict {
	case verdict.MoreWork:
		return verdict.Slower, ""
	case verdict.NotMoreWork, verdict.LessWork:
		return verdict.Equal, ""
	}
	return verdict.Undecided, c.Reason
}

// samples returns the samples of an implementation for a file, with the key in their names.
func (g *contest) samples(e *implementation) report.SampleSet {
	s := report.SampleSet{Package: e.Pkg.Path, Clock: g.clock}
	for _, p := range g.pairs[e] {
		result := resultOf(&p.Sides[frame.New], e.Benchmark, g.clock)
		result.Name = report.FullName(e.keyed, e.Procs)
		s.Results[0] = append(s.Results[0], result)
	}
	return s
}

// compareCounts compares the counts of two implementations, run by run with the same seed.
func compareCounts(limit float64, base, other *judge.Counts) verdict.Count {
	c := verdict.Count{Limit: limit}
	unused := slices.Clone(base.Pairs)
	for _, p := range other.Pairs {
		if i := slices.IndexFunc(unused, func(q judge.CountedPair) bool { return q.Seed == p.Seed }); i >= 0 {
			_ = c.Add(p.Seed, unused[i].Sides[frame.New], p.Sides[frame.New]) // both were counted
			unused = slices.Delete(unused, i, i+1)
		}
	}
	c.Judge()
	return c
}

// instructions is the median count of an operation, and the number of counts.
func instructions(c *judge.Counts) (float64, int) {
	if c == nil {
		return 0, 0
	}
	var all []float64
	for _, p := range c.Pairs {
		all = append(all, p.Sides[frame.New])
	}
	return verdict.Median(all), len(all)
}

// fewestInstructions returns the index of the implementation with the fewest instructions; -1 where none is counted.
func (c *contests) fewestInstructions(g *contest) int {
	fewest, least := -1, 0.0
	for i, e := range g.entries {
		if x, n := instructions(c.judges.Of(e.Benchmark).Counts); n > 0 && (fewest < 0 || cmp.Less(x, least)) {
			fewest, least = i, x
		}
	}
	return fewest
}
