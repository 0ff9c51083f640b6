package record

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

func exampleEnvironment() Environment {
	return Environment{
		CPU: "Example 9000", Family: 25, Model: 17, OS: "linux", Arch: "amd64", Cores: 4, Go: "go1.26.0",
		Commit: "0123456789abcdef0123456789abcdef01234567+dirty", Date: "2026-11-21T04:29:14Z",
		Command: "ur bench run --record",
	}
}

// row is a row of a benchmark with a time and the ends of its interval.
func row(suite, name, unit string, median float64) Row {
	return Row{
		Suite: suite, Name: name, Keys: report.Keys(name), Unit: unit, Clock: "cpu", BenchTime: "25ms", Samples: 20,
		Median: median, Lo: median * 0.99, Hi: median * 1.01,
	}
}

// engineRow is a row of the ladder, with its ratio to a baseline.
func engineRow(engine, level string, median, base float64) Row {
	r := row("engines", level+"/engine="+engine, "ns/op", median)
	r.Engine, r.Level, r.Baseline, r.Signature = engine, level, "plain", "0123456789abcdef"
	r.Ratio, r.RatioLo, r.RatioHi = median/base, median/base, median/base
	return r
}

// exampleResults are of several suites, of a machine that does not exist.
func exampleResults() Results {
	r := NewResults(exampleEnvironment(), 1)
	for _, engine := range []string{"plain", "bytes", "lanes"} {
		speed := float64(len(engine))
		r.Rows = append(r.Rows, engineRow(engine, "value", 217/speed, 217), engineRow(engine, "turn", 612/speed, 612),
			engineRow(engine, "game", 140/speed, 140))
	}
	r.Rows = append(r.Rows, row("pieces", "value/engine=plain/pieces=1", "ns/eval", 217),
		row("scaling", "Scaling/workers=1", "us/game", 1))
	return r
}

// withProvenance are the rows of results, each with its provenance.
func withProvenance(results Results) (rows []Row) {
	for _, row := range results.Rows {
		row.Provenance = &results.Provenance
		rows = append(rows, row)
	}
	return rows
}

func TestSlugTellsProcessorsApart(t *testing.T) {
	for _, test := range []struct {
		environment Environment
		want        string
	}{
		{Environment{CPU: "AMD EPYC", Family: 25, Model: 17, Arch: "amd64"}, "amd-epyc-family25-model17-amd64"},
		{Environment{CPU: "Intel(R) Xeon(R) CPU @ 2.20GHz", Family: 6, Model: 79, Arch: "amd64"},
			"intel-r-xeon-r-cpu-2-20ghz-family6-model79-amd64"},
		{Environment{CPU: "unknown", Arch: "arm64"}, "unknown-arm64"},
		{Environment{CPU: "../../etc", Arch: "386"}, "etc-386"},
	} {
		testkit.Equal(t, test.environment.slug(), test.want, "slug of %q", test.environment.CPU)
	}
}

func TestRecordIsReadBack(t *testing.T) {
	dir := t.TempDir()
	results := exampleResults()
	folder := testkit.Must(Keep(dir, results))(t)
	for _, name := range []string{"engines.json", "pieces.json", "scaling.json"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v; want a file that others can read", name, info, err)
		}
	}
	rows, err := Read(dir)
	if want := withProvenance(results); err != nil || filepath.Base(folder) != "example-9000-family25-model17-amd64" ||
		!reflect.DeepEqual(rows, want) {
		t.Errorf("%s, %v: read back\n%+v\nwant\n%+v", folder, err, rows, want)
	}
}

// A partial run replaces its rows and no others, and leaves their provenance.
func TestKeepReplacesOnlyItsRows(t *testing.T) {
	dir := t.TempDir()
	testkit.Must(Keep(dir, exampleResults()))(t)
	e := exampleEnvironment()
	e.Commit, e.Date, e.Command = "fedcba", "2026-12-01T00:00:00Z", "ur bench run --engine lanes --level game --record"
	part := NewResults(e, 2)
	part.Rows = []Row{engineRow("lanes", "game", 0.5, 140), engineRow("new", "game", 0.25, 140)}
	testkit.Must(Keep(dir, part))(t)
	rows, err := Read(dir)
	if err != nil || len(Suite(rows, "engines")) != 10 || len(Suite(rows, "pieces")) != 1 ||
		len(Suite(rows, "scaling")) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, one := range rows {
		measured := one.Level == "game" && (one.Engine == "lanes" || one.Engine == "new")
		if one.Level == "game" && one.Engine == "lanes" && one.Median != 0.5 {
			t.Errorf("row %+v, want 0.5", one)
		}
		if p := one.Provenance; (p.Commit == "fedcba") != measured || (p.Seed == 2) != measured ||
			(p.Command == e.Command) != measured || p.CPU != e.CPU {
			t.Errorf("%s has the provenance %+v", one.Name, p)
		}
	}
	if origin := Origin(Suite(rows, "engines"), "one core"); !strings.Contains(origin,
		"commit 0123456789ab+dirty and go1.26.0, commit fedcba, 20 samples") {
		t.Errorf("origin %q does not name both commits", origin)
	}
}

