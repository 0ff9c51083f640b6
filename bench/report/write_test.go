package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// write returns a report in a format.
func write(t *testing.T, r *Report, format string) string {
	t.Helper()
	return testkit.Written(t, func(w io.Writer) error { return r.Write(w, format) })
}

// A slower row points at the changed functions, one that is too noisy gets a warning.
func TestAnnotations(t *testing.T) {
	r := &Report{Rows: []Row{
		{Name: "p.F/x", Unit: "sec/op", Verdict: verdict.Slower, Delta: 0.1, Lo: 0.08, Hi: 0.12, Rounds: 10,
			Places: []Place{{"example.com/a/p.F", "p/a.go", 5}}}, {Name: "p.G", Verdict: verdict.Slower},
		{Name: "p.F/z", Unit: "sec/op", Verdict: verdict.Slower, Delta: 0.05,
			Places:    []Place{{"example.com/a/p.F", "p/a.go", 5}, {"example.com/a/p.NotCalled", "p/a.go", 7}},
			Functions: []Function{{Name: "example.com/a/p.F", More: 7}}},
		{Name: "p.F/y", Unit: "allocs/op", Verdict: verdict.Slower, Delta: 1,
			Places: []Place{{"example.com/a/p.F", "p/a.go", 5}}}, // it has its annotation
		{Name: "p.F/x", Verdict: verdict.Faster},
		{Name: "p.F/x", Unit: CountUnit, Verdict: verdict.MoreWork, Delta: 0.09, Lo: 0.09, Hi: 0.09, Rounds: 2},
		{Name: "p.F/x", Verdict: verdict.Undecided, Reason: "noise", Detectable: 0.5, Primary: true},
		{Name: "p.H", Verdict: verdict.Undecided, Detectable: 0.1},
	}}
	r.Decide(false, false)
	lines := strings.Split(strings.TrimSpace(write(t, r, "github")), "\n")
	const first = "::error file=p/a.go,line=5,title=benchmark slower::p.F/x +10.0%25 [+8.00%2C +12.0] sec/op" +
		"%0Ainstructions/op%3A +9.00%25 [+9.00%2C +9.00]%2C more-work"
	testkit.ErrorIf(t, len(lines) != 3 || !strings.HasPrefix(lines[0], first) ||
		!strings.HasPrefix(lines[1], "::error title=") || !strings.HasPrefix(lines[2], "::warning"), "%q", lines)
}

// Losses without a place, as of files, have an annotation each.
func TestAnnotationsWithoutPlaces(t *testing.T) {
	r := &Report{Rows: []Row{{Name: "p.F", Unit: "sec/op", Verdict: verdict.Slower, Delta: 0.2}, {Name: "p.G", Unit: "sec/op", Verdict: verdict.Slower, Delta: 0.1},
		{Name: "p.F", Unit: "B/op", Verdict: verdict.Slower, Delta: 0.1}}}
	r.Decide(false, false)
	testkit.Equal(t, strings.Count(write(t, r, "github"), "::error title=benchmark slower::p."), 2, "annotations")
}

// The unchanged benchmarks are counted, not their units, without those that another unit shows to be slower.
func TestUnchangedBenchmarks(t *testing.T) {
	r := new(Report)
	for i := range 20 {
		for _, unit := range []string{TimeUnit, BytesUnit, AllocsUnit} {
			row := Row{Name: fmt.Sprint("p.F", i), Unit: unit, Verdict: verdict.NotSlower, Primary: true, Rounds: 9}
			if i == 7 && unit == BytesUnit {
				row.Verdict = verdict.Slower
			}
			r.Rows = append(r.Rows, row)
		}
	}
	r.Decide(false, false)
	_, quiet := selectShown(r)
	testkit.WantText(t, quiet, "Unchanged: 19 benchmarks, by at most 0.00 %: p.F0, p.F1, p.F2, p.F3, p.F4 and 14 more.")
}

