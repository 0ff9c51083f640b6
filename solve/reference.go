package solve

import "github.com/seed-09dcdc84/ur/board"

// Reference returns a table with the values of t rounded as in a compact file, to steps of
// 1/65535. A [Library] always answers with these values, from a new solution or a file of any
// encoding. Nearly equal moves are then ordered, or tied, in the same way, so a seed names the
// same games of perfect play with any table.
func Reference(t Table) Table {
	switch t := t.(type) {
	case compactValues:
		return t
	case TableFile:
		if e := t.Info().Encoding; e == Compact {
			return t
		}
	case Values:
		c := make(compactValues, len(t))
		for i, v := range t {
			c[i] = fixed16(v)
		}
		return c
	}
	return rounded{t}
}

// compactValues are [Values] in steps of 1/65535.
type compactValues []uint16

// Index implements [Ranked].
func (v compactValues) Index() *Index { return finkel }

// Pieces implements [Ranked].
func (v compactValues) Pieces() int { return finkel.piecesOf(len(v)) }

// Win implements [Table].
func (v compactValues) Win(p board.Position) float64 { return win(v, p) }

// At implements [Ranked].
func (v compactValues) At(rank int) float64 { return float64(v[rank]) / fixedOne }

// Err implements [Ranked].
func (v compactValues) Err() error { return nil }

// rounded rounds the values of a table.
type rounded struct{ Table }

// Win implements [Table].
func (r rounded) Win(p board.Position) float64 { return win(r, p) }

// At implements [Ranked]. A damaged value remains not-a-number.
func (r rounded) At(rank int) float64 {
	v := r.Table.At(rank)
	if v != v {
		return v
	}
	return float64(fixed16(v)) / fixedOne
}
