package ab

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Rows of memory need the evidence of times: a difference in few rounds proves nothing. A floor
// is in the unit.
func TestMemory(t *testing.T) {
	floors := DefaultOptions()
	for _, limit := range []string{"allocs/op=0", "B/op=16B"} {
		testkit.NoError(t, floors.ParseLimit(limit))
	}
	for _, c := range []struct {
		o             Options
		unit          string
		rounds        int
		before, after float64
		noise         float64
		want          verdict.Verdict
	}{
		{floors, report.AllocsUnit, 10, 100, 101, 0, verdict.Slower},
		{DefaultOptions(), report.AllocsUnit, 10, 100, 101, 0, verdict.NotSlower},
		{DefaultOptions(), report.AllocsUnit, 10, 0, 1, 0, verdict.Slower},
		{floors, report.BytesUnit, 10, 10, 24, 0, verdict.NotSlower},
		{floors, report.BytesUnit, 10, 10, 32, 0, verdict.Slower},
		{DefaultOptions(), report.BytesUnit, 1, 10, 32, 0, verdict.Undecided},
		{DefaultOptions(), report.BytesUnit, 2, 10, 32, 0, verdict.Undecided},
		{DefaultOptions(), report.BytesUnit, 3, 10, 32, 0, verdict.Slower},
		{DefaultOptions(), report.BytesUnit, 12, 100, 104, 30, verdict.Undecided},
		{DefaultOptions(), report.BytesUnit, 10, 10, 9, 0, verdict.Faster},
		{DefaultOptions(), report.BytesUnit, 10, 10, 10, 0, verdict.Identical},
	} {
		row := memoryRow(&c.o, c.unit, c.rounds, func(k int) [2]float64 {
			noisy := func(x float64) float64 { return x + c.noise*float64((k*7+int(x))%5) }
			return [2]float64{noisy(c.before), noisy(c.after)}
		})
		testkit.Equal(t, row.Verdict, c.want, "%s, %v to %v in %d rounds", c.unit, c.before, c.after, c.rounds)
		testkit.Equal(t, row.Unit, c.unit, "unit")
	}
}

// memoryRow judges rounds of a benchmark by the figures of both sides in a unit.
func memoryRow(o *Options, unit string, rounds int, figures func(round int) [2]float64) report.Row {
	v := judge.NewTable(o.rules(), nil, false)
	b := &listing.Benchmark{Name: "a.F", Procs: 1, Pkg: listingtest.NewPackage("", 0)}
	for round := range rounds {
		p := judge.Pair{Benchmark: b, Clock: report.Wall}
		for side, x := range figures(round) {
			p.Sides[side] = listing.Sample{Iterations: 1, Wall: 1e-7, Figures: map[string]float64{"ns/op": 100, unit: x}}
		}
		v.AddTimes([]judge.Pair{p})
	}
	v.Family.Look(true)
	return (&result{judges: v}).timeRow(b, v.Of(b).Rows[1])
}

// Bytes that a few rounds have beside others, as by a collection, are no change.
func TestSeldomMemory(t *testing.T) {
	o := DefaultOptions()
	row := memoryRow(&o, report.BytesUnit, 10, func(k int) [2]float64 { return [2]float64{0, float64(k / 8 * 1807)} })
	testkit.ErrorIf(t, row.Old != 0 || row.New != 0 || row.Delta != 0 || row.Verdict == verdict.Slower, "%+v", row)
}

// The timed part of each benchmark doubles. It is a sixth of the work or less, and none of the rest
// counts: setup, teardown and the sections between StopTimer and StartTimer.
func TestTimedPart(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	testkit.NoError(t, abtest.Make(filepath.Join("testdata", "timed"), dir, "base", "double"))
	o := between(dir, "base", "double")
	o.sample.Iterations = 0
	o.sample.Duration = 2e6
	o.Bench = "StopShort|Growing|Teardown|Batch"
	got := testkit.Must(Run(t.Context(), o))(t)
	testkit.SkipIf(t, got.CPUClock == report.NoClock, "no CPU clock in the timers of this system")
	timed := 0
	for _, row := range got.Rows {
		if row.Unit != "sec/op" {
			continue
		}
		timed++
		testkit.ErrorIf(t, row.Rounds == 0 || row.Delta < 0.3 || row.Delta > 2, // a sixth if all counted
			"%s: %s in %d rounds (want about +100 %%)", row.Name, report.Percent(row.Delta), row.Rounds)
	}
	testkit.Equal(t, timed, 4, "number of benchmarks")
}