// A text names the reason for an undecided run once, and an annotation has one although no benchmark was judged. Where
// another judge decides, the reason names the unit, and a benchmark it has decided needs no row without figures.
func TestReasonsOfUndecidedRuns(t *testing.T) {
	noisy := &Report{Rows: []Row{{Name: "p.F", Unit: "sec/op", Verdict: verdict.Undecided, Reason: "noise", Detectable: 0.5,
		Primary: true}}}
	noisy.Decide(false, false)
	counted := &Report{Rows: []Row{
		{Name: "p.F", Unit: "sec/op", Verdict: verdict.Undecided, Reason: "noise", Detectable: 0.5, Rounds: 3},
		{Name: "p.F", Unit: "allocs/op", Verdict: verdict.Undecided, Detectable: 9, Reason: "noise: it has no row"},
		{Name: "p.F", Unit: "instructions/op", Verdict: verdict.NotMoreWork, Primary: true}}}
	counted.Decide(false, false)
	empty := &Report{Notes: []string{"no time: the builds take long"}, Verdict: verdict.Undecided}
	for _, test := range []struct {
		report       *Report
		format, want string
	}{
		{noisy, "text", "Undecided: noise (p.F)."}, {noisy, "markdown", "Undecided: noise (p.F)."},
		{counted, "text", "Undecided in sec/op: noise (p.F)."},
		{empty, "github", "::warning title=benchmarks not judged::no time%3A the builds take long"},
	} {
		out := write(t, test.report, test.format)
		testkit.ErrorIf(t, strings.Count(out, test.want) != 1 || strings.Count(out, "noise") > 1,
			"%s: not once %q in\n%s", test.format, test.want, out)
	}
}

// Many benchmarks whose times are noise have no lines where the count decides them, but for those that show a change.
func TestNoiseBesideCounts(t *testing.T) {
	r := new(Report)
	for i := range mostShown + 1 {
		name := fmt.Sprintf("p.F%02d", i)
		noise := Row{Name: name, Unit: TimeUnit, Verdict: verdict.Undecided, Reason: "noise", Delta: 0.05, Lo: -0.3,
			Hi: 0.4, Detectable: 0.5, Rounds: 9}
		switch i {
		case 7:
			noise.Lo = 0.01
		case 9:
			noise.Hi = -0.01
		}
		r.Rows = append(r.Rows, noise,
			Row{Name: name, Unit: CountUnit, Verdict: verdict.NotMoreWork, Judge: verdict.ByCount, Rounds: 2,
				Primary: true})
	}
	r.Decide(false, false)
	shown, quiet := selectShown(r)
	testkit.Equal(t, strings.Join(rowNames(shown), " "), "p.F07 p.F09", "rows")
	testkit.ErrorIf(t, !strings.HasPrefix(quiet, "Unchanged: 13 benchmarks"), "%q", quiet)
	const names = "Undecided in sec/op: noise (p.F00, p.F01, p.F02, p.F03, p.F04 and 8 more)."
	testkit.ErrorIf(t, !strings.Contains(strings.ReplaceAll(write(t, r, "text"), "\n", " "), names), "not %q", names)
	one := &Report{Rows: r.Rows[:2]}
	one.Decide(false, false)
	shown, _ = selectShown(one)
	testkit.Equal(t, len(shown), 2, "rows of one benchmark")
}

// Huge figures, and long names and units, leave a table that a terminal shows.
func TestWideTable(t *testing.T) {
	r := &Report{Rows: []Row{
		{Name: "p." + strings.Repeat("Long", 30), Unit: TimeUnit, Old: 1e300, New: 1.5e300, Delta: 0.5, Lo: 0.4, Hi: 0.6},
		{Name: "p.F", Unit: strings.Repeat("latency-", 8) + "x/op", Old: 1e-30, New: 1e30, Delta: 1e60, Lo: 1e59, Hi: 1e61},
	}}
	for i := range r.Rows {
		r.Rows[i].Verdict, r.Rows[i].Primary, r.Rows[i].Rounds = verdict.Slower, true, 10
	}
	for line := range strings.Lines(write(t, r, "text")) {
		testkit.ErrorIf(t, utf8.RuneCountInString(line) > columns+1, "%d characters: %s", utf8.RuneCountInString(line), line)
	}
}

