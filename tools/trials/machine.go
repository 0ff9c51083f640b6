package trials

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Machine simulates a machine's noise: a factor on the time of each sample.
type Machine struct {
	Name string

	jitter float64 // standard deviation of a sample's logarithm, beside the noise

	// start begins a run of n samples and returns the noise of sample i, a logarithm.
	start func(rng *rand.Rand, n int) func(i int) float64
}

// jitter is the usual one of a machine.
const jitter = 0.01

// each is a machine whose samples have independent noise.
func each(name string, jitter float64, noise func(rng *rand.Rand) float64) Machine {
	return Machine{name, jitter,
		func(rng *rand.Rand, _ int) func(int) float64 { return func(int) float64 { return noise(rng) } }}
}

// drift becomes steadily slower or faster by part over the run, like a machine that warms up or
// cools down.
func drift(part float64) Machine {
	return Machine{fmt.Sprintf("drift by %g %%", 100*part), jitter, func(rng *rand.Rand, n int) func(int) float64 {
		sign := float64(1 - 2*rng.IntN(2))
		return func(i int) float64 { return sign * part * float64(i) / float64(n) }
	}}
}

// wave becomes slower and faster by part, the given times in a run, as a shared machine.
func wave(part, times float64) Machine {
	return Machine{fmt.Sprintf("%g waves of %g %%", times, 100*part), jitter,
		func(rng *rand.Rand, n int) func(int) float64 {
			phase := 2 * math.Pi * rng.Float64()
			return func(i int) float64 { return part / 2 * math.Sin(phase+2*math.Pi*times*float64(i)/float64(n)) }
		}}
}

// spikes is interrupted at times: part of its samples take up to twice the time.
func spikes(part float64) Machine {
	return each(fmt.Sprintf("spikes in %g %%", 100*part), jitter, func(rng *rand.Rand) float64 {
		if rng.Float64() < part {
			return math.Log1p(rng.Float64())
		}
		return 0
	})
}

// bimodal has two states that differ by gap, like two clock rates of a core. It keeps a state
// for stay samples on average; 2 draws the state of each sample anew.
func bimodal(gap, stay float64) Machine {
	return Machine{fmt.Sprintf("bimodal, %g %% for %g samples", 100*gap, stay), jitter,
		func(rng *rand.Rand, _ int) func(int) float64 {
			slow := rng.IntN(2) == 0
			return func(int) float64 {
				if rng.Float64() < 1/stay {
					slow = !slow
				}
				if slow {
					return math.Log1p(gap)
				}
				return 0
			}
		}}
}

// normal draws factors around 1 with a standard deviation.
func normal(deviation float64) Machine {
	return each(fmt.Sprintf("normal, sd %g %%", 100*deviation), 0, func(rng *rand.Rand) float64 {
		return math.Log(max(0.01, 1+deviation*rng.NormFloat64()))
	})
}

// skewed delays every sample by a lognormal time: mostly by about part, at times by
// several times as much.
func skewed(part float64) Machine {
	return each(fmt.Sprintf("lognormal delays of %g %%", 100*part), jitter, func(rng *rand.Rand) float64 {
		return math.Log1p(part * math.Exp(rng.NormFloat64()))
	})
}

// heavyTails draws logarithms from Student's t with 2 degrees of freedom, whose variance
// is infinite, times scale.
func heavyTails(scale float64) Machine {
	return each(fmt.Sprintf("heavy tails, scale %g %%", 100*scale), 0, func(rng *rand.Rand) float64 {
		return max(-2, min(2, scale*rng.NormFloat64()/math.Sqrt(rng.ExpFloat64())))
	})
}

// autoregressive draws logarithms from a process AR(1).
func autoregressive(deviation, correlation float64) Machine {
	return Machine{fmt.Sprintf("AR(1) of %g, sd %g %%", correlation, 100*deviation), jitter,
		func(rng *rand.Rand, _ int) func(int) float64 {
			state := rng.NormFloat64()
			return func(int) float64 {
				state = correlation*state + math.Sqrt(1-correlation*correlation)*rng.NormFloat64()
				return deviation * state
			}
		}}
}

// randomWalk changes its speed by about part with every sample.
func randomWalk(part float64) Machine {
	return Machine{fmt.Sprintf("random walk of %g %%", 100*part), jitter,
		func(rng *rand.Rand, _ int) func(int) float64 {
			at := 0.0
			return func(int) float64 { at += part * rng.NormFloat64(); return at }
		}}
}

// machines returns every kind of noise once, at sizes observed on real machines.
func machines() []Machine {
	return []Machine{
		normal(0.02), skewed(0.02), bimodal(0.06, 2), spikes(0.10), heavyTails(0.01), drift(0.10), wave(0.08, 3),
		autoregressive(0.03, 0.8), bimodal(0.06, 100), randomWalk(0.01), bimodal(0.15, 2),
	}
}

// factors begins a run of n samples and returns a function that yields the factor of each in
// turn. The noise continues after the end of the run.
func (m Machine) factors(rng *rand.Rand, n int) func() float64 {
	noise, i := m.start(rng, n), -1
	return func() float64 {
		i++
		return math.Exp(noise(i) + m.jitter*rng.NormFloat64())
	}
}
