package ab

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// planned returns benchmarks of a package whose operations and set-ups take some native time, and a plan that ends
// after a duration.
func planned(t *testing.T, left time.Duration, packageSetUp time.Duration, costs,
	setUps []time.Duration) (*countPlan, []*benchmark) {
	t.Helper()
	v := newJudges(&Options{}, nil, true)
	pkg := &testPackage{Package: &report.Package{}, overhead: packageSetUp}
	var benchmarks []*benchmark
	for i := range costs {
		b := &benchmark{pkg: pkg, printed: string(rune('A' + i))}
		v.fileOf(b).counts = &countRow{countCosts: countCosts{cost: costs[i], setUp: setUps[i]}}
		benchmarks = append(benchmarks, b)
	}
	j := &job{Run: &frame.Run{Cores: []int{0, 1}}}
	return &countPlan{countTime: countTime{job: j, judges: v, bounded: left > 0, end: time.Now().Add(left)},
		stage: stageOf(0), scale: make(costScale)}, benchmarks
}

// namesOf joins the names of benchmarks.
func namesOf(benchmarks []*benchmark) string {
	return strings.Join(text.List(benchmarks, func(b *benchmark) string { return b.printed }), "")
}

// divide returns the benchmarks that a plan counts, and the names of those that it leaves out with the reasons.
func divide(p *countPlan, benchmarks []*benchmark) (counted []*benchmark, left []string) {
	for _, b := range benchmarks {
		if reason := p.rowOf(b).leftOut; reason == "" {
			counted = append(counted, b)
		} else {
			left = append(left, b.printed+": "+reason)
		}
	}
	return counted, left
}

// Counts leave time for the rounds of what cannot be counted, as long as these can be decided.
func TestTimeForRounds(t *testing.T) {
	const short = time.Microsecond
	for _, test := range []struct {
		costs []time.Duration
		part  float64
	}{{[]time.Duration{short}, 0.9}, {[]time.Duration{short, time.Second}, 0.66}, {[]time.Duration{2 * time.Second}, 0.42},
		{[]time.Duration{short, time.Minute}, 0.6}} {
		p, benchmarks := planned(t, time.Minute, 0, test.costs, make([]time.Duration, len(test.costs)))
		p.job.Budget = frame.NewBudget(100*time.Second, false)
		got := time.Until(newCountPlan(p.job, p.judges, benchmarks, true).last).Seconds() / 100
		testkit.ErrorIf(t, math.Abs(got-test.part) > 0.01,
			"operations of %v: counts take %.3f of the time, want %.2f", test.costs, got, test.part)
	}
}

// What a stage of counts leaves out has time for a first look, unless that leaves out others which have none.
func TestTimeForTheRest(t *testing.T) {
	const short, long = time.Microsecond, 800 * time.Millisecond
	for _, test := range []struct {
		costs []time.Duration
		left  int // benchmarks that the stage leaves out
		ends  bool
	}{
		{[]time.Duration{short, short}, 0, false},
		{[]time.Duration{short, short, long}, 1, true},
		{[]time.Duration{long, long, long, long}, 4, false},
	} {
		p, benchmarks := planned(t, 0, 0, test.costs, make([]time.Duration, len(test.costs)))
		for i, b := range benchmarks {
			for side := range b.first {
				b.first[side] = sample{run: test.costs[i], busy: test.costs[i]}
			}
		}
		p.job.Budget, p.last, p.bounded = frame.NewBudget(30*time.Second, false), time.Now().Add(27*time.Second), true
		p.enough = p.last
		p.begin(stageOf(1), benchmarks)
		_, left := divide(p, benchmarks)
		testkit.Equal(t, len(left), test.left, "operations of %v: number of those left out, %q", test.costs, left)
		testkit.Equal(t, p.end.Before(p.last), test.ends, "operations of %v: the stage ends earlier", test.costs)
	}
}

