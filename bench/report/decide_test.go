package report

import (
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// A run passes with rows that are not proven, if it would have found a large slowdown in every reached benchmark.
func TestDecide(t *testing.T) {
	undecided := func(sight, limit float64) Row {
		return Row{Speaks: true, Verdict: verdict.Undecided, Sight: verdict.Number(sight), Limit: limit}
	}
	passed := Row{Speaks: true, Verdict: verdict.NotSlower}
	for _, test := range []struct {
		name   string
		rows   []Row
		prove  bool
		want   verdict.Verdict
		judged int
	}{
		{"proven", []Row{passed}, true, verdict.Pass, 1},
		{"not proven", []Row{passed, undecided(0.1, 0.03)}, true, verdict.Undecided, 1},
		{"a large slowdown would have been seen", []Row{passed, undecided(0.1, 0.03)}, false, verdict.Pass, 2},
		{"one of many would have been missed", append(make([]Row, 20), passed, undecided(0.3, 0.03)), false,
			verdict.Undecided, 1},
		{"twice a large limit would have been seen", []Row{undecided(0.7, 0.4)}, false, verdict.Pass, 1},
		{"a row that does not speak", []Row{passed, {Verdict: verdict.Undecided, Sight: 9}}, false, verdict.Pass, 1},
		{"more work", []Row{passed, {Speaks: true, Verdict: verdict.MoreWork}}, false, verdict.MoreWork, 2},
		{"slower and more work", []Row{{Verdict: verdict.Slower}, {Speaks: true, Verdict: verdict.MoreWork}}, false,
			verdict.Slower, 1},
		{"unreached code", []Row{{Speaks: true, Verdict: verdict.Identical, Code: SameCode}}, false, verdict.Pass, 0},
	} {
		r := Report{Rows: test.rows}
		if r.Decide(false, test.prove); r.Verdict != test.want || r.Benchmarks.Judged != test.judged {
			t.Errorf("%s: %s, %d judged (want %s, %d)", test.name, r.Verdict, r.Benchmarks.Judged, test.want,
				test.judged)
		}
	}
}

// The last line counts a judge's benchmarks without those that stay open.
func TestTally(t *testing.T) {
	r := Report{Rows: []Row{
		{Name: "A", Speaks: true, Judge: verdict.ByCount, Verdict: verdict.NotMoreWork},
		{Name: "B", Speaks: true, Judge: verdict.ByCount, Verdict: verdict.Undecided, Sight: 9, Reason: "one seed"},
	}}
	r.Decide(false, false)
	if got, want := describeJudges(&r), "1 of 2 reached benchmarks judged (1 by count)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
