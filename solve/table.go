package solve

import "github.com/seed-09dcdc84/ur/board"

// A Table holds the value of every position of a game. Tables are safe for use by many
// goroutines at once.
type Table interface {
	// Pieces returns the number of pieces a side of the table's game. The table also covers
	// smaller games.
	Pieces() int

	// Win returns the probability, 0 to 1, that the player to move wins under perfect play,
	// before the dice are thrown. A finished game is worth 1 to its winner and 0 to the loser,
	// whichever side is to move. The position must be legal and have at most Pieces() pieces a
	// side to bring home.
	Win(p board.Position) float64

	// At returns the same for the position with a rank, 0 to
	// Positions(Pieces())-1; see [Rank].
	At(rank int) float64

	// Err returns the damage found so far while values were read, a [*FormatError], or nil.
	// Reading a damaged value gives not-a-number, so check Err after reading, before the
	// values are used. A table that is not in a file has no damage.
	Err() error
}

// Values is a [Table] in memory, entry r being the value of the position with rank
// r. Its length is Positions(n) for the n of its game.
type Values []float64

// NewValues returns room for the values of a game of 1 to 7 pieces, 8 bytes a
// position: 1.1 GB for seven.
func NewValues(pieces int) Values { return make(Values, Positions(pieces)) }

// Pieces implements [Table].
func (v Values) Pieces() int {
	for pieces := board.MaxPieces; pieces > 1; pieces-- {
		if len(v) >= Positions(pieces) {
			return pieces
		}
	}
	return 1
}

// Win implements [Table].
func (v Values) Win(p board.Position) float64 { return win(v, p) }

// At implements [Table].
func (v Values) At(rank int) float64 { return v[rank] }

// Err implements [Table].
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
