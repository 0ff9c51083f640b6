package compare

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// Commands are the programs of the old and of the new side: each prints benchmarks in
// Go's format.
type Commands struct {
	Old, New *experiment.Command
	Count    int    // runs of each command
	Seed     uint64 // of the order

	// Progress is called after each run of a command; nil for none.
	Progress func(done, runs int)

	printed [2][]byte
}

// Printed is the output of the commands in [Commands.Again]: line k of a benchmark on one side
// was measured side by side with its line k on the other. The line "interleaved:" above them
// marks this for [Compare].
func (c *Commands) Printed() [2][]byte {
	printed := c.printed
	for side := range printed {
		printed[side] = fmt.Appendf(nil, "%s: seed %d\n%s", PairedKey, c.Seed, printed[side])
	}
	return printed
}

// Again measures suspects by running both commands, for [Report.Confirm]. In each round both
// run once, in an order drawn by the seed, and the medians of their figures for a suspect are a
// pair: measured side by side, so a machine that changes its speed does not distort the ratio.
// The error is an [*experiment.CommandError] or that of ctx.
func (c *Commands) Again(ctx context.Context, suspects []Judged) ([]Again, error) {
	again := make([]Again, len(suspects))
	for k, r := range suspects {
		again[k] = Again{Unit: r.Unit, Pair: stat.Pair{Paired: true, Better: r.Better}}
	}
	var printed [2]map[printedUnit]float64
	done := 0
	run := func(side int) (err error) {
		var text []byte
		if printed[side], text, err = medians(ctx, []*experiment.Command{c.Old, c.New}[side]); err != nil {
			return err
		}
		c.printed[side] = append(append(c.printed[side], text...), '\n')
		if done++; c.Progress != nil {
			c.Progress(done, 2*c.Count)
		}
		return nil
	}
	ended := func(int) (bool, error) {
		for k, r := range suspects {
			place := printedUnit{r.Benchmark, r.Unit}
			before, ok := printed[0][place]
			after, also := printed[1][place]
			if p := &again[k].Pair; ok && also {
				p.Old, p.New = append(p.Old, before), append(p.New, after)
			}
		}
		return true, nil
	}
	if err := (experiment.Rounds{To: c.Count, Seed: c.Seed}).Take(ctx, 2, run, ended); err != nil {
		return nil, err
	}
	for k := range again {
		if n := len(again[k].Pair.Old); n < c.Count {
			again[k].Reason = fmt.Sprintf("only %d of %d rounds printed it on both sides", n, c.Count)
		}
	}
	return again, nil
}

// printedUnit is a benchmark in one of its units, as a comparison names it.
type printedUnit struct{ benchmark, unit string }

// medians runs a command once and returns the median of its figures for each benchmark, and its
// output.
func medians(ctx context.Context, c *experiment.Command) (medians map[printedUnit]float64, out []byte, err error) {
	if out, err = c.Output(ctx); err != nil {
		return nil, nil, err
	}
	samples, err := printedBenchmarks(out)
	if err != nil {
		return nil, nil, &experiment.CommandError{Name: c.Name, Err: err}
	}
	medians = make(map[printedUnit]float64)
	for place, values := range samples {
		medians[place] = stat.Median(values)
	}
	return medians, out, nil
}

// printedBenchmarks parses a command's output.
func printedBenchmarks(text []byte) (map[printedUnit][]float64, error) {
	samples := make(map[printedUnit][]float64)
	reader := benchfmt.NewReader(bytes.NewReader(text), "output")
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			for _, v := range record.Values {
				if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
					return nil, fmt.Errorf("%v %s of Benchmark%s is no measurement", v.Value, v.Unit, record.Name)
				}
				_, unit := benchunit.Tidy(1, v.Unit)
				place := printedUnit{record.Name.String(), unit}
				samples[place] = append(samples[place], v.Value)
			}
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	if len(samples) == 0 {
		return nil, fmt.Errorf("prints no benchmarks, want Go's benchmark format")
	}
	return samples, nil
}
