package judge

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Rows of memory need the evidence of times: a difference in few rounds proves nothing. A floor is in the unit. Package
// testing prints whole bytes, so a byte an operation more is no reason to end a run as slower.
func TestMemory(t *testing.T) {
	floors := map[string]float64{report.AllocsUnit: 0, report.BytesUnit: 16}
	for _, c := range []struct {
		floors        map[string]float64
		unit          string
		rounds        int
		before, after float64
		noise         float64
		want          verdict.Verdict
		ends          bool // the run, since the benchmark is slower for certain
	}{
		{floors, report.AllocsUnit, 10, 100, 101, 0, verdict.Slower, true},
		{nil, report.AllocsUnit, 10, 100, 101, 0, verdict.NotSlower, false},
		{nil, report.AllocsUnit, 10, 0, 1, 0, verdict.Slower, true},
		{floors, report.BytesUnit, 10, 10, 24, 0, verdict.NotSlower, false},
		{floors, report.BytesUnit, 10, 0, 16, 0, verdict.NotSlower, false},
		{floors, report.BytesUnit, 10, 10, 32, 0, verdict.Slower, true},
		{nil, report.BytesUnit, 1, 10, 32, 0, verdict.Undecided, false},
		{nil, report.BytesUnit, 2, 10, 32, 0, verdict.Undecided, false},
		{nil, report.BytesUnit, 3, 10, 32, 0, verdict.Slower, true},
		{nil, report.BytesUnit, 12, 100, 104, 30, verdict.Undecided, false},
		{nil, report.BytesUnit, 10, 100, 104, 0, verdict.Slower, true},
		{nil, report.BytesUnit, 10, 10, 9, 0, verdict.Faster, false},
		{nil, report.BytesUnit, 10, 10, 10, 0, verdict.Identical, false},
		{nil, report.BytesUnit, 10, 0, 1, 0, verdict.NotSlower, false},
		{nil, report.BytesUnit, 10, 3, 4, 0, verdict.NotSlower, false},
		{nil, report.BytesUnit, 10, 0, 8, 0, verdict.Slower, true},
		{nil, report.BytesUnit, 10, 3, 5, 0, verdict.Slower, true},
	} {
		rules := usual
		rules.Floors = c.floors
		row, ends := judgeMemory(rules, c.unit, c.rounds, func(k int) [2]float64 {
			noisy := func(x float64) float64 { return x + c.noise*float64((k*7+int(x))%5) }
			return [2]float64{noisy(c.before), noisy(c.after)}
		})
		testkit.Equal(t, row.Verdict, c.want, "%s, %v to %v in %d rounds", c.unit, c.before, c.after, c.rounds)
		testkit.Equal(t, ends, c.ends, "%s, %v to %v in %d rounds: slower for certain", c.unit, c.before, c.after, c.rounds)
		testkit.Equal(t, row.Unit, c.unit, "unit")
	}
}

// judgeMemory judges rounds of a benchmark by the figures of both sides in a unit.
func judgeMemory(rules Rules, unit string, rounds int, figures func(round int) [2]float64) (row report.Row, ends bool) {
	v := NewTable(rules, nil, false)
	b := &listing.Benchmark{Name: "a.F", Procs: 1, Pkg: listingtest.NewPackage("", 0)}
	for round := range rounds {
		p := Pair{Benchmark: b, Clock: report.Wall}
		for side, x := range figures(round) {
			p.Sides[side] = listing.Sample{Iterations: 1, Wall: 1e-7, Figures: map[string]float64{"ns/op": 100, unit: x}}
		}
		v.AddTimes([]Pair{p})
	}
	v.Family.Look(true)
	judged := v.Of(b).Rows[1]
	return v.timeRow(b, judged), judged.isSurelySlower()
}

// What may be added passes in the unit, and as a part of the old figure. A floor has no part, so it needs none of 0 or little.
func TestMemoryRule(t *testing.T) {
	for _, c := range []struct {
		floors                map[string]float64
		unit                  string
		before, growth, limit float64
	}{
		{nil, report.AllocsUnit, 200, 6, 0.03},
		{nil, report.AllocsUnit, 0, 0, 0.03},
		{nil, report.BytesUnit, 200, 6, 0.03},
		{nil, report.BytesUnit, 4, 1, 0.25},
		{nil, report.BytesUnit, 0, 1, 0.03},
		{map[string]float64{report.AllocsUnit: 5}, report.AllocsUnit, 200, 5, 0.025},
		{map[string]float64{report.AllocsUnit: 5}, report.AllocsUnit, 0, 5, 5},
		{map[string]float64{report.AllocsUnit: 5}, report.AllocsUnit, 0.5, 5, 5},
		{map[string]float64{report.AllocsUnit: 0}, report.AllocsUnit, 200, 0, 1e-9},
		{map[string]float64{report.AllocsUnit: 5}, report.BytesUnit, 200, 6, 0.03},
	} {
		rules := usual
		rules.Floors = c.floors
		m := rules.memoryRule("a.F", c.unit)
		testkit.Equal(t, []float64{m.growth(c.before), m.limit(c.before)}, []float64{c.growth, c.limit}, "%s after %v, floors %v", c.unit, c.before, c.floors)
	}
}

