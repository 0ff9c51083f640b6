package compare

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/golden"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// exampleComparison compares files of a machine that does not exist.
func exampleComparison(t *testing.T, names ...string) *Comparison {
	t.Helper()
	var paths []string
	for _, name := range names {
		paths = append(paths, name+"="+filepath.Join("testdata", "compare", name+".txt"))
	}
	c, err := Compare(paths, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Sides {
		for k, file := range c.Sides[i].Files {
			c.Sides[i].Files[k] = filepath.ToSlash(file)
		}
	}
	return c
}

func TestComparisonIsWrittenInAllFormats(t *testing.T) {
	for format, ending := range map[string]string{"text": "txt", "markdown": "md", "csv": "csv", "json": "json", "html": "html"} {
		var out bytes.Buffer
		if err := exampleComparison(t, "old", "new", "newer").Write(&out, format); err != nil {
			t.Error(err)
		}
		golden.Check(t, "compare/golden."+ending, out.Bytes())
	}
	if err := exampleComparison(t, "old", "new").Write(&bytes.Buffer{}, "xml"); err == nil {
		t.Error("writes xml")
	}
}

// The page is complete in itself: it asks for nothing, runs nothing, and says nothing
// that a file put into it.
func TestComparisonPageIsSelfContained(t *testing.T) {
	c := exampleComparison(t, "old", "new")
	c.Tables[0].Rows[0].Name = `<script>alert("Benchmark")</script>`
	var out bytes.Buffer
	if err := c.Write(&out, "html"); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, unwanted := range []string{"http:", "https:", "src=", "<link", "@import", "<script", "url("} {
		if strings.Contains(page, unwanted) {
			t.Errorf("the page has %q", unwanted)
		}
	}
	dots := 0
	for _, table := range c.Tables {
		for _, row := range table.Rows {
			for _, cell := range row.Cells {
				dots += len(cell.Samples)
			}
		}
	}
	if got := strings.Count(page, "<circle"); got != dots {
		t.Errorf("the page shows %d samples, want %d", got, dots)
	}
}

func TestComparisonJSON(t *testing.T) {
	var out bytes.Buffer
	if err := exampleComparison(t, "old", "new", "newer").Write(&out, "json"); err != nil {
		t.Fatal(err)
	}
	var got comparisonJSON
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != "ur.compare/1" || len(got.Sides) != 3 || got.Tables[0].Unit != "sec/eval" || got.Tables[0].Better != "lower" {
		t.Errorf("%+v", got)
	}
	cell := got.Tables[0].Rows[0].Sides[1]
	if len(cell.Samples) != 10 || cell.Delta == nil || math.Abs(*cell.Delta+0.0588) > 1e-4 || !*cell.Significant {
		t.Errorf("%+v", cell)
	}
}

func TestView(t *testing.T) {
	names := func(v View) string {
		var names []string
		for _, table := range exampleComparison(t, "old", "new").View(v).Tables {
			for _, row := range table.Rows {
				name, _, _ := strings.Cut(row.Name, "/eval")
				names = append(names, name+" "+table.Unit)
			}
		}
		return strings.Join(names, ", ")
	}
	changed := names(View{Changed: true})
	if strings.Contains(changed, "Value/board=bits sec/eval") || !strings.Contains(changed, "Value/board=array16 sec/eval") {
		t.Errorf("changed: %s", changed)
	}
	if got := names(View{Sort: "delta"}); !strings.HasPrefix(got, "Value/board=bits sec/eval, Value/board=array16 sec/eval") ||
		!strings.Contains(got, "Game/board=bits games/s, Game/board=array16 games/s") {
		t.Errorf("by delta, the worst first: %s", got)
	}
	if got := names(View{Sort: "name"}); !strings.Contains(got, "New-4 sec/op, Old-4 sec/op, Parse-4 sec/op") {
		t.Errorf("by name: %s", got)
	}
}

// Of pairs, the change is that of pairs, even where both sides drift by far more.
func TestPairsAreCompared(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	var text [2]strings.Builder
	for i := range text {
		text[i].WriteString("interleaved: today\n")
	}
	for k := range 20 {
		speed := 100 * math.Exp(0.05*float64(k))
		fmt.Fprintf(&text[0], "BenchmarkX 1 %v ns/op\n", speed*(1+0.001*rng.NormFloat64()))
		fmt.Fprintf(&text[1], "BenchmarkX 1 %v ns/op\n", speed*1.02*(1+0.001*rng.NormFloat64()))
	}
	c := compareTexts(t, Options{Seed: 1}, text[0].String(), text[1].String())
	change := c.Tables[0].Rows[0].Cells[1].Change
	if !c.Tables[0].Paired || !change.Significant || math.Abs(change.Delta-0.02) > 0.001 || change.Lo < 0.018 || change.Hi > 0.022 {
		t.Errorf("%+v, paired %v", change, c.Tables[0].Paired)
	}
	unpaired := compareTexts(t, Options{Ignore: PairedKey}, text[0].String(), text[1].String())
	if change := unpaired.Tables[0].Rows[0].Cells[1].Change; change.Significant {
		t.Errorf("not as pairs: %+v", change)
	}
}

// compareTexts compares the texts of files.
func compareTexts(t *testing.T, o Options, texts ...string) *Comparison {
	t.Helper()
	c, err := Compare(writeTexts(t, texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func writeTexts(t *testing.T, texts ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("%d.txt", i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// randomBenchmarks writes benchmarks with all that makes statistics differ: few and
// many samples, ties, zeros, exact units.
func randomBenchmarks(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 5))
	var text strings.Builder
	text.WriteString("goos: linux\nUnit bytes assume=exact\n")
	for b := range 40 {
		n := 1 + rng.IntN(30)
		if b%10 == 9 {
			n = 60
		}
		shift := 1 + 0.02*float64(rng.IntN(3))*float64(seed)
		for range n {
			value := 100 * shift * math.Exp(0.02*rng.NormFloat64())
			if b%4 == 1 {
				value = math.Round(value)
			}
			fmt.Fprintf(&text, "BenchmarkB%d-8 %d %.5g ns/op %d allocs/op %d bytes\n", b, 1+rng.IntN(100), value, b%3, 100+b*int(seed))
		}
	}
	return text.String()
}

// Centers, intervals, changes, p and geometric means are those of benchstat, in all
// digits that it prints.
func TestAgreementWithBenchstat(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	pairs := [][]string{
		{filepath.Join("testdata", "compare", "old.txt"), filepath.Join("testdata", "compare", "new.txt")},
		writeTexts(t, randomBenchmarks(0), randomBenchmarks(1)),
	}
	for _, paths := range pairs {
		c, err := Compare(paths, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := checkCSVOfBenchstat(t, c, benchstat(t, "-format", "csv", paths[0], paths[1])); n < 8 {
			t.Errorf("only %d rows were compared", n)
		}
		checkTextOfBenchstat(t, c, benchstat(t, paths[0], paths[1]))
	}
}

func benchstat(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"tool", "benchstat"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("benchstat: %v", err)
	}
	return string(out)
}

// checkCSVOfBenchstat compares the rows that both sides have, and counts them.
func checkCSVOfBenchstat(t *testing.T, c *Comparison, text string) (compared int) {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	records, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	table := -1
	for _, r := range records {
		switch {
		case len(r) == 7 && r[0] == "" && r[5] == "vs base":
			table++
			if c.Tables[table].Unit != r[1] {
				t.Fatalf("table %d is of %s, want %s", table, c.Tables[table].Unit, r[1])
			}
		case len(r) == 7 && r[0] == "geomean":
			compareGeomeans(t, c.Tables[table], r)
		case len(r) == 7 && r[0] != "":
			compareRow(t, c.Tables[table], r)
			compared++
		}
	}
	if table != len(c.Tables)-1 {
		t.Errorf("benchstat has %d tables, want %d", table+1, len(c.Tables))
	}
	return compared
}

func compareRow(t *testing.T, table Table, want []string) {
	t.Helper()
	i := slices.IndexFunc(table.Rows, func(r Row) bool { return r.Name == want[0] })
	if i < 0 || len(table.Rows[i].Cells[0].Samples) == 0 || len(table.Rows[i].Cells[1].Samples) == 0 {
		if want[1] != "" && want[3] != "" {
			t.Errorf("%s, %s is missing", want[0], table.Unit)
		}
		return
	}
	old, new := table.Rows[i].Cells[0], table.Rows[i].Cells[1]
	got := []string{
		want[0], fmt.Sprint(old.Center), old.summary.PctRangeString(), fmt.Sprint(new.Center), new.summary.PctRangeString(),
		new.Change.formatDelta(), new.Change.formatP(),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, benchstat has %q", table.Unit, got, want)
	}
}

// compareGeomeans compares the means where all rows are common: benchstat's are of
// different benchmarks otherwise.
func compareGeomeans(t *testing.T, table Table, want []string) {
	t.Helper()
	if table.Common != len(table.Rows) {
		return
	}
	for side, column := range []int{1, 3} {
		mean, err := strconv.ParseFloat(want[column], 64)
		if err != nil || math.Abs(table.Geomeans[side]/mean-1) > 1e-9 {
			t.Errorf("%s: geometric mean %v, benchstat has %s", table.Unit, table.Geomeans[side], want[column])
		}
	}
	if got := text.Percent(table.Ratios[1] - 1); got != want[5] {
		t.Errorf("%s: change of the geometric mean %s, benchstat has %s", table.Unit, got, want[5])
	}
}

// checkTextOfBenchstat looks for every row in what benchstat prints for a reader.
func checkTextOfBenchstat(t *testing.T, c *Comparison, text string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	for _, table := range c.Tables {
		for _, row := range table.Rows {
			old, new := row.Cells[0], row.Cells[1]
			if new.Change == nil {
				continue
			}
			scale := table.scaler(row)
			want := fmt.Sprintf("%s %s %s %s (%s)", row.Name, old.formatCenter(scale), new.formatCenter(scale), new.Change.formatDelta(), new.Change.formatP())
			if !slices.ContainsFunc(lines, func(line string) bool {
				return strings.HasPrefix(removeFootnotes(line), want)
			}) {
				t.Errorf("%s: benchstat does not print %q", table.Unit, want)
			}
		}
	}
}

// removeFootnotes removes the numbers by which benchstat refers to its warnings.
func removeFootnotes(line string) string {
	words := slices.DeleteFunc(strings.Fields(line), func(word string) bool {
		return strings.Trim(word, "⁰¹²³⁴⁵⁶⁷⁸⁹") == ""
	})
	return strings.Join(words, " ")
}
