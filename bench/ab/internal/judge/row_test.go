package judge

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// usual are the rules without the user's demands.
var usual = Rules{Limit: verdict.DefaultRule().Limit, Confirm: true}

// A rate that is computed from the time is left out, another one is judged, and the user has the
// last word on its direction.
func TestRates(t *testing.T) {
	of := func(wall, derived, own float64) listing.Sample {
		return listing.Sample{Iterations: 1, Wall: wall * 1e-9,
			Figures: map[string]float64{"ns/op": wall, "games/s": derived, "hits/s": own, "freed-bytes/op": own}}
	}
	o := usual
	o.HigherBetter = []*regexp.Regexp{regexp.MustCompile("freed")}
	v, f := NewTable(o, nil, false), &Evidence{}
	v.addRows(f, &Pair{Benchmark: &listing.Benchmark{Name: "a.F", Procs: 1},
		Sides: [2]listing.Sample{of(110, 1000/110.0, 8000), of(120, 1000/120.0, 4000)},
		Clock: report.Wall, Earlier: [][2]listing.Sample{{of(100, 10, 8000), of(125, 8, 8000)}}})
	got := text.List(f.Rows, func(r *Row) string { return fmt.Sprint(r.Unit, " ", r.Row.Higher) })
	testkit.Equal(t, got, []string{"sec/op false", "freed-bytes/op true", "hits/s true"}, "rows")
	for unit, want := range map[string]int{"p99-ns/op": -1, "MB/s": 1, "freed-bytes/op": 1, "bytes": 0,
		"x-bytes/op": -1, "widgets": 0} {
		testkit.Equal(t, v.direction(unit, v.Units), want, "%s: direction", unit)
	}
}

// Without a time beside it, a rate is the speed of the benchmark. Memory alone is none: the count decides, or nothing does.
func TestHiddenTime(t *testing.T) {
	rules := usual
	rows := func(figures [2]map[string]float64, work, slowdown float64) (units []string, primary report.Row, r report.Report) {
		v, b := NewTable(rules, nil, false), &listing.Benchmark{Name: "a.F", Procs: 1, Pkg: listingtest.NewPackage("", 0)}
		v.NeedsHorizon, v.Of(b).Counts = true, &Counts{Result: verdict.Count{Limit: usual.Limit}}
		for seed := range uint64(verdict.FewestPairs * int(min(1, work))) {
			v.Of(b).Counts.Add(CountedPair{Seed: seed, Sides: [2]float64{1000, 1000 * work}})
		}
		v.Of(b).Counts.Judge()
		p := Pair{Benchmark: b, Clock: report.Wall}
		for side, factor := range []float64{1, slowdown} {
			p.Sides[side] = listing.Sample{Iterations: 1e7, Wall: 1e-7 * factor, Figures: figures[side]}
		}
		v.AddLongRun(p, time.Second)
		for range 2 * verdict.FirstLook {
			v.AddTimes([]Pair{p})
			v.Look([]*listing.Benchmark{b})
		}
		v.Family.Look(true)
		for _, row := range v.RowsOf(b) {
			if units = append(units, row.Unit); row.Primary {
				primary = row
			}
			r.Rows = append(r.Rows, row)
		}
		r.Decide(false, false)
		return units, primary, r
	}
	rate := func(x, bytes float64) map[string]float64 {
		return map[string]float64{"hits/s": x, report.BytesUnit: bytes}
	}
	units, primary, r := rows([2]map[string]float64{rate(1e7, 8), rate(1e6, 8)}, 0, 10)
	testkit.Equal(t, units[:2], []string{"hits/s", report.BytesUnit}, "units of a rate")
	testkit.Equal(t, primary.Verdict, verdict.Slower, "a lower rate")
	testkit.Equal(t, r.Verdict, verdict.Slower, "a lower rate: report")
	for _, c := range []struct {
		work               float64 // of the new side; 0 where nothing is counted
		bytes              float64 // of the new side, after 8
		slowdown           float64 // of the long runs
		want, wantOfReport verdict.Verdict
	}{
		{0, 8, 1, verdict.Undecided, verdict.Undecided},
		{1, 8, 1, verdict.NotMoreWork, verdict.Pass},
		{1, 8, 2, verdict.Undecided, verdict.Undecided},
		{2, 8, 1, verdict.MoreWork, verdict.MoreWork},
		{1, 80, 1, verdict.NotMoreWork, verdict.Slower},
	} {
		figures := [2]map[string]float64{{report.BytesUnit: 8}, {report.BytesUnit: c.bytes}}
		_, primary, r := rows(figures, c.work, c.slowdown)
		testkit.Equal(t, primary.Verdict, c.want, "%+v: %s", c, primary.Reason)
		testkit.Equal(t, r.Verdict, c.wantOfReport, "%+v: report", c)
	}
	rules.Printed = true
	_, primary, r = rows([2]map[string]float64{{report.BytesUnit: 8}, {report.BytesUnit: 8}}, 0, 1)
	testkit.Equal(t, primary.Verdict, verdict.Identical, "memory that a command prints alone")
	testkit.Equal(t, r.Verdict, verdict.Pass, "memory that a command prints alone: report")
}