// A benchmark without a round or a count is undecided, and says that time was short.
func TestUnmeasuredBenchmark(t *testing.T) {
	j := newTestJob(t, Options{Time: time.Minute})
	b := &listing.Benchmark{Pkg: listingtest.NewPackage("", 0), Procs: 1}
	rows := j.newResult(judge.NewTable(j.rules(), nil, true), []*listing.Benchmark{b}).rowsOf(b)
	testkit.Equal(t, len(rows), 1, "rows %+v", rows)
	testkit.Equal(t, rows[0].Verdict, verdict.Undecided, "verdict")
	testkit.Equal(t, rows[0].Reason, "there was no time to measure it", "reason")
}

// A count passes no benchmark that allocated more while it was counted: memory is left to time.
func TestMemoryOfCounts(t *testing.T) {
	for _, test := range []struct {
		name          string
		limit         string
		before, after count.Memory
		want          string // reason; "" passes

		first [2]map[string]float64 // figures of the first operation
	}{
		{name: "equal", before: count.Memory{Bytes: 16, Allocs: 1}, after: count.Memory{Bytes: 16, Allocs: 1}},
		{name: "within the limit", before: count.Memory{Bytes: 1000, Allocs: 50},
			after: count.Memory{Bytes: 1020, Allocs: 51}},
		{name: "less", before: count.Memory{Bytes: 16, Allocs: 1}},
		{name: "more bytes", before: count.Memory{Bytes: 16, Allocs: 1}, after: count.Memory{Bytes: 32, Allocs: 1},
			want: "32 B/op after 16 "},
		{name: "rounded down", before: count.Memory{Bytes: 16.9, Allocs: 8.99}, after: count.Memory{Bytes: 17, Allocs: 9.01}},
		{name: "once in many operations", after: count.Memory{Bytes: 0.4, Allocs: 0.02}},
		{name: "an allocation", after: count.Memory{Bytes: 8, Allocs: 1}, want: "1 allocs/op after 0 "},
		{name: "allowed", limit: "allocs/op=1", before: count.Memory{Bytes: 16, Allocs: 1},
			after: count.Memory{Bytes: 16, Allocs: 2}},
		{name: "forbidden", limit: "allocs/op=0", before: count.Memory{Bytes: 1000, Allocs: 50},
			after: count.Memory{Bytes: 1000, Allocs: 51}, want: "51 allocs/op after 50 "},
		{name: "more of another unit", want: "12 wire-bytes/op after 10 ",
			first: [2]map[string]float64{{"wire-bytes/op": 10}, {"wire-bytes/op": 12}}},
		{name: "less of a unit of which more is better", want: "0.5 hits/op after 1 ",
			first: [2]map[string]float64{{"hits/op": 1}, {"hits/op": 0.5}}},
		{name: "a negative unit without a direction",
			first: [2]map[string]float64{{"drift": -1}, {"drift": -1}}},
		{name: "times and units without a direction",
			first: [2]map[string]float64{{"p99-ns/op": 1, "ns/op": 1, "x/s": 9, "y": 1},
				{"p99-ns/op": 2, "ns/op": 2, "x/s": 1, "y": 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := DefaultOptions()
			b := &listing.Benchmark{Pkg: listingtest.NewPackage("", 0), Printed: "A",
				First: [2]listing.Sample{{Figures: test.first[frame.Old]}, {Figures: test.first[frame.New]}}}
			o.HigherBetter = []*regexp.Regexp{regexp.MustCompile("hits")}
			if test.limit != "" {
				testkit.NoError(t, o.ParseLimit(test.limit))
			}
			v := judge.NewTable(o.rules(), nil, true)
			c := &judge.Counts{Result: verdict.Count{Limit: o.Limit}}
			v.Of(b).Counts = c
			for range verdict.FewestPairs {
				c.Add(judge.CountedPair{Seed: 1, Sides: [2]float64{100, 100}, Memory: [2]count.Memory{test.before, test.after}})
			}
			c.Judge()
			testkit.Equal(t, v.PassesByCount(b), test.want == "", "passes by count")
			rows := newTestJob(t, o).newResult(v, []*listing.Benchmark{b}).rowsOf(b)
			spoke := rows[slices.IndexFunc(rows, func(row report.Row) bool { return row.Primary })]
			testkit.ErrorIf(t, spoke.Verdict.Passes() != (test.want == "") ||
				!strings.HasPrefix(spoke.Reason, test.want), "%s by %s: %s", spoke.Verdict, spoke.Judge, spoke.Reason)
		})
	}
}
