package ab

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Parts of like duration run at the same time; parallel ones, and those that failed beside others, run by themselves.
func TestBatch(t *testing.T) {
	pkg := &testPackage{Package: &report.Package{}}
	s := &timeSampler{job: &job{Run: &frame.Run{}}, lanes: 2, sizer: sizer{hasCPU: true, sizes: make(map[*benchmark]*sizing)}}
	var parts [][]*benchmark
	for i, name := range []string{"A", "B", "C", "D", "E"} {
		b := &benchmark{pkg: pkg, printed: name, procs: 1, expected: time.Duration(i%3+1) * time.Second}
		parts, s.sizes[b] = append(parts, []*benchmark{b}), &sizing{}
	}
	batches := func() string {
		return strings.Join(text.List(s.batch(slices.Clone(parts)), func(batch [][]*benchmark) string {
			return strings.Join(text.List(batch, namesOf), "+")
		}), " ")
	}
	testkit.Equal(t, batches(), "C+B E+A D", "processes at once")
	parts[2][0].procs = 4
	testkit.Equal(t, batches(), "C B+E A+D", "processes beside a parallel benchmark")
	b := parts[1][0]
	r := &partRun{benchmarks: parts[1], failures: [2]error{errNoFigures, errNoFigures}}
	s.takePairs(r, 2, true)
	testkit.Equal(t, batches(), "B C E+A D", "processes after B failed beside another")
	testkit.Equal(t, b.isOpen(), true, "open after a failure beside another")
	s.takePairs(r, 1, true)
	testkit.Equal(t, b.isOpen(), false, "open after a failure alone")
	s.lanes = 1
	testkit.Equal(t, batches(), "D A E B C", "processes one after the other")
	s.share, parts[2][0].procs = true, 1
	testkit.Equal(t, strings.Join(text.List(s.divide(slices.Concat(parts...)), namesOf), " "), "ACDE B",
		"processes of a package where B runs alone")
}

// A benchmark whose process another one ended runs by itself, then with its siblings. One that fails on both sides then
// is not new.
func TestNeighbourEndsTheProcess(t *testing.T) {
	pkg := &testPackage{Package: &report.Package{}}
	s := &timeSampler{job: &job{Run: &frame.Run{}}, lanes: 1, sizer: sizer{hasCPU: true, sizes: make(map[*benchmark]*sizing)}}
	var all []*benchmark
	for _, name := range []string{"A/1", "A/2", "B/1", "C"} {
		b := &benchmark{pkg: pkg, printed: name, procs: 1}
		all, s.sizes[b] = append(all, b), &sizing{}
	}
	open := func() string {
		return namesOf(slices.DeleteFunc(slices.Clone(all), func(b *benchmark) bool { return !b.isOpen() }))
	}
	run := func(together bool, benchmarks ...*benchmark) {
		s.takePairs(&partRun{benchmarks: benchmarks, withSiblings: together, failures: [2]error{errNoFigures, errNoFigures}}, 1,
			true)
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
		testkit.Equal(t, b.repaired, false, "%s is new", b.printed)
		testkit.Equal(t, b.reason, "fails on both sides: "+errNoFigures.Error(), "reason for %s", b.printed)
	}
	b := &benchmark{pkg: pkg, printed: "D", procs: 1, alone: true}
	s.sizes[b] = &sizing{}
	s.takePairs(&partRun{benchmarks: []*benchmark{b}, failures: [2]error{errNoFigures, nil},
		samples: [2]map[*benchmark]sample{frame.New: {b: {}}}}, 1, true)
	testkit.Equal(t, b.repaired, true, "a benchmark that fails on the old side is new")
}
