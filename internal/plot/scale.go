package plot

import (
	"math"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// scale maps numbers from lo to hi, lo < hi, onto lengths.
type scale struct {
	log      bool
	lo, hi   float64
	from, to float64
	ticks    []tick
}

// tick is a mark on an axis; without a label it is a minor one.
type tick struct {
	at    float64
	label string
}

// at returns the length of a number.
func (s scale) at(x float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		x, lo, hi = math.Log10(x), math.Log10(lo), math.Log10(hi)
	}
	return s.from + float64((x-lo)/(hi-lo)*(s.to-s.from))
}

// tickLabel is the text of a number.
func tickLabel(x float64) string { return text.GroupedFigure(x) }

// newScale returns a scale that holds finite numbers, above 0 on a log scale, and its ticks.
func (a Axis) newScale(numbers []float64, from, to float64) scale {
	s := scale{log: a.Log, from: from, to: to}
	if a.Names != nil {
		for i, name := range a.Names {
			s.ticks = append(s.ticks, tick{float64(i), name})
		}
		s.lo, s.hi = -0.3, float64(len(a.Names))-0.7
		return s
	}
	for _, x := range []float64{a.Reference, a.Top} {
		if x > 0 {
			numbers = append(numbers, x)
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range numbers {
		lo, hi = min(lo, x), max(hi, x)
	}
	if len(numbers) == 0 {
		lo, hi = 1, 10
	}
	if a.Log {
		s.ticks = logTicks(lo, hi, math.Log10(hi/lo)*120 < math.Abs(to-from))
	} else {
		s.ticks = linearTicks(min(lo, 0), max(hi, 0))
	}
	s.lo, s.hi = s.ticks[0].at, s.ticks[len(s.ticks)-1].at
	if a.Log {
		margin := math.Pow(s.hi/s.lo, 0.03) // so that no dot stands on the edge
		s.lo, s.hi = s.lo/margin, s.hi*margin
	}
	return s
}

// logTicks has a tick at 1, 2, ... 9 times every power of ten, from the last at or
// below lo to the first at or above hi. Powers of ten are labelled and, on request,
// 2 and 5 times them.
func logTicks(lo, hi float64, few bool) (ticks []tick) {
	for exponent := int(math.Floor(math.Log10(lo))); ; exponent++ {
		for digit := 1; digit < 10; digit++ {
			x := powerOfTen(digit, exponent)
			if powerOfTen(digit+1, exponent) <= lo*(1+1e-9) {
				continue
			}
			t := tick{at: x}
			if digit == 1 || few && (digit == 2 || digit == 5) {
				t.label = tickLabel(x)
			}
			if ticks = append(ticks, t); x >= hi*(1-1e-9) && len(ticks) > 1 {
				return ticks
			}
		}
	}
}

// powerOfTen returns digit times 10 to the exponent, as near as a number can be.
func powerOfTen(digit, exponent int) float64 {
	x, _ := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(exponent), 64) // infinite beyond all numbers
	return x
}

// linearTicks has about seven ticks at multiples of 1, 2 or 5 times a power of ten, from the last at
// or below lo to the first at or above hi.
func linearTicks(lo, hi float64) (ticks []tick) {
	if lo == hi {
		hi++
	}
	step := 0.0
	for exponent := int(math.Floor(math.Log10(hi-lo))) - 1; step == 0; exponent++ {
		for _, digit := range []int{1, 2, 5} {
			if hi-lo <= 6*powerOfTen(digit, exponent)*(1+1e-9) {
				step = powerOfTen(digit, exponent)
				break
			}
		}
	}
	for i := math.Floor(lo/step + 1e-9); len(ticks) == 0 || ticks[len(ticks)-1].at < hi-step*1e-9; i++ {
		ticks = append(ticks, tick{i * step, tickLabel(i * step)})
	}
	return ticks
}
