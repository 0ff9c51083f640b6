package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
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
	plants  [2]*plant // of base and head, which is then the base with another plant

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
		list[i] = toolReport{command: "benchab " + strings.TrimPrefix(name, "Published/"), name: name, figure: "seconds",
			unit: "s", note: "${verdict}${claims}", busy: t.family == "small",
			print: func(out io.Writer, programs string) error { return t.run(out, programs) },
			describe: func(row *record.Row) error {
				row.Keys = t.keys
				return nil
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

// run compares the commits, and prints a JSON object. Where the builds alone took the time, it compares again.
func (t *trial) run(out io.Writer, programs string) error {
	folder := filepath.Join(os.Getenv("CLONES"), strings.ReplaceAll(t.project, "/", "+"))
	base, head := t.base, t.head
	if t.plants[0] != nil {
		planted := filepath.Join(programs, "published", strings.ReplaceAll(t.project, "/", "+"))
		if err := t.plant(folder, planted); err != nil {
			return fmt.Errorf("%s: %w", t.project, err)
		}
		folder, base, head = planted, "planted-base", "planted-head"
	}
	folder = filepath.Join(folder, t.module)
	found, err := t.compare(folder, programs, base, head)
	if err == nil && found.Verdict == "undecided" && found.Benchmarks.Reached == 0 {
		found, err = t.compare(folder, programs, base, head)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(t.summarize(found))
}

// comparison has the parts of benchab's report that a trial reads.
type comparison struct {
	Verdict    string
	Seconds    float64
	Seed       uint64
	Load       []float64
	Benchmarks struct{ Reached, Judged int }
	Rows       []struct {
		Name, Unit, Verdict, Code string
		Speaks                    bool
		Delta                     *float64
	}
}

// compare runs benchab without its cache of other runs.
func (t *trial) compare(folder, programs, base, head string) (found comparison, err error) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return found, err
	}
	own, err := os.MkdirTemp(programs, "cache-")
	if err != nil {
		return found, err
	}
	defer os.RemoveAll(own)
	cmd := exec.Command(filepath.Join(programs, "benchab"), slices.Concat([]string{base, head, "--json", "--seed",
		cmp.Or(t.keys["seed"], "1")}, t.args)...)
	cmd.Dir = folder
	cmd.Env = slices.Concat(os.Environ(), t.env, []string{"GOCACHE=" + strings.TrimSpace(string(cache)), "XDG_CACHE_HOME=" + own})
	text, err := cmd.Output()
	var exit *exec.ExitError
	switch isExit := errors.As(err, &exit); {
	case isExit && exit.ExitCode() == 4 && len(text) == 0:
		found.Verdict, found.Seconds = "undecided", 60
		return found, nil
	case isExit && len(text) == 0:
		return found, fmt.Errorf("benchab: %w: %s", err, bytes.TrimSpace(exit.Stderr))
	case err != nil && !isExit:
		return found, err
	}
	return found, json.Unmarshal(text, &found)
}

// isClaim reports whether a verdict claims a change for the worse.
func isClaim(verdict string) bool { return verdict == "slower" || verdict == "more-work" }

// summarize counts the claims, and compares them with the published ones. Published slowdowns are in code that the change
// does not reach, not claimed, or claimed.
func (t *trial) summarize(c comparison) map[string]any {
	all := map[string]any{"verdict": c.Verdict, "seconds": c.Seconds, "seed": c.Seed, "reached": c.Benchmarks.Reached,
		"judged": c.Benchmarks.Judged}
	if len(c.Load) > 0 {
		all["load"] = slices.Max(c.Load)
	}
	claims, gains, worst := map[string]bool{}, 0, 0.0
	reached := map[string]bool{}
	for _, row := range c.Rows {
		_, name, _ := strings.Cut(row.Name, ".") // behind the package
		if row.Code != "same" {
			reached[name] = true
		}
		switch {
		case isClaim(row.Verdict):
			claims[name] = true
			if row.Delta != nil {
				worst = max(worst, *row.Delta)
			}
		case row.Speaks && (row.Verdict == "faster" || row.Verdict == "less-work"):
			gains++
		}
	}
	all["claimed"], all["gains"], all["worst"], all["claims"] = len(claims), gains, rounded(worst), ""
	if names := slices.Sorted(maps.Keys(claims)); len(names) > 0 {
		all["claims"] = ": " + strings.Join(names[:min(5, len(names))], ", ")
	}
	if len(t.published) == 0 {
		return all
	}
	var slower, unreached, claimed, others int
	for _, row := range t.published {
		switch {
		case !row.slower && claims[row.benchmark]:
			others++
		case !row.slower:
		case claims[row.benchmark]:
			slower, claimed = slower+1, claimed+1
		case !reached[row.benchmark]:
			slower, unreached = slower+1, unreached+1
		default:
			slower++
		}
	}
	all["published"], all["published_slower"] = len(t.published), slower
	all["slower_unreached"], all["slower_claimed"], all["others_claimed"] = unreached, claimed, others
	return all
}

// plant clones the repository at the trial's base, and makes a commit of each of the two plants.
func (t *trial) plant(source, folder string) error {
	err := os.RemoveAll(folder)
	if err == nil {
		err = abtest.Git(".", "clone", "-q", source, folder)
	}
	for i, tag := range []string{"planted-base", "planted-head"} {
		if err == nil {
			err = abtest.Git(folder, "checkout", "-q", t.base)
		}
		if err == nil {
			err = t.plants[i].write(folder)
		}
		err = cmp.Or(err, abtest.Git(folder, "commit", "-qam", tag), abtest.Git(folder, "tag", tag))
	}
	return err
}
