package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/internal/commits"
	"github.com/seed-09dcdc84/ur/internal/trials"
)

// timedFlags measures how well benchab sees a change of the timed part of benchmarks with large
// setups. It compares the commits of bench/ab/testdata/timed several times, each in a new repository:
// the timed part of its benchmarks, a sixth of their work, takes 30 % more.
func timedFlags(f *flag.FlagSet, keep keeper) func(ctx context.Context) error {
	count := f.Int("runs", 4, "`number` of runs")
	limit := f.Duration("time", 100*time.Second, "time of each run")
	return func(ctx context.Context) error {
		for k := range *count {
			fmt.Fprintf(os.Stderr, "timed part, %d of %d\n", k+1, *count)
			dir, err := os.MkdirTemp("", "ur-timed-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			if err := commits.Make(filepath.Join("bench", "ab", "testdata", "timed"), dir, "base", "thirty"); err != nil {
				return err
			}
			o := ab.DefaultOptions()
			o.Dir, o.Base, o.Head, o.Time = dir, "base", "thirty", *limit
			planted := func(ab.Row) (float64, bool) { return trials.Planted, true }
			run := fmt.Sprint(k + 1)
			if err := compare(ctx, o, keep, "Timed/run="+run, map[string]string{"run": run}, planted); err != nil {
				return err
			}
		}
		return nil
	}
}
