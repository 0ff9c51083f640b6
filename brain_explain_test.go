package ur

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The terms of a position sum to its value, those of two positions to the difference. They come
// once each, and the largest first.
func TestExplanationsSumToTheValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(69, 0))
	brains := []*Brain{ClassicBrain(), DefaultBrain(), new(Brain)}
	for i := range brains[2] {
		brains[2][i] = int16(rng.Uint32())
	}
	for n := range testkit.Trials(2_000, 100_000) {
		b := brains[n%len(brains)]
		p := board.Finkel().Random(rng, 1+rng.IntN(board.FinkelPieces))
		q := board.Finkel().Random(rng, 1+rng.IntN(board.FinkelPieces))
		checkTerms(t, b, b.Explain(p), b.Value(p))
		checkTerms(t, b, b.Compare(p, q), b.Value(p)-b.Value(q))
		if terms := b.Compare(p, p); len(terms) > 0 {
			t.Fatalf("a position differs from itself in %+v", terms)
		}
	}
}

// checkTerms compares a list of terms with its sum.
func checkTerms(t *testing.T, b *Brain, terms []Term, want int32) {
	t.Helper()
	var sum int32
	seen := map[[2]int]bool{}
	for i, p := range terms {
		place := [2]int{p.Row, p.Column}
		product := int32(p.Weight) * int32(p.X[0]*p.X[1]-p.Y[0]*p.Y[1])
		if seen[place] || p.Weight != b.At(p.Row, p.Column) || p.Product != product || product == 0 {
			t.Fatalf("term %+v: the brain has %d, the product is %d", p, b.At(p.Row, p.Column), product)
		}
		if i > 0 && max(p.Product, -p.Product) > max(terms[i-1].Product, -terms[i-1].Product) {
			t.Fatalf("%+v comes before the larger %+v", terms[i-1], p)
		}
		seen[place] = true
		sum += p.Product
	}
	if sum != want {
		t.Fatalf("%d terms sum to %d, want %d", len(terms), sum, want)
	}
}
