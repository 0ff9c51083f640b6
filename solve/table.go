package solve

import (
	"github.com/seed-09dcdc84/ur/board"
)

// Ranked holds the value of every position of a rule set, by rank. It is safe for use by many
// goroutines at once.
type Ranked interface {
	// Index numbers the positions and has the rules. It may cover more pieces than the table.
	Index() *Index

	// Pieces returns the number of pieces a side of the table's game. The table also covers
	// smaller games.
	Pieces() int

	// At returns the probability, 0 to 1, that the player to move wins under perfect play,
	// before the dice are thrown, for the position with a rank of the index, 0 to
	// Index().Positions(Pieces())-1.
	At(rank int) float64

	// Err returns the damage found so far while values were read, a [*FormatError], or nil.
	// Reading a damaged value gives not-a-number, so check Err after reading, before the
	// values are used. A table that is not in a file has no damage.
	Err() error
}

// A Table holds the value of every position of a game of Finkel's rules.
type Table interface {
	Ranked

	// Win returns the probability, 0 to 1, that the player to move wins under perfect play,
	// before the dice are thrown. A finished game has the value 1 for its winner and 0 for the
	// loser. The position must be legal and have at most Pieces() pieces a side to bring home.
	Win(p board.Position) float64
}

// Win returns the value of a position of any rule set: the same as Win of [Table]. The position
// must be legal under the rules of the table and have at most its number of pieces a side to
// bring home.
func Win(t Ranked, p board.Position) float64 {
	if rank, ok := t.Index().Rank(p); ok {
		return t.At(rank)
	}
	if winner, over := p.Winner(); over && winner == p.Turn() {
		return 1
	}
	return 0
}

// RulesValues is a [Ranked] in memory, entry r of Values being the value of the position with
// rank r in Of.
type RulesValues struct {
	Of     *Index
	Values []float64
}

// Index implements [Ranked].
func (v RulesValues) Index() *Index { return v.Of }

// Pieces implements [Ranked].
func (v RulesValues) Pieces() int { return v.Of.piecesOf(len(v.Values)) }

// At implements [Ranked].
func (v RulesValues) At(rank int) float64 { return v.Values[rank] }

// Err implements [Ranked].
func (v RulesValues) Err() error { return nil }

// piecesOf returns the number of pieces of the largest game that a number of values covers.
func (x *Index) piecesOf(values int) int {
	for pieces := x.pieces; pieces > 1; pieces-- {
		if values >= x.Positions(pieces) {
			return pieces
		}
	}
	return 1
}

// Values is a [Table] in memory, entry r being the value of the position with rank
// r. Its length is Positions(n) for the n of its game.
type Values []float64

// Index implements [Ranked].
func (v Values) Index() *Index { return finkel }

// Pieces implements [Ranked].
func (v Values) Pieces() int { return finkel.piecesOf(len(v)) }

// Win implements [Table].
func (v Values) Win(p board.Position) float64 { return win(v, p) }

// At implements [Ranked].
func (v Values) At(rank int) float64 { return v[rank] }

// Err implements [Ranked].
func (v Values) Err() error { return nil }

// ranked is a table indexed by rank, independent of positions.
type ranked interface{ At(rank int) float64 }

// win is Win for any table by rank.
func win[T ranked](t T, p board.Position) float64 {
	if rank, ok := Rank(p); ok {
		return t.At(rank)
	}
	if winner, over := p.Winner(); over && winner == p.Turn() {
		return 1
	}
	return 0
}
