package record

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/golden"
)

// block returns a block without contents.
func block(name string) string {
	return "<!-- " + name + ":begin -->\n<!-- " + name + ":end -->\n"
}

func TestReplaceFigures(t *testing.T) {
	records := exampleRecords()
	records[0].Scaling = exampleScaling()
	records[1].Results.Skipped = append(records[1].Results.Skipped, bench.Skipped{Engine: "lanes/avx2", Reason: "needs AVX2, which this CPU does not have"})
	text := "# Ladder\n\n" + block("figures:array16/scalar") + "\nText.\n\n" + block("figures:array8/scalar") +
		block("figures:lanes/avx2") + block("figures:lanes/avx512") + block("scaling") + "End."
	got, err := ReplaceFigures([]byte(text), records)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "figures.md", got)
	again, err := ReplaceFigures(got, records)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(got) {
		t.Errorf("a second replacement changes the text to\n%s", again)
	}
}

func TestReplaceFiguresNamesTheLine(t *testing.T) {
	const begin, end = "<!-- figures:lanes/avx2:begin -->\n", "<!-- figures:lanes/avx2:end -->\n"
	tests := []struct{ text, want string }{
		{"", "want blocks"},
		{"# Title\n", "want blocks"},
		{"\n" + begin + "text\n", `line 2: the block "figures:lanes/avx2" has no end`},
		{begin + "\n" + begin + end, `line 3: the block "figures:lanes/avx2" of line 1 has no end`},
		{begin + "<!-- scaling:end -->\n", `line 2: "scaling" ends without a begin`},
		{"\n\n" + end, `line 3: "figures:lanes/avx2" ends without a begin`},
		{"\n" + block("figures:abacus/wood"), `line 2: no record has an engine "abacus/wood", only array16/scalar, array8/scalar, lanes/avx2`},
		{block("scaling"), "line 1: no record has a scaling"},
	}
	for _, test := range tests {
		got, err := ReplaceFigures([]byte(test.text), exampleRecords())
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q becomes %q, error %v; want %q", test.text, got, err, test.want)
		}
	}
}
