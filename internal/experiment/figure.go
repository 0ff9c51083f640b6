package experiment

import "context"

// Figure is a [Sampler] of one figure other than the time of a pass: the regret of a player, or
// the longest of many moves.
type Figure struct {
	Benchmark
	Measure func(context.Context) (float64, error)

	// Rare marks a slow figure, measured only when named.
	Rare bool
}

// Begin returns the benchmark. Its Annotate is f's Annotate at the end, which Measure may set.
func (f *Figure) Begin(context.Context) ([]Benchmark, string, error) {
	b := f.Benchmark
	b.Annotate = func(row *Row) {
		if f.Annotate != nil {
			f.Annotate(row)
		}
	}
	return []Benchmark{b}, "", nil
}

// Sample measures the figure.
func (f *Figure) Sample(ctx context.Context) ([]float64, error) {
	x, err := f.Measure(ctx)
	return []float64{x}, err
}
