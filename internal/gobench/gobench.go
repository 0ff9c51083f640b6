// Package gobench lets "go test -bench" measure what [experiment.Measure] does.
package gobench

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Run checks a subject and then measures passes of it. It reports the figures of a run:
// the time of a unit of work instead of that of a pass, and the other figures.
func Run(b *testing.B, s experiment.Subject) {
	b.Helper()
	if err := s.Check(); err != nil {
		b.Fatal(err)
	}
	units := 0.0
	for b.Loop() {
		n, err := s.Pass()
		if err != nil {
			b.Fatal(err)
		}
		units += n
	}
	perUnit := experiment.PerUnit(b.Elapsed(), units, s.Unit())
	b.ReportMetric(perUnit, s.Unit())
	if metrics := experiment.Describe(s).Metrics; metrics != nil {
		for _, m := range metrics(perUnit) {
			b.ReportMetric(m.Value, m.Unit)
		}
	}
	if s.Unit() != "ns/op" {
		b.ReportMetric(0, "ns/op") // a pass is not a meaningful unit
	}
}