// Bytes that a few rounds have beside others, as by a collection, are no change.
func TestSeldomMemory(t *testing.T) {
	for usually, seldom := range map[float64]int{0: 8, 1000: 6} { // rounds before the first that has others
		row, _ := judgeMemory(usual, report.BytesUnit, 10, func(k int) [2]float64 {
			return [2]float64{usually, usually + float64(k/seldom*1807)}
		})
		isSame := row.Old == verdict.Number(usually) && row.New == row.Old && row.Delta == 0 && row.Lo <= 0 && row.Hi >= 0
		testkit.ErrorIf(t, !isSame || row.Verdict == verdict.Slower, "usually %v: %+v", usually, row)
	}
}

// A count passes no benchmark that allocated more while it was counted: memory is left to time.
func TestMemoryOfCounts(t *testing.T) {
	for _, test := range []struct {
		name          string
		floors        map[string]float64
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
		{name: "allowed", floors: map[string]float64{report.AllocsUnit: 1}, before: count.Memory{Bytes: 16, Allocs: 1},
			after: count.Memory{Bytes: 16, Allocs: 2}},
		{name: "forbidden", floors: map[string]float64{report.AllocsUnit: 0}, before: count.Memory{Bytes: 1000, Allocs: 50},
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
			o := usual
			o.Floors = test.floors
			b := &listing.Benchmark{Pkg: listingtest.NewPackage("", 0), Printed: "A",
				First: [2]listing.Sample{{Figures: test.first[frame.Old]}, {Figures: test.first[frame.New]}}}
			o.HigherBetter = []*regexp.Regexp{regexp.MustCompile("hits")}
			v := NewTable(o, nil, true)
			c := &Counts{Result: verdict.Count{Limit: o.Limit}}
			v.Of(b).Counts = c
			for range verdict.FewestPairs {
				c.Add(CountedPair{Seed: 1, Sides: [2]float64{100, 100}, Memory: [2]count.Memory{test.before, test.after}})
			}
			c.Judge()
			testkit.Equal(t, v.PassesByCount(b), test.want == "", "passes by count")
			rows := v.RowsOf(b)
			spoke := rows[slices.IndexFunc(rows, func(row report.Row) bool { return row.Primary })]
			testkit.ErrorIf(t, spoke.Verdict.Passes() != (test.want == "") ||
				!strings.HasPrefix(spoke.Reason, test.want), "%s by %s: %s", spoke.Verdict, spoke.Judge, spoke.Reason)
		})
	}
}

