package record

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

func TestMain(m *testing.M) { testkit.Main(m) }

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
	plain := filepath.Join(t.TempDir(), "plain")
	testkit.WriteText(t, plain, "")
	for _, name := range []string{"engines.json", "pieces.json", "scaling.json"} {
		testkit.Equal(t, testkit.Must(os.Stat(filepath.Join(folder, name)))(t).Mode(),
			testkit.Must(os.Stat(plain))(t).Mode(), "mode of %s, which all may read as the user lets them", name)
	}
	testkit.Equal(t, filepath.Base(folder), "example-9000-family25-model17-amd64", "folder")
	testkit.Equal(t, testkit.Must(Read(dir))(t), withProvenance(results), "rows that are read back")
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
	rows := testkit.Must(Read(dir))(t)
	for suite, want := range map[string]int{"engines": 10, "pieces": 1, "scaling": 1} {
		testkit.Equal(t, len(Suite(rows, suite)), want, "number of rows of %s", suite)
	}
	for _, one := range rows {
		measured := one.Level == "game" && (one.Engine == "lanes" || one.Engine == "new")
		testkit.ErrorIf(t, one.Level == "game" && one.Engine == "lanes" && one.Median != 0.5, "row %+v, want 0.5", one)
		p := one.Provenance
		testkit.ErrorIf(t, (p.Commit == "fedcba") != measured || (p.Seed == 2) != measured ||
			(p.Command == e.Command) != measured || p.CPU != e.CPU, "%s has the provenance %+v", one.Name, p)
	}
	testkit.WantText(t, Origin(Suite(rows, "engines"), "one core"),
		"commit 0123456789ab+dirty and go1.26.0, commit fedcba, 20 samples")
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
		testkit.Equal(t, testkit.ReadText(t, filepath.Join(folder, name)), text, "%s", name)
		testkit.Equal(t, testkit.ReadText(t, filepath.Join(folder, other)), before, "%s beside %s", other, name)
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
	testkit.Equal(t, testkit.ReadText(t, filepath.Join(folder, "engines.json")), before, "rows after a failed record")
}

// The records of this module have a row a line, and the provenance once for each run.
func TestRecordsOfThisModule(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "results", "*", "*.json"))
	testkit.FatalIf(t, err != nil || len(names) < 10, "%d records of this module: %v", len(names), err)
	for _, name := range names {
		rows := testkit.Must(readFile(name))(t)
		text := testkit.ReadText(t, name)
		again := testkit.Must(textOf(rows[0].Suite, rows))(t)
		testkit.ErrorIf(t, string(again) != text, "%s is written otherwise than it is", name)
		runs := strings.Count(text, `"cpu":`)
		lines := strings.Count(text, "\n")
		testkit.Equal(t, lines, len(rows)+runs+1, "%s: lines of %d rows in %d runs", name, len(rows), runs)
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	_, err := Read(dir)
	testkit.WantErrorIs(t, err, fs.ErrNotExist, "empty folder")
	testkit.WantError(t, err, "no records", "empty folder")
	folder := filepath.Join(dir, "cpu")
	testkit.NoError(t, os.Mkdir(folder, 0o755))
	testkit.WantErrorIs(t, testkit.ErrorOf(Read(dir)), fs.ErrNotExist, "folder without files")
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
		err := testkit.ErrorOf(Read(dir))
		testkit.WantError(t, err, want, "%q", change)
		testkit.WantError(t, err, "search.json", "%q", change)
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
	got := text.List(Suite(all, "levels"), func(r Row) string { return r.Name + " " + r.Provenance.Date })
	testkit.Equal(t, got, []string{"A 2026-11-02", "B 2026-11-02", "C 2026-11-01"}, "latest rows")
}

func TestReadEnvironment(t *testing.T) {
	e := ReadEnvironment()
	testkit.ErrorIf(t, e.CPU == "" || e.Cores < 1 || e.OS == "" || e.Arch == "" || e.Go == "" || e.Date == "" ||
		e.Command == "", "environment %+v has holes", e)
}
