// Package noise simulates machines that do not hold still, so that tests know
// whether a difference between measurements is one.
package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Machine is the noise of a machine. Each sample that is taken takes the next of its
// factors, by which time is longer than on a machine that holds still.
type Machine struct {
	Name string

	// start begins a run of n samples and returns the factor of each; a run is
	// everything that is measured in one go.
	start func(rng *rand.Rand, n int) func(i int) float64
}

// jitter is what every machine has: the standard deviation of a sample's logarithm.
const jitter = 0.01

// Quiet has jitter of 1 % and nothing else.
func Quiet() Machine {
	return Machine{"quiet", func(rng *rand.Rand, _ int) func(int) float64 {
		return func(int) float64 { return math.Exp(jitter * rng.NormFloat64()) }
	}}
}

// Drift becomes slower or faster by the part over the run, steadily, as one that
// warms up or cools down does.
func Drift(part float64) Machine {
	return Machine{fmt.Sprintf("drift by %g %%", 100*part), func(rng *rand.Rand, n int) func(int) float64 {
		sign := float64(1 - 2*rng.IntN(2))
		base := quiet(rng, n)
		return func(i int) float64 { return base(i) * math.Exp(sign*part*float64(i)/float64(n)) }
	}}
}

// Wave becomes slower and faster by the part, so many times in a run, as one that
// others share does.
func Wave(part, times float64) Machine {
	return Machine{fmt.Sprintf("%g waves of %g %%", times, 100*part), func(rng *rand.Rand, n int) func(int) float64 {
		phase := 2 * math.Pi * rng.Float64()
		base := quiet(rng, n)
		return func(i int) float64 {
			return base(i) * math.Exp(part/2*math.Sin(phase+2*math.Pi*times*float64(i)/float64(n)))
		}
	}}
}

// Spikes is now and then interrupted: the part of its samples takes up to twice the
// time.
func Spikes(part float64) Machine {
	return Machine{fmt.Sprintf("spikes in %g %%", 100*part), func(rng *rand.Rand, n int) func(int) float64 {
		base := quiet(rng, n)
		return func(i int) float64 {
			if rng.Float64() < part {
				return base(i) * (1 + rng.Float64())
			}
			return base(i)
		}
	}}
}

// Bimodal is in one of two states that differ by gap, as by where memory came to lie
// or which clock the core has, and stays in one for so many samples on average; 2
// means that each sample draws its state.
func Bimodal(gap, stay float64) Machine {
	return Machine{fmt.Sprintf("bimodal, %g %% for %g samples", 100*gap, stay), func(rng *rand.Rand, n int) func(int) float64 {
		slow := rng.IntN(2) == 0
		base := quiet(rng, n)
		return func(i int) float64 {
			if rng.Float64() < 1/stay {
				slow = !slow
			}
			if slow {
				return base(i) * (1 + gap)
			}
			return base(i)
		}
	}}
}

func quiet(rng *rand.Rand, n int) func(int) float64 { return Quiet().start(rng, n) }

// SideBySide measures two sides of n samples in turns, each pair in an order of its
// own: element k of both is a pair. A sample of old takes 1 on a machine that holds
// still, one of new 1+slowdown.
func (m Machine) SideBySide(seed uint64, n int, slowdown float64) (old, new []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	factor := m.start(rng, 2*n)
	for k := range n {
		first, second := factor(2*k), factor(2*k+1)
		if rng.IntN(2) == 0 {
			first, second = second, first
		}
		old, new = append(old, first), append(new, second*(1+slowdown))
	}
	return old, new
}

// OneAfterTheOther measures all n samples of old, and then all of new.
func (m Machine) OneAfterTheOther(seed uint64, n int, slowdown float64) (old, new []float64) {
	rng := rand.New(rand.NewPCG(seed, 2))
	factor := m.start(rng, 2*n)
	for i := range 2 * n {
		if i < n {
			old = append(old, factor(i))
		} else {
			new = append(new, factor(i)*(1+slowdown))
		}
	}
	return old, new
}

