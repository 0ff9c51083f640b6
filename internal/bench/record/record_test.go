package record

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/golden"
	"github.com/seed-09dcdc84/ur/results"
)

func exampleEnvironment() experiment.Environment {
	return experiment.Environment{
		CPU: "Example 9000", Family: 25, Model: 17, OS: "linux", Arch: "amd64", Cores: 4, Go: "go1.26.0",
		Commit: "0123456789abcdef0123456789abcdef01234567+dirty", Date: "2026-11-21T04:29:14Z", Command: "ur bench run --record",
	}
}

// row is a row of a benchmark with a time and the ends of its interval.
func row(suite, name, unit string, median float64) experiment.Row {
	return experiment.Row{
		Suite: suite, Name: name, Keys: experiment.Keys(name), Unit: unit, Clock: experiment.CPUClock, BenchTime: "25ms", Samples: 20,
		Median: median, Lo: median * 0.99, Hi: median * 1.01,
	}
}

// engineRow is a row of the ladder, with its ratio to a baseline.
func engineRow(engine string, level bench.Level, median, base float64) experiment.Row {
	r := row(bench.EnginesSuite, bench.BenchmarkName(level, engine), level.Unit(), median)
	r.Engine, r.Level, r.Baseline, r.Signature = engine, string(level), bench.Baseline, "0123456789abcdef"
	r.Ratio, r.RatioLo, r.RatioHi = median/base, median/base, median/base
	return r
}

// exampleResults are of all suites that are drawn, of a machine that does not exist.
func exampleResults() experiment.Results {
	r := experiment.NewResults(exampleEnvironment(), 1)
	for engine, speed := range map[string]float64{bench.Baseline: 1, "array8/scalar": 0.95, "lanes/avx2": 170} {
		r.Rows = append(r.Rows, engineRow(engine, bench.Value, 217/speed, 217), engineRow(engine, bench.Turn, 612/speed, 612), engineRow(engine, bench.Game, 140/speed, 140))
	}
	ladder := r.Rows
	r.Rows = nil
	for _, engine := range []string{bench.Baseline, "array8/scalar", "lanes/avx2"} { // in this order
		for _, one := range ladder {
			if one.Engine == engine {
				r.Rows = append(r.Rows, one)
			}
		}
	}
	for n := 1; n <= 10; n++ {
		pieces := "/pieces=" + strconv.Itoa(n)
		r.Rows = append(r.Rows, row("pieces", bench.BenchmarkName(bench.Value, bench.Baseline)+pieces, "ns/eval", 217))
		r.Rows = append(r.Rows, row("pieces", bench.BenchmarkName(bench.Value, "array8/scalar")+pieces, "ns/eval", float64(30+11*n)))
	}
	for n, perGame := range map[int]float64{1: 1, 2: 0.505, 4: 0.278} {
		one := row("scaling", "Scaling/board=lanes/eval=avx2/workers="+strconv.Itoa(n), "us/game", perGame)
		one.Metrics = map[string]float64{"games/s": bench.GamesPerSecond(perGame)}
		r.Rows = append(r.Rows, one)
	}
	scaling := r.Rows[len(r.Rows)-3:]
	for i, n := range []string{"1", "2", "4"} {
		for k := range scaling {
			if scaling[k].Keys["workers"] == n {
				scaling[i], scaling[k] = scaling[k], scaling[i]
			}
		}
	}
	return r
}

// exampleRecord is a record of the example, with a history of three runs: an engine is
// added in the second, and the work changes before the third.
func exampleRecord(t testing.TB) Record {
	t.Helper()
	r := Record{Slug: "a", Rows: withProvenance(exampleResults())}
	for k, at := range []struct{ date, commit string }{{"2026-11-01T10:00:00Z", "aaaaaaaaaaaaaaaaaaaa"}, {"2026-11-11T10:00:00Z", ""}, {"2026-11-21T04:29:14Z", "0123456789abcdef+dirty"}} {
		p := experiment.Provenance{Environment: exampleEnvironment()}
		p.Date, p.Commit = at.date, at.commit
		for _, one := range inHistory(r.Rows) {
			if one.Provenance = &p; k == 0 && one.Engine == "lanes/avx2" {
				continue
			}
			if k == 2 {
				one.Signature = "fedcba9876543210"
			}
			r.History = append(r.History, one)
		}
	}
	return r
}

