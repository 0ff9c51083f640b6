package ab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// planned returns benchmarks of a package whose operations and set-ups take some native time, and a plan that ends
// after a duration.
func planned(t *testing.T, left time.Duration, packageSetUp time.Duration, costs, setUps []time.Duration) (*countPlan, []*benchmark) {
	t.Helper()
	v := newJudges(&Options{}, nil, true)
	pkg := &testPackage{Package: &report.Package{}, overhead: packageSetUp}
	var benchmarks []*benchmark
	for i := range costs {
		b := &benchmark{pkg: pkg, printed: string(rune('A' + i))}
		v.fileOf(b).counts = &countRow{result: verdict.Count{}, cost: costs[i], setUp: setUps[i]}
		benchmarks = append(benchmarks, b)
	}
	p := &countPlan{processes: 2, judges: v}
	if left > 0 {
		p.end = time.Now().Add(left)
	}
	return p, benchmarks
}

// What does not fit into the time gets less work, and then the most expensive benchmarks are left to time.
func TestCountsThatFit(t *testing.T) {
	const short, none = time.Microsecond, time.Duration(0)
	many := func(n int, d time.Duration) (list []time.Duration) {
		for range n {
			list = append(list, d)
		}
		return list
	}
	for _, test := range []struct {
		name          string
		left, whole   time.Duration // until the end, and set-up of the package
		costs, setUps []time.Duration
		counted       string // names
		work          int    // iterations of the first counted one
		reason        string // of those left out
	}{
		{name: "a minute is enough", left: time.Minute, costs: many(3, short), setUps: many(3, none), counted: "ABC", work: 1000},
		{name: "no end", costs: many(3, short), setUps: many(3, time.Hour), counted: "ABC", work: 1000},
		{name: "less work", left: 7 * time.Second, costs: many(20, short), setUps: many(20, none), counted: "ABCDEFGHIJKLMNOPQRST", work: 500},
		{name: "one set-up is long", left: 10 * time.Second, costs: many(3, short), setUps: []time.Duration{none, time.Second, none}, counted: "AC", work: 1000, reason: noTimeToCount},
		{name: "the set-up of the package is long", left: 10 * time.Second, whole: time.Second, costs: many(2, short), setUps: many(2, none), reason: "behind a set-up of 1s"},
		{name: "an operation is long", left: time.Minute, costs: []time.Duration{short, time.Second}, setUps: many(2, none), counted: "A", work: 1000, reason: "an operation takes longer"},
	} {
		p, benchmarks := planned(t, test.left, test.whole, test.costs, test.setUps)
		p.fitSetUps(benchmarks)
		p.fitCounts(benchmarks, time.Millisecond)
		counted := ""
		for _, b := range benchmarks {
			if left := p.rowOf(b).left; left == "" {
				if counted += b.printed; len(counted) == 1 && b.countIterations != test.work {
					t.Errorf("%s: %d iterations, want %d", test.name, b.countIterations, test.work)
				}
			} else if !strings.Contains(left, test.reason) || test.reason == "" {
				t.Errorf("%s: %s is left out: %q, want %q", test.name, b.printed, left, test.reason)
			}
		}
		if counted != test.counted {
			t.Errorf("%s: %q is counted, want %q", test.name, counted, test.counted)
		}
	}
}

// Where the first seed took long, the most expensive benchmarks get no further one.
func TestSeedsThatFit(t *testing.T) {
	costs := []time.Duration{time.Millisecond, 9 * time.Millisecond, 2 * time.Millisecond}
	p, benchmarks := planned(t, 10*time.Second, 0, costs, make([]time.Duration, 3))
	for _, b := range benchmarks {
		b.countIterations = 1
	}
	if rest := p.fitSeeds(benchmarks, 5*time.Second); len(rest) != 3 {
		t.Errorf("%d of 3 benchmarks go on although there is time", len(rest))
	}
	rest := p.fitSeeds(benchmarks, 20*time.Second)
	if len(rest) != 2 || rest[0].printed == "B" || rest[1].printed == "B" || p.rowOf(benchmarks[1]).reason != noTimeToCount {
		t.Errorf("%d benchmarks go on, B is left out for %q", len(rest), p.rowOf(benchmarks[1]).reason)
	}
	if rest = p.fitSeeds(benchmarks, time.Hour); len(rest) != 0 {
		t.Errorf("%d benchmarks go on without time", len(rest))
	}
}

// Parts of a package take equally long, and hold every benchmark once.
func TestPartsOfAPackage(t *testing.T) {
	costs := []time.Duration{time.Millisecond, 8 * time.Millisecond, time.Millisecond, 2 * time.Millisecond, 4 * time.Millisecond}
	p, benchmarks := planned(t, time.Minute, 0, costs, make([]time.Duration, 5))
	for _, b := range benchmarks {
		b.countIterations = 1
	}
	parts := p.divide(benchmarks, 2)
	if len(parts) != 2 || len(parts[0]) != 2 || parts[0][0].printed != "B" || len(parts[1]) != 3 || parts[1][0].printed != "E" {
		t.Errorf("%d parts, the first of %d benchmarks", len(parts), len(parts[0]))
	}
	if parts = p.divide(benchmarks[:1], 2); len(parts) != 1 {
		t.Errorf("one benchmark in %d parts", len(parts))
	}
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
			if err := os.WriteFile(b.pkg.binaries[side], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return &countSampler{job: j, builds: &builds{sides: &sides{}}, counter: &count.Counter{}, judges: p.judges, cache: kept}, b
	}
	for _, unseeded := range []string{"no ptrace", ""} {
		c, b := sampler("new")
		c.unseeded, b.countIterations = unseeded, 7
		c.judges.fileOf(b).counts.pairs = [][2]float64{{100, 110}, {101, 111}, {102, 112}}
		c.keepCounts([]*benchmark{b}, 1)
		c, b = sampler("new")
		switch rest := c.reuseCounts([]*benchmark{b}, 1); {
		case unseeded != "":
			if len(rest) != 1 {
				t.Error("counts that depend on chance are kept")
			}
		case len(rest) > 0 || b.countIterations != 7 || c.judges.fileOf(b).counts.result.Verdict != verdict.MoreWork || j.reused["counts"] != 1:
			t.Errorf("%d benchmarks are left, %+v", len(rest), c.judges.fileOf(b).counts)
		}
	}
	c, b := sampler("other")
	if rest := c.reuseCounts([]*benchmark{b}, 1); len(rest) != 1 {
		t.Error("counts of another binary are taken")
	}
	c, b = sampler("new")
	if rest := c.reuseCounts([]*benchmark{b}, 10); len(rest) != 1 {
		t.Error("counts of less work are taken for more")
	}
}
