// Command truth measures commits of public projects whose authors claim changes of speed:
//
//	go run ./bench/ab/truth -projects bench/ab/truth/projects.json -clones FOLDER
//
// With -timed N it measures N times how well it sees a change of the timed part of benchmarks with
// large setups:
//
//	go run ./bench/ab/truth -timed 5 -o results/timed.json
//
// FOLDER holds a clone of each project in the file, named after the repository without its
// owner. The results replace those of the same commits in results/projects.json, the source of
// the table in docs/ab-validation.md.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/internal/trials"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// project is a commit of a public project.
type project struct {
	Project  string             `json:"project"` // OWNER/NAME on GitHub
	Commit   string             `json:"commit"`
	Packages []string           `json:"packages"`
	Bench    string             `json:"bench"`
	Tags     string             `json:"tags,omitempty"`
	Claims   map[string]float64 `json:"claims"` // by the benchmark: -0.1 is 10 % less time
}

func main() {
	projects := flag.String("projects", "bench/ab/truth/projects.json", "`file` of commits and claims")
	clones := flag.String("clones", ".", "`folder` of the clones")
	record := flag.String("o", "results/projects.json", "`file` of the record")
	limit := flag.Duration("time", 2*time.Minute, "time of each commit")
	times := flag.Int("timed", 0, "measure the change of a timed part `N` times, instead of projects")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *times > 0 {
		err = timedPart(ctx, *times, *record, *limit)
	} else {
		err = run(ctx, *projects, *clones, *record, *limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "truth:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file, clones, record string, limit time.Duration) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var projects []project
	if err := json.Unmarshal(content, &projects); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, p := range projects {
		fmt.Fprintf(os.Stderr, "%s %s\n", p.Project, p.Commit)
		c, err := p.compare(ctx, filepath.Join(clones, path.Base(p.Project)), limit)
		if err != nil {
			return fmt.Errorf("%s %s: %w", p.Project, p.Commit, err)
		}
		if err := keep(record, c); err != nil {
			return err
		}
	}
	return nil
}

// compare measures a commit against its parent.
func (p project) compare(ctx context.Context, clone string, limit time.Duration) (trials.Commit, error) {
	o := ab.DefaultOptions()
	o.Dir, o.Base, o.Head, o.Packages, o.Bench, o.Tags, o.Time = clone, p.Commit+"~1", p.Commit, p.Packages, p.Bench, p.Tags, limit
	report, err := ab.Run(ctx, o)
	if err != nil {
		return trials.Commit{}, err
	}
	c := measured(report)
	c.Project, c.Commit = p.Project, p.Commit
	for _, row := range report.Rows {
		_, name, _ := strings.Cut(row.Name, ".")
		if claimed, ok := p.Claims[name]; ok && row.Unit == "sec/op" && row.Rounds > 0 {
			c.Rows = append(c.Rows, claim(row, claimed))
		}
	}
	return c, nil
}

// measured returns the record of a report, without its rows.
func measured(report *ab.Report) trials.Commit {
	return trials.Commit{Date: time.Now().UTC().Format(time.DateOnly), Go: report.Go, CPU: report.CPU,
		Load: rounded(slices.Max(append(report.Load, 0))), Seconds: rounded(report.Seconds)}
}

// claim returns the record of a row.
func claim(row ab.Row, claimed float64) trials.Claim {
	return trials.Claim{Benchmark: row.Name, Claimed: claimed, Delta: rounded(row.Delta), Lo: rounded(row.Lo), Hi: rounded(row.Hi),
		N: row.Rounds, Verdict: row.Verdict}
}

// rounded keeps four digits behind the point; an end without a bound becomes a large number.
func rounded(x float64) float64 { return math.Round(min(max(x, -1), 1e3)*1e4) / 1e4 }

// keep replaces the result of a commit in the record.
func keep(record string, c trials.Commit) error {
	all, err := trials.ReadCommits(record)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	all = slices.DeleteFunc(all, func(o trials.Commit) bool { return o.Project == c.Project && o.Commit == c.Commit })
	return wholefile.Write(record, trials.WriteRecord(append(all, c)))
}
