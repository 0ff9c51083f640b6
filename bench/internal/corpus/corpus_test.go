package corpus

import (
	"slices"
	"strings"
	"testing"
)

func TestTextRoundTrips(t *testing.T) {
	turns, err := Sample(3, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(turns) != 100 {
		t.Fatalf("sampled %d turns, want 100", len(turns))
	}
	got, err := Parse(Format(turns))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, turns) {
		t.Error("turns differ after a round trip through text")
	}
}

func TestSampleFollowsFromTheSeed(t *testing.T) {
	sample := func(seed uint64, n int) []Turn {
		turns, err := Sample(seed, n)
		if err != nil {
			t.Fatal(err)
		}
		return turns
	}
	if !slices.Equal(sample(1, 60), sample(1, 90)[:60]) {
		t.Error("a longer sample of one seed does not begin with the shorter one")
	}
	if slices.Equal(sample(1, 60), sample(2, 60)) {
		t.Error("two seeds give the same sample")
	}
}

func TestParseNamesTheLine(t *testing.T) {
	const good = "7:..............:0 7:..............:0 L\t2\n"
	for _, bad := range []string{"no tab", "7:..............:0 7:..............:0 L\t5", "nonsense\t1", "\t"} {
		_, err := Parse([]byte(good + bad + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("Parse of %q: error %v, want one about line 2", bad, err)
		}
	}
}
