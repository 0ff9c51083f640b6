package ab

import (
	"bytes"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

const (
	fastCode = "package a\n\nfunc F() (n int) {\n\tfor i := range 100 {\n\t\tn += i * n\n\t}\n\treturn n\n}\n"
	slowCode = "package a\n\nfunc F() (n int) {\n\tfor i := range 900 {\n\t\tn += i * n\n\t}\n\treturn n\n}\n"
	module   = "module example.com/a\n\ngo 1.22\n"
)

// benchmark returns a test file with a benchmark of F.
func benchmarkOf(name, statement string) string {
	return "package a\n\nimport \"testing\"\n\nfunc Benchmark" + name + "(b *testing.B) {\n\tfor range b.N {\n\t\t" + statement + "\n\t}\n}\n"
}

// noted reports whether a note of the report contains all texts.
func noted(r *Report, texts ...string) bool {
	return slices.ContainsFunc(r.Notes, func(note string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(note, text) })
	})
}

// A commit that adds a benchmark of its own is measured by it on both sides.
func TestBenchmarksOfTheHead(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures")
	}
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode})
	commit(t, dir, "two", map[string]string{"a.go": slowCode, "a_test.go": benchmarkOf("F", "F()")})
	report, err := Run(t.Context(), between(dir, "one", "two"))
	if err != nil {
		t.Fatal(err)
	}
	row := find(t, report, "a.F", "sec/op")
	if row.Tests != HeadTests || row.Rounds < verdict.FirstLook || row.Delta < 1 || !noted(report, "benchmarks added or changed: BenchmarkF", "both sides") {
		t.Errorf("%+v, notes %q", row, report.Notes)
	}
	if math.Abs(row.New/row.Old-1-row.Delta) > 1e-9 {
		t.Errorf("%v is not %v times 1+%v", row.New, row.Old, row.Delta)
	}
	o := between(dir, "one", "two")
	o.Tests = OwnTests
	if report, err = Run(t.Context(), o); err != nil || report.Verdict != verdict.Nothing {
		t.Errorf("each with its own tests: %+v, %v", report, err)
	}
}

// Test files that need new internals stay away from the old side, without the benchmarks
// beside them.
func TestBenchmarksBesideNewInternals(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures")
	}
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode, "a_test.go": benchmarkOf("F", "F()")})
	commit(t, dir, "two", map[string]string{"a.go": slowCode + "\nfunc g() {}\n", "a_test.go": benchmarkOf("F", "_ = F()"),
		"g_test.go": "package a\n\nimport \"testing\"\n\nfunc TestG(t *testing.T) { g() }\n"})
	commit(t, dir, "three", map[string]string{"a_test.go": benchmarkOf("F", "g()")})
	report, err := Run(t.Context(), between(dir, "one", "two"))
	if err != nil || find(t, report, "a.F", "sec/op").Tests != HeadTests {
		t.Errorf("%+v, %v", report, err)
	}
	report, err = Run(t.Context(), between(dir, "one", "three"))
	if err != nil || find(t, report, "a.F", "sec/op").Tests != OwnTests || !noted(report, "do not compile", "undefined: g") {
		t.Errorf("%+v, %v", report, err)
	}
}

// A benchmark that the head removes is missing. Where it removes all, those of the base are
// measured on both sides.
func TestRemovedBenchmarks(t *testing.T) {
	dir := newRepository(t)
	both := benchmarkOf("F", "F()") + strings.TrimPrefix(benchmarkOf("G", "F()"), "package a\n\nimport \"testing\"\n")
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode, "a_test.go": both})
	commit(t, dir, "two", map[string]string{"a_test.go": benchmarkOf("F", "F()")})
	commit(t, dir, "three", map[string]string{"a_test.go": ""})
	report, err := Run(t.Context(), between(dir, "one", "two"))
	if err != nil || report.Verdict != verdict.Undecided || find(t, report, "a.G", "sec/op").Verdict != verdict.Missing {
		t.Errorf("%+v, %v", report, err)
	}
	report, err = Run(t.Context(), between(dir, "one", "three"))
	if err != nil || report.Verdict != verdict.Pass || report.Packages[0].State != IdenticalState || !noted(report, "those of the base") {
		t.Errorf("%+v, %v", report, err)
	}
}