// A time of ReportMetric has the clock of the timer where it is computed from the timer.
func TestFollowsTimer(t *testing.T) {
	var seen [][2]listing.Sample
	for _, wall := range []float64{2, 5} {
		s := listing.Sample{Wall: wall, Figures: map[string]float64{"ns/x": wall * 3e9}}
		seen = append(seen, [2]listing.Sample{s, s})
	}
	testkit.Equal(t, followsTimer(seen, "ns/x"), true, "a metric in proportion to the timer follows it")
	seen[0][0].Figures["ns/x"] *= 1.1
	testkit.Equal(t, followsTimer(seen, "ns/x"), false, "a metric of its own follows the timer")
}

// A slower row stays slower where its second measurement shows it as well.
func TestConfirmRow(t *testing.T) {
	for _, test := range []struct {
		change, noise float64
		rounds        int
		want          verdict.Verdict
	}{
		{1.06, 0.001, 10, verdict.Slower},
		{1.01, 0.001, 10, verdict.Undecided},
		{1.06, 0.2, 10, verdict.Undecided},
		{1.3, 0.2, 12, verdict.Slower},
		{1.06, 0.2, 6, verdict.Slower}, // there was no time
	} {
		f := verdict.Family{Rule: verdict.DefaultRule()}
		r := &Row{Row: f.Add(false), Confirm: f.Add(false)}
		for k := range test.rounds {
			testkit.NoError(t, r.Confirm.Add(1, test.change*(1+test.noise*float64(k%3-1))))
		}
		f.Look(true)
		out := report.Row{Verdict: verdict.Slower, Rounds: 20}
		r.confirmRow(&out)
		testkit.Equal(t, out.Verdict, test.want, "%+v when measured again", test)
	}
}

// A slower row among many needs more rounds than a first look, and is measured again, unless its count works more.
func TestMeasuredAgain(t *testing.T) {
	second := func(wall float64) listing.Sample {
		return listing.Sample{Iterations: 1, Wall: wall, Figures: map[string]float64{"ns/op": 1e9 * wall}}
	}
	for count, worksMore := range map[verdict.Verdict]bool{verdict.NotMoreWork: false, verdict.MoreWork: true} {
		v, b := NewTable(usual, nil, false), &listing.Benchmark{}
		v.Of(b).Counts = &Counts{Result: verdict.Count{Verdict: count}}
		for range 20 {
			v.Family.Add(false)
		}
		rounds := 0
		for ; v.Of(b).state != StateJudged && rounds < 100; rounds++ {
			noise := 1 + 0.001*float64(rounds%3)
			v.AddTimes([]Pair{{Benchmark: b, Clock: report.Wall, Sides: [2]listing.Sample{second(1), second(1.3 * noise)}}})
			v.Look([]*listing.Benchmark{b})
		}
		testkit.Equal(t, rounds == verdict.FirstLook, worksMore, "%s: judged in %d rounds", count, rounds)
		testkit.Equal(t, v.Of(b).Rows[0].Confirm == nil, worksMore, "%s: not measured again", count)
		v.Family.Look(true)
		testkit.Equal(t, v.Of(b).Rows[0].Row.Verdict, verdict.Slower, "%s: verdict", count)
	}
}

func TestDeclaredUnits(t *testing.T) {
	v := NewTable(usual, report.Scan([]byte("goos: linux\nUnit ns/eval better=lower\nUnit points assume=exact better=higher\nUnit x\nBenchmarkB 1 2 ns/op\n")).Directions(), false)
	testkit.Equal(t, len(v.Units), 2, "directions in %v", v.Units)
	for unit, want := range map[string]int{"ns/eval": -1, "points": 1, "things": 0, "games/s": 1} {
		testkit.Equal(t, v.direction(unit, v.Units), want, "%s: direction", unit)
	}
}

