package engine

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

var fitPositions = flag.Int("fit", 0, "print predictionError as fitted to a number of `positions`")

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
			r, err := s.Search(t.Context(), b, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			scores[empties] = r.Value
		}
		for deep := range scores {
			if deep >= shallow {
				less := reduced(deep)
				list = append(list,
					surprise{empties, deep, less, float64(scores[deep]-scores[less]) / eval.Disc},
					surprise{empties, deep, 0, float64(scores[deep]-scores[0]) / eval.Disc})
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

// The prediction errors are the standard errors of self-play the fit has not seen: on average,
// and for the searches of each depth.
func TestPredictionErrorHolds(t *testing.T) {
	if *fitPositions > 0 {
		list := surprises(t, 1, *fitPositions)
		t.Logf("static: %s", fitted(list, func(x surprise) []float64 {
			return []float64{1, float64(x.deep), float64(x.deep & 1)}
		}, func(x surprise) bool { return x.shallow == 0 }))
		t.Logf("searches: %s", fitted(list, func(x surprise) []float64 {
			return []float64{1, float64(x.deep), float64(x.shallow)}
		}, func(x surprise) bool { return x.shallow > 0 }))
	}
	squares, counts := map[string]float64{}, map[string]float64{}
	for _, x := range surprises(t, 2, max(80, *fitPositions/4)) {
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
		for _, k := range kinds {
			squares[k] += float64(z * z)
			counts[k]++
		}
	}
	for k, n := range counts {
		deviation := math.Sqrt(squares[k] / n)
		t.Logf("%s: %.2f standard errors, %.0f searches", k, deviation, n)
		if deviation < 0.6 || deviation > 1.6 {
			t.Errorf("%s: the errors of %.0f searches have a deviation of %.2f predicted ones (want 0.6 to 1.6)", k, n, deviation)
		}
	}
}

// fitted fits the standard error of some searches as (1.235 + a*empties) times a sum of terms, by
// turns: each factor by least squares on absolute errors relative to the prediction. The mean of
// these errors is that of a normal one.
func fitted(all []surprise, terms func(surprise) []float64, some func(surprise) bool) string {
	fall, sum := []float64{-0.0168}, []float64(nil)
	for range 20 {
		var one, two [][]float64
		for _, x := range all {
			if !some(x) {
				continue
			}
			size := math.Abs(x.discs) * math.Sqrt(math.Pi/2)
			f := 1.235 + float64(fall[0]*float64(x.empties))
			var row []float64
			for _, term := range terms(x) {
				row = append(row, f*term/predictionError(x.empties, x.deep, x.shallow))
			}
			one = append(one, append(row, size/predictionError(x.empties, x.deep, x.shallow)))
			if value := dot(sum, terms(x)); value > 0 {
				two = append(two, []float64{float64(x.empties), size/value - 1.235})
			}
		}
		if sum = leastSquares(one); two != nil {
			fall = leastSquares(two)
		}
	}
	return fmt.Sprintf("(1.235 %+.4f*empties) * %.3f", fall[0], sum)
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// leastSquares returns the coefficients of the terms of every row; its last number is the sum.
func leastSquares(rows [][]float64) []float64 {
	n := len(rows[0]) - 1
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n+1)
		for _, row := range rows {
			for j := range row {
				m[i][j] += float64(row[i] * row[j])
			}
		}
	}
	found := make([]float64, n)
	for i := range m { // Gauss and Jordan's elimination
		for j := range m {
			if f := m[j][i] / m[i][i]; j != i {
				for k := range m[j] {
					m[j][k] -= float64(f * m[i][k])
				}
			}
		}
	}
	for i := range m {
		found[i] = m[i][n] / m[i][i]
	}
	return found
}