// A benchmark with another name is not removed.
func TestRenamedBenchmarks(t *testing.T) {
	changed, removed := compareBenchmarks(map[string][]byte{"a_test.go": []byte(benchmarkOf("G", "F()"))}, map[string][]byte{"b_test.go": []byte(benchmarkOf("F", "F()"))})
	if !slices.Equal(changed, []string{"BenchmarkG"}) || removed != nil {
		t.Errorf("changed %q, removed %q", changed, removed)
	}
}

// A commit that changes only tests leaves nothing to measure, and passes.
func TestOnlyTestsDiffer(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode, "a_test.go": benchmarkOf("F", "F()")})
	commit(t, dir, "two", map[string]string{"a_test.go": benchmarkOf("F", "F()\n\t\tF()")})
	report, err := Run(t.Context(), between(dir, "one", "two"))
	if err != nil || report.Verdict != verdict.Pass || report.Packages[0].State != IdenticalState || !noted(report, "BenchmarkF") {
		t.Errorf("%+v, %v", report, err)
	}
}

// Files that programs read or are built with count as sources, documentation does not.
func TestDataCounts(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "zero", map[string]string{"go.mod": module, "a.go": "package main\n\nfunc main() {}\n", "p/p.go": "package p\n", "README.md": "one",
		"a_test.go":   "package main\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) {}\n",
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc BenchmarkP(b *testing.B) {}\n"})
	last := fingerprints(t, dir)
	for _, test := range []struct {
		file           string
		aDiffs, pDiffs bool
	}{
		{"README.md", false, false}, {"docs/x.md", false, false}, {".github/workflows/x.yml", false, false}, {"LICENSE", false, false},
		{"words.txt", true, false}, {"p/words.txt", true, true}, {"testdata/x", true, true}, {"default.pgo", true, false}, {"go.sum", true, true},
	} {
		path := filepath.Join(dir, test.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("two"), 0o666); err != nil {
			t.Fatal(err)
		}
		now := fingerprints(t, dir)
		if (now[0] != last[0]) != test.aDiffs || (now[1] != last[1]) != test.pDiffs {
			t.Errorf("%s: main differs %v, p differs %v", test.file, now[0] != last[0], now[1] != last[1])
		}
		last = now
	}
}

// An external test may import packages that import the package under test. Go builds variants of
// them, and lists the plain ones only if a pattern matches them.
func TestVariantsCount(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "zero", map[string]string{"go.mod": module, "a.go": "package a\n", "p/p.go": "package p\n\nimport (\n\t_ \"example.com/a\"\n\t_ \"example.com/a/p/q\"\n)\n",
		"p/q/q.go":  "package q\n\nimport _ \"example.com/a\"\n",
		"a_test.go": "package a_test\n\nimport (\n\t\"testing\"\n\n\t_ \"example.com/a/p\"\n)\n\nfunc BenchmarkF(b *testing.B) {}\n", "in_test.go": "package a\n\nvar Internal = 1\n",
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc BenchmarkP(b *testing.B) {}\n"})
	for _, patterns := range [][]string{{"."}, nil} {
		last := fingerprintOf(t, dir, "example.com/a", patterns...)
		for _, file := range []string{"p/q/q.go", "p/p.go"} {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, file), append(text, "\nvar X = 1\n"...), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			now := fingerprintOf(t, dir, "example.com/a", patterns...)
			if now == last {
				t.Errorf("%v: a change of %s makes no difference", patterns, file)
			}
			if err := os.WriteFile(filepath.Join(dir, file), text, 0o666); err != nil {
				t.Fatal(err)
			}
			last = fingerprintOf(t, dir, "example.com/a", patterns...)
		}
	}
}

// fingerprints returns those of the packages example.com/a and example.com/a/p.
func fingerprints(t *testing.T, dir string) (prints [2]string) {
	t.Helper()
	for i, path := range []string{"example.com/a", "example.com/a/p"} {
		prints[i] = fingerprintOf(t, dir, path)
	}
	return prints
}

// fingerprintOf returns the fingerprint of a package in the tree of a folder.
func fingerprintOf(t *testing.T, dir, path string, patterns ...string) string {
	t.Helper()
	s, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	o := DefaultOptions()
	o.Packages = patterns
	tree := newTree(dir, ".", &o, s)
	if err := tree.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	print, err := tree.fingerprint(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(print)
}

// Paths stay in binaries whose packages ask for them; other packages do not matter.
func TestCallerKeepsPaths(t *testing.T) {
	dir := newRepository(t)
	o := DefaultOptions()
	s, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	tree := newTree(dir, ".", &o, s)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": fastCode, "a_test.go": testOfF, "other/other.go": "package other\n\nimport \"runtime\"\n\nvar _, file, _, _ = runtime.Caller(0)\n"})
	commit(t, dir, "two", map[string]string{"b_test.go": "package a\n\nimport \"runtime\"\n\nvar _, file, _, _ = runtime.Caller(0)\n"})
	for tag, trims := range map[string]bool{"one": true, "two": false} {
		git(t, dir, "checkout", "-q", tag)
		if err := tree.list(t.Context()); err != nil {
			t.Fatal(err)
		}
		if args := tree.goCommand("test").args; slices.Contains(args, "-trimpath") != trims || !slices.Contains(args, "-vet=off") {
			t.Errorf("%s: %q", tag, args)
		}
	}
	o.BuildFlags = []string{"-vet=all"}
	if args := tree.goCommand("list").args; slices.Contains(args, "-vet=all") {
		t.Errorf("go list has no flag -vet: %q", args)
	}
}

