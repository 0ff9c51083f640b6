package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
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

// projectsFile has commits of public projects, one a line, whose authors claim changes of speed.
const projectsFile = "maintain/records/projects.jsonl"

// projectReports compares these commits with their parents in local clones, which are in the folder
// $CLONES under the names of the projects without their owners.
func projectReports() (list []toolReport) {
	content, _ := os.ReadFile(projectsFile) // outside of the root there are none
	for line := range bytes.Lines(content) {
		var p struct {
			Project, Commit, Bench, Tags string
			Packages                     []string
			Claims                       map[string]float64 // by the benchmark: -0.1 is 10 % less time
		}
		if err := json.Unmarshal(line, &p); err != nil {
			panic(fmt.Errorf("%s: %w", projectsFile, err))
		}
		arguments := fmt.Sprintf("%s~1 %s %s --bench '%s'", p.Commit, p.Commit, strings.Join(p.Packages, " "), p.Bench)
		if p.Tags != "" {
			arguments += " --tags " + p.Tags
		}
		keys := map[string]string{"project": p.Project, "commit": p.Commit}
		list = append(list, comparison(arguments, "Claim/project="+p.Project+"/commit="+p.Commit, keys, func(benchmark string) (float64, bool) {
			_, name, _ := strings.Cut(benchmark, ".")
			claimed, ok := p.Claims[name]
			return claimed, ok
		}, func(string) (string, error) { return filepath.Join(os.Getenv("CLONES"), path.Base(p.Project)), nil }))
	}
	return list
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
