package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A run passes with rows that are not proven, if it would have found a large slowdown in every reached benchmark.
func TestDecide(t *testing.T) {
	undecided := func(detectable, limit float64) Row {
		return Row{Primary: true, Verdict: verdict.Undecided, Detectable: verdict.Number(detectable), Limit: limit}
	}
	passed := Row{Primary: true, Verdict: verdict.NotSlower}
	unreached := Row{Primary: true, Verdict: verdict.Identical, Code: SameCode}
	broken := &Package{State: Failed}
	unbuilt := &Package{State: Failed, Neither: true}
	for _, test := range []struct {
		name     string
		rows     []Row
		packages []*Package
		prove    bool
		want     verdict.Verdict
		judged   int
	}{
		{name: "proven", rows: []Row{passed}, prove: true, want: verdict.Pass, judged: 1},
		{name: "not proven", rows: []Row{passed, undecided(0.1, 0.03)}, prove: true, want: verdict.Undecided, judged: 1},
		{name: "a large slowdown would have been seen", rows: []Row{passed, undecided(0.1, 0.03)}, want: verdict.Pass,
			judged: 2},
		{name: "one of many would have been missed", rows: append(make([]Row, 20), passed, undecided(0.3, 0.03)),
			want: verdict.Undecided, judged: 1},
		{name: "twice a large limit would have been seen", rows: []Row{undecided(0.7, 0.4)}, want: verdict.Pass, judged: 1},
		{name: "a rate whose fall to a twentieth would have been missed", rows: []Row{{Primary: true, Verdict: verdict.Undecided, Detectable: 0.95,
			Limit: 0.5, Higher: true}}, want: verdict.Undecided},
		{name: "a row that is not primary", rows: []Row{passed, {Verdict: verdict.Undecided, Detectable: 9}},
			want: verdict.Pass, judged: 1},
		{name: "more work", rows: []Row{passed, {Primary: true, Verdict: verdict.MoreWork}}, want: verdict.MoreWork, judged: 2},
		{name: "slower and more work", rows: []Row{{Verdict: verdict.Slower}, {Primary: true, Verdict: verdict.MoreWork}},
			want: verdict.Slower, judged: 1},
		{name: "a benchmark with two units, one open", rows: []Row{{Name: "A", Primary: true, Verdict: verdict.NotSlower}, {Name: "A", Primary: true,
			Verdict: verdict.Missing}}, want: verdict.Undecided},
		{name: "unreached code", rows: []Row{unreached}, want: verdict.Pass},
		{name: "builds on one side", rows: []Row{passed}, packages: []*Package{broken}, want: verdict.Undecided, judged: 1},
		{name: "builds on neither side", rows: []Row{passed}, packages: []*Package{unbuilt}, want: verdict.Pass, judged: 1},
		{name: "builds on neither side, and nothing is judged", rows: []Row{unreached}, packages: []*Package{unbuilt},
			want: verdict.Undecided},
	} {
		for i := range test.rows {
			test.rows[i].Name = cmp.Or(test.rows[i].Name, fmt.Sprint(i))
		}
		r := Report{Rows: test.rows, Packages: test.packages}
		r.Decide(false, test.prove)
		testkit.Equal(t, r.Verdict, test.want, "%s", test.name)
		testkit.Equal(t, r.Benchmarks.Judged, test.judged, "%s: judged", test.name)
	}
}

// The last line counts a judge's benchmarks without those that stay open.
func TestTally(t *testing.T) {
	r := Report{Rows: []Row{
		{Name: "A", Primary: true, Judge: verdict.ByCount, Verdict: verdict.NotMoreWork},
		{Name: "B", Primary: true, Judge: verdict.ByCount, Verdict: verdict.Undecided, Detectable: 9, Reason: "one seed"},
	}}
	r.Decide(false, false)
	testkit.Equal(t, describeJudges(&r), "1 of 2 reached benchmarks were judged (1 by count).", "last line")
}

// The additional work of a function has the calls behind it, if these differ by more than chance.
func TestDescribeFunction(t *testing.T) {
	const generic = "example.com/a.Keys[go.shape.string,example.com/b.T]"
	for want, f := range map[string]Function{
		"p.skip 41 more instructions an operation, called 12 times instead of 8": {Name: "example.com/p.skip", More: 41,
			Calls: [2]float64{8, 12}},
		"a.Keys 2 more instructions an operation": {Name: generic, More: 2},
		"a.F 6,000 fewer instructions an operation": {Name: "a.F", More: -6000,
			Calls: [2]float64{1, 1.001}},
		"a.F 30 more instructions an operation, called 2 times, and not before": {Name: "a.F", More: 30,
			Calls: [2]float64{0.0001, 2}},
		"a.F 30 more instructions an operation, called once, and not before": {Name: "a.F", More: 30,
			Calls: [2]float64{0, 1}},
		"a.F 30 fewer instructions an operation, no longer called": {Name: "a.F", More: -30,
			Calls: [2]float64{2, 0}},
	} {
		testkit.Equal(t, f.describe(), want, "description")
	}
}

