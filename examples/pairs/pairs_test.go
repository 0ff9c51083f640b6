package pairs_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/examples/pairs"
)

// TestEqualsTheOracle compares values, futures, choices and whole games with those
// of the oracle. It says where the first difference is.
func TestEqualsTheOracle(t *testing.T) {
	v, err := engine.NewVerifier(t.Context(), engine.VerifyOptions{Games: 500})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(t.Context(), pairs.Engine{}); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkEngine measures the engine beside the oracle, at each level.
func BenchmarkEngine(b *testing.B) {
	work, err := bench.NewWorkload(bench.DefaultSize())
	if err != nil {
		b.Fatal(err)
	}
	for _, level := range bench.Levels() {
		for _, e := range []ur.Engine{engine.Oracle(), pairs.Engine{}} {
			representation, eval := engine.SplitName(e)
			b.Run("level="+string(level)+"/board="+representation+"/eval="+eval, func(b *testing.B) {
				c, err := bench.NewCase(work, e, level)
				if err != nil {
					b.Fatal(err)
				}
				if err := c.Check(); err != nil {
					b.Fatal(err)
				}
				units := 0.0 // of work: values, turns or games
				for b.Loop() {
					n, err := c.Pass()
					if err != nil {
						b.Fatal(err)
					}
					units += n
				}
				b.ReportMetric(experiment.PerUnit(b.Elapsed(), units, c.Unit()), c.Unit())
				b.ReportMetric(0, "ns/op") // a pass is many units
			})
		}
	}
}