func readText(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSlugTellsProcessorsApart(t *testing.T) {
	tests := []struct {
		environment experiment.Environment
		want        string
	}{
		{experiment.Environment{CPU: "AMD EPYC", Family: 25, Model: 17, Arch: "amd64"}, "amd-epyc-family25-model17-amd64"},
		{experiment.Environment{CPU: "Intel(R) Xeon(R) CPU @ 2.20GHz", Family: 6, Model: 79, Arch: "amd64"}, "intel-r-xeon-r-cpu-2-20ghz-family6-model79-amd64"},
		{experiment.Environment{CPU: "unknown", Arch: "arm64"}, "unknown-arm64"},
		{experiment.Environment{CPU: "../../etc", Arch: "386"}, "etc-386"},
	}
	for _, test := range tests {
		if got := test.environment.Slug(); got != test.want {
			t.Errorf("slug of %q is %q, want %q", test.environment.CPU, got, test.want)
		}
	}
}

func TestRecordIsReadBack(t *testing.T) {
	dir := t.TempDir()
	results := exampleResults()
	folder, err := Keep(dir, results)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"engines.json", "pieces.json", "scaling.json", "history.json"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v; want a file that others can read", name, info, err)
		}
	}
	records, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := withProvenance(results)
	want := []Record{{Slug: "example-9000-family25-model17-amd64", Rows: rows, History: inHistory(rows)}}
	if !reflect.DeepEqual(records, want) {
		t.Errorf("read back\n%+v\nwant\n%+v", records, want)
	}
}

// A partial run replaces its rows and no others, and leaves their provenance.
func TestKeepReplacesOnlyItsRows(t *testing.T) {
	dir := t.TempDir()
	if _, err := Keep(dir, exampleResults()); err != nil {
		t.Fatal(err)
	}
	e := exampleEnvironment()
	e.Commit, e.Date, e.Command = "fedcba", "2026-12-01T00:00:00Z", "ur bench run --engine lanes/avx2 --level game --record"
	part := experiment.NewResults(e, 2)
	part.Rows = []experiment.Row{engineRow("lanes/avx2", bench.Game, 0.5, 140), engineRow("new/one", bench.Game, 0.25, 140)}
	if _, err := Keep(dir, part); err != nil {
		t.Fatal(err)
	}
	records, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := records[0]
	if len(r.Suite(bench.EnginesSuite)) != 10 || len(r.Suite("pieces")) != 20 || len(r.Suite("scaling")) != 3 {
		t.Errorf("%d rows", len(r.Rows))
	}
	for _, one := range r.Rows {
		measured := one.Level == "game" && (one.Engine == "lanes/avx2" || one.Engine == "new/one")
		if p := one.Provenance; (p.Commit == "fedcba") != measured || (p.Seed == 2) != measured || (p.Command == e.Command) != measured || p.CPU != e.CPU {
			t.Errorf("%s has the provenance %+v", one.Name, p)
		}
	}
	if first, _ := r.Find("lanes/avx2", bench.Game); first.Median != 0.5 {
		t.Errorf("row %+v, want 0.5", first)
	}
	if n := len(measurements(r.History)); n != 2 || len(r.History) != 8 {
		t.Errorf("%d rows of %d runs in the history, want 8 of 2", len(r.History), n)
	}
	if origin := Origin(r.Suite(bench.EnginesSuite), "one core"); !strings.Contains(origin, "commit 0123456789ab+dirty and go1.26.0, commit fedcba, 20 samples") {
		t.Errorf("origin %q does not name both commits", origin)
	}
}

