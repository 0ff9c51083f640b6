package suite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Row is what came of a subject.
type Row struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Samples int     `json:"samples"`
	Median  float64 `json:"median"`
	Low     float64 `json:"lo"` // 95 % interval of the median, by order statistics; with
	High    float64 `json:"hi"` // fewer than six samples the least and the greatest
	Nodes   uint64  `json:"nodes,omitempty"`
}

// Options say how to measure.
type Options struct {
	Samples int           // of each subject; slow ones get a third
	Least   time.Duration // of a sample: passes are repeated until it is reached
	Seed    uint64        // of the order
	Clock   func() time.Duration
	Report  func(done, all int)
}

// Measure samples subjects interleaved, in another random order each round, by a clock
// that counts the processor's time. When the context ends, what is measured is returned
// with its error.
func Measure(ctx context.Context, subjects []Subject, o Options) ([]Row, error) {
	samples := make([][]float64, len(subjects))
	nodes := make([]uint64, len(subjects))
	random := rand.New(rand.NewPCG(o.Seed, 3))
	done, all := 0, 0
	rounds := func(s Subject) int {
		if s.Slow {
			return max(1, o.Samples/3)
		}
		return o.Samples
	}
	for _, s := range subjects {
		all += rounds(s)
	}
	var failed error
measuring:
	for round := range o.Samples {
		for _, i := range random.Perm(len(subjects)) {
			if round >= rounds(subjects[i]) {
				continue
			}
			value, n, err := sample(ctx, subjects[i], o)
			if err != nil {
				failed = err
				break measuring
			}
			samples[i], nodes[i] = append(samples[i], value), n
			if done++; o.Report != nil {
				o.Report(done, all)
			}
		}
	}
	var rows []Row
	for i, s := range subjects {
		if len(samples[i]) > 0 {
			rows = append(rows, row(s, samples[i], nodes[i]))
		}
	}
	return rows, failed
}

// sample repeats a subject's pass until its time is up, and returns the time of a piece in
// the subject's unit.
func sample(ctx context.Context, s Subject, o Options) (value float64, nodes uint64, err error) {
	begin, pieces := o.Clock(), 0.0
	for {
		n, visited, err := s.Pass(ctx)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", s.Name, err)
		}
		pieces += n
		nodes = visited
		if spent := o.Clock() - begin; s.Slow || spent >= o.Least {
			return float64(spent) / unit(s.Unit) / pieces, nodes, nil
		}
	}
}

// unit returns a unit's nanoseconds.
func unit(name string) float64 {
	switch name {
	case "s":
		return 1e9
	case "ms/search":
		return 1e6
	}
	return 1
}

func row(s Subject, samples []float64, nodes uint64) Row {
	slices.Sort(samples)
	n := len(samples)
	r := Row{Name: s.Name, Unit: s.Unit, Samples: n, Median: (samples[(n-1)/2] + samples[n/2]) / 2, Low: samples[0], High: samples[n-1], Nodes: nodes}
	if k := order(n); k > 0 {
		r.Low, r.High = samples[k], samples[n-1-k]
	}
	return r
}

// order returns how many samples at either end lie outside of the 95 % interval of the
// median: as many as 2.5 % of the binomial distribution leave out.
func order(n int) int {
	chance, below := 1.0, 0.0
	for range n {
		chance /= 2
	}
	for k := range n {
		if below += chance; below > 0.025 {
			return max(0, k-1)
		}
		chance *= float64(n-k) / float64(k+1)
	}
	return 0
}
