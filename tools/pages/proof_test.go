package main

import (
	"io"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// published is a row of a trial by the data of others.
func published(name string, metrics map[string]float64) record.Row {
	r := row("published", "Published/family="+name, "s", 30)
	r.Metrics = metrics
	return r
}

// Only the sources that a row cites are listed, numbered in their order.
func TestAnswersListCitedSources(t *testing.T) {
	write := func(rows ...record.Row) string {
		return testkit.Written(t, func(w io.Writer) error { return writeAnswers(w, rows) })
	}
	pair := published("uoptime/project=a/b/pair=v1..v2", map[string]float64{"published_slower": 3, "slower_claimed": 1})
	page := write(pair)
	testkit.WantText(t, page, "1 of 3;", "57 of 351 rows [1]|", "cloud's functions [2]|", "\n1. Japke", "\n2. Schirmer")
	testkit.ErrorIf(t, strings.Contains(page, "3. ") || strings.Contains(page, "Mozilla"), "a source is not cited: %s", page)
	page = write(pair, published("aa/seed=1", map[string]float64{"claimed": 1, "judged": 9}))
	testkit.WantText(t, page, " 1 of 9|", "on bare metal [2]; 12.5 % of groups of alerts [3]|", "[1]; 15 minutes of a cloud's functions [4]",
		"\n2. CodSpeed", "\n3. Costa", "\n4. Schirmer")
	pair.Stale = true
	testkit.WantText(t, write(pair), "† From older code.\n\n1. Japke")
}

// Planted work within the limit, as the rest of a benchmark makes it, is no miss.
func TestPlantedWithinTheLimit(t *testing.T) {
	sized := func(name string, metrics map[string]float64) record.Row {
		r := published(name, metrics)
		r.Keys = map[string]string{"size": "5"}
		return r
	}
	page := testkit.Written(t, func(w io.Writer) error {
		return writeAnswers(w, []record.Row{
			sized("planted/seed=1", map[string]float64{"claimed": 1, "counted": 0.05}),
			sized("planted/seed=2", map[string]float64{"claimed": 0, "counted": 0.05}),
			sized("planted/seed=3", map[string]float64{"claimed": 0}),
			sized("planted/seed=4", map[string]float64{"claimed": 0, "counted": 0.0235}),
		})
	})
	testkit.WantText(t, page, "2 of 3; no benchmark exceeds the limit in 1 beside them")
}

// Trials without a record are commands, those with one are described.
func TestFurtherTrials(t *testing.T) {
	write := func(rows ...record.Row) string {
		return testkit.Written(t, func(w io.Writer) error { return writeFurtherTrials(w, rows) })
	}
	testkit.WantText(t, write(), "without a record yet: `flight` (a service", "`planted` (planted work), `small`")
	page := write(published("flight/issue=basic-auth/severity=5", map[string]float64{"worst": 0.5}), published("aa/seed=1", nil))
	testkit.WantText(t, page, "`njapke/flight-booking-service`", "|basic-auth|       5|", "2^20th call",
		"without a record yet: `planted` (planted work), `small`")
	page = write(published("flight/issue=basic-auth/severity=5", nil), published("aa/seed=1", nil), published("planted/size=5", nil), published("small/size=0", nil))
	testkit.ErrorIf(t, strings.Contains(page, "without a record"), "all trials have a record: %s", page)
}

// Commits decided in time are counted on each machine, and other verdicts of the busy one are named.
func TestDecidedCommits(t *testing.T) {
	commit := func(machine, verdict string, seconds float64) record.Row {
		r := row("commits", "Commit/machine="+machine+"/project=a/b/commit=0f", "s", seconds)
		r.Keys = map[string]string{"machine": machine, "project": "a/b", "commit": "0f"}
		r.Note, r.Metrics = verdict, map[string]float64{"load": 2}
		return r
	}
	write := func(rows ...record.Row) string {
		return testkit.Written(t, func(w io.Writer) error { return writeDecidedCommits(w, rows) })
	}
	page := write(commit("quiet", "slower", 60), commit("busy", "undecided", 61))
	testkit.WantText(t, page, "On a quiet machine 1 of 1 commits", "on each core 0 of 1 commits",
		"There, a/b@0f is `undecided`.")
	page = write(commit("quiet", "slower", 76), commit("busy", "slower", 61))
	testkit.WantText(t, page, "On a quiet machine 0 of 1 commits")
	testkit.ErrorIf(t, strings.Contains(page, "There,"), "the verdicts are the same: %s", page)
}
