package ab

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The timed part of each benchmark doubles. It is a sixth of the work or less, and none of the rest
// counts: setup, teardown and the sections between StopTimer and StartTimer.
func TestTimedPart(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	testkit.NoError(t, abtest.Make(filepath.Join("testdata", "timed"), dir, "base", "double"))
	o := between(dir, "base", "double")
	o.sample.iterations = 0
	o.sample.duration = 2e6
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

// Samples are short where all counts show large changes: their times need less care.
func TestSampleTime(t *testing.T) {
	large := verdict.Count{Verdict: verdict.MoreWork, Lo: 0.2, Hi: 0.3}
	small := verdict.Count{Verdict: verdict.MoreWork, Lo: 0.04, Hi: 0.05}
	fewer := verdict.Count{Verdict: verdict.LessWork, Lo: -0.4, Hi: -0.2}
	for _, test := range []struct {
		name   string
		counts []verdict.Count
		want   time.Duration
	}{
		{"large changes", []verdict.Count{large, fewer, large}, leastSample},
		{"a small change", []verdict.Count{large, fewer, small}, 50 * time.Millisecond},
		{"undecided", []verdict.Count{large, {Lo: 0.2, Hi: 0.3}}, 50 * time.Millisecond},
		{"no count", []verdict.Count{{}}, 50 * time.Millisecond},
	} {
		j := newTestJob(t, Options{Time: time.Minute})
		b := &builds{layouts: false, cpuClock: "clock_gettime"}
		v := newJudges(&j.Options, nil, true)
		p := &testPackage{Package: &report.Package{}}
		var open []*benchmark
		for _, c := range test.counts {
			k := &benchmark{pkg: p, procs: 1}
			v.fileOf(k).counts = &countRow{result: c}
			open = append(open, k)
		}
		testkit.Equal(t, newPlan(j, b, newLinkPool(j, b), open, v).work.duration, test.want, "%s: samples", test.name)
	}
}