// A record that cannot be read is an error, and nothing of it is replaced.
func TestUnreadableRecordsAreNotReplaced(t *testing.T) {
	for name, text := range map[string]string{
		"pieces.json":  "{",
		"engines.json": `{"schema":"ur.ladder/1"}`,
		"scaling.json": `{"schema":"ur.record/1","suite":"scaling","rows":[{"suite":"scaling","name":"A","unit":"ns/op"}]}`,
		"history.json": "{}\n",
	} {
		dir := t.TempDir()
		folder, err := Keep(dir, exampleResults())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		other := "pieces.json"
		if name == other {
			other = "engines.json"
		}
		before := readText(t, folder, other)
		again := exampleResults()
		again.Date = "2026-12-01T00:00:00Z"
		if _, err := Keep(dir, again); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want one about the file", name, err)
		}
		if got := readText(t, folder, name); got != text || readText(t, folder, other) != before {
			t.Errorf("%s became %q, or another file changed", name, got)
		}
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is read: %v", name, err)
		}
	}
}

// Figures that no file can hold leave the old record whole.
func TestFailedRecordLeavesTheOldOne(t *testing.T) {
	dir := t.TempDir()
	folder, err := Keep(dir, exampleResults())
	if err != nil {
		t.Fatal(err)
	}
	before := readText(t, folder, "engines.json")
	broken := exampleResults()
	broken.Seed, broken.Rows[len(broken.Rows)-1].Median = 99, math.Inf(1)
	if _, err := Keep(dir, broken); err == nil {
		t.Error("infinity is kept")
	}
	if readText(t, folder, "engines.json") != before {
		t.Error("a failed record replaced rows")
	}
}

