package ab

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

const (
	fastCode = "package a\n\nfunc F() (n int) {\n\tfor i := range 100 {\n\t\tn += i * n\n\t}\n\treturn n\n}\n"
	slowCode = "package a\n\nfunc F() (n int) {\n\tfor i := range 900 {\n\t\tn += i * n\n\t}\n\treturn n\n}\n"
	module   = "module example.com/a\n\ngo 1.22\n"
)

// benchmark returns a test file with a benchmark of F.
func benchmarkOf(name, statement string) string {
	return "package a\n\nimport \"testing\"\n\nfunc Benchmark" + name + "(b *testing.B) {\n\tfor range b.N {\n\t\t" +
		statement + "\n\t}\n}\n"
}

// noted reports whether a note of the report contains all texts.
func noted(r *report.Report, texts ...string) bool {
	return slices.ContainsFunc(r.Notes, func(note string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(note, text) })
	})
}

// A commit that adds a benchmark of its own is measured by it on both sides.
func TestBenchmarksOfTheHead(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode})
	commit(t, dir, "two", map[string]string{"a.go": slowCode, "a_test.go": benchmarkOf("F", "F()")})
	got := testkit.Must(Run(t.Context(), between(dir, "one", "two")))(t)
	row := find(t, got, "a.F", "sec/op")
	testkit.ErrorIf(t, row.Tests != report.HeadTests || row.Rounds < verdict.FirstLook || row.Delta < 1 ||
		!noted(got, "benchmarks added or changed: BenchmarkF", "both sides"), "%+v, notes %q", row, got.Notes)
	testkit.ErrorIf(t, math.Abs(float64(row.New/row.Old-1-row.Delta)) > 1e-9,
		"%v is not %v times 1+%v", row.New, row.Old, row.Delta)
	o := between(dir, "one", "two")
	o.Tests = report.OwnTests
	got = testkit.Must(Run(t.Context(), o))(t)
	testkit.ErrorIf(t, got.Verdict != verdict.Pass || !slices.Contains(got.New, "a.F"),
		"each with its own tests: %+v", got)
}

// Test files that need new internals stay away from the old side, without the benchmarks
// beside them.
func TestBenchmarksBesideNewInternals(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode, "a_test.go": benchmarkOf("F", "F()")})
	commit(t, dir, "two", map[string]string{"a.go": slowCode + "\nfunc g() {}\n",
		"a_test.go": benchmarkOf("F", "_ = F()"),
		"g_test.go": "package a\n\nimport \"testing\"\n\nfunc TestG(t *testing.T) { g() }\n"})
	commit(t, dir, "three", map[string]string{"a_test.go": benchmarkOf("F", "g()")})
	got := testkit.Must(Run(t.Context(), between(dir, "one", "two")))(t)
	testkit.Equal(t, find(t, got, "a.F", "sec/op").Tests, report.HeadTests, "%+v: tests", got)
	got = testkit.Must(Run(t.Context(), between(dir, "one", "three")))(t)
	testkit.ErrorIf(t, find(t, got, "a.F", "sec/op").Tests != report.OwnTests ||
		!noted(got, "do not compile", "undefined: g"), "%+v", got)
}

// A removed benchmark is missing, also where the head removes all. A changed one is identical where only tests differ,
// and a commit of changed tests alone passes.
func TestOnlyTestsDiffer(t *testing.T) {
	dir := newRepository(t)
	both := benchmarkOf("F", "F()") + strings.TrimPrefix(benchmarkOf("G", "F()"), "package a\n\nimport \"testing\"\n")
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode, "a_test.go": both})
	commit(t, dir, "changed", map[string]string{"a_test.go": strings.Replace(both, "F()\n", "F()\n\t\tF()\n", 1)})
	commit(t, dir, "removed", map[string]string{"a_test.go": benchmarkOf("F", "F()\n\t\tF()")})
	commit(t, dir, "all-removed", map[string]string{"a_test.go": ""})
	got, err := Run(t.Context(), between(dir, "one", "removed"))
	testkit.ErrorIf(t, err != nil || got.Verdict != verdict.Undecided || !noted(got, "BenchmarkF") ||
		find(t, got, "a.F", "sec/op").Verdict != verdict.Identical ||
		find(t, got, "a.G", "sec/op").Verdict != verdict.Missing, "%+v, %v", got, err)
	if !testkit.Long() {
		return // the tests of the command remove all
	}
	got, err = Run(t.Context(), between(dir, "one", "changed"))
	testkit.ErrorIf(t, err != nil || got.Verdict != verdict.Pass || got.Packages[0].State != report.Identical ||
		!noted(got, "BenchmarkF"), "%+v, %v", got, err)
	got, err = Run(t.Context(), between(dir, "one", "all-removed"))
	testkit.ErrorIf(t, err != nil || got.Verdict != verdict.Undecided || got.Packages[0].State != report.Gone ||
		find(t, got, "a.F", "sec/op").Verdict != verdict.Missing, "%+v, %v", got, err)
}
