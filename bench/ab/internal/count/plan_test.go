package count

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// planned returns the rows of a package's benchmarks whose operations and set-ups take some native time, and a plan that
// ends after a duration. Set-ups may be nil.
func planned(left, packageSetUp time.Duration, costs, setUps []time.Duration) (*plan, []*row) {
	pkg := listingtest.NewPackage("", packageSetUp)
	made := &build.Builds{Request: &source.Request{Run: &frame.Run{Cores: []int{0, 1}}}}
	p := &plan{Request: Request{Builds: made, Judges: judge.NewTable(judge.Rules{}, nil, true)}, bounded: left > 0,
		end: time.Now().Add(left), stage: stageOf(0), scale: make(costScale)}
	for i := range costs {
		b := &listing.Benchmark{Pkg: pkg, Printed: string(rune('A' + i))}
		r := &row{Benchmark: b, Counts: &judge.Counts{}, countCosts: countCosts{cost: costs[i]}}
		if p.Judges.Of(b).Counts = r.Counts; setUps != nil {
			r.setUp = setUps[i]
		}
		p.rows = append(p.rows, r)
	}
	return p, p.rows
}

// divide returns the names of the rows that a plan counts, and of those that it leaves out with the reasons.
func divide(rows []*row) (counted string, left []string) {
	for _, r := range rows {
		if r.isCounted() {
			counted += r.Printed
		} else {
			left = append(left, r.Printed+": "+r.leftOut)
		}
	}
	return counted, left
}

// addPairs adds counts of the new side with a seed, beside 100 on the old one, and judges them.
func addPairs(t *testing.T, r *row, after ...float64) {
	t.Helper()
	for _, figure := range after {
		testkit.NoError(t, r.Result.Add(1, 100, figure))
	}
	r.Judge()
}

// names joins the names of rows.
func names(rows []*row) string { return listingtest.Names(benchmarksOf(rows)) }