// A benchmark that both judges find worse has its functions once, and more allocations have their place.
func TestExplainRows(t *testing.T) {
	time := Row{Name: "p.F", Unit: TimeUnit, Verdict: verdict.Slower, Functions: []Function{{Name: "p.skip", More: 41}}}
	count := time
	count.Unit, count.Verdict = CountUnit, verdict.MoreWork
	memory := Row{Name: "p.F", Unit: AllocsUnit, Parts: []Part{{Function: "example.com/p.New", Place: "p/p.go:7"}}}
	testkit.Equal(t, explainRows([]Row{time, count, memory}), []string{"p.F has more allocs/op in p.New (p/p.go:7).",
		"p.F: p.skip 41 more instructions an operation."}, "lines")
	var many []Row
	for i := range 2 * mostExplained {
		time.Name, time.Delta = fmt.Sprintf("p.F%d", i), verdict.Number(i)
		many = append(many, time)
	}
	lines := explainRows(many)
	testkit.ErrorIf(t, len(lines) != mostExplained+1 || !strings.HasPrefix(lines[0], "p.F9: ") ||
		lines[mostExplained] != "The functions of 5 further benchmarks are in the JSON only.", "%q", lines)
}

// The headline begins with times, and an allocation where there was none has no percentage.
func TestHeadline(t *testing.T) {
	row := Row{Name: "p.F", Verdict: verdict.Slower, Primary: true}
	allocation, time := row, row
	allocation.Unit, allocation.New, allocation.Delta = AllocsUnit, 1, verdict.Number(math.Inf(1))
	time.Unit, time.Old, time.New, time.Delta = TimeUnit, 1e-9, 1.5e-9, 0.5
	r := Report{Rows: []Row{allocation, time}}
	r.Decide(false, false)
	first := strings.HasPrefix(r.Summary(), "Slower: p.F +50.0% sec/op, p.F new allocs/op.")
	testkit.ErrorIf(t, !first, "%s", r.Summary())
}

// A history has the subjects of commits, and the allocations of benchmarks below their times.
func TestHistoryOfAllocations(t *testing.T) {
	row := func(unit string, delta float64) Row {
		return Row{Name: "p.F", Unit: unit, Rounds: 10, Delta: verdict.Number(delta), Verdict: verdict.Slower}
	}
	dir := t.TempDir()
	r := &Report{Base: "aaaa", Head: "bbbb", Subject: "p: add a cache", Date: "20261129T100000Z",
		Rows: []Row{row(AllocsUnit, 1), row(TimeUnit, 0.5), row(BytesUnit, 2)}}
	testkit.NoError(t, r.Store(dir))
	h := testkit.Must(ReadHistory(dir))(t)
	out := testkit.Written(t, func(w io.Writer) error { return h.Write(w, "text") })
	testkit.WantText(t, strings.Join(strings.Fields(out), " "), "p.F sec/op +50.0% bbbb +50.0% (p: add a cache) p.F allocs/op +100% bbbb +100% (p: add a cache)")
	page := testkit.Written(t, func(w io.Writer) error { return h.Write(w, "html") })
	testkit.WantText(t, page, "2 of 2 figures changed significantly", "p.F, sec/op, changed by &#43;50.0%: bbbb &#43;50.0% (p: add a cache)")
	testkit.Equal(t, strings.Count(page, `class="ur-plot"`), 2, "charts")
}

