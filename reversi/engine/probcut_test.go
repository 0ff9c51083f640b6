package engine

import (
	"flag"
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

// surprises searches positions of self-play of 11 to 20 empty squares, as the solver's approach
// does, and to the end.
func surprises(t *testing.T, seed uint64, positions int) (list []surprise) {
	t.Helper()
	w, err := eval.Learned()
	if err != nil {
		t.Fatal(err)
	}
	s := solver(t, Options{Weights: w})
	random := rand.New(rand.NewPCG(seed, 67))
	for range positions {
		b, ok := selfPlay(random, w, 11+random.IntN(10))
		if !ok || b.Moves() == 0 {
			continue
		}
		empties := b.Empties()
		scores := map[int]int{0: w.Evaluate(b)}
		for depth := 1; depth <= min(10, empties-1); depth++ {
			scores[depth] = s.Value(b, depth, -most, most)
		}
		r, err := s.Search(t.Context(), b, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		scores[empties] = r.Value
		for deep := range scores {
			if deep >= 4 {
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
// value, with a random one among eight.
func selfPlay(random *rand.Rand, w *eval.Weights, empties int) (board.Board, bool) {
	b, ok := ending(random, 46+random.IntN(8))
	if !ok {
		return b, false
	}
	return playTo(b, empties, func(b board.Board, moves uint64) board.Square {
		best, least := board.None, eval.Max+1
		for ; moves != 0; moves &= moves - 1 {
			s := board.First(moves)
			v := w.Evaluate(b.Play(s, b.Flips(s)))
			if random.IntN(8) == 0 {
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
		t.Logf("error = %.3f %+.3f*empties %+.3f*deep %+.3f*shallow", fitPlane(surprises(t, 1, *fitPositions))...)
	}
	squares, counts := map[string]float64{}, map[string]float64{}
	for _, x := range surprises(t, 2, max(24, *fitPositions/4)) {
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

// fitPlane fits the standard error to the empty squares and both depths by least squares on
// absolute errors, whose mean is that of a normal error.
func fitPlane(list []surprise) []any {
	const n = 4
	var m [n][n + 1]float64
	for _, x := range list {
		row := [n]float64{1, float64(x.empties), float64(x.deep), float64(x.shallow)}
		for i := range n {
			for j := range n {
				m[i][j] += float64(row[i] * row[j])
			}
			m[i][n] += float64(row[i] * math.Abs(x.discs) * math.Sqrt(math.Pi/2))
		}
	}
	for i := range n { // Gauss and Jordan's elimination
		for j := range n {
			if j == i {
				continue
			}
			f := m[j][i] / m[i][i]
			for k := range m[j] {
				m[j][k] -= float64(f * m[i][k])
			}
		}
	}
	plane := make([]any, n)
	for i := range n {
		plane[i] = m[i][n] / m[i][i]
	}
	return plane
}
