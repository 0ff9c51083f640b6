package report

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// ranking returns a group with verdicts on a, b, c, ... in times, and what is missing.
func ranking(fastest string, verdicts ...verdict.Verdict) *Ranking {
	g := RankedGroup{Package: "p", Name: "F", Baseline: "a"}
	for i, v := range verdicts {
		row := NewRankedRow(string(rune('a'+i)), TimeUnit, "missing")
		if v != verdict.NotJudged {
			row.Figure, row.Ratio, row.Verdict, row.Reason, row.N = verdict.Number(float64(i+1)*1e-9), verdict.Number(1+i), v, "", 12
			row.Lo, row.Hi = row.Ratio, verdict.Number(math.Inf(1))
		}
		g.Rows = append(g.Rows, row)
	}
	return &Ranking{Key: "/impl", Fastest: fastest, Limit: 0.03, Alpha: 0.05, Groups: []RankedGroup{g}}
}

func TestRankingVerdicts(t *testing.T) {
	const fastest, slower, open, absent = verdict.Fastest, verdict.Slower, verdict.Undecided, verdict.NotJudged
	for _, test := range []struct {
		demand   string
		verdicts []verdict.Verdict
		want     verdict.Verdict
	}{
		{"", []verdict.Verdict{fastest, slower}, verdict.Pass},
		{"", []verdict.Verdict{fastest, slower, absent}, verdict.Pass},
		{"", []verdict.Verdict{fastest, open}, verdict.Undecided},
		{"", []verdict.Verdict{open, open}, verdict.Nothing},
		{"", []verdict.Verdict{absent, absent}, verdict.Nothing},
		{"a", []verdict.Verdict{fastest, open}, verdict.Pass},
		{"a", []verdict.Verdict{verdict.Equal, verdict.Equal}, verdict.Pass},
		{"b", []verdict.Verdict{fastest, open, slower}, verdict.Undecided},
		{"b", []verdict.Verdict{open, slower}, verdict.Slower},
		{"c", []verdict.Verdict{fastest, slower, absent}, verdict.Undecided},
	} {
		r := ranking(test.demand, test.verdicts...)
		r.Decide()
		testkit.Equal(t, r.Verdict, test.want, "%v, %q demanded", test.verdicts, test.demand)
	}
	for reason, want := range map[string]verdict.Verdict{"fails: no": verdict.Undecided, "skips": verdict.Pass,
		"an operation takes no time": verdict.Undecided, "": verdict.Undecided} {
		r := ranking("a", fastest, slower)
		r.Groups[0].Rows = append(r.Groups[0].Rows, NewRankedRow("c", TimeUnit, reason))
		r.Decide()
		testkit.Equal(t, r.Verdict, want, "one %s", reason)
	}
	r := ranking("", fastest, slower)
	r.Incomplete = true
	r.Decide()
	testkit.Equal(t, r.Verdict, verdict.Undecided, "a package fails")
	testkit.WantText(t, r.Summary(), "Incomplete: a package or a benchmark fails.")
}

// Each format has what it should have, and nothing is printed for what is not known.
func TestRankingFormats(t *testing.T) {
	r := ranking("", verdict.Fastest, verdict.Slower, verdict.NotJudged)
	for format, want := range map[string]string{
		"text":     "F\n/impl   sec/op  ratio    interval  verdict\na      1.00 ns  1.000    [1.000, ∞]  fastest",
		"markdown": "2.000 | [2.000, ∞] |  slower |",
		"json":     `{"value":"b","unit":"sec/op","figure":2e-9,"ratio":2,"lo":2,"hi":null,"n":12,"verdict":"slower"}`,
		"html":     "missing: c",
	} {
		var out strings.Builder
		testkit.NoError(t, r.Write(&out, format))
		testkit.WantText(t, strings.Join(strings.Fields(out.String()), " "), strings.Join(strings.Fields(want), " "))
		testkit.ErrorIf(t, format != "html" && strings.Contains(out.String(), "NaN"), "%s has NaN:\n%s", format, out.String())
	}
	testkit.WantError(t, r.Write(&strings.Builder{}, "github"), "want one of text, markdown", "a format")
	for ratio, want := range map[float64]string{0: "0.000", 0.00864: "0.00864", 0.25: "0.250", 1.0532: "1.053",
		12.348: "12.35", 115.06: "115.1", 209108: "209,108", math.Inf(1): "∞"} {
		testkit.Equal(t, ratioFigure(ratio), want, "ratio %v", ratio)
	}
}

// The sentence on intervals is about those of times: a run without them does not have it.
func TestRankingIntervalsAreOfTimes(t *testing.T) {
	for judge, want := range map[verdict.Instrument]bool{verdict.ByTime: true, verdict.ByCount: false, "": false} {
		r := ranking("", verdict.Fastest, verdict.Slower)
		for i := range r.Groups[0].Rows {
			r.Groups[0].Rows[i].Judge = judge
		}
		testkit.Equal(t, strings.Contains(r.Summary(), "All ratios lie in their intervals"), want, "judged by %q", judge)
	}
}

// What is not measured, and what is not judged any more, is named with the reason.
func TestRankingReasons(t *testing.T) {
	r := ranking("", verdict.Fastest, verdict.Slower)
	open := NewRankedRow("c", TimeUnit, "there was no time to measure it")
	open.Verdict = verdict.Undecided
	failed := NewRankedRow("d", TimeUnit, "fails: no")
	failed.Figure = 1
	r.Groups[0].Rows = append(r.Groups[0].Rows, open, failed)
	testkit.Equal(t, absentLines(&r.Groups[0]), []string{"there was no time to measure it: c", "fails: no: d"}, "lines")
}