// A run need not go on when a row is slower for certain.
func TestSurelySlower(t *testing.T) {
	for name, test := range map[string]struct {
		again []float64 // figures of the new side, where the old one has 1
		want  bool
	}{
		"not measured again":         {nil, false},
		"three times slower":         {[]float64{1.2, 1.15, 1.25}, true},
		"too few rounds":             {[]float64{1.2, 0.9, 1.3}, false},
		"too much noise":             {[]float64{1.2, 1.05, 1.6}, false},
		"slower in most rounds":      {[]float64{1.2, 0.9, 1.3, 1.2, 1.2, 1.1, 1.2, 1.2, 1.2, 1.2}, true},
		"hardly slower when again":   {[]float64{1.04, 0.9, 1.05, 1.03, 1.04, 1.04, 1.04, 1.02, 1.05, 1.06}, false},
		"as fast when it runs again": {slices.Repeat([]float64{1}, 10), false},
	} {
		row := &verdict.Row{Limit: 0.03, Verdict: verdict.Slower}
		again := &verdict.Row{Limit: 0.03}
		for _, figure := range test.again {
			testkit.NoError(t, again.Add(1, figure))
		}
		testkit.Equal(t, (&Row{Row: row, Confirm: again}).isSurelySlower(), test.want, "%s", name)
	}
	exact := &Row{Row: &verdict.Row{Limit: 0.03, Exact: true, Verdict: verdict.NotSlower}}
	testkit.Equal(t, exact.isSurelySlower(), false, "without noise")
}

// A benchmark passes after a long run of both sides with the least timed work that lets it pass, unless that differs.
func TestLacksHorizon(t *testing.T) {
	for _, c := range []struct {
		iterations int     // of 1 us; 0 is no long run
		slowdown   float64 // of the new side
		want       string
	}{
		{0, 1, "lacks a run of 100ms on each side: there was no time"},
		{99_000, 1, "has too little timed work in its long runs: 99ms"},
		{100_000, 1, ""},
		{1_000_000, 1, ""},
		{1_000_000, 2, "differs in long runs, and there was no time to repeat these: +100% in runs of 1s"},
	} {
		b := &listing.Benchmark{Pkg: listingtest.NewPackage("", 0), Procs: 1}
		v := NewTable(usual, nil, true)
		v.NeedsHorizon = true
		if c.iterations > 0 {
			p := Pair{Benchmark: b, Clock: report.CPU}
			for side, factor := range []float64{1, c.slowdown} {
				p.Sides[side] = listing.Sample{Iterations: c.iterations, CPU: 1e-6 * factor, Wall: 1e-6 * factor}
			}
			v.AddLongRun(p, time.Second)
			p.Sides[0].Iterations, p.Sides[1].Iterations = c.iterations/2, c.iterations/2
			v.AddLongRun(p, time.Second) // a repeated run that is shorter takes nothing away
		}
		testkit.Equal(t, v.LacksHorizon(b), c.want, "%d operations, %g times as slow", c.iterations, c.slowdown)
		v.repeatLongRuns(b) // and no round of them follows
		testkit.Equal(t, v.LacksHorizon(b), c.want, "to be repeated: %d operations, %g times as slow", c.iterations, c.slowdown)
	}
}

// A benchmark only moves forward, and one whose new side does not end is slower whatever fails later.
func TestStates(t *testing.T) {
	for to, want := range map[state]string{stateReached: "counts rounds figures", StateCounted: "counts rounds figures",
		StateTimed: "rounds figures", StateJudged: "figures", StateLate: "", stateNotJudged: ""} {
		b := &listing.Benchmark{Name: "a.F", Pkg: listingtest.NewPackage("", 0)}
		v := NewTable(usual, nil, true)
		f := v.Of(b)
		f.Advance(to)
		f.Advance(stateReached)
		for what, has := range map[string]bool{"counts ": len(v.ToCount([]*listing.Benchmark{b})) == 1, "rounds ": f.IsOpen(), "figures ": f.IsMeasurable()} {
			testkit.Equal(t, has, strings.Contains(want+" ", what), "state %d: %s", to, what)
		}
		f.AtLeast = [2]float64{1, 20}
		f.Abandon("fails on the new side")
		row := v.RowsOf(b)[0]
		testkit.Equal(t, row.Verdict == verdict.Slower, to == StateLate, "state %d: slower", to)
		testkit.Equal(t, row.Reason == f.Reason, to != StateLate, "state %d: %q is the reason of the failure", to, row.Reason)
	}
}