// What does not fit into the time gets less work, and then the most expensive benchmarks are left to time.
func TestCountsThatFit(t *testing.T) {
	const short, none = time.Microsecond, time.Duration(0)
	many := func(n int, d time.Duration) []time.Duration { return slices.Repeat([]time.Duration{d}, n) }
	for _, test := range []struct {
		name          string
		left, whole   time.Duration // until the end, and set-up of the package
		costs, setUps []time.Duration
		counted       string // names
		work          int    // iterations of the first counted one
		reason        string // of those left out
	}{
		{name: "a minute is enough", left: time.Minute, costs: many(3, short), setUps: many(3, none),
			counted: "ABC", work: 250},
		{name: "no end", costs: many(3, short), setUps: many(3, time.Hour), counted: "ABC", work: 250},
		{name: "less work", left: 1800 * time.Millisecond, costs: many(20, short), setUps: many(20, none),
			counted: "ABCDEFGHIJKLMNOPQRST", work: 125},
		{name: "one set-up is long", left: 10 * time.Second, costs: many(3, short),
			setUps: []time.Duration{none, time.Second, none}, counted: "AC", work: 250, reason: noTimeToCount},
		{name: "the set-up of the package is long", left: 10 * time.Second, whole: time.Second, costs: many(2, short),
			setUps: many(2, none), reason: "behind a set-up of 1s"},
		{name: "an operation is long", left: time.Minute, costs: []time.Duration{short, time.Second},
			setUps: many(2, none), counted: "A", work: 250, reason: "an operation takes longer"},
	} {
		p, benchmarks := planned(t, test.left, test.whole, test.costs, test.setUps)
		p.fitSetUps(benchmarks)
		p.fitCounts(benchmarks)
		counted, left := divide(p, benchmarks)
		testkit.Equal(t, namesOf(counted), test.counted, "%s: counted, where %q are left out", test.name, left)
		if len(counted) > 0 {
			testkit.Equal(t, counted[0].countIterations, test.work, "%s: iterations", test.name)
		}
		for _, reason := range left {
			testkit.ErrorIf(t, !strings.Contains(reason, test.reason),
				"%s: left out is %q, want the reason %q", test.name, reason, test.reason)
		}
	}
}

// If the time is too short for all, packages that have changed themselves are counted, and so are their benchmarks:
// others may run changed code in their set-ups only.
func TestChangedPackagesFirst(t *testing.T) {
	for operation, setUp := range map[time.Duration]time.Duration{
		40 * time.Millisecond: 0, time.Microsecond: 400 * time.Millisecond,
	} {
		p, benchmarks := planned(t, 9*time.Second, setUp, slices.Repeat([]time.Duration{operation}, 12),
			make([]time.Duration, 12))
		changed := &testPackage{Package: &report.Package{}, overhead: setUp}
		for _, b := range benchmarks[:4] {
			b.pkg, b.reach.Near = changed, 1
		}
		p.fitSetUps(benchmarks)
		p.fitCounts(benchmarks)
		_, left := divide(p, benchmarks[:4])
		testkit.Equal(t, left, nil, "set-up of %v: changed ones that are left out", setUp)
		_, others := divide(p, benchmarks[4:])
		testkit.ErrorIf(t, len(others) == 0, "set-up of %v: no others are left out", setUp)
	}
}

// Many short benchmarks are counted by callgrind, long ones by cachegrind, and functions where more work needs a
// second seed. A process for a few others is not worth its start.
func TestMethodsOfCounts(t *testing.T) {
	const short, long = time.Microsecond, 60 * time.Millisecond
	for name, test := range map[string]struct {
		costs       []time.Duration
		claim       bool // the first benchmark works more
		first, last count.Method
	}{
		"many short":      {slices.Repeat([]time.Duration{short}, 8), false, count.Status, count.Status},
		"two long":        {[]time.Duration{long, long}, false, count.Forks, count.Forks},
		"one beside long": {[]time.Duration{long, short}, false, count.Forks, count.Forks},
		"long beside many": {append([]time.Duration{long}, slices.Repeat([]time.Duration{short}, 20)...), false,
			count.Forks, count.Status},
		"more work": {slices.Repeat([]time.Duration{short}, 8), true, count.Functions, count.Status},
	} {
		p, benchmarks := planned(t, time.Minute, 0, test.costs, make([]time.Duration, len(test.costs)))
		first, last := p.rowOf(benchmarks[0]), p.rowOf(benchmarks[len(benchmarks)-1])
		if test.claim {
			for range verdict.FewestPairs {
				testkit.NoError(t, first.result.Add(1, 100, 150))
			}
			first.result.Judge()
		}
		p.fitCounts(benchmarks)
		testkit.Equal(t, [2]count.Method{first.method, last.method}, [2]count.Method{test.first, test.last}, "%s", name)
	}
}

