package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
)

// rounded keeps four digits behind the point.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// commitsFile has commits of public modules, one a line, chosen before they were measured, with what is known of
// them. A plant makes a commit on top of one.
const commitsFile = "tools/records/commits.jsonl"

// publicCommit is a line of the file.
type publicCommit struct {
	Project, Commit, Truth string
	Folder                 string // of the module in the repository
	Plant                  struct{ Name, File, Find, Replace string }
}

// commitReports compares these commits with their parents in local clones, which are in the folder $CLONES under the
// names OWNER+NAME: on the machine as it is, and with a busy process on each core. Each begins without benchab's cache.
func commitReports() (list []toolReport) {
	content, _ := os.ReadFile(commitsFile) // outside of the root there are none
	for i, machine := range []string{"quiet", "busy"} {
		for line := range bytes.Lines(content) {
			var c publicCommit
			if err := json.Unmarshal(line, &c); err != nil {
				panic(fmt.Errorf("%s: %w", commitsFile, err))
			}
			at := cmp.Or(c.Plant.Name, c.Commit)
			keys := map[string]string{"machine": machine, "project": c.Project, "commit": at, "truth": c.Truth}
			list = append(list, toolReport{
				command: fmt.Sprintf("benchab %s~1 %s --seed %d", at, at, i+1), busy: machine == "busy",
				uncached: true,
				name:     fmt.Sprintf("Commit/machine=%s/project=%s/commit=%s", machine, c.Project, at),
				silent:   `{"seconds": 60, "verdict": "undecided", "load": [0, 0], "benchmarks": {"reached": 0, "judged": 0}}`,
				figure:   "seconds", unit: "s", note: "${verdict}", folder: c.clone,
				describe: func(row *record.Row) error {
					m := row.Metrics
					row.Keys = keys
					row.Metrics = map[string]float64{"reached": m["benchmarks.reached"],
						"judged": m["benchmarks.judged"],
						"load":   rounded(max(m["load.0"], m["load.1"]))}
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
	cloned := abtest.Git(".", "clone", "-q", source, folder)
	if err := cmp.Or(cloned, abtest.Git(folder, "checkout", "-q", c.Commit)); err != nil {
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
	planted := strings.Replace(string(text), c.Plant.Find, c.Plant.Replace, 1)
	err = os.WriteFile(file, []byte(planted), 0o666)
	return folder, cmp.Or(err, abtest.Git(folder, "commit", "-qam", c.Truth), abtest.Git(folder, "tag", c.Plant.Name))
}

// timedReports measures how well benchab sees a change of the timed part of benchmarks with large
// setups. It compares the commits of bench/ab/testdata/timed several times, each in a new repository:
// the timed part of its benchmarks, a sixth of their work, takes 30 % more.
func timedReports() (list []toolReport) {
	for run := 1; run <= 4; run++ {
		list = append(list, toolReport{
			command: "benchab base thirty --time 100s", list: "rows",
			name:   fmt.Sprintf("Timed/run=%d/benchmark=${name}", run),
			figure: "delta", unit: "change", note: "${verdict}", describe: describeTimed,
			selects: func(item map[string]any) bool {
				rounds, _ := item["n"].(float64)
				return rounds > 0 && item["unit"] == "sec/op"
			},
			folder: func(work string) (string, error) {
				folder := filepath.Join(work, "timed", fmt.Sprint(run))
				err := os.MkdirAll(folder, 0o777)
				return folder, cmp.Or(err, abtest.Make("bench/ab/testdata/timed", folder, "base", "thirty"))
			},
		})
	}
	return list
}

// describeTimed completes a row whose figure is the measured change: 0.05 is 5 % more time.
func describeTimed(row *record.Row) error {
	const claimed = 0.3
	m := row.Metrics
	row.Samples = int(m["n"])
	row.Median, row.Lo, row.Hi = rounded(row.Median), -1, 1e3 // ends without a bound are null
	for key, end := range map[string]*float64{"lo": &row.Lo, "hi": &row.Hi} {
		if x, ok := m[key]; ok {
			*end = rounded(x)
		}
	}
	row.Metrics = map[string]float64{"old": m["old"], "new": m["new"], "claimed": claimed,
		"load": rounded(max(m["load.0"], m["load.1"])), "seconds": rounded(m["seconds"])}
	return nil
}
