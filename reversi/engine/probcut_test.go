package engine

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

var fitPositions = flag.Int("fit", 0, "print the errors of a number of `positions` in those predicted")

// surprise is how far a search of shallow plies was from one of deep.
type surprise struct {
	empties, deep, shallow int
	discs                  float64
}

// surprises searches positions of self-play of 11 to 52 empty squares to several depths, and up to
// 18 to the end.
func surprises(t *testing.T, seed uint64, positions int) (list []surprise) {
	t.Helper()
	w := learned(t)
	s := solver(t, Options{Weights: w})
	random := rand.New(rand.NewPCG(seed, 67))
	for n := range positions {
		b, ok := selfPlay(random, w, 11+random.IntN([...]int{8, 42}[n&1]))
		if !ok || b.Moves() == 0 {
			continue
		}
		empties := b.Empties()
		scores := map[int]int{0: w.Evaluate(b)}
		for depth := 1; depth <= min(9, empties-1); depth++ {
			scores[depth] = s.Value(b, depth, -most, most)
		}
		if empties <= 18 {
			r := testkit.Must(s.Search(t.Context(), b, Limits{}))(t)
			scores[empties] = r.Value
		}
		for deep := range scores {
			if deep == 0 {
				continue
			}
			static := scores[0]
			if deep < empties {
				static += staticBias(empties, deep)
			}
			list = append(list, surprise{empties, deep, 0, float64(scores[deep]-static) / eval.Disc})
			if less := reduced(deep); less > 0 {
				list = append(list, surprise{empties, deep, less, float64(scores[deep]-scores[less]) / eval.Disc})
			}
		}
	}
	return list
}

// selfPlay plays up to a number of empty squares: at random at first, then moves of the highest
// value, with a random one among twenty.
func selfPlay(random *rand.Rand, w *eval.Weights, empties int) (board.Board, bool) {
	b, ok := ending(random, 53+random.IntN(4))
	if !ok {
		return b, false
	}
	return playTo(b, empties, func(b board.Board, moves uint64) board.Square {
		best, least := board.None, eval.Max+1
		for ; moves != 0; moves &= moves - 1 {
			s := board.First(moves)
			v := w.Evaluate(b.Play(s, b.Flips(s)))
			if random.IntN(20) == 0 {
				v -= eval.Max
			}
			if v < least {
				best, least = s, v
			}
		}
		return best
	})
}

// The prediction errors are the standard errors of self-play the fit has not seen, without a bias.
// With -fit they are printed by depths and by empty squares.
func TestPredictionErrorHolds(t *testing.T) {
	sums, squares, counts := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, x := range surprises(t, 2, max(testkit.Trials(20, 80), *fitPositions)) {
		z := x.discs / predictionError(x.empties, x.deep, x.shallow)
		kinds := []string{"all"}
		switch {
		case x.shallow == 0:
			kinds = append(kinds, "static")
		case x.deep == x.empties:
			kinds = append(kinds, "to the end")
		default:
			kinds = append(kinds, "midgame")
		}
		if *fitPositions > 0 {
			kinds = append(kinds, fmt.Sprintf("depth %2d by %d", x.deep, x.shallow), fmt.Sprintf("%2d empties", x.empties/8*8))
		}
		for _, k := range kinds {
			sums[k] += z
			squares[k] += float64(z * z)
			counts[k]++
		}
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		n := counts[k]
		mean, deviation := sums[k]/n, math.Sqrt(squares[k]/n)
		t.Logf("%s: %.2f predicted errors, mean %+.2f, %.0f searches", k, deviation, mean, n)
		testkit.ErrorIf(t, *fitPositions == 0 && (deviation < 0.6 || deviation > 1.6 || math.Abs(mean) > 0.5),
			"%s: %.0f searches deviate by %.2f predicted errors (want 0.6 to 1.6), on average %+.2f (want -0.5 to 0.5)",
			k, n, deviation, mean)
	}
}
