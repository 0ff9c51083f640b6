package ab

import (
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The timed part of each benchmark doubles. It is a sixth of the work or less, and none of the rest
// counts: setup, teardown and the sections between StopTimer and StartTimer.
func TestTimedPart(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	testkit.NoError(t, abtest.Make(filepath.Join("testdata", "timed"), dir, "base", "double"))
	o := between(dir, "base", "double")
	o.sample.Iterations = 0
	o.sample.Duration = 2e6
	o.Bench = "StopShort|Growing|Teardown|Batch"
	got := testkit.Must(Run(t.Context(), o))(t)
	testkit.SkipIf(t, got.CPUClock == report.NoClock, "no CPU clock in the timers of this system")
	timed := 0
	for _, row := range got.Rows {
		if row.Unit != "sec/op" {
			continue
		}
		timed++
		testkit.ErrorIf(t, row.Rounds == 0 || row.Delta < 0.3 || row.Delta > 2, // a sixth if all counted
			"%s: %s in %d rounds (want about +100 %%)", row.Name, report.Percent(row.Delta), row.Rounds)
	}
	testkit.Equal(t, timed, 4, "number of benchmarks")
}
