package stat

import (
	"math"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// mostExact is the largest size of a side with an exact distribution of Mann and Whitney's
// statistic; beyond it the normal one agrees in three digits.
const mostExact = 40

// rankTail is [verdict.RankTail], for samples of any size.
func rankTail(n1, n2, u int) float64 {
	if max(n1, n2) <= mostExact {
		return verdict.RankTail(n1, n2, u)
	}
	a, b := float64(n1), float64(n2)
	deviation := math.Sqrt(a * b * (a + b + 1) / 12)
	return 0.5 * (1 - math.Erf((float64(u)-0.5-a*b/2)/(deviation*math.Sqrt2)))
}
