package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const root = "../.."

// The pages and plots of the tree are those of the records.
func TestTreeIsUpToDate(t *testing.T) {
	files := testkit.Must(generate(root))(t)
	testkit.Equal(t, update(root, files, true), nil, "error")
	again := testkit.Must(generate(root))(t)
	same := func(a, b file) bool { return a.name == b.name && bytes.Equal(a.data, b.data) }
	testkit.ErrorIf(t, !slices.EqualFunc(files, again, same), "other bytes the second time")
}

// No page has marks of another kind or of a block that the list does not name.
func TestMarksAreOfOneKind(t *testing.T) {
	results := testkit.Must(readResults(root))(t)
	listed := map[string]bool{}
	for _, b := range list(results) {
		listed[b.page] = true
	}
	pages := testkit.Must(filepath.Glob(root + "/docs/*.md"))(t)
	for _, name := range append(pages, root+"/README.md", root+"/CONTRIBUTING.md") {
		page, _ := filepath.Rel(root, name)
		for i, line := range strings.Split(testkit.ReadText(t, name), "\n") {
			comment := strings.HasPrefix(line, "<!--") && !strings.HasPrefix(line, "<!-- typed: ") &&
				line != "<!-- figures vary -->"
			testkit.ErrorIf(t, comment && (mark.FindString(line) == "" || !listed[filepath.ToSlash(page)]),
				"%s:%d: %s (want a block of the list in pages.go)", page, i+1, line)
		}
	}
}

// hello is a block that writes a word.
func hello(name string) block {
	return block{"page.md", name, func(w io.Writer) error { _, err := fmt.Fprintln(w, "hello", name); return err }}
}

func TestFill(t *testing.T) {
	const begin, middle = "# Title\n<!-- generated:a -->\n", "<!-- /generated -->\ntext\n<!-- generated:b/c -->\n"
	const page = begin + "old\n" + middle + "<!-- /generated -->\nend"
	const want = begin + "\nhello a\n\n" + middle + "\nhello b/c\n\n<!-- /generated -->\nend"
	const a, end = "<!-- generated:a -->\n", "<!-- /generated -->\n"
	blocks := []block{hello("a"), hello("b/c")}
	for _, text := range []string{page, want} {
		testkit.Equal(t, string(testkit.Must(fill([]byte(text), blocks))(t)), want, "%q becomes", text)
	}
	both := testkit.Must(fill([]byte(a+end), []block{hello("a"), hello("a")}))(t)
	testkit.Equal(t, string(both), a+"\nhello a\nhello a\n\n"+end, "two blocks of one name become")
	failing := block{"page.md", "b/c", func(io.Writer) error { return errors.New("no rows") }}
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
		testkit.WantError(t, testkit.ErrorOf(fill([]byte(test.page), test.blocks)), test.want, "%q", test.page)
	}
}

// A check names the files that are not up to date and changes none; a run writes them.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	files := []file{{"a.svg", []byte("new")}, {"page.md", []byte("new")}}
	err := update(dir, files, true)
	testkit.WantError(t, err, "a.svg is not up to date", "check of a new tree")
	testkit.WantError(t, err, "page.md", "check of a new tree")
	testkit.WantError(t, testkit.ErrorOf(os.Stat(filepath.Join(dir, "a.svg"))), "", "a check wrote files")
	testkit.NoError(t, errors.Join(update(dir, files, false), update(dir, files, true)))
}

func FuzzFill(f *testing.F) {
	f.Add("# Title\n<!-- generated:a -->\r\nold\n<!-- /generated -->\nend")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := fill([]byte(text), []block{hello("a")})
		if err != nil {
			return
		}
		again := testkit.Must(fill(got, []block{hello("a")}))(t)
		testkit.Equal(t, string(again), string(got), "the text after a second run")
	})
}

// row is a row of a machine that does not exist.
func row(suite, name, unit string, median float64) record.Row {
	e := record.Environment{CPU: "Example 9000", OS: "linux", Arch: "amd64", Cores: 4, Go: "go1.26.0",
		Commit: "0123456789abcdef+dirty", Date: "2026-11-21T04:29:14Z", Command: "ur bench run"}
	return record.Row{Suite: suite, Name: name, Keys: report.Keys(name), Unit: unit, Samples: 20, Median: median,
		Lo: median * 0.99, Hi: median * 1.01,
		Provenance: &record.Provenance{Environment: e}}
}

