package ur

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// candidatesOf returns the candidates of a position and roll, computed from values.
func candidatesOf(b *Brain, p board.Position, roll int) []int {
	side := p.Turn()
	sign := turnChange(side)
	passing := int(b.Value(p.Pass())) - int(b.Value(p))
	var candidates []int
	for _, m := range p.Moves(nil, roll) {
		candidates = append(candidates, sign*(int(b.Value(p.Apply(m)))-int(b.Value(p))-passing))
	}
	return candidates
}

// No candidate may pass the bound; and the bound must not be so wide that it
// pushes ordinary brains into wider arithmetic.
func TestCandidateBoundHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	brains := []*Brain{ClassicBrain(), new(Brain)}
	for _, limit := range []int{3, 100, 32767} {
		b, extreme := new(Brain), new(Brain)
		for k := range b {
			b[k] = int16(rng.IntN(2*limit+1) - limit)
			extreme[k] = int16((2*rng.IntN(2) - 1) * limit)
		}
		brains = append(brains, b, extreme)
	}
	for i, b := range brains {
		for pieces := 1; pieces <= board.MaxPieces; pieces++ {
			bound := [2]int{candidateBound(b, board.Light, pieces), candidateBound(b, board.Dark, pieces)}
			largest := 0
			for range 500 {
				p := board.RandomPosition(rng, pieces)
				for roll := 1; roll <= board.MaxRoll; roll++ {
					for _, c := range candidatesOf(b, p, roll) {
						largest = max(largest, c, -c)
						if max(c, -c) > bound[p.Turn()] {
							t.Fatalf("brain %d, %s, roll %d: candidate %d passes the bound %d", i, p, roll, c, bound[p.Turn()])
						}
					}
				}
			}
			if worst := max(bound[0], bound[1]); pieces == board.MaxPieces && worst > 8*largest {
				t.Errorf("brain %d: the bound is %d, the largest candidate seen %d", i, worst, largest)
			}
		}
	}
}