// A record has a row a line, each with where it comes from.
func TestEveryRowHasItsProvenance(t *testing.T) {
	records, err := Read(filepath.Join("..", "..", "..", "results"))
	if err != nil || len(records) < 2 {
		t.Fatalf("%d records of this module: %v", len(records), err)
	}
	for _, r := range records {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "results", r.Slug, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			suite := strings.TrimSuffix(filepath.Base(name), ".json")
			if len(r.Suite(suite)) == 0 && suite != historySuite && suite != "profile" {
				t.Errorf("%s is read by no suite", name)
			}
		}
		suites := experiment.Distinct(slices.Concat(r.Rows, r.History), func(row experiment.Row) string { return row.Suite })
		for _, suite := range suites {
			rows := experiment.OfSuite(slices.Concat(r.Rows, r.History), suite)
			text := readText(t, "..", "..", "..", "results", r.Slug, suite+".json")
			if n := strings.Count(text, "\n"); n != len(rows)+2 {
				t.Errorf("%s/%s.json has %d lines of %d rows", r.Slug, suite, n, len(rows))
			}
			for _, key := range []string{`"cpu":`, `"features":`, `"go":`, `"commit":`, `"date":`, `"command":`} {
				if n := strings.Count(text, key); n < len(rows) {
					t.Errorf("%s/%s.json has %d %s of %d rows", r.Slug, suite, n, key, len(rows))
				}
			}
		}
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no records") {
		t.Errorf("empty folder: %v", err)
	}
	folder := filepath.Join(dir, "cpu")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("folder without files: %v", err)
	}
	const good = `{"schema":"ur.record/1","suite":"search","rows":[{"suite":"search","name":"A","unit":"ns/op","provenance":{}}]}`
	for change, want := range map[[2]string]string{
		{`"name":"A","unit":"ns/op",`, ""}:          "row 1: missing name or unit",
		{`"suite":"search",`, `"suite":"nets",`}:    `the suite is "nets"`,
		{`ur.record/1`, `ur.record/0`}:              `the schema is "ur.record/0" (want "ur.record/1")`,
		{`,"provenance":{}`, ""}:                    "A has no provenance",
		{`"provenance"`, `"median":1,"provenance"`}: "invalid figure and interval",
		{`]}`, ``}: "unexpected end of JSON",
		{`{"suite":"search","name"`, `{"suite":"x","name"`}: `row 1: the suite is "x"`,
	} {
		if err := os.WriteFile(filepath.Join(folder, "search.json"), []byte(strings.Replace(good, change[0], change[1], 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "search.json") {
			t.Errorf("%q: error %v, want %q", change, err, want)
		}
	}
}

// The history has the rows of every run once, with its date.
func TestHistoryKeepsEveryRun(t *testing.T) {
	dir, results := t.TempDir(), exampleResults()
	for _, date := range []string{"2026-11-21T04:29:14Z", "2026-11-22T04:29:14Z", "2026-11-22T04:29:14Z"} {
		results.Date = date
		if _, err := Keep(dir, results); err != nil {
			t.Fatal(err)
		}
	}
	records, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(measurements(records[0].History)); n != 2 || len(records[0].History) != 12 || len(records[0].Suite(bench.EnginesSuite)) != 9 {
		t.Errorf("%d rows of %d runs in the history, want 12 of 2", len(records[0].History), n)
	}
}

// The numbers of a tree have their paths as names.
func TestFigures(t *testing.T) {
	got, err := Figures(map[string]any{"a": map[string]any{"b": 1, "text": "x"}, "c": []any{2, nil, []int{3}}, "yes": true})
	if want := map[string]float64{"a.b": 1, "c.0": 2, "c.2.0": 3}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if _, err := Figures(math.NaN()); err == nil {
		t.Error("a value without a JSON form has figures")
	}
}

// Of rows measured on several machines the latest counts, at the place of the first.
func TestSuiteIsOfAllMachines(t *testing.T) {
	at := func(name, date string) experiment.Row {
		r := row("levels", name, "points", 1)
		r.Provenance = &experiment.Provenance{Environment: experiment.Environment{Date: date}}
		return r
	}
	records := []Record{
		{Rows: []experiment.Row{at("A", "2026-11-02"), at("B", "2026-11-01"), row("pieces", "A", "ns", 1)}},
		{Rows: []experiment.Row{at("B", "2026-11-02"), at("A", "2026-11-01"), at("C", "2026-11-01")}},
	}
	var got []string
	for _, r := range Suite(records, "levels") {
		got = append(got, r.Name+" "+r.Provenance.Date)
	}
	if want := []string{"A 2026-11-02", "B 2026-11-02", "C 2026-11-01"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReport(t *testing.T) {
	one, two := exampleRecord(t), exampleRecord(t)
	other := *two.Rows[0].Provenance
	other.CPU, other.Family, other.Model = "Other 1", 0, 0
	for i := range two.Rows {
		two.Rows[i].Provenance = &other
	}
	var text bytes.Buffer
	if err := WriteReport(&text, []Record{one, two}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "report.md", text.Bytes())
}

func TestReadEnvironment(t *testing.T) {
	e := experiment.ReadEnvironment()
	if e.CPU == "" || e.Cores < 1 || e.OS == "" || e.Arch == "" || e.Go == "" || e.Date == "" || e.Command == "" {
		t.Errorf("environment %+v has holes", e)
	}
}

// The records in the program have the ladder and its history.
func TestEmbeddedRecords(t *testing.T) {
	records, err := ReadFS(results.Records)
	if err != nil {
		t.Fatal(err)
	}
	r := records[0]
	if _, ok := r.Find(bench.Baseline, bench.Game); !ok || len(measurements(r.History)) == 0 || len(r.Plots()) != len(plotNames()) {
		t.Errorf("%s has %d rows, %d of the history, %d plots", r.Slug, len(r.Rows), len(r.History), len(r.Plots()))
	}
}
