package bench

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
)

func BenchmarkValue(b *testing.B) { benchmarkLevel(b, Value) }
func BenchmarkTurn(b *testing.B)  { benchmarkLevel(b, Turn) }
func BenchmarkGame(b *testing.B)  { benchmarkLevel(b, Game) }
func BenchmarkMatch(b *testing.B) { benchmarkLevel(b, Match) }

// benchmarkLevel runs the cases of one level, an engine each.
func benchmarkLevel(b *testing.B, level Level) {
	w, err := defaultWorkload()
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range engine.All() {
		b.Run(subName(e.Name()), func(b *testing.B) { benchmarkCase(b, w, e, level) })
	}
}

func benchmarkCase(b *testing.B, w *Workload, e ur.Engine, level Level) {
	if err := ur.Available(e); err != nil {
		b.Skip(err)
	}
	c, err := NewCase(w, e, level)
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Check(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := c.Pass(); err != nil {
			b.Fatal(err)
		}
	}
	for _, m := range c.Metrics(b.N, b.Elapsed()) {
		b.ReportMetric(m.Value, m.Unit)
	}
	b.ReportMetric(0, "ns/op") // a pass is no unit that anyone asks about
}