// OnTwoDays measures old in one run and new in another, so that the machine need not
// be in the state in which it was.
func (m Machine) OnTwoDays(seed uint64, n int, slowdown float64) (old, new []float64) {
	rng := rand.New(rand.NewPCG(seed, 4))
	first, second := m.start(rng, n), m.start(rng, n)
	for i := range n {
		old = append(old, first(i))
	}
	for i := range n {
		new = append(new, second(i)*(1+slowdown))
	}
	return old, new
}

// File measures several benchmarks in rounds, a sample of each, first n rounds of
// old and then n of new. What the machine does in a round it does to all of them,
// beside the jitter of each.
func (m Machine) File(seed uint64, benchmarks, n int) (old, new [][]float64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	factor := m.start(rng, 2*n)
	old, new = make([][]float64, benchmarks), make([][]float64, benchmarks)
	for i := range 2 * n {
		round := factor(i)
		for b := range benchmarks {
			sample := round * math.Exp(jitter*rng.NormFloat64())
			if i < n {
				old[b] = append(old[b], sample)
			} else {
				new[b] = append(new[b], sample)
			}
		}
	}
	return old, new
}

// Normal has samples around 1 with a standard deviation.
func Normal(deviation float64) Machine {
	return Machine{fmt.Sprintf("normal, sd %g %%", 100*deviation), func(rng *rand.Rand, _ int) func(int) float64 {
		return func(int) float64 { return max(0.01, 1+deviation*rng.NormFloat64()) }
	}}
}

// Skewed delays every sample by a time that is lognormal: mostly by about the part,
// and now and then by several times it.
func Skewed(part float64) Machine {
	return Machine{fmt.Sprintf("lognormal delays of %g %%", 100*part), func(rng *rand.Rand, n int) func(int) float64 {
		base := quiet(rng, n)
		return func(i int) float64 { return base(i) * (1 + part*math.Exp(rng.NormFloat64())) }
	}}
}

// HeavyTails has logarithms by Student's t of 2 degrees of freedom, whose variance is
// infinite, times the scale.
func HeavyTails(scale float64) Machine {
	return Machine{fmt.Sprintf("heavy tails, scale %g %%", 100*scale), func(rng *rand.Rand, _ int) func(int) float64 {
		return func(int) float64 {
			return math.Exp(max(-2, min(2, scale*rng.NormFloat64()/math.Sqrt(rng.ExpFloat64()))))
		}
	}}
}

// Autoregressive has logarithms of a standard deviation that resemble those before
// them by a correlation.
func Autoregressive(deviation, correlation float64) Machine {
	name := fmt.Sprintf("AR(1) of %g, sd %g %%", correlation, 100*deviation)
	return Machine{name, func(rng *rand.Rand, n int) func(int) float64 {
		base := quiet(rng, n)
		state := rng.NormFloat64()
		return func(i int) float64 {
			state = correlation*state + math.Sqrt(1-correlation*correlation)*rng.NormFloat64()
			return base(i) * math.Exp(deviation*state)
		}
	}}
}

// RandomWalk changes its speed with every sample by the part, and never comes back on
// purpose.
func RandomWalk(part float64) Machine {
	return Machine{fmt.Sprintf("random walk of %g %%", 100*part), func(rng *rand.Rand, n int) func(int) float64 {
		base := quiet(rng, n)
		at := 0.0
		return func(i int) float64 {
			at += part * rng.NormFloat64()
			return base(i) * math.Exp(at)
		}
	}}
}

// All returns the kinds of noise, each once, at sizes that machines have been seen to
// have.
func All() []Machine {
	return []Machine{
		Normal(0.02), Skewed(0.02), Bimodal(0.06, 2), Spikes(0.10), HeavyTails(0.01), Drift(0.10), Wave(0.08, 3),
		Autoregressive(0.03, 0.8), Bimodal(0.06, 100), RandomWalk(0.01),
	}
}

// Start begins a run of n samples and returns what gives the factor of each in turn.
// Behind the end of the run the noise goes on as it was.
func (m Machine) Start(rng *rand.Rand, n int) func() float64 {
	factor := m.start(rng, n)
	i := -1
	return func() float64 { i++; return factor(i) }
}
