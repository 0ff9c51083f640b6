package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
)

// comparison compares two commits by benchab in a folder, and keeps a row for each benchmark with a
// claimed or planted change. Its figure is the measured change: 0.05 is 5 % more time.
func comparison(arguments, name string, keys map[string]string, claim func(benchmark string) (float64, bool), folder func(work string) (string, error)) toolReport {
	return toolReport{
		command: "benchab " + arguments + " --time 100s", folder: folder, list: "rows",
		name: name + "/benchmark=${name}", figure: "delta", unit: "change", note: "${verdict}",
		selects: func(item map[string]any) bool {
			benchmark, _ := item["name"].(string)
			rounds, _ := item["n"].(float64)
			_, claimed := claim(benchmark)
			return claimed && rounds > 0 && item["unit"] == "sec/op"
		},
		describe: func(row *record.Row) error {
			_, benchmark, _ := strings.Cut(row.Name, "/benchmark=")
			row.Keys = maps.Clone(keys)
			row.Keys["benchmark"] = benchmark
			claimed, _ := claim(benchmark)
			row.Samples = int(row.Metrics["n"])
			row.Median, row.Lo, row.Hi = rounded(row.Median), -1, 1e3 // ends without a bound are null
			for key, end := range map[string]*float64{"lo": &row.Lo, "hi": &row.Hi} {
				if x, ok := row.Metrics[key]; ok {
					*end = rounded(x)
				}
			}
			load := max(row.Metrics["load.0"], row.Metrics["load.1"])
			row.Metrics = map[string]float64{"old": row.Metrics["old"], "new": row.Metrics["new"], "claimed": claimed, "load": rounded(load), "seconds": rounded(row.Metrics["seconds"])}
			return nil
		},
	}
}

// rounded keeps four digits behind the point.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// commitsFile has commits of public modules, one a line, chosen before they were measured, with what is known of them. A plant
// makes a commit on top of one.
const commitsFile = "maintain/records/commits.jsonl"

// publicCommit is a line of the file.
type publicCommit struct {
	Project, Commit, Truth string
	Folder                 string // of the module in the repository
	Plant                  struct{ Name, File, Find, Replace string }
}

// commitReports compares these commits with their parents in local clones, which are in the folder $CLONES under the names
// OWNER+NAME: on the machine as it is, and with a busy process on each core. Each begins without benchab's cache.
func commitReports() (list []toolReport) {
	content, _ := os.ReadFile(commitsFile) // outside of the root there are none
	for _, machine := range []string{"quiet", "busy"} {
		for line := range bytes.Lines(content) {
			var c publicCommit
			if err := json.Unmarshal(line, &c); err != nil {
				panic(fmt.Errorf("%s: %w", commitsFile, err))
			}
			seed := map[string]int{"quiet": 1, "busy": 2}[machine]
			at := cmp.Or(c.Plant.Name, c.Commit)
			keys := map[string]string{"machine": machine, "project": c.Project, "commit": at, "truth": c.Truth}
			list = append(list, toolReport{
				command: fmt.Sprintf("benchab %s~1 %s --seed %d", at, at, seed), busy: machine == "busy", uncached: true,
				name:   fmt.Sprintf("Commit/machine=%s/project=%s/commit=%s", machine, c.Project, at),
				silent: `{"seconds": 60, "verdict": "undecided", "load": [0, 0], "benchmarks": {"reached": 0, "judged": 0}}`,
				figure: "seconds", unit: "s", note: "${verdict}", folder: c.clone,
				describe: func(row *record.Row) error {
					metric := func(name string) float64 { return rounded(row.Metrics[name]) }
					row.Keys = keys
					row.Metrics = map[string]float64{"reached": metric("benchmarks.reached"), "judged": metric("benchmarks.judged"),
						"load": max(metric("load.0"), metric("load.1"))}
					return nil
				},
			})
		}
	}
	return list
}

// clone returns the folder of the module, with the planted commit in a clone of its own.
func (c publicCommit) clone(work string) (string, error) {
	source := filepath.Join(os.Getenv("CLONES"), strings.ReplaceAll(c.Project, "/", "+"))
	if c.Plant.Name == "" {
		return filepath.Join(source, c.Folder), nil
	}
	folder := filepath.Join(work, "planted", c.Plant.Name)
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	git := func(args ...string) error {
		out, err := exec.Command("git", append([]string{"-c", "user.name=plant", "-c", "user.email=plant@example.com", "-c", "advice.detachedHead=false"}, args...)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
		return nil
	}
	if err := cmp.Or(git("clone", "-q", source, folder), git("-C", folder, "checkout", "-q", c.Commit)); err != nil {
		return "", err
	}
	file := filepath.Join(folder, c.Plant.File)
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), c.Plant.Find); n != 1 {
		return "", fmt.Errorf("%s: %d times %q (want 1)", file, n, c.Plant.Find)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), c.Plant.Find, c.Plant.Replace, 1)), 0o666); err != nil {
		return "", err
	}
	return folder, cmp.Or(git("-C", folder, "commit", "-qam", c.Truth), git("-C", folder, "tag", c.Plant.Name))
}

// timedChange is the change of the timed part of benchmarks with large setups.
const timedChange = 0.3

// timedReports measures how well benchab sees a change of the timed part of benchmarks with large
// setups. It compares the commits of bench/ab/testdata/timed several times, each in a new repository:
// the timed part of its benchmarks, a sixth of their work, takes 30 % more.
func timedReports() (list []toolReport) {
	for run := 1; run <= 4; run++ {
		keys := map[string]string{"run": fmt.Sprint(run)}
		list = append(list, comparison("base thirty", fmt.Sprintf("Timed/run=%d", run), keys, func(string) (float64, bool) { return timedChange, true }, func(work string) (string, error) {
			folder := filepath.Join(work, "timed", fmt.Sprint(run))
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return "", err
			}
			return folder, abtest.Make("bench/ab/testdata/timed", folder, "base", "thirty")
		}))
	}
	return list
}
