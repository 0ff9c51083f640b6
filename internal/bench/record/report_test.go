package record

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/golden"
)

func exampleRecords() []Record {
	one := Record{Slug: "a", Results: exampleResults(), Environment: exampleEnvironment()}
	two := one
	two.Slug, two.Environment.CPU, two.Environment.Family = "b", "Other 1", 0
	two.Environment.Model = 0
	two.Results.Rows = one.Results.Rows[:8]
	return []Record{one, two}
}

func TestReplaceLadder(t *testing.T) {
	const before, after = "# Title\n\n<!-- ladder:begin -->", "<!-- ladder:end -->\n\nMore.\n"
	got, err := ReplaceFigures([]byte(before+"\nold\n"+after), exampleRecords())
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "readme.md", got)
	again, err := ReplaceFigures(got, exampleRecords())
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(got) {
		t.Errorf("a second replacement changes the text to\n%s", again)
	}
}

// The rungs are told by the first record that has all of them.
func TestReplaceRungs(t *testing.T) {
	const block = "<!-- rungs:begin -->\n<!-- rungs:end -->\n"
	records := exampleRecords()
	if got, err := ReplaceFigures([]byte(block), records); err == nil {
		t.Errorf("records without rungs give %q", got)
	}
	full := records[0]
	full.Results.Rows = nil
	for i, engine := range rungs {
		full.Results.Rows = append(full.Results.Rows, bench.Row{Engine: engine, Level: bench.Game, Median: 320 / float64(int(1)<<(2*i)), Ratio: 1 / float64(int(1)<<(2*i))})
	}
	got, err := ReplaceFigures([]byte(block), append(records, full))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| array16/scalar ", "|   3,125 |", "|    x256 |"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
}