// More memory in all long runs of as many operations lets a benchmark pass neither by short samples nor by a count. Long runs
// that have the same number of operations as samples show nothing else.
func TestMemoryOfLongRuns(t *testing.T) {
	const long, short = 1_000_000, 1_000 // operations of 1 us
	more := [2]float64{0, 16}
	for _, c := range []struct {
		name     string
		runs     [][2]float64 // B/op of both sides in long runs
		newer    int          // operations of the new side in these
		operates int          // operations of a sample
		floor    float64      // B/op that may be added
		passes   bool
	}{
		{"in all", [][2]float64{more, more}, long, short, 0, false},
		{"the same", [][2]float64{{16, 16}}, long, short, 0, true},
		{"a byte", [][2]float64{{16, 17}}, long, short, 1, true},
		{"allowed", [][2]float64{more}, long, short, 16, true},
		{"not in the first", [][2]float64{{16, 16}, more}, long, short, 0, true},
		{"not in the last", [][2]float64{more, {16, 16}}, long, short, 0, true},
		{"of other numbers of operations, and repeated", [][2]float64{more}, 2 * long, short, 0, false},
		{"samples as long", [][2]float64{more}, long, long, 0, true},
	} {
		for _, judges := range []string{"time", "count"} {
			rules := usual
			rules.Floors, rules.OnlyCounts = map[string]float64{report.BytesUnit: c.floor}, judges == "count"
			b := &listing.Benchmark{Name: "a.F", Pkg: listingtest.NewPackage("", 0), Procs: 1}
			v := NewTable(rules, nil, true)
			v.NeedsHorizon = true
			pair := func(bytes [2]float64, old, new int) Pair {
				p := Pair{Benchmark: b, Clock: report.CPU}
				for side, n := range [2]int{old, new} {
					p.Sides[side] = listing.Sample{Iterations: n, CPU: 1e-6, Wall: 1e-6,
						Figures: map[string]float64{"ns/op": 1000, report.BytesUnit: bytes[side]}}
				}
				return p
			}
			for _, bytes := range c.runs {
				v.AddLongRun(pair(bytes, long, c.newer), time.Second)
			}
			testkit.Equal(t, v.Of(b).MayGrow, c.newer != long, "%s: the run is repeated", c.name)
			if c.newer != long {
				v.AddLongRun(pair(more, c.newer, c.newer), time.Second)
				testkit.Equal(t, v.Of(b).MayGrow, false, "%s: repeated again", c.name)
			}
			if rules.OnlyCounts {
				k := &Counts{Result: verdict.Count{Limit: rules.Limit}}
				for range verdict.FewestPairs {
					k.Add(CountedPair{Seed: 1, Sides: [2]float64{100, 100}})
				}
				k.Judge()
				v.Of(b).Counts = k
			}
			for range verdict.FirstLook {
				if !rules.OnlyCounts {
					v.AddTimes([]Pair{pair([2]float64{}, c.operates, c.operates)})
				}
			}
			v.Family.Look(true)
			row, passes := v.RowsOf(b)[0], c.passes && (c.operates == short || judges == "time")
			testkit.ErrorIf(t, row.Verdict.Passes() != passes || !passes && !strings.HasPrefix(row.Reason, "16 B/op after 0 were seen in runs of 1s"),
				"%s, by %s: %s, %q", c.name, judges, row.Verdict, row.Reason)
			if !rules.OnlyCounts {
				v.Look([]*listing.Benchmark{b})
				testkit.Equal(t, v.Of(b).RepeatsLong, !passes, "%s: long runs follow", c.name)
			}
		}
	}
}

// A count alone passes no benchmark that allocated more while it was counted.
func TestMemoryByCountAlone(t *testing.T) {
	for _, c := range []struct {
		after count.Memory
		want  string
	}{
		{count.Memory{}, ""},
		{count.Memory{Bytes: 16, Allocs: 1}, "1 allocs/op after 0 were seen in counting, and a count judges instructions alone"},
	} {
		rules := usual
		rules.OnlyCounts = true
		b := &listing.Benchmark{Name: "a.F", Pkg: listingtest.NewPackage("", 0), Procs: 1}
		v, k := NewTable(rules, nil, true), &Counts{Result: verdict.Count{Limit: rules.Limit}}
		for range verdict.FewestPairs {
			k.Add(CountedPair{Seed: 1, Sides: [2]float64{100, 100}, Memory: [2]count.Memory{{}, c.after}})
		}
		k.Judge()
		v.Of(b).Counts = k
		row := v.RowsOf(b)[0]
		testkit.ErrorIf(t, row.Verdict.Passes() != (c.want == "") || row.Reason != c.want, "%+v: %s, %q", c.after, row.Verdict, row.Reason)
	}
}

// A benchmark with more memory in its counts is measured before those whose long runs or counts look worse: few rounds decide it.
func TestMoreMemoryComesFirst(t *testing.T) {
	v := NewTable(usual, nil, false)
	benchmark := func(name string, memory float64, delta float64) *listing.Benchmark {
		b := &listing.Benchmark{Name: name, Procs: 1, Pkg: listingtest.NewPackage("", 0)}
		c := &Counts{Result: verdict.Count{Limit: usual.Limit}}
		for seed := range uint64(3) {
			c.Add(CountedPair{Seed: seed + 1, Sides: [2]float64{1000, 1000 * (1 + delta)}, Memory: [2]count.Memory{{Allocs: 1}, {Allocs: memory}}})
		}
		c.Judge()
		v.Of(b).Counts = c
		return b
	}
	more, works, same := benchmark("a.More", 3, 0), benchmark("a.Works", 1, 0.5), benchmark("a.Same", 1, 0)
	if m, w, s := v.Suspicion(more), v.Suspicion(works), v.Suspicion(same); m <= w || w <= s {
		t.Errorf("suspicion %v with more allocations, %v with more work, %v without; want them to fall", m, w, s)
	}
}
