package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// A program may draw its path by chance when it starts, such as a hash function or a buffer size: then a slowdown shows in
// some processes only, and neither counts nor medians of rounds need see it. All processes of a benchmark tell of it: those
// that run it shortly, and those of rounds.

// Processes holds the cost of an operation in each process of a side.
type Processes [2][]float64

// FewestProcesses of a side may tell of chance: a path that one of four takes is in one of them with a probability of 90 %.
const FewestProcesses = 8

// CostOf is the CPU time of an operation, or where it waits, its time without that in the queue for a core.
func CostOf(s *listing.Sample) float64 {
	const part = 0.6 // of the time, by which a benchmark keeps its core busy
	if s.CPU >= part*s.Wall {
		return s.CPU
	}
	return s.Wall - s.Queued.Seconds()/float64(s.Iterations)
}

// usual is the cost in most processes of the side where it is larger; NaN in too few to tell. Where many of the new side are
// faster than all of the old one, the others are not slower.
func (p *Processes) usual() (cost float64) {
	const fewest = 4
	for _, costs := range p {
		sorted := slices.Sorted(slices.Values(costs))
		if len(sorted) < fewest {
			return math.NaN()
		}
		cost = max(cost, sorted[len(sorted)/4])
	}
	return cost
}

// chance describes what all processes of the benchmark say of chance; "" for nothing.
func (f *Evidence) chance() string {
	var rounds, all Processes
	for i := range f.Pairs {
		for side := range f.Pairs[i].Sides {
			rounds[side] = append(rounds[side], CostOf(&f.Pairs[i].Sides[side]))
		}
	}
	for _, processes := range []*Processes{&f.Starts, &rounds} { // short runs have another usual cost
		usual := processes.usual()
		for side, costs := range processes {
			for _, cost := range costs {
				if part := cost / usual; part > 0 && !math.IsInf(part, 0) {
					all[side] = append(all[side], part)
				}
			}
		}
	}
	return all.Chance()
}

// Chance describes processes of the new side that take a slower path by chance, where their mean shows a large slowdown
// beyond that of most processes and of chance on the old side; "" without any. On a busy machine, and where garbage
// collections are rare, some processes of both sides are slow, so the means must differ by more than the processes of a side do.
func (p *Processes) Chance() string {
	const slow, fewest, many, part, errors = 1.5, 2, 3, 10, 2 // times the usual cost; processes; of them; standard errors of the difference
	var mean, square [2]float64
	var slower [2][]float64
	usual := p.usual()
	for side, costs := range p {
		if len(costs) < FewestProcesses {
			return ""
		}
		n := float64(len(costs))
		for _, x := range costs {
			x /= usual
			mean[side] += x / n
			square[side] += x * x / n
			if x > slow {
				slower[side] = append(slower[side], x)
			}
		}
		square[side] = (square[side] - mean[side]*mean[side]) / (n - 1)
	}
	before, after := mean[frame.Old], mean[frame.New]
	isNew := len(slower[frame.New]) >= max(many, len(p[frame.New])/part) && len(slower[frame.Old]) == 0
	isLarger := after > (1+verdict.MustDetect)*before && after-before > errors*math.Sqrt(square[frame.Old]+square[frame.New])
	if len(slower[frame.New]) < fewest || !isNew && !isLarger {
		return ""
	}
	return fmt.Sprintf(frame.ByChance,
		len(slower[frame.New]), len(p[frame.New]), verdict.Median(slower[frame.New]), len(slower[frame.Old]), len(p[frame.Old]))
}
