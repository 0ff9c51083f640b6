package compare

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

const goodBenchmarks = `goos: linux
BenchmarkA-4 100 10 ns/op 5 us/game
BenchmarkA-4 100 11 ns/op 5 us/game
BenchmarkA-4 100 12 ns/op 5 us/game
BenchmarkA-4 100 13 ns/op 5 us/game
`

func TestBadInputIsRefused(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "bad.txt: the file is empty"},
		{"foreign", "Lorem ipsum\ndolor: sit amet\n", "bad.txt: no benchmark matches in this file (want Go's benchmark format"},
		{"JSON", `{"schema":"ur.bench/1"}`, `bad.txt: this is JSON (want Go's benchmark format, as "ur bench run -o" writes it)`},
		{"no count", "BenchmarkA-4 x 10 ns/op\n", "bad.txt: no line is a benchmark: "},
		{"no unit", goodBenchmarks + "BenchmarkA-4 100 10\n", "bad.txt:6: missing units"},
		{"no number", "BenchmarkA-4 100 ten ns/op\n", "bad.txt:1: parsing measurement: invalid syntax"},
		{"not a number", "\nBenchmarkA-4 100 NaN ns/op\n", "bad.txt:2: invalid measurement NaN sec/op (want a finite number)"},
		{"infinite", "BenchmarkA-4 100 +Inf ns/op\n", "bad.txt:1: invalid measurement +Inf sec/op (want a finite number)"},
		{"huge", "BenchmarkA-4 100 1e999 ns/op\n", "bad.txt:1: parsing measurement: value out of range"},
		{"cut off within a line", goodBenchmarks + "BenchmarkA-4 100 10 ns/o", "bad.txt:6: the file is cut off: its last line has no end"},
		{"cut off between lines", "# ur bench run: 5 interleaved samples of 25ms, seed 1\n" + goodBenchmarks, "bad.txt:6: truncated file: BenchmarkA-4 has 4 samples (want 5)"},
		{"mixed units", goodBenchmarks + "BenchmarkA-4 100 10 ns/op 5000 ns/game\n", "bad.txt:6: BenchmarkA-4 is measured in sec/game here, and in us/game at"},
		{"directions", "Unit x better=lower\nUnit x better=higher\n" + goodBenchmarks, "bad.txt:2: metadata better of unit x already set to lower"},
		{"long line", goodBenchmarks + "BenchmarkB " + strings.Repeat("9", 1<<17) + "\n", "bad.txt:5: bufio.Scanner: token too long"},
	}
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.txt"), filepath.Join(dir, "bad.txt")
	writeFile(t, good, goodBenchmarks)
	for _, test := range tests {
		writeFile(t, bad, test.text)
		c, err := Compare([]string{good, bad}, Options{})
		var input *InputError
		if c != nil && err == nil || !errors.As(err, &input) || !strings.HasPrefix(err.Error(), filepath.Join(dir, test.want)) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}