// A record that cannot be read is an error, and nothing of it is replaced.
func TestUnreadableRecordsAreNotReplaced(t *testing.T) {
	for name, text := range map[string]string{
		"pieces.json":  "{",
		"engines.json": `{"schema":"ur.ladder/1"}`,
		"scaling.json": `{"schema":"ur.record/2","suite":"scaling","runs":[{"rows":[{"name":"A","unit":"ns/op"}]}]}`,
	} {
		dir := t.TempDir()
		folder := testkit.Must(Keep(dir, exampleResults()))(t)
		testkit.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
		other := "pieces.json"
		if name == other {
			other = "engines.json"
		}
		before := testkit.ReadText(t, filepath.Join(folder, other))
		again := exampleResults()
		again.Date = "2026-12-01T00:00:00Z"
		testkit.WantError(t, testkit.ErrorOf(Keep(dir, again)), name, "%s", name)
		if got := testkit.ReadText(t, filepath.Join(folder, name)); got != text || testkit.ReadText(t, filepath.Join(folder, other)) != before {
			t.Errorf("%s became %q, or another file changed", name, got)
		}
		testkit.WantError(t, testkit.ErrorOf(Read(dir)), name, "%s is read", name)
	}
}

// Figures that no file can hold leave the old record whole.
func TestFailedRecordLeavesTheOldOne(t *testing.T) {
	dir := t.TempDir()
	folder := testkit.Must(Keep(dir, exampleResults()))(t)
	before := testkit.ReadText(t, filepath.Join(folder, "engines.json"))
	broken := exampleResults()
	broken.Seed, broken.Rows[len(broken.Rows)-1].Median = 99, math.Inf(1)
	testkit.WantError(t, testkit.ErrorOf(Keep(dir, broken)), "", "infinity is kept")
	if testkit.ReadText(t, filepath.Join(folder, "engines.json")) != before {
		t.Error("a failed record replaced rows")
	}
}

// The records of this module have a row a line, and the provenance once for each run.
func TestRecordsOfThisModule(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "results", "*", "*.json"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d records of this module: %v", len(names), err)
	}
	for _, name := range names {
		rows := testkit.Must(readFile(name))(t)
		text := testkit.ReadText(t, name)
		again, err := textOf(rows[0].Suite, rows)
		if err != nil || string(again) != text {
			t.Errorf("%s is written otherwise than it is (%v)", name, err)
		}
		runs := strings.Count(text, `"cpu":`)
		if n := strings.Count(text, "\n"); n != len(rows)+runs+1 {
			t.Errorf("%s has %d lines of %d rows in %d runs", name, n, len(rows), runs)
		}
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no records") {
		t.Errorf("empty folder: %v", err)
	}
	folder := filepath.Join(dir, "cpu")
	testkit.NoError(t, os.Mkdir(folder, 0o755))
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("folder without files: %v", err)
	}
	const good = `{"schema":"ur.record/2","suite":"search","runs":[{"cpu":"A","rows":[{"name":"A","unit":"ns/op","median":0}]}]}`
	for change, want := range map[[2]string]string{
		{`"name":"A","unit":"ns/op",`, ""}:       "row 1: missing name or unit",
		{`"suite":"search",`, `"suite":"nets",`}: `the suite is "nets"`,
		{`ur.record/2`, `ur.record/0`}:           `the schema is "ur.record/0" (want "ur.record/2")`,
		{`"cpu":"A",`, ""}:                       "A has no provenance",
		{`"median":0`, `"median":1`}:             "invalid figure and interval",
		{`]}]}`, ``}:                             "unexpected end of JSON",
	} {
		testkit.WriteText(t, filepath.Join(folder, "search.json"), strings.Replace(good, change[0], change[1], 1))
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "search.json") {
			t.Errorf("%q: error %v, want %q", change, err, want)
		}
	}
}

// Of rows measured on several machines the latest counts, at the place of the first.
func TestSuiteIsOfAllMachines(t *testing.T) {
	at := func(name, date string) Row {
		r := row("levels", name, "points", 1)
		r.Provenance = &Provenance{Environment: Environment{Date: date}}
		return r
	}
	all := []Row{at("A", "2026-11-02"), at("B", "2026-11-01"), row("pieces", "A", "ns", 1), at("B", "2026-11-02"),
		at("A", "2026-11-01"), at("C", "2026-11-01")}
	var got []string
	for _, r := range Suite(all, "levels") {
		got = append(got, r.Name+" "+r.Provenance.Date)
	}
	if want := []string{"A 2026-11-02", "B 2026-11-02", "C 2026-11-01"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReadEnvironment(t *testing.T) {
	e := ReadEnvironment()
	if e.CPU == "" || e.Cores < 1 || e.OS == "" || e.Arch == "" || e.Go == "" || e.Date == "" || e.Command == "" {
		t.Errorf("environment %+v has holes", e)
	}
}
