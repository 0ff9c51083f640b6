package frame

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// A run of ten minutes spends its phases as the table prints them: by a clock that each phase moves to its end.
func TestRunSpendsTimeAsPrinted(t *testing.T) {
	for _, explains := range []bool{false, true} {
		begin := time.Unix(1e9, 0)
		clock, listed := begin, begin // listed is the end of the listing
		b := Budget{begin: begin, total: 10 * time.Minute, explains: explains, now: func() time.Time { return clock }}
		var table strings.Builder
		testkit.NoError(t, b.Write(&table))
		printed := make(map[string][]string) // words behind the name of a phase
		for line := range strings.Lines(table.String()) {
			for _, row := range shares {
				if rest, ok := strings.CutPrefix(line, row.name+"  "); ok {
					printed[row.name] = strings.Fields(rest)
				}
			}
		}
		for p, row := range shares {
			if row.name[0] == ' ' {
				continue
			}
			switch Phase(p) {
			case Explain:
				clock = b.End() // the rounds had all that was left
			case GroupCounts:
				testkit.Equal(t, clock, begin.Add(b.total), "end of the last phase; explains: %v", explains)
				clock = listed
			}
			whole, left := b.At(begin).Begin(Phase(p)), b.Begin(Phase(p))
			if p := Phase(p); p == Explain {
				if !explains {
					continue
				}
				testkit.Equal(t, left.Length(), 100*time.Second, "time for explanations: a sixth")
				whole, clock = left, left.End
			}
			words := strings.Join(printed[row.name], " ")
			testkit.WantText(t, words, short(whole.Length())+" "+short(left.Length())+" ")
			if Phase(p).takesTime() {
				clock = left.End
			}
			if Phase(p) == Listing {
				listed = clock
			}
		}
	}
}

// A phase with a choice keeps between its floor and its share, and one without has its share.
func TestPhaseKeepsItsShare(t *testing.T) {
	b := NewBudget(time.Minute, false)
	b = b.At(b.Begun())
	for _, test := range []struct {
		phase Phase
		part  float64
		want  time.Duration
	}{
		{LongRuns, 0.5, 30 * time.Second}, {LongRuns, 0.1, 24 * time.Second}, {LongRuns, 0.9, 36 * time.Second},
		{Traps, 0.9, 10 * time.Second}, {Traps, 0, 10 * time.Second},
	} {
		got := b.BeginWith(test.phase, test.part).Length()
		testkit.Equal(t, got, test.want, "%s with %v", shares[test.phase].name, test.part)
	}
}
