package ab

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Parts of like duration run at the same time; parallel ones, and those that failed beside others, run by themselves.
func TestBatch(t *testing.T) {
	pkg := &testPackage{Package: &report.Package{}}
	s := &timeSampler{job: &job{}, lanes: 2, sizer: sizer{hasCPU: true, sizes: make(map[*benchmark]*sizing)}}
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