// A benchmark without a round or a count is undecided, and its reason is that time was short.
func TestUnmeasuredBenchmark(t *testing.T) {
	b := &listing.Benchmark{Pkg: listingtest.NewPackage("", 0), Procs: 1}
	rows := NewTable(usual, nil, true).RowsOf(b)
	testkit.Equal(t, len(rows), 1, "rows %+v", rows)
	testkit.Equal(t, rows[0].Verdict, verdict.Undecided, "verdict")
	testkit.Equal(t, rows[0].Reason, "there was no time to measure it", "reason")
}

// A benchmark with a limit of its own is no part of the mean: what is accepted there must not fail all together.
func TestMeanUnderCommonLimit(t *testing.T) {
	rules := usual
	rules.Limits = []NamedLimit{{Pattern: regexp.MustCompile("accepted"), Part: 0.4}}
	v := NewTable(rules, nil, false)
	var benchmarks []*listing.Benchmark
	for name, factor := range map[string]float64{"a.F": 1, "a.G": 1, "a.accepted": 1.3} {
		b := &listing.Benchmark{Name: name, Procs: 1, Pkg: listingtest.NewPackage("", 0)}
		benchmarks = append(benchmarks, b)
		p := Pair{Benchmark: b, Clock: report.Wall}
		for side, wall := range []float64{1e-7, 1e-7 * factor} {
			p.Sides[side] = listing.Sample{Iterations: 1, Wall: wall, Figures: map[string]float64{"ns/op": 1e9 * wall}}
		}
		v.AddTimes(slices.Repeat([]Pair{p}, verdict.FirstLook))
	}
	mean, n := v.AddSuite(benchmarks)
	v.Family.Look(true)
	testkit.Equal(t, n, 2, "benchmarks")
	testkit.Equal(t, mean.Verdict, verdict.Identical, "verdict on %v", mean.Delta)
}

func TestEstimates(t *testing.T) {
	before, after := estimateSides([]float64{1, 2, 4}, []float64{1, 2, 4}, 0.21)
	testkit.ErrorIf(t, math.Abs(after/before-1.21) > 1e-12 || math.Abs(before*after-4) > 1e-12,
		"%v and %v", before, after)
	before, after = estimateSides([]float64{152, 152}, []float64{376, 376}, 376./152-1)
	testkit.Equal(t, []float64{before, after}, []float64{152, 376}, "estimates of constants")
	before, after = estimateSides([]float64{0, 1, 0}, []float64{1, 1, 1}, 0)
	testkit.Equal(t, []float64{before, after}, []float64{0, 1}, "estimates with a figure of 0")
}

// Gains that differ are no noise where the sides ran at once.
func TestNoiseAtOnce(t *testing.T) {
	noises := func(atOnce bool) (noise, of float64) {
		v := NewTable(usual, nil, true)
		var last *listing.Benchmark
		for i := range 12 {
			last = &listing.Benchmark{Name: fmt.Sprint("a.F", i), Procs: 1, Pkg: listingtest.NewPackage("", 0)}
			after := 1 - 0.07*float64(i)
			v.AddLongRun(Pair{Benchmark: last, AtOnce: atOnce, Clock: report.CPU,
				Sides: [2]listing.Sample{{Iterations: 1, CPU: 1, Wall: 1}, {Iterations: 1, CPU: after, Wall: after}}}, time.Second)
		}
		v.Noise = v.LongRunNoise()
		return v.Noise, v.NoiseOf(last)
	}
	if noise, of := noises(false); noise <= 2*verdict.UsualNoise || of != noise {
		t.Errorf("in turns: noise %v, of one %v, want both large", noise, of)
	}
	if noise, of := noises(true); noise != verdict.UsualNoise || of != noise {
		t.Errorf("at once: noise %v, of one %v, want the usual", noise, of)
	}
}

// Rounds of long runs may be shorter than the first ones: what they show is all that was observed.
func TestObservedInRounds(t *testing.T) {
	run := func(seconds float64) (p Pair) {
		for side := range p.Sides {
			p.Sides[side] = listing.Sample{Iterations: 10, Wall: seconds / 10}
		}
		p.Sides[frame.New].Wall *= 2
		return p
	}
	f := Evidence{Horizon: time.Second}
	testkit.Equal(t, f.observed(), time.Second, "observed before rounds")
	f.RepeatsLong, f.Pairs = true, []Pair{run(0.1), run(0.125), run(0.12)}
	testkit.Equal(t, f.observed(), 125*time.Millisecond, "observed in rounds")
	f.Pairs = append(f.Pairs, run(3))
	testkit.Equal(t, f.observed(), time.Second, "observed in rounds that are longer")
}