// A history follows instructions, and allocations from 0 and back to it. Figures without an end are null in JSON.
func TestHistoryWithoutEnd(t *testing.T) {
	row := func(unit string, before, after float64, v verdict.Verdict) Row {
		return Row{Name: "p.F", Unit: unit, Old: verdict.Number(before), New: verdict.Number(after),
			Delta: verdict.Number(after/before - 1), Verdict: v}
	}
	long := row(TimeUnit, 1, 1, verdict.Slower)
	long.Delta = 1e308
	for _, test := range []struct {
		name string
		rows [2]Row // of two steps
		text string
		want string // series in JSON
	}{
		{"from 0", [2]Row{row(AllocsUnit, 0, 1, verdict.Slower), row(AllocsUnit, 1, 2, verdict.Slower)},
			"allocs/op +∞ bbbb +∞, cccc +100%", `"relative":[null,null],"points":[0,1]`},
		{"from 0 and back", [2]Row{row(AllocsUnit, 0, 1, verdict.Slower), row(AllocsUnit, 1, 0, verdict.Faster)},
			"allocs/op +0.00% bbbb +∞, cccc -100%", `"relative":[null,1],"points":[0,1]`},
		{"to 0 and beyond", [2]Row{row(AllocsUnit, 2, 0, verdict.Faster), row(AllocsUnit, 0, 3, verdict.Slower)},
			"allocs/op +50.0% bbbb -100%, cccc +∞", `"relative":[0,1.5],"points":[0,1]`},
		{"more work", [2]Row{row(CountUnit, 4, 6, verdict.MoreWork), row(CountUnit, 6, 3, verdict.LessWork)},
			"instructions/op -25.0% bbbb +50.0%, cccc -50.0%", `"relative":[1.5,0.75],"points":[0,1]`},
		{"no more work", [2]Row{row(CountUnit, 100, 101, verdict.NotMoreWork), row(CountUnit, 101, 100, verdict.NotMoreWork)},
			"", `"series":[]`},
		{"added", [2]Row{AddedRow("p.F", TimeUnit, 2, ""), row(TimeUnit, 2, 3, verdict.Slower)},
			"sec/op +50.0% cccc +50.0%", `"points":[1]`},
		{"too long", [2]Row{long, long}, "sec/op +∞ bbbb +∞, cccc +∞", `"relative":[1e+308,null],"points":[0,1]`},
	} {
		dir := t.TempDir()
		for i, r := range []*Report{{Base: "aaaa", Head: "bbbb", Date: "1"}, {Base: "bbbb", Head: "cccc", Date: "2"}} {
			r.Rows = []Row{test.rows[i]}
			r.Rows[0].Rounds = 3
			testkit.NoError(t, r.Store(dir))
		}
		h := testkit.Must(ReadHistory(dir))(t)
		for format, want := range map[string]string{"text": test.text, "json": test.want, "html": "", "svg": ""} {
			out := testkit.Written(t, func(w io.Writer) error { return h.Write(w, format) })
			testkit.ErrorIf(t, !strings.Contains(strings.Join(strings.Fields(out), " "), want), "%s: no %q in %s", test.name, want, out)
			isWrong := format != "html" && (strings.Contains(out, "NaN") || strings.Contains(out, "Inf"))
			testkit.ErrorIf(t, isWrong, "%s: not a number in %s", test.name, out)
		}
	}
}

// Ranges of commits with a common end describe the same change, which counts once.
func TestHistoryOfOverlappingRanges(t *testing.T) {
	step := func(base, head string, delta float64) Step {
		return Step{Base: base, Head: head, Rows: []Row{{Name: "BenchmarkF", Unit: TimeUnit, Rounds: 10,
			Delta: verdict.Number(delta), Verdict: verdict.Slower}}}
	}
	for _, test := range []struct {
		name  string
		steps []Step
		want  []float64
	}{
		{"chain", []Step{step("a", "b", 0.3), step("b", "c", 0.1)}, []float64{1.3, 1.43}},
		{"common base", []Step{step("a", "b", 0.3), step("a", "c", 0.2)}, []float64{1.3, 1.2}},
		{"common head", []Step{step("a", "c", 0.3), step("b", "c", 0.3)}, []float64{1.3, 1.3}},
		{"gap", []Step{step("a", "b", 0.3), step("c", "d", 0.1)}, []float64{1.3, 1.43}},
	} {
		h := History{Steps: test.steps}
		h.follow()
		for i, want := range test.want {
			testkit.Near(t, float64(h.Series[0].Relative[i]), want, 1e-12, "%s: time after step %d", test.name, i+1)
		}
	}
}

// The horizon of a run is the shortest of what passes, also without executing the change.
func TestHorizonOfRun(t *testing.T) {
	r := Report{Rows: []Row{
		{Name: "A", Primary: true, Verdict: verdict.NotSlower, Horizon: 0.5},
		{Name: "B", Primary: true, Verdict: verdict.Identical, Code: SameCode, Horizon: 0.2},
		{Name: "C", Primary: true, Verdict: verdict.Undecided, Detectable: 9, Horizon: 0.1},
		{Name: "D", Primary: true, Verdict: verdict.Identical, Code: SameCode},
	}}
	r.Decide(false, false)
	testkit.Equal(t, r.Horizon, 0.2, "horizon")
}
