package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/train"
)

const root = "../.."

// The pages and plots of the tree are those of the records.
func TestTreeIsUpToDate(t *testing.T) {
	files, err := generate(root)
	if err == nil {
		err = errors.Join(update(root, files, true), strayPlots(root, files))
	}
	if err != nil {
		t.Error(err)
	}
	again, err := generate(root)
	if err != nil || !slices.EqualFunc(files, again, func(a, b file) bool { return a.name == b.name && bytes.Equal(a.data, b.data) }) {
		t.Errorf("other bytes the second time (%v)", err)
	}
}

// No page has marks of another kind or of a block that the list does not name.
func TestMarksAreOfOneKind(t *testing.T) {
	results, err := readResults(root)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, b := range list(results) {
		listed[b.page] = true
	}
	pages, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(pages, root+"/README.md", root+"/CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page, _ := filepath.Rel(root, name)
		for i, line := range strings.Split(string(text), "\n") {
			comment := strings.HasPrefix(line, "<!--") && !strings.HasPrefix(line, "<!-- typed: ")
			if comment && (mark.FindString(line) == "" || !listed[filepath.ToSlash(page)]) {
				t.Errorf("%s:%d: %s (want a block of the list in pages.go)", page, i+1, line)
			}
		}
	}
}

// hello is a block that writes a word.
func hello(name string) block {
	return block{"page.md", name, func(w io.Writer) error { _, err := fmt.Fprintln(w, "hello", name); return err }}
}

func TestFill(t *testing.T) {
	const page = "# Title\n<!-- generated:a -->\nold\n<!-- /generated -->\ntext\n<!-- generated:b/c -->\n<!-- /generated -->\nend"
	const want = "# Title\n<!-- generated:a -->\n\nhello a\n\n<!-- /generated -->\ntext\n<!-- generated:b/c -->\n\nhello b/c\n\n<!-- /generated -->\nend"
	blocks := []block{hello("a"), hello("b/c")}
	for _, text := range []string{page, want} {
		if got, err := fill([]byte(text), blocks); err != nil || string(got) != want {
			t.Errorf("%q becomes %q (%v)", text, got, err)
		}
	}
	failing := block{"page.md", "b/c", func(io.Writer) error { return errors.New("no rows") }}
	const a, end = "<!-- generated:a -->\n", "<!-- /generated -->\n"
	for _, test := range []struct {
		page   string
		blocks []block
		want   string
	}{
		{"text", blocks[:1], `missing block "a"`},
		{"\n" + a + "text\n", blocks[:1], `line 2: block "a" has no end`},
		{a + "\n" + a + end, blocks[:1], `line 3: block "a" of line 1 has no end`},
		{"\n\n" + end, blocks[:1], "line 3: end of a block without a beginning"},
		{a + end + a + end, blocks[:1], `line 3: unknown or repeated block "a"`},
		{a + end, blocks[1:], `line 1: unknown or repeated block "a"`},
		{page, []block{hello("a"), failing}, `line 6: block "b/c": no rows`},
	} {
		if got, err := fill([]byte(test.page), test.blocks); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q becomes %q, error %v; want %q", test.page, got, err, test.want)
		}
	}
}

// A check names the files that are not up to date and changes none; a run writes them.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	files := []file{{"docs/plots/m/a.svg", []byte("new")}, {"docs/page.md", []byte("new")}}
	if err := update(dir, files, true); err == nil || !strings.Contains(err.Error(), "docs/plots/m/a.svg is not up to date") || !strings.Contains(err.Error(), "docs/page.md") {
		t.Errorf("check of a new tree: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "docs")); err == nil {
		t.Error("a check wrote files")
	}
	if err := errors.Join(update(dir, files, false), update(dir, files, true), strayPlots(dir, files)); err != nil {
		t.Error(err)
	}
	if err := strayPlots(dir, files[1:]); err == nil || !strings.Contains(err.Error(), "docs/plots/m/a.svg: made by no record") {
		t.Errorf("stray plot: %v", err)
	}
}

// gameRow is the row of an engine in whole games.
func gameRow(engine string, perGame, ratio float64) experiment.Row {
	return experiment.Row{
		Suite: bench.EnginesSuite, Engine: engine, Level: "game", Unit: "us/game", Median: perGame, Baseline: bench.Baseline,
		Ratio: ratio, RatioLo: 0.8 * ratio, RatioHi: 1.2 * ratio,
		Provenance: &experiment.Provenance{Environment: experiment.Environment{CPU: "Example 9000"}},
	}
}

// example is a record with two engines.
func example() record.Record {
	return record.Record{Slug: "a", Rows: []experiment.Row{gameRow("array16/scalar", 320, 1), gameRow("array8/scalar", 160, 0.5)}}
}

func TestEngineTables(t *testing.T) {
	records := []record.Record{example()}
	var out bytes.Buffer
	if err := writeEngine(&out, "array8/scalar", records); err != nil || !strings.Contains(out.String(), "| us/game      |    160 |                  x2.00 ±20% |") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := writeEngine(io.Discard, "abacus/wood", records); err == nil || !strings.Contains(err.Error(), `no record has an engine "abacus/wood", only array16/scalar, array8/scalar`) {
		t.Errorf("an unknown engine: %v", err)
	}
	if err := writeScaling(io.Discard, records); err == nil {
		t.Error("a record without scaling has a table of it")
	}
	if err := plotLinks("docs/a.md", records, "scaling")(io.Discard); err == nil {
		t.Error("a record without scaling has a plot of it")
	}
}

