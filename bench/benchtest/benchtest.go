// Package benchtest lets "go test -bench" measure the benchmarks of package bench.
package benchtest

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Suite runs the benchmarks of a suite whose names begin with a group, as in "Search/".
func Suite(b *testing.B, suite, group string) {
	b.Helper()
	set := testkit.Must(testkit.Must(bench.LookupSuite(suite))(b).Select(bench.Selection{}))(b)
	for _, one := range set.Benchmarks {
		if name, ok := strings.CutPrefix(one.Name, group+"/"); ok {
			b.Run(name, func(b *testing.B) { Run(b, one) })
		}
	}
}

// Run checks a benchmark and then measures passes of it. It reports the figures of "ur bench run":
// the time of a unit of work instead of that of a pass, and the other figures.
func Run(b *testing.B, s sample.Benchmark) {
	b.Helper()
	testkit.NoError(b, s.Check())
	units := 0.0
	for b.Loop() {
		n, err := s.Pass()
		if err != nil {
			b.Fatal(err)
		}
		units += n
	}
	perUnit := sample.PerUnit(b.Elapsed(), units, s.Unit)
	b.ReportMetric(perUnit, s.Unit)
	if s.Metrics != nil {
		for _, m := range s.Metrics(perUnit) {
			b.ReportMetric(m.Value, m.Unit)
		}
	}
	if s.Unit != "ns/op" {
		b.ReportMetric(0, "ns/op") // a pass is not a meaningful unit
	}
}