// A toolchain that another go.mod asked for does not build the project.
func TestSwitchedToolchainIsSkipped(t *testing.T) {
	dir := t.TempDir()
	var path []string
	for _, name := range []string{"mod/golang.org/toolchain@v0.0.1-go1.99.0.linux-amd64/bin", "go/bin"} {
		bin := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(bin, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"go", "go.exe"} {
			if err := os.WriteFile(filepath.Join(bin, file), nil, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		path = append(path, bin)
	}
	if got := findGo(strings.Join(path, string(filepath.ListSeparator))); filepath.Dir(got) != path[1] {
		t.Errorf("go is %s, want that of %s", got, path[1])
	}
	if got := findGo(path[0]); got != "go" {
		t.Errorf("go is %s, want go", got)
	}
}

func TestEstimates(t *testing.T) {
	before, after := estimates([]float64{1, 2, 4}, []float64{1, 2, 4}, 0.21)
	if math.Abs(after/before-1.21) > 1e-12 || math.Abs(before*after-4) > 1e-12 {
		t.Errorf("%v and %v", before, after)
	}
	if before, _ := estimates([]float64{0, 1}, []float64{1, 1}, 0); !math.IsNaN(before) {
		t.Errorf("of a figure of 0: %v", before)
	}
}

func TestChosenBenchmarks(t *testing.T) {
	o := DefaultOptions()
	o.Exclude, o.Advisory = `\.Slow$`, "Wait"
	if !o.isExcluded("a.Slow") || o.isExcluded("a.Slower") || !o.isAdvisory("a.Wait/1") || o.isAdvisory("a.Slow") {
		t.Error("a pattern chooses other benchmarks")
	}
	r := &runner{options: o, report: &Report{Rows: []Row{
		{Name: "a.Wait", Verdict: verdict.Slower, Reason: "why"}, {Name: "a.Wait", Verdict: verdict.Faster}, {Name: "a.B", Verdict: verdict.Undecided},
	}}}
	r.completeRows()
	var got []string
	for _, row := range r.report.Rows {
		got = append(got, string(row.Verdict)+" "+row.Reason)
	}
	if want := []string{"advisory slower, but declared not to count: why", "faster ", "undecided "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestJUnit(t *testing.T) {
	r := &Report{Rows: []Row{
		{Name: "a.<B>", Unit: "sec/op", Verdict: verdict.Slower, Delta: 0.1, Lo: 0.08, Hi: 0.11},
		{Name: "a.C", Unit: "sec/op", Verdict: verdict.Undecided, Reason: "noise"},
		{Name: "a.D", Unit: "sec/op", Verdict: verdict.NotSlower},
	}, Packages: []*Package{{Path: "x", State: Failed, Error: "syntax error"}}, Verdict: verdict.Slower}
	var out bytes.Buffer
	if err := r.Write(&out, "junit"); err != nil {
		t.Fatal(err)
	}
	var s suiteXML
	if err := xml.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if s.Tests != 4 || s.Failures != 2 || s.Skipped != 1 || s.Cases[0].Name != "a.<B>" || !strings.Contains(s.Cases[0].Failure.Message, "+10.00%") {
		t.Errorf("%+v", s)
	}
}
