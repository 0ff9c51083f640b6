package ur

import (
	"cmp"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// Term is the product of a pair of a board's numbers in the sum of a value.
type Term struct {
	Row     int    `json:"row"`        // 0 to 32
	Column  int    `json:"column"`     // 0 to Row
	Weight  int16  `json:"weight"`     // entry of the brain in row and column
	X       [2]int `json:"x"`          // the numbers of row and column
	Y       [2]int `json:"y,omitzero"` // those of the other position in a comparison
	Product int32  `json:"product"`    // Weight * X[0] * X[1], minus the same product of Y
}

// Explain returns the terms of a position that are not 0, largest first without regard to sign. Their
// products sum to [Brain.Value].
func (b *Brain) Explain(p board.Position) []Term {
	return b.terms(p.Numbers(), [board.Numbers]int{})
}

// Compare returns the terms that differ between two positions, largest difference first. Their
// products sum to the value of p minus the value of q.
func (b *Brain) Compare(p, q board.Position) []Term {
	return b.terms(p.Numbers(), q.Numbers())
}

// terms returns the terms that differ between two boards.
func (b *Brain) terms(x, y [board.Numbers]int) []Term {
	list := []Term{}
	for i := range board.Numbers {
		for j := range i + 1 {
			t := Term{Row: i, Column: j, Weight: b.At(i, j), X: [2]int{x[i], x[j]}, Y: [2]int{y[i], y[j]}}
			if t.Product = int32(t.Weight) * int32(x[i]*x[j]-y[i]*y[j]); t.Product != 0 {
				list = append(list, t)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Term) int {
		return cmp.Compare(max(b.Product, -b.Product), max(a.Product, -a.Product))
	})
	return list
}
