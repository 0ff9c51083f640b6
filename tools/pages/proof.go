package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// answer is a line of the answer to "how often is it right": what benchab did in trials, beside what others report.
type answer struct {
	question, measured, trials, others string
}

// writeAnswers writes how often benchab is right, beside published figures of others.
func writeAnswers(w io.Writer, rows []record.Row) error {
	t := text.Table{Header: []string{"question", "benchab", "trials", "others"}, Narrow: true}
	list := answers(rows)
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "Not measured; `go run ./tools/records published` measures it.")
		return err
	}
	for _, a := range list {
		t.Add(a.question, a.measured, a.trials, a.others)
	}
	return t.WriteMarkdown(w)
}

// answers lists the questions that trials have answered.
func answers(rows []record.Row) (list []answer) {
	published := record.Suite(rows, "published")
	families := map[string][]record.Row{}
	for _, row := range published {
		family, _, _ := strings.Cut(strings.TrimPrefix(row.Name, "Published/family="), "/")
		families[family] = append(families[family], row)
	}
	add := func(question, measured, trials, others string, used []record.Row) {
		if slices.ContainsFunc(used, func(row record.Row) bool { return row.Stale }) {
			measured += stale
		}
		if len(used) > 0 {
			list = append(list, answer{question, measured, trials, others})
		}
	}
	releases, same := families["uoptime"], families["aa"]
	add("slowdowns between releases, published by others: claimed, too", fmt.Sprintf("%.0f of %.0f; %.0f are in benchmarks that "+
		"the change does not reach", sum(releases, "slower_claimed"), sum(releases, "published_slower"),
		sum(releases, "slower_unreached")), fmt.Sprintf("%d pairs", len(releases)),
		"each release measured by itself: 57 of 351 rows [1]", releases)
	add("rows claimed of rows judged, with the same work on both sides",
		fmt.Sprintf("%.0f of %.0f", sum(same, "claimed"), sum(same, "judged")), fmt.Sprintf("%d runs", len(same)),
		"45 % of rows with a 2 % gate on hosted runners, 0.04 % on bare metal [2]; 12.5 % of alerts [3]", same)
	for _, size := range []string{"2", "5", "10", "30"} {
		planted := slices.DeleteFunc(slices.Clone(families["planted"]),
			func(row record.Row) bool { return row.Keys["size"] != size })
		missed := 0
		for _, row := range planted {
			if row.Metrics["claimed"] == 0 {
				missed++
			}
		}
		add("planted work of "+size+" % missed", fmt.Sprintf("%d of %d", missed, len(planted)), "functions of public modules",
			map[string]string{"5": "6.8 % of alerts lack a regression [3]; 5 % of changes missed [4]",
				"10": "slowdowns of 10 % or less seen [5]"}[size], planted)
	}
	undecided := 0
	for _, row := range releases {
		if row.Note == string(verdict.Undecided) {
			undecided++
		}
	}
	add("pairs of releases without a decision in a minute", fmt.Sprintf("%d of %d", undecided, len(releases)), "one run each",
		"", releases)
	add("median time of a run", text.Figure(medianOf(releases))+" s", fmt.Sprintf("%d pairs of releases", len(releases)),
		"1.3 to 2.2 h a release [1]; 15 minutes of a cloud's functions [4]", releases)
	return list
}

// sum adds up a metric of rows.
func sum(rows []record.Row, metric string) (sum float64) {
	for _, row := range rows {
		sum += row.Metrics[metric]
	}
	return sum
}

// medianOf is the median of the figures of rows.
func medianOf(rows []record.Row) float64 {
	if len(rows) == 0 {
		return math.NaN()
	}
	var figures []float64
	for _, row := range rows {
		figures = append(figures, row.Median)
	}
	return verdict.Median(figures)
}

// releases is the table of pairs of releases.
var releases = newTable("docs/ab-validation.md", "releases", "published", "family=uoptime/", []column{
	{"project", key("project")}, {"releases", key("pair")}, {"judges", key("judge")}, {"verdict", note}, {"s", measured},
	{"judged", own(judged)}, {"published rows", count("published")}, {"slower there", count("published_slower")},
	{"not reached", count("slower_unreached")}, {"claimed, too", count("slower_claimed")},
	{"claimed here alone", count("others_claimed")},
})

// severities is the table of planted issues of a service, by severity.
var severities = newTable("docs/ab-validation.md", "flight", "published", "family=flight/", []column{
	{"issue", key("issue")}, {"severity", key("severity")}, {"verdict", note}, {"s", measured}, {"judged", own(judged)},
	{"rows claimed", count("claimed")}, {"largest change, %", formatted("%.0f", scaled(100, metric("worst")))},
})