// Counts leave time for the rounds of what cannot be counted, as long as these can be decided.
func TestTimeForRounds(t *testing.T) {
	const short = time.Microsecond
	for _, test := range []struct {
		costs []time.Duration
		part  float64
	}{{[]time.Duration{short}, 0.9}, {[]time.Duration{short, time.Second}, 0.66}, {[]time.Duration{2 * time.Second}, 0.42},
		{[]time.Duration{short, time.Minute}, 0.6}} {
		p, _ := planned(time.Minute, 0, test.costs, nil)
		p.Bounds = frame.NewBudget(100*time.Second, false)
		p.share()
		got := time.Until(p.last).Seconds() / 100
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
		p, rows := planned(0, 0, test.costs, nil)
		for i, r := range rows {
			for side := range r.First {
				r.First[side] = listing.Sample{Run: test.costs[i], Busy: test.costs[i]}
			}
		}
		p.Bounds, p.last, p.bounded = frame.NewBudget(30*time.Second, false), time.Now().Add(27*time.Second), true
		p.enough, p.stage = p.last, stageOf(1)
		p.begin(rows)
		_, left := divide(rows)
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
		{name: "a minute is enough", left: time.Minute, costs: many(3, short), counted: "ABC", work: 250},
		{name: "no end", costs: many(3, short), setUps: many(3, time.Hour), counted: "ABC", work: 250},
		{name: "less work", left: 3220 * time.Millisecond, costs: many(20, short),
			counted: "ABCDEFGHIJKLMNOPQRST", work: 125},
		{name: "one set-up is long", left: 10 * time.Second, costs: many(3, short),
			setUps: []time.Duration{none, time.Second, none}, counted: "AC", work: 250, reason: frame.NotCounted},
		{name: "the set-up of the package is long", left: 10 * time.Second, whole: time.Second, costs: many(2, short),
			reason: "behind a set-up of 1s"},
		{name: "an operation is long", left: time.Minute, costs: []time.Duration{short, time.Second},
			counted: "A", work: 250, reason: "an operation takes longer"},
	} {
		p, rows := planned(test.left, test.whole, test.costs, test.setUps)
		p.fit(rows)
		counted, left := divide(rows)
		testkit.Equal(t, counted, test.counted, "%s: counted, where %q are left out", test.name, left)
		if len(counted) > 0 {
			testkit.Equal(t, filter(rows, (*row).isCounted)[0].operations, test.work, "%s: iterations", test.name)
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
		p, rows := planned(12*time.Second, setUp, slices.Repeat([]time.Duration{operation}, 12), nil)
		changed := listingtest.NewPackage("", setUp)
		for _, r := range rows[:4] {
			r.Pkg, r.Reach.Near = changed, 1
		}
		p.fit(rows)
		_, left := divide(rows[:4])
		testkit.Equal(t, left, nil, "set-up of %v: changed ones that are left out", setUp)
		_, others := divide(rows[4:])
		testkit.ErrorIf(t, len(others) == 0, "set-up of %v: no others are left out", setUp)
	}
}

// Functions are counted where more work needs a second seed, as long as they take up to half of the time.
func TestCountsOfFunctions(t *testing.T) {
	p, rows := planned(time.Minute, 0, slices.Repeat([]time.Duration{time.Microsecond}, 3), nil)
	rows[2].cost = 200 * time.Millisecond
	for _, r := range rows[1:] {
		addPairs(t, r, slices.Repeat([]float64{150}, verdict.FewestPairs)...)
	}
	p.fitCounts(rows)
	functions := func(r *row) bool { return r.functions }
	testkit.Equal(t, names(filter(rows, functions)), "BC", "counts of functions in a minute")
	p.end = time.Now().Add(15 * time.Second)
	p.fitCounts(rows)
	testkit.Equal(t, names(filter(rows, functions)), "B", "counts of functions in a quarter of a minute")
	testkit.Equal(t, names(filter(rows, (*row).isCounted)), "ABC", "counts in a quarter of a minute")
}

// A plan corrects its costs by the time that processes took. One that was cut off does not count.
func TestPlanLearns(t *testing.T) {
	p, rows := planned(time.Minute, 0, []time.Duration{20 * time.Millisecond}, nil)
	p.fitCounts(rows)
	before := p.costOf(rows[0])
	p.scale.learn([]*task{{cost: time.Second, took: [2]time.Duration{2 * time.Second, 0}}})
	testkit.Equal(t, p.costOf(rows[0]), 2*before, "cost")
	p.scale.learn([]*task{{cost: 2 * time.Second, took: [2]time.Duration{time.Second, time.Second}}})
	testkit.Equal(t, p.costOf(rows[0]), before, "cost")
	p.scale.learn([]*task{{functions: true, cost: time.Second, took: [2]time.Duration{3 * time.Second, 0}}})
	testkit.Equal(t, p.costOf(rows[0]), before, "cost where functions take longer")
}

// The one section of a run says nothing about sections of operations.
func TestSectionsOfOperations(t *testing.T) {
	for _, test := range []struct {
		iterations, pairs int
		want              float64
	}{{1, 1, 0}, {1000, 1, 0}, {1, 2, 1}, {10, 31, 3}} {
		var c countCosts
		c.observe(listing.Sample{Iterations: test.iterations, Pairs: test.pairs, Busy: time.Millisecond, CPU: 1e-4})
		testkit.Equal(t, c.sections, test.want, "sections of an operation, of %d pairs in %d", test.pairs, test.iterations)
	}
}

// The set-up of a function is saved with its last benchmark only: those of the other function are left out.
func TestSharedSetUps(t *testing.T) {
	const own = 2 * time.Millisecond
	p, rows := planned(5500*time.Millisecond, 0, slices.Repeat([]time.Duration{own}, 6), nil)
	for i, r := range rows {
		r.Printed = []string{"F/", "G/"}[i/3] + r.Printed
		r.SharedSetUp = []time.Duration{300 * time.Millisecond, 100 * time.Millisecond}[i/3]
	}
	p.fitCounts(rows)
	testkit.Equal(t, text.List(rows, func(r *row) string { return r.leftOut }),
		[]string{frame.NotCounted, frame.NotCounted, frame.NotCounted, "", "", ""}, "left out")
}

// Parts of a package take equally long, and each seed counts every benchmark once. A small package is not divided.
func TestTasks(t *testing.T) {
	costs := []time.Duration{20 * time.Millisecond, 160 * time.Millisecond, 20 * time.Millisecond,
		40 * time.Millisecond, 80 * time.Millisecond}
	p, rows := planned(time.Minute, 0, costs, nil)
	p.stage = stageOf(2)
	for _, r := range rows {
		r.operations = 1
	}
	names := func(task *task) string { return fmt.Sprint(names(task.rows), task.seed) }
	p.stage.seeds = 1
	parts := slices.Sorted(slices.Values(text.List(p.divide(rows), names)))
	testkit.Equal(t, parts, []string{"B3", "EDAC3"}, "tasks")
	p.stage.seeds = 2
	testkit.Equal(t, text.List(p.divide(rows[:1]), names), []string{"A3", "A4"}, "tasks of a small package")
}

// Another run of the same binaries takes all counts from the cache, one of other binaries none. Counts that depend on
// chance are not kept.
func TestCountsFromTheCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	run := &frame.Run{Reused: make(map[string]int)}
	sampler := func(newBinary string, stage int) (*Sampler, *row) {
		p, rows := planned(0, 0, []time.Duration{time.Microsecond}, nil)
		r := rows[0]
		for side, text := range []string{"old", newBinary} {
			r.Pkg.Binaries[side] = filepath.Join(t.TempDir(), "p.test")
			testkit.NoError(t, os.WriteFile(r.Pkg.Binaries[side], []byte(text), 0o600))
		}
		p.Run, p.Sides, p.stage = run, &source.Sides{Contents: [2]string{"1", "2"}}, stageOf(stage)
		p.Cache = build.NewLinks(p.Builds).Cache
		return &Sampler{Counter: &count.Counter{}, plan: p}, r
	}
	for _, unseeded := range []string{"no ptrace", ""} {
		c, r := sampler("new", 0)
		c.unseeded, r.operations = unseeded, 7
		for seed, before := range []float64{100, 101, 102} {
			r.Pairs = append(r.Pairs, judge.CountedPair{Seed: uint64(seed), Sides: [2]float64{before, before + 10}})
		}
		c.keepCounts(c.rows)
		c, r = sampler("new", 0)
		switch rest := c.reuseCounts(c.rows); {
		case unseeded != "":
			testkit.Equal(t, len(rest), 1, "benchmarks left by counts that depend on chance")
		case len(rest) > 0 || r.operations != 7 || r.Result.Verdict != verdict.MoreWork || run.Reused["counts"] != 1:
			t.Errorf("%d benchmarks are left, %+v", len(rest), r.Counts)
		}
	}
	c, _ := sampler("other", 0)
	testkit.Equal(t, len(c.reuseCounts(c.rows)), 1, "benchmarks left by counts of another binary")
	c, _ = sampler("new", 1)
	testkit.Equal(t, len(c.reuseCounts(c.rows)), 1, "benchmarks left by counts of less work")
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
		p, _ := planned(test.left, 0, nil, nil)
		got := p.patience(&task{pkg: &listing.Package{Slowdown: test.slowdown}, longest: test.longest})
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
	p, rows := planned(time.Minute, 0, make([]time.Duration, 4), nil)
	for i, pairs := range [][]float64{{100, 115}, {80, 80}, {100, 102}, {100, 150, 90, 130, 100, 100, 95, 100}} {
		addPairs(t, rows[i], pairs...)
	}
	testkit.Equal(t, names(p.toCount()), "AC", "without an answer")
	p.rows = rows[1:2]
	testkit.Equal(t, names(p.toCount()), "B", "gain")
	p.rows = rows[3:]
	testkit.Equal(t, names(p.toCount()), "", "race")
}

