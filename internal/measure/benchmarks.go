package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/words"
)

// fleetFlags runs the benchmarks of fleets, in six minutes.
func fleetFlags(_ *flag.FlagSet, keep keeper) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for _, command := range []string{
			"go test -run '^$' -bench 'Jobs|OpenTasks' -benchtime 50000x ./fleet",
			"go test -run '^$' -bench Workers -benchtime 1x -timeout 20m ./fleet -workers 10,100,1000 -task 10s -work 60s",
		} {
			results := begin(command)
			args, err := words.Split(command, os.Getenv)
			if err != nil {
				return err
			}
			out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", command, err, out)
			}
			if err := keep(results, benchmarkRows(string(out))); err != nil {
				return err
			}
		}
		return nil
	}
}

// benchmarkRows returns the rows of benchmarks run once: the first figure of each, and the others
// as metrics.
func benchmarkRows(out string) (rows []experiment.Row) {
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		name, ok := strings.CutPrefix(line, "Benchmark")
		if !ok || len(words) < 4 {
			continue
		}
		name, _, _ = strings.Cut(strings.Fields(name)[0], "-")
		row := experiment.Row{Name: name, Unit: words[3], Samples: 1, Metrics: make(map[string]float64)}
		for i := 2; i+1 < len(words); i += 2 {
			x, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				continue
			}
			if words[i+1] == row.Unit {
				row.Median, row.Lo, row.Hi = x, x, x
			} else {
				row.Metrics[words[i+1]] = x
			}
		}
		rows = append(rows, row)
	}
	return rows
}