// The short ladder is of the first record that has all of its engines.
func TestSteps(t *testing.T) {
	full := example()
	full.Rows = nil
	for i, engine := range steps {
		full.Rows = append(full.Rows, gameRow(engine, 320/float64(int(1)<<(2*i)), 1/float64(int(1)<<(2*i))))
	}
	var out bytes.Buffer
	if err := writeSteps(&out, []record.Record{example(), full}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| array16/scalar ", "|   3,125 |", "|    x256 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
	if err := writeSteps(io.Discard, []record.Record{example()}); err == nil {
		t.Error("a record without the engines has a short ladder")
	}
}

// Threads have a table of their own where they are on record.
func TestPerftTableShowsThreads(t *testing.T) {
	r := reversiRecord{
		{Name: "Perft/depth=11/generator=rays", Samples: 1, Median: 1, Metrics: map[string]float64{"nodes/pass": 1}},
		{Name: "Perft/depth=12/threads=2", Samples: 1, Median: 1.25}, {Name: "Perft/depth=12/threads=1", Samples: 1, Median: 2.5},
	}
	var out bytes.Buffer
	if err := perftTable(&out, r); err != nil || !strings.Contains(out.String(), "|         1.25 |    2.00 |\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	r = r[:1]
	if err := perftTable(&out, r); err != nil || strings.Contains(out.String(), "threads") {
		t.Errorf("a table of threads without rows (%v):\n%s", err, out.String())
	}
	if err := perftTable(io.Discard, reversiRecord{}); err == nil {
		t.Error("a record without rows has a table")
	}
}

// Tables of rows from another processor than most of the record name it.
func TestElsewhere(t *testing.T) {
	from := func(cpu string, names ...string) (rows []experiment.Row) {
		for _, name := range names {
			rows = append(rows, experiment.Row{Name: name, Samples: 9, Provenance: &experiment.Provenance{Environment: experiment.Environment{CPU: cpu}}})
		}
		return rows
	}
	all := slices.Concat(from("A", "Value/x"), from("B", "State/x", "Value/y", "Moves/x"))
	for want, some := range map[string][]experiment.Row{"": all[1:], "A, 9 samples.\n\n": all[:1], "A and B, 9 samples.\n\n": all} {
		if got := elsewhere(some, all); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var out bytes.Buffer
	if err := writeReversi(&out, all, "^Value/", valueTable); err != nil || !strings.HasPrefix(out.String(), "A and B, 9 samples.\n\n| eval") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := machineTable(&out, all); err != nil || !strings.Contains(out.String(), "Measured on B, one core, 9 samples,") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// The study on record is the reason for the defaults of td.
func TestDefaultsAreTheBestPointOfTheStudy(t *testing.T) {
	r, err := readResults(root)
	if err != nil {
		t.Fatal(err)
	}
	best := slices.MinFunc(r.study, func(a, b train.StudyResult) int {
		x, _ := a.Regret()
		y, _ := b.Regret()
		return cmp.Compare(x, y)
	})
	if best.Point.Lambda != train.DefaultLambda || best.Point.Rate != train.DefaultTDRate {
		t.Errorf("the best point is %s, not that of the defaults", best.Point)
	}
}

func FuzzFill(f *testing.F) {
	f.Add("# Title\n<!-- generated:a -->\r\nold\n<!-- /generated -->\nend")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := fill([]byte(text), []block{hello("a")})
		if err != nil {
			return
		}
		if again, err := fill(got, []block{hello("a")}); err != nil || !bytes.Equal(again, got) {
			t.Errorf("a second run changes %q to %q (%v)", got, again, err)
		}
	})
}

// The training record names its curve and its stages; one without a curve is an error.
func TestTrainingRecord(t *testing.T) {
	if err := writeTraining(io.Discard, nil); err == nil {
		t.Error("an empty record has a table")
	}
	row := experiment.Row{Name: "Training", Median: 3.25, Metrics: map[string]float64{"games": 50, "rms_discs.0": 0, "rms_discs.1": 2.5, "curve.0.games": 12, "curve.0.rms_discs": 4}}
	var out bytes.Buffer
	if err := writeTraining(&out, []experiment.Row{row}); err != nil || !strings.Contains(out.String(), "| 8 to 11 |  2.50 |") || !strings.Contains(out.String(), "| 12    |  4.00 |") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Every match on record is a row with its interval, and its command.
func TestOpponents(t *testing.T) {
	row := experiment.Row{Note: "X 1; depth 10; moved", Median: 0.5, Lo: 0.2, Hi: 0.8, Metrics: map[string]float64{"games": 4, "discs": -1.25},
		Provenance: &experiment.Provenance{Environment: experiment.Environment{Command: "reversi match a b"}}}
	var out bytes.Buffer
	err := writeOpponents(&out, []experiment.Row{row})
	for _, want := range []string{"| X 1      | depth 10 |", "50.0 [20, 80]", "\n    reversi match a b\n"} {
		if err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v, no %q in\n%s", err, want, out.String())
		}
	}
	if err := writeOpponents(io.Discard, nil); err == nil {
		t.Error("a record without matches has a table")
	}
}

// A technique's gain is the difference in Elo of its score, with the ends of the interval.
func TestStrength(t *testing.T) {
	row := experiment.Row{Name: "Ablation/without=order", Note: "10 ms a move", Median: 0.75, Lo: 0.5, Hi: 0.9, Metrics: map[string]float64{"games": 8}}
	var out bytes.Buffer
	if err := writeStrength(&out, []experiment.Row{row}); err != nil || !strings.Contains(out.String(), "| order   | 10 ms a move |     8 |    75.0 [50, 90] | +191 [+0, +382] |") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := writeStrength(io.Discard, nil); err == nil {
		t.Error("an empty record has a table")
	}
}
