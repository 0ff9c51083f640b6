package ab

import (
	"errors"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// madeGroup is a group without programs.
type madeGroup struct {
	*turnSampler
	*contest
}

// makeGroup makes a group of n implementations.
func makeGroup(by Judges, n int) *madeGroup {
	o := DefaultOptions()
	o.Judge = by
	g := &group{pkg: listingtest.NewPackage("p", 0), name: "F", limit: 0.03}
	for i := range n {
		value := string(rune('a' + i))
		b := &listing.Benchmark{Pkg: g.pkg, Printed: "F/impl=" + value}
		g.entries = append(g.entries, &implementation{Benchmark: b, value: value, keyed: b.Printed})
	}
	c := newContests(judge.NewTable(o.rules(), nil, true), []*group{g})
	t := &turnSampler{timing.NewSampler(&build.Links{Builds: &build.Builds{}}, timing.Plan{Benchmarks: c.benchmarks()}, c.judges), c}
	for _, z := range t.Sizes {
		z.Clock = report.CPU
	}
	return &madeGroup{t, c.all[0]}
}

// round adds a round of CPU times, with a byte for each second; an implementation of 0 has no sample.
func (m *madeGroup) round(seconds ...float64) {
	var pairs []judge.Pair
	for i, x := range seconds {
		if x != 0 {
			s := listing.Sample{CPU: x, Wall: x, Figures: map[string]float64{listing.TimePrinted: 1e9 * x, report.BytesUnit: x}}
			pairs = append(pairs, judge.Pair{Benchmark: m.entries[i].Benchmark, Sides: [2]listing.Sample{s, s}, Clock: report.CPU})
		}
	}
	m.addRound(pairs)
}

// An implementation that fails between rounds leaves the ranking: the others go on, and a last one does not.
func TestByWithoutWhatFails(t *testing.T) {
	m := makeGroup(TimeOnly, 3)
	testkit.Equal(t, m.judged.Expected, 3, "pairs to come")
	m.round(1, 2, 3)
	testkit.Equal(t, m.judged.Expected, 0, "pairs to come after a round")
	m.judges.Of(m.entries[0].Benchmark).Abandon("fails on both sides: no")
	m.round(0, 2, 3)
	testkit.Equal(t, len(m.pairs[m.entries[1]]), 2, "rounds")
	testkit.Equal(t, m.rows[0].group.Best(), 1, "the best one")
	m.judges.Of(m.entries[1].Benchmark).Abandon("fails on both sides: no")
	m.round(0, 0, 3)
	testkit.Equal(t, len(m.open(0)), 0, "open")
	testkit.Equal(t, len(m.pairs[m.entries[2]]), 2, "rounds of the last one")
	for _, row := range m.describeGroup(m.contest, -1).Rows {
		want := map[string]string{"a": "fails: no", "b": "fails: no", "c": "the others cannot be measured"}[row.Value]
		testkit.Equal(t, row.Reason, want, "%s in %s", row.Value, row.Unit)
	}
}

// What is no figure ends a unit with its reason, and in the one that decides the implementation.
func TestByInvalidFigures(t *testing.T) {
	m := makeGroup(TimeOnly, 3)
	m.round(1, 2, 3)
	for _, p := range []float64{math.NaN(), -1, math.Inf(1)} {
		read := m.rows[1].Read
		m.rows[1].Read = func(*listing.Sample) float64 { return p }
		m.rows[1].group = m.rows[0].group
		m.round(1, 2, 3)
		testkit.ErrorIf(t, m.rows[1].group != nil, "%v is judged", p)
		m.rows[1].Read = read
		row := m.describeRow(m.contest, m.rows[1], 0, 0)
		testkit.Equal(t, row.Verdict, verdict.NotJudged, "%v", p)
		testkit.ErrorIf(t, row.Reason == "the better direction of B/op is unknown", "%v: %s", p, row.Reason)
	}
	m = makeGroup(TimeOnly, 3)
	m.round(1, 2, 3)
	m.round(1, math.Inf(1), 3)
	testkit.Equal(t, m.describeRow(m.contest, m.rows[0], 1, 0).Reason, "a round has +Inf sec/op (want a finite number of at least 0)", "reason")
	testkit.Equal(t, len(m.pairs[m.entries[0]]), 1, "rounds")
	m.round(1, 0, 3)
	testkit.Equal(t, m.rows[0].group.Rounds(), 2, "rounds without it")
	missing := listing.Sample{}
	testkit.Equal(t, m.rows[1].invalid(m.rows[1].Read(&missing)), "a round has no figure in B/op", "reason")
}

// Memory alone makes nothing the fastest.
func TestByMemoryAlone(t *testing.T) {
	m := makeGroup(TimeOnly, 2)
	var pairs []judge.Pair
	for _, e := range m.entries {
		s := listing.Sample{CPU: 1, Wall: 1, Figures: map[string]float64{report.BytesUnit: 8}}
		pairs = append(pairs, judge.Pair{Benchmark: e.Benchmark, Sides: [2]listing.Sample{s, s}, Clock: report.CPU})
	}
	m.addRound(pairs)
	for _, row := range m.describeGroup(m.contest, -1).Rows {
		testkit.Equal(t, row.Verdict, verdict.NotJudged, "%s in %s", row.Value, row.Unit)
		testkit.Equal(t, row.Reason, frame.NoCommonUnit, "%s in %s", row.Value, row.Unit)
	}
}

// A group without a round is undecided: counts decide only where nothing else was asked for.
func TestByUnmeasured(t *testing.T) {
	for by, want := range map[Judges]string{BothJudges: report.TimeUnit, CountOnly: report.CountUnit} {
		m := makeGroup(by, 3)
		for i, e := range m.entries[:2] {
			m.judges.Of(e.Benchmark).Counts = &judge.Counts{Pairs: []judge.CountedPair{{Seed: 1, Sides: [2]float64{100, float64(100 + 50*i)}}}}
		}
		m.judges.Of(m.entries[2].Benchmark).Counts = &judge.Counts{Reason: "another benchmark of the package has its name"}
		out := m.describeGroup(m.contest, -1)
		testkit.Equal(t, out.Rows[0].Unit, want, "the unit that decides by %s", by)
		for _, row := range out.Rows {
			testkit.ErrorIf(t, row.Verdict == verdict.NotJudged && row.Reason == "", "%s has no reason: %+v", by, row)
			testkit.ErrorIf(t, row.Unit == report.TimeUnit && row.Verdict != verdict.Undecided, "%+v", row)
		}
		r := &report.Ranking{Fastest: "c", Groups: []report.RankedGroup{out}}
		r.Decide()
		testkit.ErrorIf(t, r.Verdict == verdict.Pass, "%s passes", by)
	}
}

// A count of instructions says nothing about memory, which has rows of its own where no times are measured.
func TestByMemoryOfCounts(t *testing.T) {
	m := makeGroup(CountOnly, 3)
	for i, allocs := range []float64{4, 2} {
		memory := [2]count.Memory{{}, {Bytes: 16 * allocs, Allocs: allocs}}
		m.judges.Of(m.entries[i].Benchmark).Counts = &judge.Counts{Pairs: []judge.CountedPair{{Seed: 1, Sides: [2]float64{100, 100}, Memory: memory}}}
	}
	m.judges.Of(m.entries[2].Benchmark).Counts = &judge.Counts{Reason: "no"}
	type verdictOf struct {
		unit    string
		verdict verdict.Verdict
		ratio   float64
	}
	got := make(map[string][]verdictOf)
	for _, row := range m.describeGroup(m.contest, 1).Rows {
		if row.Unit != report.CountUnit {
			got[row.Value] = append(got[row.Value], verdictOf{row.Unit, row.Verdict, math.Round(float64(row.Ratio))})
			testkit.ErrorIf(t, row.Judge != verdict.ByCount && row.Value != "c", "%+v", row)
		}
	}
	testkit.Equal(t, got["a"], []verdictOf{{report.AllocsUnit, verdict.Slower, 2}, {report.BytesUnit, verdict.Slower, 2}}, "more memory")
	testkit.Equal(t, got["b"], []verdictOf{{report.AllocsUnit, verdict.Equal, 1}, {report.BytesUnit, verdict.Equal, 1}}, "less memory")
	testkit.Equal(t, len(got["c"]), 2, "rows of memory of what is not counted")
}

// A function that fails by itself may have had further implementations, as may a benchmark that fails alone.
func TestByWhatFailsElsewhere(t *testing.T) {
	for name, f := range map[string]*listing.Found{
		"a function":  {Failed: map[string]error{"BenchmarkG": errors.New("exit status 2")}},
		"a benchmark": {Broken: map[string]string{"G/impl=a": "no"}},
	} {
		c := &groupList{Builds: &build.Builds{Request: &source.Request{Run: &frame.Run{}}}, Selection: &listing.Selection{IsExcluded: func(string) bool { return false }},
			key: nameKey{name: "impl"}}
		c.addPackage(listingtest.NewPackage("p", 0), f)
		testkit.ErrorIf(t, !c.fails, "%s: not reported", name)
	}
}
