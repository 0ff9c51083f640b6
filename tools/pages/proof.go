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

// sources are the publications that the answers cite by the names in brackets.
var sources = []struct{ name, text string }{
	{"[uoptime]", "Japke, Grambow, Laaber, Bermbach: \"µOpTime\" (doi 10.1145/3715322) and its replication package (doi " +
		"10.5281/zenodo.14725867): the full configuration, a change above 3 % whose intervals are disjoint."},
	{"[codspeed]", "CodSpeed: \"Benchmarks in CI: Escaping the Cloud Chaos\" (30 July 2025), from the variation of 100 runs."},
	{"[mozilla]", "Costa and others: change points in a year of Mozilla's Perfherder (arXiv 2606.18377)."},
	{"[elasti]", "Schirmer, Pfandzelter, Bermbach: \"ElastiBench\" (arXiv 2405.13528), on VictoriaMetrics."},
	{"[laaber]", "Laaber, Scheuner, Leitner: \"Software microbenchmarking in the cloud\" (doi 10.1007/s10664-019-09681-1), " +
		"Java and Go."},
}

// writeAnswers writes how often benchab is right, beside published figures of others, and the cited sources.
func writeAnswers(w io.Writer, rows []record.Row) error {
	t := text.Table{Header: []string{"question", "benchab", "trials", "others"}, Narrow: true, Marked: true}
	list := answers(rows)
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "Not measured; `go run ./tools/records published` measures it.")
		return err
	}
	cited, notes := fmt.Sprint(list), ""
	var numbers []string
	for _, source := range sources {
		if strings.Contains(cited, source.name) {
			number := len(numbers)/2 + 1
			numbers = append(numbers, source.name, fmt.Sprintf("[%d]", number))
			notes += fmt.Sprintf("%d. %s\n", number, source.text)
		}
	}
	for _, a := range list {
		t.Add(a.question, a.measured, a.trials, strings.NewReplacer(numbers...).Replace(a.others))
	}
	note := noteStale(t)
	if err := t.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s", strings.TrimPrefix(note+"\n\n", "\n\n")+notes)
	return err
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
	add("slowdowns between releases, published by others: found here, too", fmt.Sprintf("%.0f of %.0f; %.0f are in benchmarks that "+
		"the change does not reach", sum(releases, "slower_claimed"), sum(releases, "published_slower"),
		sum(releases, "slower_unreached")), fmt.Sprintf("%d pairs", len(releases)),
		"each release measured by itself: 57 of 351 rows [uoptime]", releases)
	add("rows claimed of rows judged, with the same work on both sides",
		fmt.Sprintf("%.0f of %.0f", sum(same, "claimed"), sum(same, "judged")), fmt.Sprintf("%d runs", len(same)),
		"45 % of rows with a 2 % gate on hosted runners, 0.04 % on bare metal [codspeed]; 12.5 % of groups of alerts [mozilla]", same)
	for _, size := range []string{"2", "5", "10", "30"} {
		planted := slices.DeleteFunc(slices.Clone(families["planted"]),
			func(row record.Row) bool { return row.Keys["size"] != size })
		missed, small := 0, 0
		for _, row := range planted {
			counted, ok := row.Metrics["counted"]
			switch {
			case row.Metrics["claimed"] > 0:
			case ok && counted <= verdict.DefaultRule().Limit: // the rest of the benchmark is larger than the function
				small++
			default:
				missed++
			}
		}
		measured := fmt.Sprintf("%d of %d", missed, len(planted)-small)
		if small > 0 {
			measured += fmt.Sprintf("; no benchmark exceeds the limit in %d beside them", small)
		}
		add("planted work of "+size+" % missed", measured, "functions of public modules",
			map[string]string{"5": "6.8 % of groups of alerts miss one [mozilla]; 5 % of changes [elasti]",
				"10": "slowdowns of 10 % or less seen [laaber]"}[size], planted)
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
		"1.3 to 2.2 h a release [uoptime]; 15 minutes of a cloud's functions [elasti]", releases)
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
	{"judged", judged}, {"published rows", count("published")}, {"slower there", count("published_slower")},
	{"not reached", count("slower_unreached")}, {"found here, too", count("slower_claimed")},
	{"found here alone", count("others_claimed")},
})

// furtherTrials are the trials beside the releases, and the text above their tables.
var furtherTrials = []struct{ family, short, about string }{
	{"flight", "a service for flight bookings with issues whose severity is a number",
		"A service for flight bookings with issues whose severity is a number (\"The Early Microbenchmark Catches the Bug\", " +
			"`njapke/flight-booking-service`; `go run ./tools/records published flight`):"},
	{"aa", "equal work on both sides", "Equal work (`published aa`): on both sides, a function of a public module runs " +
		"twice at each 2^20th call, at another count."},
	{"planted", "planted work", "Planted work (`published planted`): a function of a public module runs twice in 2, 5, 10 " +
		"or 30 % of its calls."},
	{"small", "benchmarks of some nanoseconds, counted on a busy machine", "Benchmarks of some nanoseconds, which the project " +
		"finds [too noisy for its CI](https://github.com/open-telemetry/opentelemetry-collector/issues/14216), by the count, " +
		"with another busy process on each core (`published small`): a function of `pdata/pcommon` runs twice in no call, or in a tenth:"},
}

