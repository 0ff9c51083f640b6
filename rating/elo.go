package rating

import (
	"math"

	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// perNeper is how many points of Elo are odds of e to 1.
const perNeper = 400 / math.Ln10

// Elo returns the Elo difference for an expected score of 0 to 1, by the logistic curve: 400
// points are odds of 10 to 1. Scores of 0 and 1 have no finite difference: the result is
// infinite.
func Elo(score float64) float64 { return float64(perNeper * samebits.Log(score/(1-score))) }

// Expected returns the expected score, 0 to 1, of a player who is the given number of Elo
// points stronger: the inverse of [Elo].
func Expected(elo float64) float64 { return expected(elo / perNeper) }

// expected is the expected score at a difference in natural logarithms of odds.
func expected(difference float64) float64 { return 1 / (1 + samebits.Exp(-difference)) }