// Further stages of counts end earlier for the rounds of what is open so far, at most by three tenths of the time.
func TestTimeForOpenRows(t *testing.T) {
	const short, long = time.Microsecond, 600 * time.Millisecond
	for _, test := range []struct {
		name  string
		after float64 // instructions on the new side, after 100
		cost  time.Duration
		want  float64 // seconds until the end of the counts
	}{
		{"nothing is open", 100, short, 54},
		{"a short operation is open", 103, short, 54},
		{"an operation of 600 ms is open", 103, long, 46.1},
		{"an operation of 6 s is open", 103, 10 * long, 42},
	} {
		p, rows := planned(time.Minute, 0, []time.Duration{test.cost, short}, nil)
		p.Bounds = frame.NewBudget(time.Minute, false)
		p.Run.Budget = p.Bounds
		p.last = time.Now().Add(54 * time.Second)
		r := rows[0]
		r.First = [2]listing.Sample{{Busy: test.cost}, {Busy: test.cost}}
		r.Result.Limit = 0.03
		if addPairs(t, r, test.after-4, test.after, test.after+4); test.after == 100 {
			r.Result.Verdict = verdict.NotMoreWork
		}
		got := time.Until(p.endOf(rows)).Seconds()
		testkit.ErrorIf(t, math.Abs(got-test.want) > 0.5,
			"%s: counts end after %.1f s, want %.1f", test.name, got, test.want)
		addPairs(t, rows[1], slices.Repeat([]float64{110}, verdict.FewestPairs)...)
		claims := filter(rows, (*row).isClaim)
		got = time.Until(p.endOf(claims)).Seconds()
		testkit.ErrorIf(t, len(claims) != 1 || math.Abs(got-54) > 0.5,
			"%s: %d claims end after %.1f s, want 1 that ends after 54", test.name, len(claims), got)
	}
}
