package main

import (
	"fmt"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/trials"
)

// readTrials reads the record of simulated trials.
func readTrials(name string) (trials.Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return trials.Record{}, err
	}
	defer f.Close()
	r, err := trials.Read(f)
	if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// writeCost writes the time that unchanged benchmarks take when each is decided after the
// mean number of rounds of the trials.
func writeCost(w io.Writer, r trials.Record) error {
	table := text.Table{Header: []string{"benchmarks", "rounds until one is decided, mean", "a sample", "minutes of measuring"}}
	left, rounds := ab.DefaultOptions().Time, r.MeanRounds()
	for _, benchmarks := range []int{5, 20, 100} {
		table.Add(fmt.Sprint(benchmarks), fmt.Sprintf("%.1f", rounds), ab.SampleTime(benchmarks, left).String(),
			fmt.Sprintf("%.1f", ab.Cost(benchmarks, rounds, left).Minutes()))
	}
	return table.WriteMarkdown(w)
}
