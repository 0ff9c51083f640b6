package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
)

// rounded keeps four digits behind the point.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// commitsFile has commits of public modules, one a line, chosen before they were measured, with what is known of
// them.
const commitsFile = "tools/records/commits.jsonl"

// publicCommit is a line of the file, or a commit with planted work.
type publicCommit struct {
	Project, Commit, Truth string
	Folder                 string // of the module in the repository
	plant                  *plant
}

// publicCommits lists the commits of the file, and the first of the planted functions with some percent more work.
func publicCommits() (list []publicCommit) {
	content, _ := os.ReadFile(commitsFile) // outside of the root there are none
	for line := range bytes.Lines(content) {
		var c publicCommit
		if err := json.Unmarshal(line, &c); err != nil {
			panic(fmt.Errorf("%s: %w", commitsFile, err))
		}
		list = append(list, c)
	}
	for i, name := range []string{"valid", "grapheme", "parse"} {
		for _, percent := range []int{5, 10, 30} {
			f, tag := plantedFunctions[i], fmt.Sprintf("%s-%d", name, percent)
			list = append(list, publicCommit{Project: f.project, Commit: tag, plant: &plant{f, withMore(percent), tag},
				Truth: fmt.Sprintf("planted, %s works %d %% more", f.name, percent)})
		}
	}
	return list
}

// commitReports compares these commits with their parents in local clones, which are in the folder $CLONES under the
// names OWNER+NAME: on the machine as it is, and with a busy process on each core.
func commitReports() (list []toolReport) {
	for i, machine := range []string{"quiet", "busy"} {
		for _, c := range publicCommits() {
			at, seed := c.Commit, fmt.Sprint(i+1)
			name := fmt.Sprintf("Commit/machine=%s/project=%s/commit=%s", machine, c.Project, at)
			list = append(list, toolReport{command: fmt.Sprintf("benchab %s~1 %s --seed %s", at, at, seed), name: name, busy: machine == "busy",
				measure: func(_ context.Context, work string, results *record.Results) error {
					folder, err := c.clone(work)
					if err != nil {
						return err
					}
					found, err := compare(folder, work, nil, at+"~1", at, "--seed", seed)
					row := found.row(name)
					row.Keys = map[string]string{"machine": machine, "project": c.Project, "commit": at, "truth": c.Truth}
					results.Rows, results.Seed = []record.Row{row}, found.Seed
					return err
				},
			})
		}
	}
	return list
}

// The exit codes of benchab.
const (
	passed    = 0
	slower    = 3
	undecided = 4
)

// comparison has the parts of benchab's report that records keep.
type comparison struct {
	Verdict    string
	Seconds    float64
	Seed       uint64
	Load       []float64
	Benchmarks struct{ Reached, Judged int }
	Rows       []comparedRow

	code int // exit code
}

// comparedRow is a row of benchab's report. Ends of the interval without a bound are nil.
type comparedRow struct {
	Name, Unit, Verdict, Code string
	Speaks                    bool
	Old, New                  float64
	Delta, Lo, Hi             *float64
	N                         int
}

// compare compares two commits in a folder by benchab with further arguments, without its cache of other runs.
func compare(folder, programs string, env []string, args ...string) (found comparison, err error) {
	builds, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return found, err
	}
	cache, err := os.MkdirTemp(programs, "cache-")
	if err != nil {
		return found, err
	}
	defer os.RemoveAll(cache)
	cmd := exec.Command(filepath.Join(programs, "benchab"), append(args, "--json")...)
	cmd.Dir = folder
	cmd.Env = slices.Concat(os.Environ(), env, []string{"GOCACHE=" + strings.TrimSpace(string(builds)), "XDG_CACHE_HOME=" + cache})
	output, err := cmd.Output()
	if cmd.ProcessState == nil {
		return found, err
	}
	found.code = cmd.ProcessState.ExitCode()
	switch {
	case found.code == undecided && len(output) == 0: // the builds took the time
		found.Verdict, found.Seconds = "undecided", 60
		return found, nil
	case !slices.Contains([]int{passed, slower, undecided}, found.code):
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			err = fmt.Errorf("benchab: %w: %s", err, bytes.TrimSpace(exit.Stderr))
		}
		return found, err
	}
	return found, json.Unmarshal(output, &found)
}

// row returns the row of the comparison's time.
func (c comparison) row(name string) record.Row {
	row := newRow(name, "s", c.Seconds, map[string]float64{"reached": float64(c.Benchmarks.Reached), "judged": float64(c.Benchmarks.Judged)})
	row.Note = c.Verdict
	if len(c.Load) > 0 {
		row.Metrics["load"] = rounded(slices.Max(c.Load))
	}
	return row
}

// clone returns the folder of the module, with the planted commit in a clone of its own.
func (c publicCommit) clone(work string) (string, error) {
	source := filepath.Join(os.Getenv("CLONES"), strings.ReplaceAll(c.Project, "/", "+"))
	if c.plant == nil {
		return filepath.Join(source, c.Folder), nil
	}
	folder := filepath.Join(work, "planted", c.Commit)
	return folder, plantCommits(source, folder, *c.plant)
}

// timedReports measures how well benchab sees a change of the timed part of benchmarks with large
// setups. It compares the commits of bench/ab/testdata/timed several times, each in a new repository:
// the timed part of its benchmarks, a sixth of their work, takes 30 % more.
func timedReports() (list []toolReport) {
	for run := 1; run <= 4; run++ {
		name := fmt.Sprintf("Timed/run=%d/benchmark=", run)
		list = append(list, toolReport{command: "benchab base thirty --time 100s", name: name + "${name}",
			measure: func(_ context.Context, work string, results *record.Results) error {
				folder := filepath.Join(work, "timed", fmt.Sprint(run))
				err := os.MkdirAll(folder, 0o777)
				if err := cmp.Or(err, abtest.Make("bench/ab/testdata/timed", folder, "base", "thirty")); err != nil {
					return err
				}
				found, err := compare(folder, work, nil, "base", "thirty", "--time", "100s")
				results.Rows, results.Seed = timedRows(name, found), found.Seed
				return err
			}})
	}
	return list
}

// timedRows returns the rows of the measured changes of times: 0.05 is 5 % more.
func timedRows(name string, c comparison) (rows []record.Row) {
	const claimed = 0.3
	for _, timed := range c.Rows {
		if timed.N == 0 || timed.Unit != "sec/op" || timed.Delta == nil {
			continue
		}
		row := newRow(name+timed.Name, "change", rounded(*timed.Delta), map[string]float64{"old": timed.Old, "new": timed.New,
			"claimed": claimed, "load": rounded(slices.Max(append(c.Load, 0))), "seconds": rounded(c.Seconds)})
		row.Note, row.Samples, row.Lo, row.Hi = timed.Verdict, timed.N, -1, 1e3
		if timed.Lo != nil {
			row.Lo = rounded(*timed.Lo)
		}
		if timed.Hi != nil {
			row.Hi = rounded(*timed.Hi)
		}
		rows = append(rows, row)
	}
	return rows
}
