package cli

import (
	"math"
	"time"
)

// Digits rounds to a number of significant digits.
func Digits(x float64, n int) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, float64(n)-math.Ceil(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}

// Since returns the elapsed seconds, to a millisecond.
func Since(begin time.Time) float64 {
	return time.Since(begin).Round(time.Millisecond).Seconds()
}

// Hundredths rounds a time to the precision of a clock.
func Hundredths(x float64) float64 { return math.Round(x*100) / 100 }
