package ur

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// In 100,000 positions of games of random moves the terms of a position sum to its value, those of two positions to
// the difference. They come once each, and the largest first.
func TestExplanationsSumToTheValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(69, 0))
	brains := []*Brain{ClassicBrain(), DefaultBrain(), new(Brain)}
	for i := range brains[2] {
		brains[2][i] = int16(rng.Uint32())
	}
	trials := 100_000
	if testing.Short() {
		trials = 2_000
	}
	p := board.StartPosition(board.FinkelPieces)
	for n := range trials {
		b := brains[n%len(brains)]
		q := p
		p = randomTurn(rng, p)
		checkTerms(t, b, b.Explain(p), b.Value(p))
		if n%10 == 0 {
			checkTerms(t, b, b.Compare(p, q), b.Value(p)-b.Value(q))
			checkTerms(t, b, b.Compare(p, p), 0)
		}
	}
}

// randomTurn returns a position after a throw of the dice and a random move, in a new game after the last one.
func randomTurn(rng *rand.Rand, p board.Position) board.Position {
	if _, over := p.Winner(); over {
		return board.StartPosition(board.FinkelPieces)
	}
	moves := board.Finkel().Moves(nil, p, rng.IntN(2)+rng.IntN(2)+rng.IntN(2)+rng.IntN(2))
	if len(moves) == 0 {
		return p.Pass()
	}
	return board.Finkel().Apply(p, moves[rng.IntN(len(moves))])
}

// checkTerms compares a list of terms with its sum.
func checkTerms(t *testing.T, b *Brain, terms []Term, want int32) {
	t.Helper()
	var sum int32
	var seen [board.Numbers][board.Numbers]bool
	for i, p := range terms {
		product := int32(p.Weight) * int32(p.X[0]*p.X[1]-p.Y[0]*p.Y[1])
		if seen[p.Row][p.Column] || p.Weight != b.At(p.Row, p.Column) || p.Product != product || product == 0 {
			t.Fatalf("term %+v: the brain has %d, the product is %d", p, b.At(p.Row, p.Column), product)
		}
		if i > 0 && max(p.Product, -p.Product) > max(terms[i-1].Product, -terms[i-1].Product) {
			t.Fatalf("%+v comes before the larger %+v", terms[i-1], p)
		}
		seen[p.Row][p.Column] = true
		sum += p.Product
	}
	if sum != want {
		t.Fatalf("%d terms sum to %d, want %d", len(terms), sum, want)
	}
}