// A plan corrects its costs by the time that processes took. One that was cut off does not count.
func TestPlanLearns(t *testing.T) {
	p, benchmarks := planned(t, time.Minute, 0, []time.Duration{20 * time.Millisecond}, []time.Duration{0})
	p.fitCounts(benchmarks)
	before := p.costBy(count.Forks, benchmarks[0])
	p.scale.learn([]*countTask{{method: count.Forks, cost: time.Second, took: [2]time.Duration{2 * time.Second, 0}}})
	testkit.Equal(t, p.costBy(count.Forks, benchmarks[0]), 2*before, "cost")
	p.scale.learn([]*countTask{{method: count.Forks, cost: 2 * time.Second, took: [2]time.Duration{time.Second, time.Second}}})
	testkit.Equal(t, p.costBy(count.Forks, benchmarks[0]), before, "cost")
}

// The set-up of a function is saved with its last benchmark only: those of the other function are left out.
func TestSharedSetUps(t *testing.T) {
	const own = 2 * time.Millisecond
	p, benchmarks := planned(t, 6400*time.Millisecond, 0, slices.Repeat([]time.Duration{own}, 6), make([]time.Duration, 6))
	for i, b := range benchmarks {
		b.printed = []string{"F/", "G/"}[i/3] + b.printed
		b.sharedSetUp = []time.Duration{300 * time.Millisecond, 200 * time.Millisecond}[i/3]
	}
	p.fitCounts(benchmarks)
	testkit.Equal(t, text.List(benchmarks, func(b *benchmark) string { return p.rowOf(b).leftOut }),
		[]string{noTimeToCount, noTimeToCount, noTimeToCount, "", "", ""}, "left out")
}

// Parts of a package take equally long, and each seed counts every benchmark once. A small package is not divided.
func TestTasks(t *testing.T) {
	costs := []time.Duration{20 * time.Millisecond, 160 * time.Millisecond, 20 * time.Millisecond,
		40 * time.Millisecond, 80 * time.Millisecond}
	p, benchmarks := planned(t, time.Minute, 0, costs, make([]time.Duration, 5))
	p.stage = stageOf(2)
	for _, b := range benchmarks {
		b.countIterations = 1
	}
	names := func(task *countTask) string { return fmt.Sprint(namesOf(task.benchmarks), task.seed) }
	p.stage.seeds = 1
	parts := slices.Sorted(slices.Values(text.List(p.divide(benchmarks), names)))
	testkit.Equal(t, parts, []string{"B3", "EDAC3"}, "tasks")
	p.stage.seeds = 2
	testkit.Equal(t, text.List(p.divide(benchmarks[:1]), names), []string{"A3", "A4"}, "tasks of a small package")
}

