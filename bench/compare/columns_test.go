package compare

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// evaluatorsText are benchmarks of three evaluators on two boards.
func evaluatorsText() string {
	rng := rand.New(rand.NewPCG(3, 9))
	var text strings.Builder
	text.WriteString("goos: linux\n")
	for range 10 {
		for k, eval := range []string{"scalar", "avx2", "table"} {
			for _, board := range []string{"bits", "array16"} {
				fmt.Fprintf(&text, "BenchmarkGame/board=%s/eval=%s-4 10 %.5g ns/op\n", board, eval,
					1000*(1+0.1*float64(k))*math.Exp(0.01*rng.NormFloat64()))
			}
		}
	}
	return text.String()
}

// compareText compares within one text from the standard input.
func compareText(t *testing.T, text string, o Options) *Comparison {
	t.Helper()
	o.Stdin = strings.NewReader(text)
	c, err := Compare([]string{"-"}, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Columns by a key of the name are what files of one value each would be.
func TestColumnsAreAsFiles(t *testing.T) {
	var paths []string
	for _, eval := range []string{"scalar", "avx2", "table"} {
		var text strings.Builder
		for line := range strings.Lines(evaluatorsText()) {
			if !strings.HasPrefix(line, "Benchmark") || strings.Contains(line, "/eval="+eval) {
				text.WriteString(strings.Replace(line, "/eval="+eval, "", 1))
			}
		}
		path := filepath.Join(t.TempDir(), eval)
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, eval+"="+path)
	}
	want, err := Compare(paths, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := compareText(t, evaluatorsText(), Options{Col: "/eval"})
	if textOf(t, got) != textOf(t, want) {
		t.Errorf("columns:\n%s\nfiles:\n%s", textOf(t, got), textOf(t, want))
	}
	if side := got.Sides[2]; side.Label != "table" || side.Results != 20 || !slices.Equal(side.Files, []string{"-"}) {
		t.Errorf("side %+v, want table with 20 results of -", side)
	}
}

func textOf(t *testing.T, c *Comparison) string {
	t.Helper()
	var out strings.Builder
	if err := c.Write(&out, "text"); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Figures within one file are those of benchstat with the same keys.
func TestColumnsAgreeWithBenchstat(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "all.txt")
	if err := os.WriteFile(path, []byte(evaluatorsText()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{
		{Col: "/eval@(scalar avx2)"},
		{Col: "/eval@(table scalar)", Row: "/board", Table: "goos,.name"},
		{Col: "/board", Row: "/eval@alpha"},
	} {
		c, err := Compare([]string{path}, o)
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"-format", "csv", "-col", o.Col}
		if o.Row != "" {
			args = append(args, "-row", o.Row)
		}
		if o.Table != "" {
			args = append(args, "-table", o.Table)
		}
		if n := checkCSVOfBenchstat(t, c, benchstat(t, append(args, path)...)); n < 2 {
			t.Errorf("%+v: %d rows compared", o, n)
		}
	}
}

func TestColumnsThatCannotBe(t *testing.T) {
	for _, test := range []struct {
		o    Options
		text string
		want string
	}{
		{Options{Col: "/eval"}, "BenchmarkA/eval=x 1 2 ns/op\n", `column keys /eval: only one value, "x"`},
		{Options{Col: "/eval("}, evaluatorsText(), `column keys "/eval("`},
		{Options{Col: "/eval", Row: "a@"}, evaluatorsText(), `row keys "a@"`},
		{Options{Col: "/eval", Table: ".unit"}, evaluatorsText(), `table keys ".unit"`},
		{Options{Col: "/eval"}, "", "-: the file is empty"},
		{Options{Col: "/board", Filter: "/eval:none"}, evaluatorsText(), "chooses none of the 60 results"},
		{Options{}, evaluatorsText(), "nothing to compare: one file"},
	} {
		test.o.Stdin = strings.NewReader(test.text)
		_, err := Compare([]string{"-"}, test.o)
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want %q", test.o, err, test.want)
		}
	}
	if _, err := Compare([]string{"-"}, Options{Col: "/eval"}); err == nil || !strings.Contains(err.Error(), "standard input is not available") {
		t.Errorf("without a standard input: %v", err)
	}
}

// Samples of different things in one figure are noted, and nothing is where all are told apart.
func TestMixedFiguresAreNoted(t *testing.T) {
	mixed := compareText(t, evaluatorsText(), Options{Col: "/eval", Row: ".name"})
	if !slices.ContainsFunc(mixed.Notes, func(n string) bool { return strings.Contains(n, "samples of one figure differ in ") }) {
		t.Errorf("notes %q say nothing of boards", mixed.Notes)
	}
	if c := compareText(t, evaluatorsText(), Options{Col: "/eval"}); len(c.Notes) > 0 {
		t.Errorf("notes %q", c.Notes)
	}
}

// What the files of one occasion say makes pairs of their columns too.
func TestColumnsInTurns(t *testing.T) {
	c := compareText(t, PairedKey+": here\n"+evaluatorsText(), Options{Col: "/eval", Table: "goos"})
	if !c.Tables[0].Paired {
		t.Error("the samples are no pairs")
	}
	if c = compareText(t, evaluatorsText(), Options{Col: "/eval"}); c.Tables[0].Paired {
		t.Error("the samples are pairs, and nobody says so")
	}
}

// In files that are the same but for noise, so many changes are significant as the
// comparison says: half of them for the worse.
func TestExpectedByChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	const rows = 2000
	var texts [2]strings.Builder
	for row := range rows {
		for range 10 {
			for side := range texts {
				fmt.Fprintf(&texts[side], "BenchmarkB%d 1 %.8g ns/op 3 allocs/op\n", row, 100*math.Exp(0.02*rng.NormFloat64()))
			}
		}
	}
	c, err := Compare(writeTexts(t, texts[0].String(), texts[1].String()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Tested != rows || c.expectedByChance() != rows*0.05/2 {
		t.Errorf("%d tested, %v by chance", c.Tested, c.expectedByChance())
	}
	slower := 0.0
	for _, row := range c.Tables[0].Rows {
		if change := row.Cells[1].Change; change.Significant && change.Delta > 0 {
			slower++
		}
	}
	sd := math.Sqrt(c.expectedByChance())
	if slower > c.expectedByChance()+4*sd || slower < c.expectedByChance()*0.85-4*sd { // the test's level at 10 samples is 4.3 %
		t.Errorf("%v slower, said were %v", slower, c.expectedByChance())
	}
	if !strings.Contains(textOf(t, c), "Of the 2000 changes tested, about 50 would look slower or otherwise worse by chance,") {
		t.Error("the text does not say how many to expect")
	}
	few := compareText(t, "BenchmarkA/k=1 1 2 ns/op\nBenchmarkA/k=2 1 3 ns/op\n", Options{Col: "/k"})
	if few.Tested != 0 {
		t.Errorf("%d tested of single samples", few.Tested)
	}
}
