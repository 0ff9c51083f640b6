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
}

// at returns the length of a number.
func (s scale) at(x float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		x, lo, hi = math.Log10(x), math.Log10(lo), math.Log10(hi)
	}
	return s.from + float64((x-lo)/(hi-lo)*(s.to-s.from))
}

// tick is a mark on an axis; without a label it is a minor one.
type tick struct {
	at    float64
	label string
}

// newScale returns a scale that holds the numbers, and its ticks. The numbers must
// be finite, and above 0 on a log scale; a linear scale begins at 0.
func newScale(numbers []float64, log bool, from, to float64) (scale, []tick) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range numbers {
		lo, hi = min(lo, x), max(hi, x)
	}
	if len(numbers) == 0 {
		lo, hi = 1, 10
	}
	s := scale{log: log, from: from, to: to}
	if log {
		ticks := s.logTicks(lo, hi)
		s.lo, s.hi = ticks[0].at, ticks[len(ticks)-1].at
		margin := math.Pow(s.hi/s.lo, 0.03) // so that no dot stands on the edge
		s.lo, s.hi = s.lo/margin, s.hi*margin
		return s, ticks
	}
	ticks := linearTicks(hi)
	s.lo, s.hi = ticks[0].at, ticks[len(ticks)-1].at
	return s, ticks
}

// logTicks has a tick at 1, 2, ... 9 times every power of ten, from the last at or
// below lo to the first at or above hi. Powers of ten are labelled and, where there
// is room, 2 and 5 times them.
func (s scale) logTicks(lo, hi float64) []tick {
	few := math.Log10(hi/lo)*120 < math.Abs(s.to-s.from)
	var ticks []tick
	for exponent := math.Floor(math.Log10(lo)); ; exponent++ {
		for digit := 1.0; digit < 10; digit++ {
			x := power(digit, int(exponent))
			next := power(digit+1, int(exponent))
			if next <= lo*(1+1e-9) {
				continue
			}
			label := ""
			if digit == 1 || few && (digit == 2 || digit == 5) {
				label = text.GroupedFigure(x)
			}
			ticks = append(ticks, tick{x, label})
			if x >= hi*(1-1e-9) && len(ticks) > 1 {
				return ticks
			}
		}
	}
}

// power returns digit times 10 to the exponent, as near as a number can be.
func power(digit float64, exponent int) float64 {
	x, err := strconv.ParseFloat(strconv.FormatFloat(digit, 'f', 0, 64)+"e"+strconv.Itoa(exponent), 64)
	if err != nil {
		return digit * math.Pow10(exponent)
	}
	return x
}

// linearTicks has at most seven ticks from 0 to the first at or above hi, at steps of
// 1, 2 or 5 times a power of ten.
func linearTicks(hi float64) []tick {
	if hi <= 0 {
		hi = 1
	}
	step := 0.0
	for exponent := int(math.Floor(math.Log10(hi))) - 1; step == 0; exponent++ {
		for _, digit := range []float64{1, 2, 5} {
			if hi <= 6*power(digit, exponent)*(1+1e-9) {
				step = power(digit, exponent)
				break
			}
		}
	}
	ticks := []tick{{0, "0"}}
	for i := 1; ticks[len(ticks)-1].at < hi*(1-1e-9); i++ {
		x := float64(i) * step
		ticks = append(ticks, tick{x, text.GroupedFigure(x)})
	}
	return ticks
}

// newSpan returns a linear scale from the least to the largest of finite numbers of any
// sign, and about six to eight ticks at round distances.
func newSpan(numbers []float64, from, to float64) (scale, []tick) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range numbers {
		lo, hi = min(lo, x), max(hi, x)
	}
	if len(numbers) == 0 {
		lo, hi = 0, 1
	}
	room := max(0.04*(hi-lo), 0.5) // so that no dot stands on the edge
	lo, hi = lo-room, hi+room
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/8)))
	for _, factor := range []float64{2, 2.5, 2} {
		if (hi-lo)/step > 8 {
			step *= factor
		}
	}
	var ticks []tick
	for i := math.Ceil(lo / step); i*step <= hi; i++ {
		ticks = append(ticks, tick{i * step, strconv.FormatFloat(i*step, 'f', -1, 64)})
	}
	return scale{lo: lo, hi: hi, from: from, to: to}, ticks
}