// A table has a line for each row that matches, figures of other rows among them, and names
// another processor than the usual one.
func TestTable(t *testing.T) {
	other := row("x", "B/net=small/plies=1", "points/decision", 3)
	p := *other.Provenance
	p.CPU = "Other 1"
	other.Provenance = &p
	rows := []record.Row{
		row("x", "A/net=small/plies=1", "points/decision", 0.25),
		row("x", "A/net=small/plies=2", "points/decision", 0.125),
		row("x", "A/net=large/plies=1", "points/decision", 0.5), other,
	}
	table := table{title: "### Title", rows: "^A/.*plies=1$", columns: []column{
		{"net", key("net")}, {"regret", figure("%.3f")}, {"deep", at("A/net=${net}/plies=2", figure("%.3f"))},
		{"times", over("A/net=small/plies=1", median)},
	}, below: func(rows []record.Row) string { return fmt.Sprint(len(rows), " rows") }}
	const want = "### Title\n\n|net  |regret| deep|times|\n|-----|-----:|----:|----:|\n" +
		"|small| 0.250|0.125| 1.00|\n|large| 0.500|     | 2.00|\n\n2 rows\n"
	write := func() string {
		return testkit.Written(t, func(w io.Writer) error { return table.write(w, rows) })
	}
	testkit.Equal(t, write(), want, "table")
	rows[1].Stale, rows[2].Stale = true, true
	const marked = "|small | 0.250|0.125†| 1.00|\n|large†| 0.500|      | 2.00|\n\n† From older"
	testkit.WantText(t, write(), marked)
	table.rows = "^B"
	const machine = "### Title\n\nOther 1, linux/amd64, go1.26.0, commit 0123456789ab+dirty, 20 samples.\n\n|net"
	testkit.ErrorIf(t, !strings.HasPrefix(write(), machine), "another processor is not named: %s", write())
	table.origin, table.rows = true, "plies=1$"
	const apart = "|large†| 0.500|      | 2.00|\n\n† From older code.\n\n" +
		"Other 1, linux/amd64, go1.26.0, commit 0123456789ab+dirty, 20 samples.\n\n|net  |"
	testkit.WantText(t, write(), apart)
	table.rows = "large"
	const alone = "|large| 0.500|    | 2.00|\n\nFrom older code.\n"
	testkit.WantText(t, write(), alone)
	table.rows = "^C"
	testkit.WantText(t, write(), "Not measured since")
}

// A column of one text is a sentence below the table, and one without text nothing.
func TestWriteTable(t *testing.T) {
	table := text.Table{Narrow: true, Header: []string{"a", "same", "none", "b"}}
	for _, line := range []string{"1", "2", "3", "4"} {
		table.Add("x", "yes", "", line)
	}
	const want = "|a  |  b|\n|---|--:|\n|x  |  1|\n|x  |  2|\n|x  |  3|\n|x  |  4|\n\nEqual in every line: same (yes).\n"
	got := testkit.Written(t, func(w io.Writer) error { return writeTable(w, table) })
	testkit.Equal(t, got, want, "table")
}

// A step has the instructions a cycle of one processor, the estimate and the hottest lines.
func TestLimits(t *testing.T) {
	value := row("engines", "Value/board=array16/eval=scalar", "ns/eval", 100)
	game := row("engines", "Game/board=array16/eval=scalar", "us/game", 40)
	count := row("instructions", "Value/board=array16/eval=scalar", "instructions/eval", 600)
	limits := row("limits", "Limits/board=array16/eval=scalar", "GHz", 3)
	limits.Note = "example.com/m/x.(*T).play"
	limits.Metrics = map[string]float64{"lines.x.go:7": 0.5, "lines.x.go:8": 0.25, "loop.instructions": 25,
		"loop.cycles": 6, "loop.throughput": 4.2, "loop.resources": 30, "loop.registers": 34, "loop.memory": 0}
	limits.Stale = true
	page := testkit.Written(t, func(w io.Writer) error { return writeLimits(w, []record.Row{value, game, count, limits}) })
	testkit.WantText(t, page, "|array16/scalar|", " 2.00|    |`x.(*T).play`|", " 25|   6.0|           4.2|registers 34, units 30|",
		"`x.go:7` 50, `x.go:8` 25|\n\nFrom older code.\n",
		"Not measured since a change: array16/zeroskip, rows/scalar,")
}

// Every player of the table has an origin.
func TestOrigins(t *testing.T) {
	rows := testkit.Must(readResults(root))(t)
	for _, row := range record.Suite(rows, "players") {
		testkit.ErrorIf(t, origin(line{Row: row}) == "", "player %q has no origin", row.Keys["player"])
	}
}

func TestTerminal(t *testing.T) {
	got := string(drawTerminal(`a "screen"`, "\x1b[1;38;2;10;20;30;48;2;1;2;3mA  <B\x1b[m c\n\x1b[92m○\x1b[0m\n", 10))
	testkit.WantText(t, got,
		`<rect x="14.0" y="14" width="42.3" height="18.3" fill="rgb(1,2,3)"/>`,
		`<text x="14.0" y="28" textLength="8.4" lengthAdjust="spacingAndGlyphs" fill="rgb(10,20,30)" font-weight="bold">A</text>`,
		`<text x="39.2" y="28" textLength="16.8" lengthAdjust="spacingAndGlyphs" fill="rgb(10,20,30)" font-weight="bold">&lt;B</text>`,
		`<text x="64.4" y="28" textLength="8.4" lengthAdjust="spacingAndGlyphs">c</text>`,
		`fill="#b5e890">○</text>`)
	for decoder := xml.NewDecoder(strings.NewReader(got)); ; {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		testkit.NoError(t, err)
	}
}