// writeFurtherTrials describes the trials with a record, and names the commands of the others.
func writeFurtherTrials(w io.Writer, all []record.Row) error {
	rows := record.Suite(all, "published")
	var missing, parts []string
	for _, t := range furtherTrials {
		isOfFamily := func(row record.Row) bool { return strings.HasPrefix(row.Name, "Published/family="+t.family+"/") }
		if !slices.ContainsFunc(rows, isOfFamily) {
			missing = append(missing, fmt.Sprintf("`%s` (%s)", t.family, t.short))
			continue
		}
		parts = append(parts, t.about+"\n")
		if own, ok := trialTables[t.family]; ok {
			var table strings.Builder
			if err := own.write(&table, rows); err != nil {
				return err
			}
			parts = append(parts, table.String())
		}
	}
	if len(missing) > 0 {
		parts = append(parts, fmt.Sprintf("Further trials of `go run ./tools/records published NAME`, without a record yet: %s.\n",
			strings.Join(missing, ", ")))
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}

// trialTables are the tables of planted issues of a service, by severity, and of small benchmarks.
var trialTables = map[string]table{
	"flight": newTable("docs/ab-validation.md", "further", "published", "family=flight/", []column{
		{"issue", key("issue")}, {"severity", key("severity")}, {"verdict", note}, {"s", measured}, {"judged", judged},
		{"rows claimed", count("claimed")}, {"largest change, %", formatted("%.0f", scaled(100, metric("worst")))},
	}),
	"small": newTable("docs/ab-validation.md", "further", "published", "family=small/", []column{
		{"function", key("function")}, {"calls with more work, %", key("size")}, {"verdict", note}, {"s", measured},
		{"judged", judged}, {"rows claimed", count("claimed")},
	}),
}

// commits is the table of commits compared on a quiet machine and on a busy one.
var commits = newTable("docs/ab-validation.md", "commits", "commits", "^Commit/machine=quiet/", []column{
	{"commit", func(row line) string { return row.Keys["project"] + "@" + row.Keys["commit"] }},
	{"known", known}, {"verdict", note}, {"s", measured}, {"judged", judged},
	{"s, busy", at(busyCommit, measured)},
})

// busyCommit is the name of the row of the same commit on the busy machine.
const busyCommit = "Commit/machine=busy/project=${project}/commit=${commit}"

// known is the truth about a commit in a word.
func known(row line) string {
	short := strings.NewReplacer("the author says ", "", " by its subject", "", " works ", " +").Replace(row.Keys["truth"])
	if strings.HasPrefix(short, "planted, ") {
		return "planted" // the commit's name has the function and the size
	}
	return strings.TrimSuffix(short, " more")
}

// judged are the benchmarks judged, of those that the change reaches.
func judged(row line) string {
	return fmt.Sprintf("%.0f/%.0f", row.Metrics["judged"], row.Metrics["reached"])
}

// writeDecidedCommits counts the commits with a verdict in time on each machine, names its load, and lists the other
// verdicts of the busy one.
func writeDecidedCommits(w io.Writer, rows []record.Row) error {
	const late = 75
	all := record.Suite(rows, "commits")
	for _, machine := range []struct{ key, text string }{{"quiet", "On a quiet machine"},
		{"busy", "With another busy process on each core"}} {
		n := 0
		var loads []float64
		for _, row := range all {
			if row.Keys["machine"] != machine.key {
				continue
			}
			loads = append(loads, row.Metrics["load"])
			if row.Note != string(verdict.Undecided) && row.Median <= late {
				n++
			}
		}
		if len(loads) > 0 {
			fmt.Fprintf(w, "%s %d of %d commits have a verdict within %d seconds, at a load of %.1f to %.1f.\n", machine.text,
				n, len(loads), late, slices.Min(loads), slices.Max(loads))
		}
	}
	var others []string
	for _, row := range all {
		if busy := at(busyCommit, note)(line{row, all}); row.Keys["machine"] == "quiet" && busy != "" && busy != row.Note {
			others = append(others, fmt.Sprintf("%s@%s is `%s`", row.Keys["project"], row.Keys["commit"], busy))
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(w, "There, %s.\n", strings.Join(others, " and "))
	}
	_, err := fmt.Fprintln(w)
	return err
}
