package train

import (
	"context"
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// descend takes one step of Adam by a part of the decisions.
func (f *fitLearner) descend(batch int) {
	s := &f.state
	gradient := f.project(f.gradient(batch, f.space.weights(s.Point)))
	s.Batches++
	rate := f.rate()
	keepFirst := 1 - samebits.Power(adamFirst, s.Batches)
	keepSecond := 1 - samebits.Power(adamSecond, s.Batches)
	keep := min(fitAverage, float64(s.Batches)/float64(s.Batches+10))
	for k, g := range gradient {
		s.First[k] = float64(adamFirst*s.First[k]) + float64((1-adamFirst)*g)
		s.Second[k] = float64(adamSecond*s.Second[k]) + float64((1-adamSecond)*g*g)
		s.Point[k] -= rate * (s.First[k] / keepFirst) / (math.Sqrt(s.Second[k]/keepSecond) + adamFloor)
		s.Mean[k] = float64(keep*s.Mean[k]) + float64((1-keep)*s.Point[k])
	}
}

// gradient returns the gradient, by weights, of the mean regret of a batch.
func (f *fitLearner) gradient(batch int, weights []float64) []float64 {
	var sums [fitParts][]float64
	var counts [fitParts]int
	each(context.Background(), f.config.Parallel, fitParts, func(i int) error { //nolint:errcheck // nothing in it fails
		sums[i] = make([]float64, ur.Weights)
		d := &f.parts[i]
		for k := batch; k < len(d.list); k += fitBatches {
			d.addRegretGradient(sums[i], weights, d.list[k])
			counts[i]++
		}
		return nil
	})
	total, n := sums[0], counts[0]
	for i := 1; i < fitParts; i++ {
		for k, g := range sums[i] {
			total[k] += g
		}
		n += counts[i]
	}
	for k := range total {
		total[k] /= float64(max(1, n))
	}
	return total
}

// addRegretGradient adds the gradient of the expected regret of a decision, in which a move of
// value v is made with a probability proportional to exp(v).
func (d *decisions) addRegretGradient(gradient, weights []float64, c decision) {
	var chance [board.MaxMoves]float64
	options := d.alternatives[c.first : c.first+c.n]
	most := math.Inf(-1)
	for i := range options {
		chance[i] = float64(c.sign * options[i].value(weights))
		most = max(most, chance[i])
	}
	sum := 0.0
	for i := range options {
		chance[i] = samebits.Exp(chance[i] - most)
		sum += chance[i]
	}
	regret := 0.0
	for i := range options {
		chance[i] /= sum
		regret += float64(chance[i] * options[i].regret)
	}
	for i := range options {
		if times := c.sign * chance[i] * (options[i].regret - regret); times != 0 {
			options[i].addGradient(gradient, times)
		}
	}
}

// project turns a gradient by weights into one by coordinates.
func (f *fitLearner) project(gradient []float64) []float64 {
	point := make([]float64, f.space.dimension())
	for k, c := range f.space.coordinates {
		for _, t := range c {
			point[k] += float64(t.times * gradient[t.index])
		}
	}
	return point
}
