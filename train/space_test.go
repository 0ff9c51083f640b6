package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// randomPositions returns positions of random games.
func randomPositions(pieces, n int) []board.Position {
	random := rand.New(rand.NewPCG(1, uint64(pieces)))
	var positions []board.Position
	for p := board.StartPosition(pieces); len(positions) < n; {
		futures := board.Finkel().Futures(nil, p, random.IntN(5))
		if len(futures) == 0 {
			p = board.StartPosition(pieces)
			continue
		}
		p = futures[random.IntN(len(futures))]
		positions = append(positions, p)
	}
	return positions
}

// TestSpaceIsAntisymmetric compares positions with their mirror images, by the
// brain and by the features, which must agree but for a constant.
func TestSpaceIsAntisymmetric(t *testing.T) {
	for _, pieces := range []int{1, 4, 7} {
		s := newSpace(pieces)
		random := rand.New(rand.NewPCG(2, 3))
		point := make([]float64, s.dimension())
		for k := range point {
			point[k] = float64(pieces * (random.IntN(200) - 100)) // whole weights at home too
		}
		b := s.brainAt(point, 1)
		features := make([]float64, s.dimension())
		var sum float64
		for n, p := range randomPositions(pieces, 500) {
			s.writeFeatures(p, features)
			value := 0.0
			for k, f := range features {
				value += f * point[k]
			}
			if math.Abs(value-float64(b.Value(p))) > 1e-6 {
				t.Fatalf("%v: %g by features, %d by the brain", p.Numbers(), value, b.Value(p))
			}
			both := float64(b.Value(p) + b.Value(p.Mirror()))
			if n == 0 {
				sum = both
			}
			if both != sum {
				t.Fatalf("%d pieces, %v: value and mirrored value sum to %g, elsewhere to %g", pieces, p.Numbers(),
					both, sum)
			}
		}
	}
}

// TestSpacePoint takes a brain of both kinds apart and puts it together again: what
// a move changes must stay.
func TestSpacePoint(t *testing.T) {
	for _, pieces := range []int{3, 7} {
		s := newSpace(pieces)
		classic := ur.ClassicBrain() // antisymmetric
		again := s.brainAt(s.pointOf(classic), float64(pieces))
		var base int32
		for n, p := range randomPositions(pieces, 1000) {
			difference := again.Value(p) - int32(pieces)*classic.Value(p)
			if n == 0 {
				base = difference
			}
			if difference != base {
				t.Fatalf("%d pieces, %v: differs by %d, elsewhere by %d", pieces, p.Numbers(), difference, base)
			}
		}
	}
}

// TestSpacePointOfAnyBrain wants a point of the space to be found again, also when
// something that prefers a player is added to it.
func TestSpacePointOfAnyBrain(t *testing.T) {
	s := newSpace(7)
	random := rand.New(rand.NewPCG(4, 5))
	want := make([]float64, s.dimension())
	for k := range want {
		want[k] = float64(7 * (random.IntN(200) - 100))
	}
	b := s.brainAt(want, 1)
	for i := 1; i <= board.Finish; i++ { // liked in both players' pieces
		b[ur.WeightIndex(i, i)] += 5
		b[ur.WeightIndex(16+i, 16+i)] += 5
	}
	for k, got := range s.pointOf(b) {
		if math.Abs(got-want[k]) > 1e-9 {
			t.Errorf("coordinate %d is %g, want %g", k, got, want[k])
		}
	}
}