// Another run of the same binaries takes all counts from the cache, one of other binaries none. Counts that depend on
// chance are not kept.
func TestCountsFromTheCache(t *testing.T) {
	kept := &cache{dir: t.TempDir(), hashes: make(map[string]string)}
	j := newTestJob(t, DefaultOptions())
	sampler := func(newBinary string) (*countSampler, *benchmark) {
		p, benchmarks := planned(t, 0, 0, []time.Duration{time.Microsecond}, []time.Duration{0})
		b := benchmarks[0]
		for side, text := range []string{"old", newBinary} {
			b.pkg.binaries[side] = filepath.Join(t.TempDir(), "p.test")
			testkit.NoError(t, os.WriteFile(b.pkg.binaries[side], []byte(text), 0o600))
		}
		return &countSampler{job: j, builds: &builds{sides: &source.Sides{Contents: [2]string{"1", "2"}}}, counter: &count.Counter{},
			judges: p.judges, cache: kept}, b
	}
	for _, unseeded := range []string{"no ptrace", ""} {
		c, b := sampler("new")
		c.unseeded, b.countIterations = unseeded, 7
		for seed, before := range []float64{100, 101, 102} {
			r := c.judges.fileOf(b).counts
			r.pairs = append(r.pairs, keptPair{uint64(seed), [2]float64{before, before + 10}, [2]count.Memory{}})
		}
		c.keepCounts([]*benchmark{b}, stageOf(0))
		c, b = sampler("new")
		switch rest := c.reuseCounts([]*benchmark{b}, stageOf(0)); {
		case unseeded != "":
			testkit.Equal(t, len(rest), 1, "benchmarks left by counts that depend on chance")
		case len(rest) > 0 || b.countIterations != 7 || c.judges.fileOf(b).counts.result.Verdict != verdict.MoreWork ||
			j.Reused["counts"] != 1:
			t.Errorf("%d benchmarks are left, %+v", len(rest), c.judges.fileOf(b).counts)
		}
	}
	c, b := sampler("other")
	testkit.Equal(t, len(c.reuseCounts([]*benchmark{b}, stageOf(0))), 1, "benchmarks left by counts of another binary")
	c, b = sampler("new")
	testkit.Equal(t, len(c.reuseCounts([]*benchmark{b}, stageOf(1))), 1, "benchmarks left by counts of less work")
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
			p, benchmarks := planned(t, time.Minute, 0, make([]time.Duration, 1), make([]time.Duration, 1))
			b, o := benchmarks[0], DefaultOptions()
			b.first = [2]sample{{figures: test.first[frame.Old]}, {figures: test.first[frame.New]}}
			o.HigherBetter = []*regexp.Regexp{regexp.MustCompile("hits")}
			if p.judges.options = &o; test.limit != "" {
				testkit.NoError(t, o.ParseLimit(test.limit))
			}
			p.rowOf(b).result.Limit = o.Limit
			var pairs []Pair
			for range verdict.FewestPairs {
				pairs = append(pairs, pairCounts(b, 1, [2]count.Figures{{N: 9, Instructions: 100, Memory: test.before},
					{N: 9, Instructions: 100, Memory: test.after}}))
			}
			judgeCounts(p.judges, pairs, benchmarks)
			testkit.Equal(t, p.judges.passesByCount(b), test.want == "", "passes by count")
			rows := newResult(newTestJob(t, o), p.judges, benchmarks).rowsOf(b)
			spoke := rows[slices.IndexFunc(rows, func(row report.Row) bool { return row.Primary })]
			testkit.ErrorIf(t, spoke.Verdict.Passes() != (test.want == "") ||
				!strings.HasPrefix(spoke.Reason, test.want), "%s by %s: %s", spoke.Verdict, spoke.Judge, spoke.Reason)
		})
	}
}

// A stuck benchmark takes a part of a stage's time, unless a benchmark of its process is planned to take long.
func TestPatience(t *testing.T) {
	for _, test := range []struct {
		left, longest time.Duration
		slowdown      float64
		want          time.Duration
	}{
		{0, time.Second, 1, 20 * time.Second}, // without a limit
		{40 * time.Second, time.Second, 1, 5 * time.Second},
		{8 * time.Second, 0, 1, 3 * time.Second},
		{40 * time.Second, time.Second, 4, 12 * time.Second},
		{time.Hour, time.Second, 0, 20 * time.Second},
	} {
		p, _ := planned(t, test.left, 0, nil, nil)
		got := p.patience(&countTask{pkg: &testPackage{slowdown: test.slowdown}, longest: test.longest})
		testkit.Equal(t, got.Round(100*time.Millisecond), test.want, "patience of %+v", test)
	}
}

// Each process of a run has its own seed.
func TestSeedsOfStages(t *testing.T) {
	next := stageOf(0).first
	for number := range mostStages {
		stage := stageOf(number)
		testkit.Equal(t, stage.first, next, "first seed of stage %d", number)
		next += uint64(stage.seeds)
	}
}

// Rows without an answer are counted before gains of one seed, and these before wide intervals. A race is left to time.
func TestToCount(t *testing.T) {
	p, benchmarks := planned(t, time.Minute, 0, make([]time.Duration, 4), make([]time.Duration, 4))
	for i, pairs := range [][]float64{{100, 115}, {80, 80}, {100, 102}, {100, 150, 90, 130, 100, 100, 95, 100}} {
		r := p.rowOf(benchmarks[i])
		for _, after := range pairs {
			testkit.NoError(t, r.result.Add(1, 100, after))
		}
		r.judge()
	}
	testkit.Equal(t, namesOf(toCount(p.judges, benchmarks)), "AC", "without an answer")
	testkit.Equal(t, namesOf(toCount(p.judges, benchmarks[1:2])), "B", "gain")
	testkit.Equal(t, namesOf(toCount(p.judges, benchmarks[3:])), "", "race")
}
