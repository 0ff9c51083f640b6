package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/trials"
)

// readTrials returns the results of simulated trials. An experiment without a row is an error.
func readTrials(rows []experiment.Row) (list trials.Results, err error) {
	for _, family := range trials.Families() {
		result := trials.Result{Family: family}
		text, err := json.Marshal(find(rows, family.Name()).Metrics)
		if err == nil {
			err = json.Unmarshal(text, &result.Counts)
		}
		if err != nil || result.Trials == 0 {
			return nil, fmt.Errorf("%s: no trials on record (%v)", family.Name(), err)
		}
		list = append(list, result)
	}
	return list, nil
}

// writeCost writes the time that unchanged benchmarks take when each is decided after the
// mean number of rounds of the trials.
func writeCost(w io.Writer, r trials.Results) error {
	table := text.Table{Header: []string{"benchmarks", "rounds until one is decided, mean", "a sample", "minutes of measuring"}}
	left, rounds := ab.DefaultOptions().Time, r.MeanRounds()
	for _, benchmarks := range []int{5, 20, 100} {
		table.Add(fmt.Sprint(benchmarks), fmt.Sprintf("%.1f", rounds), ab.SampleTime(benchmarks, left).String(),
			fmt.Sprintf("%.1f", ab.Cost(benchmarks, rounds, left).Minutes()))
	}
	return table.WriteMarkdown(w)
}

// writeClaims writes a row for each claim, and counts those of 10 % or more.
func writeClaims(w io.Writer, rows []experiment.Row) error {
	t := text.Table{Header: []string{"project", "commit", "benchmark", "claimed", "measured", "95 % interval", "n", "verdict", "load"}}
	signs, large, within := 0, 0, 0
	for _, row := range rows {
		claimed := row.Metrics["claimed"]
		t.Add(row.Keys["project"], row.Keys["commit"], row.Keys["benchmark"], percent(claimed), percent(row.Median), percent(row.Lo)+" to "+percent(row.Hi),
			fmt.Sprint(row.Samples), row.Note, fmt.Sprintf("%.0f", row.Metrics["load"]))
		if math.Abs(claimed) < 0.1 {
			continue
		}
		large++
		if row.Median*claimed > 0 {
			signs++
		}
		if row.Lo <= claimed && claimed <= row.Hi {
			within++
		}
	}
	if err := writeTable(w, t); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nOf %d claims of 10 %% or more, %d have the sign of the measurement, and %d lie in its interval.\n", large, signs, within)
	return err
}

func percent(x float64) string { return fmt.Sprintf("%+.1f %%", 100*x) }

// writeTimed writes a row for each benchmark of a planted change, measured several times.
func writeTimed(w io.Writer, rows []experiment.Row) error {
	t := text.Table{Header: []string{"benchmark", "median estimate", "estimates", "intervals with the change"}}
	names := experiment.Distinct(rows, func(row experiment.Row) string { return row.Keys["benchmark"] })
	var loads []float64
	for _, name := range names {
		var estimates []float64
		held := 0
		for _, row := range rows {
			if row.Keys["benchmark"] != name {
				continue
			}
			estimates, loads = append(estimates, row.Median), append(loads, row.Metrics["load"])
			if row.Lo <= trials.Planted && trials.Planted <= row.Hi {
				held++
			}
		}
		_, short, _ := strings.Cut(name, ".")
		t.Add(short, percent(stat.Median(estimates)), percent(slices.Min(estimates))+" to "+percent(slices.Max(estimates)), fmt.Sprintf("%d of %d", held, len(estimates)))
	}
	if err := writeTable(w, t); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d runs, with %.0f to %.0f runnable processes on the machine.\n", len(rows)/len(names), slices.Min(loads), slices.Max(loads))
	return err
}
