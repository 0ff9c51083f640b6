package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/seed-09dcdc84/ur/internal/trials"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// trialsFlags simulates how often the verdicts of "ur bench ab" are right. It takes a few
// minutes.
func trialsFlags(f *flag.FlagSet) func(ctx context.Context) error {
	count := f.Int("trials", 1000, "trials of each experiment")
	out := f.String("o", "results/trials.json", "`file` of the record")
	return func(context.Context) error {
		if *count < 1 {
			return fmt.Errorf("trials: %d (want at least 1)", *count)
		}
		r := trials.Simulate(*count, func(done, all int) { fmt.Fprintf(os.Stderr, "\r%d of %d experiments", done, all) })
		fmt.Fprintln(os.Stderr)
		return wholefile.Write(*out, r.Write)
	}
}
