package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/maintain/trials"
)

// trialsFlags simulates how often the verdicts of benchab are right. It takes a few
// minutes.
func trialsFlags(f *flag.FlagSet, keep keeper) func(ctx context.Context) error {
	count := f.Int("trials", 1000, "trials of each experiment")
	return func(context.Context) error {
		if *count < 1 {
			return fmt.Errorf("trials: %d (want at least 1)", *count)
		}
		results := begin(fmt.Sprintf("go run ./maintain/records trials -trials %d", *count))
		var rows []record.Row
		families := trials.Families()
		for i, family := range families {
			counts := family.Run(*count)
			rate := counts["slower"] / float64(*count)
			rows = append(rows, record.Row{Name: family.Name(), Unit: "slower/trial", Samples: *count, Median: rate, Lo: rate, Hi: rate, Metrics: counts})
			fmt.Fprintf(os.Stderr, "\r%d of %d experiments", i+1, len(families))
		}
		fmt.Fprintln(os.Stderr)
		return keep(results, rows)
	}
}
