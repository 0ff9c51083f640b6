package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/commits"
	"github.com/seed-09dcdc84/ur/internal/trials"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// timedPart measures the module of testdata/timed a number of times, each in a new repository. The
// timed part of its benchmarks, a sixth of their work, takes 30 % more.
func timedPart(ctx context.Context, times int, record string, limit time.Duration) error {
	var all []trials.Commit
	for k := range times {
		fmt.Fprintf(os.Stderr, "timed part, %d of %d\n", k+1, times)
		dir, err := os.MkdirTemp("", "ur-timed-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := commits.Make(filepath.Join("bench", "ab", "testdata", "timed"), dir, "base", "thirty"); err != nil {
			return err
		}
		o := ab.DefaultOptions()
		o.Dir, o.Base, o.Head, o.Time = dir, "base", "thirty", limit
		report, err := ab.Run(ctx, o)
		if err != nil {
			return err
		}
		c := measured(report)
		for _, row := range report.Rows {
			if row.Unit == "sec/op" && row.Rounds > 0 {
				c.Rows = append(c.Rows, claim(row, trials.Planted))
			}
		}
		all = append(all, c)
	}
	return wholefile.Write(record, trials.WriteRecord(all))
}
