package train

import (
	"context"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// addSquares adds all alternatives of a step to the sums of least squares.
func (f *fitLearner) addSquares() {
	n := f.space.dimension() + 1
	var products [fitParts][]float64
	var targets [fitParts][]float64
	each(context.Background(), f.config.Parallel, fitParts, func(i int) error { //nolint:errcheck // nothing in it fails
		products[i] = make([]float64, len(f.state.Products))
		targets[i] = make([]float64, n)
		feature := make([]float64, n)
		gradient := make([]float64, ur.Weights)
		for k := range f.parts[i].alternatives {
			a := &f.parts[i].alternatives[k]
			clear(gradient)
			a.addGradient(gradient, 1)
			copy(feature, f.project(gradient))
			feature[n-1] = 1
			addProducts(products[i], targets[i], feature, a.win)
		}
		return nil
	})
	for i := range products {
		for k, x := range products[i] {
			f.state.Products[k] += x
		}
		for k, x := range targets[i] {
			f.state.Targets[k] += x
		}
	}
}

// addProducts adds one equation, most of whose features are 0.
func addProducts(products, targets, feature []float64, target float64) {
	var some [ur.Weights]int
	n := 0
	for i, x := range feature {
		if x == 0 {
			continue
		}
		some[n] = i
		n++
		row := products[i*(i+1)/2:]
		for _, j := range some[:n] {
			row[j] += float64(x * feature[j])
		}
		targets[i] += float64(x * target)
	}
}

// leastSquares solves the equations, with a small ridge for inputs that never occur.
func (f *fitLearner) leastSquares() []float64 {
	a := slices.Clone(samebits.Triangle(f.state.Products))
	n := a.Rows()
	for i := range n {
		row := a.Row(i)
		row[i] = float64(row[i]*(1+1e-9)) + 1e-6
	}
	factor, positive := a.Factor()
	if !positive {
		return make([]float64, n-1) // before there is anything to fit
	}
	return factor.Solve(f.state.Targets)[:n-1]
}