// The object has every field that other programs read, also where it is empty.
func TestFieldsOfJSON(t *testing.T) {
	r := &Report{Rows: []Row{NewRow("p.F", 0.03, verdict.Undecided, "")},
		Packages: []*Package{{Path: "p", State: Measured}}, Measurement: Measurement{Go: "go1.26", CPU: "x", GOMAXPROCS: 2}}
	row := &r.Rows[0]
	row.Clock, row.Tests, row.Code, row.Judge, row.Primary = CPU, HeadTests, ChangedCode, verdict.ByTime, true
	r.Decide(false, false)
	text := []byte(write(t, r, "json"))
	var all struct {
		Packages, Rows []map[string]any
		Benchmarks     map[string]any
	}
	var top map[string]any
	for _, into := range []any{&all, &top} {
		testkit.NoError(t, json.Unmarshal(text, into))
	}
	for fields, object := range map[string]map[string]any{
		"schema base head go cpu gomaxprocs flags limit rounds layouts counter seeds": top,
		"seconds packages benchmarks rows verdict":                                    top,
		"path state":                all.Packages[0],
		"reached judged not_judged": all.Benchmarks,
		"name unit clock tests code old new delta lo hi n verdict judge": all.Rows[0],
	} {
		for field := range strings.FieldsSeq(fields) {
			value, ok := object[field]
			testkit.ErrorIf(t, !ok || value == nil && !strings.Contains("old new delta lo hi", field),
				"field %q is %v", field, value)
		}
	}
}

// The rows of many missing benchmarks have no fields without a value.
func TestManyMissing(t *testing.T) {
	r := &Report{}
	for i := range 1192 {
		row := NewRow(fmt.Sprintf("package.Benchmark/with=a/long=name/%04d", i), 0.03, verdict.Missing, "the head removes it")
		row.Primary = true
		r.Rows = append(r.Rows, row)
	}
	r.Decide(false, false)
	out := write(t, r, "json")
	testkit.ErrorIf(t, len(out) > 300_000 || strings.Count(out, `"verdict":"missing"`) != 1192, "%d bytes: %.300s", len(out), out)
}

// A benchmark that only the new side has is a row, and the last lines count it.
func TestNewRow(t *testing.T) {
	r := &Report{Rows: []Row{{Name: "p.F", Primary: true, Verdict: verdict.NotSlower, Rounds: 10}}}
	r.AddNew(AddedRow("p.G", TimeUnit, 1.2e-6, ""))
	r.Decide(false, false)
	testkit.WantText(t, strings.Join(strings.Fields(write(t, r, "text")), " "), "p.G sec/op 1.20 µs 0 new", "1 benchmark is new.")
	testkit.WantText(t, write(t, r, "json"), `"new":["p.G"]`, `"name":"p.G"`, `"verdict":"new"`)
}

// Names are cut where they are the same.
func TestShortenNames(t *testing.T) {
	for _, names := range [][]string{
		{"ObjectGet/items_10/lookups_0", "ObjectGet/items_100/lookups_0", "ObjectGet/items_100000/lookups_0"},
		{"benchmark.UniqKeys/single_1000", "benchmark.UniqKeys/single_1", "benchmark.UniqKeysBy/single_1"},
		{"a.Get/some/long/name/of/a/case/1", "a.Get/some/long/name/of/a/case/2", "b.Get/some/long/name/of/a/case/1"},
	} {
		for most := 20; most <= 60; most += 5 {
			short := shortenNames(names, most)
			for i, name := range short {
				testkit.ErrorIf(t, slices.Contains(short[:i], name) ||
					utf8.RuneCountInString(name) > max(most, len(names[i])), "%d characters: %q", most, short)
			}
		}
	}
	long := []string{"p.Read/with/some/long/words/in/front/1", "p.Read/with/some/long/words/in/front/2"}
	short := shortenNames(long, 20)
	testkit.Equal(t, utf8.RuneCountInString(short[0]), 20, "characters of %q", short[0])
}
