package bench

import (
	"strings"
	"testing"
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
	const before, after = "# Title\n\n" + ladderBegin, ladderEnd + "\n\nMore.\n"
	got, err := ReplaceLadder([]byte(before+"\nold\n"+after), exampleRecords())
	if err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "readme.md", got)
	again, err := ReplaceLadder(got, exampleRecords())
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(got) {
		t.Errorf("a second replacement changes the text to\n%s", again)
	}
}

func TestReplaceLadderWantsItsLines(t *testing.T) {
	for _, text := range []string{
		"",
		ladderBegin,
		ladderEnd,
		ladderEnd + "\n" + ladderBegin,
		strings.Repeat(ladderBegin+ladderEnd, 2),
	} {
		if got, err := ReplaceLadder([]byte(text), exampleRecords()); err == nil {
			t.Errorf("%q becomes %q, want an error", text, got)
		}
	}
}
