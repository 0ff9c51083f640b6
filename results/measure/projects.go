package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/record"
)

// A project is a commit of a public project whose author claims changes of speed.
type project struct {
	Project  string             `json:"project"` // OWNER/NAME on GitHub
	Commit   string             `json:"commit"`
	Packages []string           `json:"packages"`
	Bench    string             `json:"bench"`
	Tags     string             `json:"tags,omitempty"`
	Claims   map[string]float64 `json:"claims"` // by the benchmark: -0.1 is 10 % less time
}

// projectFlags compares commits of public projects with their parents.
func projectFlags(f *flag.FlagSet, keep keeper) func(ctx context.Context) error {
	list := f.String("projects", "results/measure/projects.jsonl", "`file` of commits and claims, one a line")
	clones := f.String("clones", ".", "`folder` of a clone of each project, named like it without the owner")
	limit := f.Duration("time", 100*time.Second, "time of each commit")
	return func(ctx context.Context) error {
		content, err := os.ReadFile(*list)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(content) {
			var p project
			if err := json.Unmarshal(line, &p); err != nil {
				return fmt.Errorf("%s: %w", *list, err)
			}
			fmt.Fprintf(os.Stderr, "%s %s\n", p.Project, p.Commit)
			o := ab.DefaultOptions()
			o.Dir, o.Base, o.Head, o.Time = filepath.Join(*clones, path.Base(p.Project)), p.Commit+"~1", p.Commit, *limit
			o.Packages, o.Bench, o.Tags = p.Packages, p.Bench, p.Tags
			claim := func(row ab.Row) (float64, bool) {
				_, name, _ := strings.Cut(row.Name, ".")
				claimed, ok := p.Claims[name]
				return claimed, ok
			}
			keys := map[string]string{"project": p.Project, "commit": p.Commit}
			if err := compare(ctx, o, keep, "Claim/project="+p.Project+"/commit="+p.Commit, keys, claim); err != nil {
				return fmt.Errorf("%s %s: %w", p.Project, p.Commit, err)
			}
		}
		return nil
	}
}

// compare compares two commits, and keeps a row for each benchmark with a claimed or planted
// change. Its figure is the measured change: 0.05 is 5 % more time.
func compare(ctx context.Context, o ab.Options, keep keeper, name string, keys map[string]string, claim func(ab.Row) (float64, bool)) error {
	results := begin(strings.Join(append([]string{"go", "run", "./results/measure"}, os.Args[1:]...), " "))
	report, err := ab.Run(ctx, o)
	if err != nil {
		return err
	}
	var rows []record.Row
	for _, row := range report.Rows {
		claimed, ok := claim(row)
		if !ok || row.Unit != "sec/op" || row.Rounds == 0 {
			continue
		}
		of := map[string]string{"benchmark": row.Name}
		for key, value := range keys {
			of[key] = value
		}
		rows = append(rows, record.Row{
			Name: name + "/benchmark=" + row.Name, Keys: of, Unit: "change", Samples: row.Rounds,
			Median: rounded(float64(row.Delta)), Lo: rounded(float64(row.Lo)), Hi: rounded(float64(row.Hi)), Note: string(row.Verdict),
			Metrics: map[string]float64{"claimed": claimed, "load": rounded(slices.Max(append(report.Load, 0))), "seconds": rounded(report.Seconds)},
		})
	}
	return keep(results, rows)
}

// rounded keeps four digits behind the point; an end without a bound becomes a large number.
func rounded(x float64) float64 { return math.Round(min(max(x, -1), 1e3)*1e4) / 1e4 }