// What a benchmark prints between its name and its figures is passed over, with a note,
// and a last line without an end is read.
func TestLogsAndEnds(t *testing.T) {
	dir := t.TempDir()
	good, noisy := filepath.Join(dir, "good.txt"), filepath.Join(dir, "noisy.txt")
	writeFile(t, good, goodBenchmarks)
	writeFile(t, noisy, "BenchmarkA-4 starting up\nwell 7\n--- FAIL: BenchmarkB\nFAIL\texample.com/b\t0.1s\n"+strings.TrimSuffix(goodBenchmarks, "\n"))
	c, err := Compare([]string{good, noisy}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Sides[1].Results != c.Sides[0].Results || len(c.Sides[1].Failed) != 2 {
		t.Errorf("%+v", c.Sides)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"1 line is passed over", "noisy.txt:1:", "reports failures: BenchmarkB, example.com/b"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	report, err := Gate(c, DefaultRule())
	if err != nil || report.Verdict == verdict.Pass {
		t.Errorf("%+v, %v: a side that has failed passes", report, err)
	}
}

// A benchmark that has vanished has not passed, unless that does not matter.
func TestVanishedBenchmarks(t *testing.T) {
	dir := t.TempDir()
	old, new := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	steady := strings.Repeat("BenchmarkKept 1 10 B/op\n", 5)
	writeFile(t, old, steady+strings.Repeat("BenchmarkGone 1 10 B/op\n", 5))
	writeFile(t, new, steady)
	c, err := Compare([]string{old, new}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ignore := range []bool{false, true} {
		rule := DefaultRule()
		rule.IgnoreMissing = ignore
		report, err := Gate(c, rule)
		if err != nil || (report.Verdict == verdict.Pass) != ignore {
			t.Errorf("ignored %v: %+v, %v", ignore, report, err)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSidesWithoutCommonBenchmarks(t *testing.T) {
	tests := []struct {
		name, old, new, want string
		options              Options
	}{
		{"other machine", "cpu: one\n" + goodBenchmarks, "cpu: two\n" + goodBenchmarks, `they differ in cpu ("one" and "two")`, Options{}},
		{"other names", goodBenchmarks, strings.ReplaceAll(goodBenchmarks, "kA", "kB"), "have no benchmark in common", Options{}},
		{"mixed units", goodBenchmarks, strings.ReplaceAll(goodBenchmarks, "us/game", "ms/game"), "BenchmarkA-4 is measured in ms/game here, and in us/game at", Options{}},
		{"filter", goodBenchmarks, goodBenchmarks, `filter "(":`, Options{Filter: "("}},
		{"filtered out", goodBenchmarks, goodBenchmarks, "chooses none of the 4 results", Options{Filter: ".unit:MB/s"}},
		{"ignore", goodBenchmarks, goodBenchmarks, `keys to ignore, "(":`, Options{Ignore: "("}},
	}
	for _, test := range tests {
		_, err := Compare(writeTexts(t, test.old, test.new), test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
	c := compareTexts(t, Options{Ignore: "cpu", Filter: ".unit:us/game"}, "cpu: one\n"+goodBenchmarks, "cpu: two\n"+goodBenchmarks)
	if len(c.Tables) != 1 || c.Tables[0].Unit != "us/game" || len(c.Tables[0].Rows[0].Cells[1].Samples) != 4 {
		t.Errorf("%+v", c.Tables)
	}
}

func TestFoldersAndLabels(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.txt": goodBenchmarks, "b.txt": goodBenchmarks, "notes.txt": "Nothing measured.\n", "c.json": "{}", "d=e.txt": goodBenchmarks,
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	c, err := Compare([]string{dir, "one=" + filepath.Join(dir, "a.txt"), dir, filepath.Join(dir, "d=e.txt")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, s := range c.Sides {
		labels = append(labels, s.Label)
	}
	if got, want := strings.Join(labels, " "), strings.Join([]string{dir, "one", dir + "#2", filepath.Join(dir, "d=e.txt")}, " "); got != want {
		t.Errorf("labels %s, want %s", got, want)
	}
	if n := len(c.Tables[0].Rows[0].Cells[0].Samples); n != 12 || len(c.Sides[0].Files) != 3 || c.Sides[0].Results != 12 {
		t.Errorf("the folder gives %d samples of %+v, want 12", n, c.Sides[0])
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "missing.txt"): "missing.txt: no such file or folder",
		t.TempDir():                       "the folder has no files *.txt",
	} {
		if _, err := Compare([]string{dir, path}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
	}
	if _, err := Compare([]string{dir}, Options{}); err == nil {
		t.Error("compares one side")
	}
}

func TestBetterDirections(t *testing.T) {
	c := compareTexts(t, Options{}, "Unit score better=higher\nUnit odd better=unknown\n"+
		"BenchmarkA 1 1 ns/op 1 MB/s 1 games/s 1 us/game 1 allocs/op 1 B/op 1 score 1 odd 1 thing\n",
		"BenchmarkA 1 1 ns/op 1 MB/s 1 games/s 1 us/game 1 allocs/op 1 B/op 1 score 1 odd 1 thing\n")
	want := map[string]int{
		"sec/op": -1, "B/s": 1, "games/s": 1, "us/game": -1, "allocs/op": -1, "B/op": -1, "score": 1, "odd": 0, "thing": 0,
	}
	for _, table := range c.Tables {
		if table.Better != want[table.Unit] {
			t.Errorf("better direction of %s is %d, want %d", table.Unit, table.Better, want[table.Unit])
		}
	}
	if len(c.Tables) != len(want) {
		t.Errorf("%d tables, want %d", len(c.Tables), len(want))
	}
	if c.Decides() {
		t.Error("one sample decides")
	}
}

// Whatever stands in a file, comparing it with itself fails with its place, or finds
// no change and can be written and judged.
func FuzzCompare(f *testing.F) {
	f.Add(goodBenchmarks)
	f.Add("Unit x assume=exact better=higher\ninterleaved: a\nBenchmarkX/y=z-8 1 0 x -5 ns/op 1e-300 MB/s\n")
	f.Add("BenchmarkX 1 1e308 ns/op\nBenchmarkX 1 1e-308 ns/op\nBenchmarkX 1 0 ns/op\nBenchmarkX 1 -1 ns/op\n")
	f.Add("# ur bench run: 2 interleaved samples of 25ms, seed 1\nBenchmarkX 1 1 a/b\nBenchmarkX 1 2 a/b\n")
	f.Fuzz(func(t *testing.T, text string) {
		o := Options{Alpha: 0.05}
		r, err := newSampleReader(o)
		if err != nil {
			t.Fatal(err)
		}
		for side := range 2 {
			r.inputs = append(r.inputs, Side{Label: fmt.Sprint("side", side)})
			n, err := r.readText([]byte(text), "file")
			if err != nil {
				var input *InputError
				if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), "file:") {
					t.Fatalf("error without a place: %v", err)
				}
				return
			}
			if n == 0 {
				return
			}
		}
		c, err := r.comparison(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range c.Tables {
			for _, row := range table.Rows {
				if row.hasChanged() {
					t.Fatalf("%s changed: %+v", row.Name, row.Cells)
				}
			}
		}
		for _, format := range Formats() {
			if err := c.View(View{Sort: "delta"}).Write(io.Discard, format); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
		}
		g, err := Gate(c, DefaultRule())
		if err != nil {
			return
		}
		for _, format := range ReportFormats() {
			if err := g.Write(io.Discard, format); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
		}
		if g.Verdict == verdict.Regression {
			t.Fatalf("regressed against itself: %+v", g.Rows)
		}
	})
}

// Names that somebody else gave cannot move the cursor of a terminal, and a filter that
// chooses nothing says so.
func TestNamesAndFiltersOfOthers(t *testing.T) {
	line := "cpu: \x1b[2Jgone\nBenchmarkA/name=\x1b[31mred 1 5 ns/op\n"
	paths := writeTexts(t, strings.Repeat(line, 6), strings.Repeat(line, 6))
	c, err := Compare([]string{"a\x1b]0;b=" + paths[0], paths[1]}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "markdown"} {
		var out strings.Builder
		if err := c.Write(&out, format); err != nil || strings.Contains(out.String(), "\x1b") || !strings.Contains(out.String(), `\x1b[31mred`) {
			t.Errorf("%s: %v\n%q", format, err, out.String())
		}
	}
	_, err = Compare(paths, Options{Filter: ".unit:parsecs"})
	if err == nil || !strings.Contains(err.Error(), `the filter ".unit:parsecs" chooses none of the 6 results in it`) {
		t.Errorf("a filter that chooses nothing: %v", err)
	}
}
