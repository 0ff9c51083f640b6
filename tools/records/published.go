package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// published is the suite of trials by the data of others.
const published = "published"

// publishedFile has the figures of the paper in its first lines: a row for each pair of releases and benchmark.
const publishedFile = "tools/records/uoptime.csv"

// trial compares two commits of a local clone by benchab, and counts the rows claimed of those judged.
type trial struct {
	family  string // uoptime, flight, aa, planted or small
	keys    map[string]string
	project string
	module  string // the module's folder in the repository
	base    string
	head    string
	args    []string // further arguments of benchab
	env     []string
	plants  []plant // of base and head, or nil

	published []publishedRow
}

// publishedReports lists the trials by data that others published or chose: releases of µOpTime's study, planted issues
// of a service by severity, equal work (aa), and work planted in pure functions, small ones of a busy machine among them.
func publishedReports() []toolReport {
	trials := slices.Concat(releaseTrials(), flightTrials(), plantedTrials(), smallTrials())
	list := make([]toolReport, len(trials))
	for i, t := range trials {
		name := "Published/family=" + t.family
		for _, key := range []string{"project", "pair", "issue", "severity", "function", "size", "seed", "judge"} {
			if value := t.keys[key]; value != "" {
				name += "/" + key + "=" + value
			}
		}
		list[i] = toolReport{command: "benchab " + strings.TrimPrefix(name, "Published/"), name: name, busy: t.family == "small",
			measure: func(_ context.Context, work string, results *record.Results) error {
				found, err := t.run(work)
				row := t.summarize(name, found)
				row.Keys = t.keys
				results.Rows, results.Seed = []record.Row{row}, found.Seed
				return err
			}}
	}
	return list
}

// releaseTrials compares the releases of the paper, by both judges and by the count alone.
func releaseTrials() (list []trial) {
	rows := readPublished()
	for len(rows) > 0 {
		first, n := rows[0], 1
		for n < len(rows) && rows[n].project == first.project && rows[n].base == first.base {
			n++
		}
		for _, judge := range []string{"both", "count"} {
			var args []string
			if judge != "both" {
				args = []string{"--judge", judge}
			}
			list = append(list, trial{family: "uoptime", project: first.project, base: first.base, head: first.head,
				args: args, published: rows[:n], keys: map[string]string{
					"project": first.project, "pair": first.base + ".." + first.head, "judge": judge}})
		}
		rows = rows[n:]
	}
	return list
}

// flightTrials compares a service with three versions of it, where an environment variable is the work of an issue.
func flightTrials() (list []trial) {
	for _, issue := range []string{"basic-auth", "clean-path", "request-id"} {
		for _, severity := range []int{1, 2, 5, 10, 20, 50, 100, 200} {
			n := strconv.Itoa(severity)
			list = append(list, trial{family: "flight", project: "njapke/flight-booking-service", base: "origin/main",
				head: "origin/perf-issue-" + issue, env: []string{"SEVERITY=" + n},
				keys: map[string]string{"issue": issue, "severity": n}})
		}
	}
	return list
}

// publishedRow is a benchmark's published change between two releases.
type publishedRow struct {
	project, base, head, benchmark string
	slower                         bool // by the rule of the paper
}

// readPublished reads the published figures; outside of the root there are none.
func readPublished() (rows []publishedRow) {
	content, err := os.ReadFile(publishedFile)
	if err != nil {
		return nil
	}
	reader := csv.NewReader(bytes.NewReader(content))
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil {
		panic(fmt.Errorf("%s: %w", publishedFile, err))
	}
	for _, r := range records[1:] { // behind the header
		rows = append(rows, publishedRow{r[0], r[1], r[2], strings.TrimPrefix(r[3], "Benchmark"), r[7] == "1"})
	}
	return rows
}

// run compares the commits. Where the builds alone took the time, it compares again.
func (t *trial) run(programs string) (found comparison, err error) {
	folder := filepath.Join(os.Getenv("CLONES"), strings.ReplaceAll(t.project, "/", "+"))
	base, head := t.base, t.head
	if t.plants != nil {
		planted := filepath.Join(programs, "published", strings.ReplaceAll(t.project, "/", "+"))
		if err := plantCommits(folder, planted, t.plants...); err != nil {
			return found, fmt.Errorf("%s: %w", t.project, err)
		}
		folder, base, head = planted, plantedBase, plantedHead
	}
	folder = filepath.Join(folder, t.module)
	args := append([]string{base, head, "--seed", cmp.Or(t.keys["seed"], "1")}, t.args...)
	found, err = compare(folder, programs, t.env, args...)
	if err == nil && found.Verdict == "undecided" && found.Benchmarks.Reached == 0 {
		found, err = compare(folder, programs, t.env, args...)
	}
	return found, err
}

// isClaim reports whether a verdict claims a change for the worse.
func isClaim(verdict string) bool { return verdict == "slower" || verdict == "more-work" }

// summarize counts the claims, and compares them with the published ones. Published slowdowns are in code that the change
// does not reach, not claimed, or claimed.
func (t *trial) summarize(name string, c comparison) record.Row {
	row := c.row(name)
	claims, gains, worst, counted := map[string]bool{}, 0.0, 0.0, math.Inf(-1)
	reached := map[string]bool{}
	for _, r := range c.Rows {
		_, name, _ := strings.Cut(r.Name, ".") // behind the package
		if r.Code != "same" {
			reached[name] = true
		}
		if r.Unit == report.CountUnit && r.Delta != nil {
			counted = max(counted, *r.Delta)
		}
		switch {
		case isClaim(r.Verdict):
			claims[name] = true
			if r.Delta != nil {
				worst = max(worst, *r.Delta)
			}
		case r.Speaks && (r.Verdict == "faster" || r.Verdict == "less-work"):
			gains++
		}
	}
	all := row.Metrics
	all["claimed"], all["gains"], all["worst"] = float64(len(claims)), gains, rounded(worst)
	if t.family == "planted" && !math.IsInf(counted, 0) { // benchmarks run more than the function
		all["counted"] = rounded(counted)
	}
	if names := slices.Sorted(maps.Keys(claims)); len(names) > 0 {
		row.Note += ": " + strings.Join(names[:min(5, len(names))], ", ")
	}
	if len(t.published) == 0 {
		return row
	}
	var slower, unreached, claimed, others float64
	for _, r := range t.published {
		switch {
		case !r.slower && claims[r.benchmark]:
			others++
		case !r.slower:
		case claims[r.benchmark]:
			slower, claimed = slower+1, claimed+1
		case !reached[r.benchmark]:
			slower, unreached = slower+1, unreached+1
		default:
			slower++
		}
	}
	all["published"], all["published_slower"] = float64(len(t.published)), slower
	all["slower_unreached"], all["slower_claimed"], all["others_claimed"] = unreached, claimed, others
	return row
}
