package timing

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// newTestSampler returns a sampler of the benchmarks of a package, by their names.
func newTestSampler(lanes int, names ...string) (*Sampler, []*listing.Benchmark) {
	s := &Sampler{Links: newTestLinks(&frame.Run{}), Judges: judge.NewTable(judge.Rules{}, nil, true), lanes: lanes,
		sizer: sizer{hasCPU: true, Sizes: make(map[*listing.Benchmark]*sizing)}}
	pkg := listingtest.NewPackage("", 0)
	var benchmarks []*listing.Benchmark
	for _, name := range names {
		b := &listing.Benchmark{Pkg: pkg, Printed: name, Procs: 1}
		benchmarks, s.Sizes[b] = append(benchmarks, b), &sizing{}
	}
	return s, benchmarks
}

// Parts of like duration run at the same time; parallel ones, and those that failed beside others, run by themselves.
func TestBatch(t *testing.T) {
	s, all := newTestSampler(2, "A", "B", "C", "D", "E")
	var parts [][]*listing.Benchmark
	for i, b := range all {
		s.Judges.Of(b).Round = time.Duration(i%3+1) * time.Second
		parts = append(parts, []*listing.Benchmark{b})
	}
	batches := func() string {
		return strings.Join(text.List(s.batch(slices.Clone(parts)), func(batch [][]*listing.Benchmark) string {
			return strings.Join(text.List(batch, listingtest.Names), "+")
		}), " ")
	}
	testkit.Equal(t, batches(), "C+B E+A D", "processes at once")
	parts[2][0].Procs = 4
	testkit.Equal(t, batches(), "C B+E A+D", "processes beside a parallel benchmark")
	b := parts[1][0]
	r := &PartRun{Benchmarks: parts[1], Failures: [2]error{listing.ErrNoFigures, listing.ErrNoFigures}}
	s.TakePairs(r, 2, true)
	testkit.Equal(t, batches(), "B C E+A D", "processes after B failed beside another")
	testkit.Equal(t, s.Judges.Of(b).IsOpen(), true, "open after a failure beside another")
	s.TakePairs(r, 1, true)
	testkit.Equal(t, s.Judges.Of(b).IsOpen(), false, "open after a failure alone")
	s.lanes = 1
	testkit.Equal(t, batches(), "D A E B C", "processes one after the other")
	s.Share, parts[2][0].Procs = true, 1
	testkit.Equal(t, strings.Join(text.List(s.Divide(slices.Concat(parts...)), listingtest.Names), " "), "ACDE B",
		"processes of a package where B runs alone")
}

// A benchmark whose process another one ended runs by itself, then with its siblings. One that fails on both sides then
// is not new.
func TestNeighbourEndsTheProcess(t *testing.T) {
	s, all := newTestSampler(1, "A/1", "A/2", "B/1", "C")
	open := func() string { return listingtest.Names(s.Judges.Open(all)) }
	fails := [2]error{listing.ErrNoFigures, listing.ErrNoFigures}
	run := func(withSiblings bool, benchmarks ...*listing.Benchmark) {
		s.TakePairs(&PartRun{Benchmarks: benchmarks, WithSiblings: withSiblings, Failures: fails}, 1, true)
	}
	run(false, all...)
	testkit.Equal(t, open(), "A/1A/2B/1C", "open after a process of all")
	for _, b := range all {
		run(false, b)
	}
	testkit.Equal(t, open(), "A/1A/2", "open after a process for each")
	run(true, all[:2]...)
	testkit.Equal(t, open(), "", "open after a process of siblings")
	for _, b := range all {
		testkit.Equal(t, s.Judges.Of(b).Repaired, false, "%s is new", b.Printed)
		testkit.Equal(t, s.Judges.Of(b).Reason, "fails on both sides: "+listing.ErrNoFigures.Error(), "reason for %s", b.Printed)
	}
	b := &listing.Benchmark{Pkg: all[0].Pkg, Printed: "D", Procs: 1}
	s.Judges.Of(b).Alone = true
	s.Sizes[b] = &sizing{}
	s.TakePairs(&PartRun{Benchmarks: []*listing.Benchmark{b}, Failures: [2]error{listing.ErrNoFigures, nil},
		Samples: [2]map[*listing.Benchmark]listing.Sample{frame.New: {b: {}}}}, 1, true)
	testkit.Equal(t, s.Judges.Of(b).Repaired, true, "a benchmark that fails on the old side is new")
}

// A benchmark that skips once it has many iterations skips, and does not fail.
func TestSkipsLater(t *testing.T) {
	none, skips, fails := error(nil), listing.ErrSkips, errors.New("no")
	for _, c := range []struct {
		ran      [2]bool
		failures [2]error
		want     string
	}{
		{[2]bool{true, false}, [2]error{none, skips}, "skips on the new side"},
		{[2]bool{false, true}, [2]error{skips, none}, "skips on the old side"},
		{[2]bool{}, [2]error{skips, skips}, "skips on both sides"},
		{[2]bool{}, [2]error{fails, skips}, "fails on both sides: no"},
		{[2]bool{}, [2]error{skips, fails}, "fails on both sides: no"},
		{[2]bool{true, false}, [2]error{none, fails}, "fails on the new side: no"},
		{[2]bool{true, false}, [2]error{none, none}, "fails on the new side: prints no figures"},
	} {
		s, all := newTestSampler(1, "A")
		r := &PartRun{Benchmarks: all, Failures: c.failures}
		for side, ran := range c.ran {
			if r.Samples[side] = map[*listing.Benchmark]listing.Sample{}; ran {
				r.Samples[side][all[0]] = listing.Sample{}
			}
		}
		s.TakePairs(r, 1, true)
		testkit.Equal(t, s.Judges.Of(all[0]).Reason, c.want, "%+v", c)
	}
}

// newTestLinks returns the links of a run without programs.
func newTestLinks(r *frame.Run) *build.Links {
	return &build.Links{Builds: &build.Builds{Request: &source.Request{Run: r}}}
}

// newTestRun returns a run of a minute whose folder goes with the test.
func newTestRun(t *testing.T) *frame.Run {
	t.Helper()
	r := testkit.Must(frame.NewRun("", 1, frame.NewBudget(time.Minute, false)))(t)
	t.Cleanup(func() { testkit.NoError(t, r.Scratch.Remove()) })
	return r
}

// Traps are for functions of which all benchmarks ran on both sides.
func TestTrapCandidates(t *testing.T) {
	p := listingtest.NewPackage("", 0)
	p.Traps = map[string]bool{"f": true}
	changed := reach.Change{Code: report.ChangedCode}
	slow, other := &listing.Benchmark{Pkg: p, Printed: "A", Reach: changed}, &listing.Benchmark{Pkg: p, Printed: "B", Reach: changed}
	l := &listing.Listing{Benchmarks: []*listing.Benchmark{slow, other}, Slow: []*listing.Benchmark{slow}}
	testkit.Equal(t, text.List(trapCandidates(l, time.Second), func(c *trapCandidate) string { return c.function }), []string{"BenchmarkB"},
		"functions that run with traps")
}
