package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// ConfirmByCommands measures the regressions that a gate found once more, by two
// commands that run the programs of the old and of the new side and print benchmarks
// in Go's format. In each of count rounds both run once, in an order drawn by the seed
// of the rule, and the medians of what they print of a suspect are a pair: measured
// side by side, a machine that changes its speed does not deceive. What the first
// measurement called a regression is one only if the pairs say so too.
//
// A suspect that a command does not print stays a regression, and its [Confirmation]
// says why. Progress, when it is not nil, is called after each run of a command. The
// error is a [*CommandError] or that of ctx.
func (g *GateReport) ConfirmByCommands(ctx context.Context, old, new *Command, count int, progress func(done, runs int)) error {
	suspects := g.suspects()
	if len(suspects) == 0 {
		return nil
	}
	pairs := make([]stat.Pair, len(suspects))
	order := rand.New(rand.NewPCG(g.rule.Seed, 0))
	for round := range count {
		var printed [2]map[printedUnit]float64
		for done, side := range order.Perm(2) {
			var err error
			if printed[side], err = []*Command{old, new}[side].benchmarks(ctx); err != nil {
				return err
			}
			if progress != nil {
				progress(2*round+done+1, 2*count)
			}
		}
		for k, i := range suspects {
			place := printedUnit{g.Rows[i].Benchmark, g.Rows[i].Unit}
			before, ok := printed[0][place]
			after, also := printed[1][place]
			if ok && also {
				pairs[k].Old, pairs[k].New = append(pairs[k].Old, before), append(pairs[k].New, after)
			}
		}
	}
	g.judgePairs(suspects, pairs, count)
	return nil
}

// judgePairs judges the suspects that every run printed.
func (g *GateReport) judgePairs(suspects []int, all []stat.Pair, count int) {
	var places []int
	var pairs []stat.Pair
	for k, i := range suspects {
		if n := len(all[k].Old); n < count {
			reason := fmt.Sprintf("only %d of %d rounds printed it on both sides", n, count)
			g.Rows[i].Confirmation = &Confirmation{Reason: reason}
			continue
		}
		all[k].Paired, all[k].Better = true, g.Rows[i].Better
		g.Rows[i].Confirmation = &Confirmation{Unit: g.Rows[i].Unit}
		places, pairs = append(places, i), append(pairs, all[k])
	}
	g.confirm(places, pairs)
}

// printedUnit is a benchmark in one of its units, as a comparison names it.
type printedUnit struct{ benchmark, unit string }

// benchmarks runs the command once and returns the median of what it prints of each
// benchmark.
func (c *Command) benchmarks(ctx context.Context) (map[printedUnit]float64, error) {
	out, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	samples, err := printedBenchmarks(out)
	if err != nil {
		return nil, &CommandError{c.Name, err}
	}
	medians := make(map[printedUnit]float64)
	for place, values := range samples {
		medians[place] = stat.Median(values)
	}
	return medians, nil
}

// printedBenchmarks reads what a command printed.
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
