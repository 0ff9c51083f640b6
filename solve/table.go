// Package solve holds the exact solution of the Royal Game of Ur: the probability, for every
// position, that the player to move wins when both sides play perfectly.
//
// A position is seen from the player to move, by the pieces each side still has to bring home
// and the squares they stand on; the number of pieces already home makes no difference. The
// positions with a pieces left to the player to move and b to the opponent form the layer (a, b).
// Scores never fall, so a layer needs only itself and the layers (a-1, b) and (a, b-1), and the
// solution for a game with seven pieces contains every smaller game's.
//
//   - [Index.Rank] numbers the positions 0, 1, 2, ... without a gap, so a game's table is a
//     plain array;
//   - [Solve] fills such an array by value iteration, layer after layer, and
//     [Table.Certify] measures the remaining error in a separate pass;
//   - a [Table] returns a position's value, from memory or from a file;
//   - [Table.BestMove] and [Table.EachDecision] judge moves by it.
package solve

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
	"github.com/seed-09dcdc84/ur/solve/urt"
)

// Table holds the value of every position in games under a rule set, by rank, in memory or in a
// memory-mapped file. Any number of goroutines may use it at once, but none during or after Close.
//
// If another program shortens an open table's file, reading the missing part is damage, or crashes
// the process where the part was read before. Renaming over a file, as [Table.Write] does, is safe.
type Table struct {
	index  *Index
	rules  *board.Rules // rule set with the number of pieces
	pieces int

	values []float64   // values by rank, or nil
	file   *urt.Values // encoded values by rank, if values is nil
	round  bool        // whether At rounds the values of file to steps of [Compact]

	path  string       // name of the file; "" for a table in memory
	unmap func() error // function that releases the file
	info  Info
}

// NewTable returns the table with values by rank, for all positions with a number of pieces.
func NewTable(x *Index, pieces int, values []float64) *Table {
	return &Table{index: x, rules: x.rulesOf(pieces), pieces: pieces, values: values}
}

// Index numbers the table's positions. It may cover more pieces.
func (t *Table) Index() *Index { return t.index }

// Rules returns the table's rule set, with its number of pieces.
func (t *Table) Rules() *board.Rules { return t.rules }

// Pieces returns how many pieces a side the table's game has. The table also covers smaller games.
func (t *Table) Pieces() int { return t.pieces }

// Serves returns a [*TableError] unless the table covers games with a number of pieces.
func (t *Table) Serves(pieces int) error {
	if t.pieces < pieces {
		return &TableError{t.path, -1, fmt.Sprintf("for %s at most (want %d)", text.Plural(t.pieces, "piece"), pieces)}
	}
	return nil
}

// At returns the probability, 0 to 1, that the player to move wins under perfect play, before the
// dice are thrown, for the position with a rank in the index, 0 to Index().Positions(Pieces())-1.
// A value in a damaged part of a file is not a number. After the first damage, neither is any
// value in a part not read before.
func (t *Table) At(rank int) float64 {
	if t.values != nil {
		return t.values[rank]
	}
	return t.decodeAt(rank)
}

// decodeAt returns a rank's encoded value.
func (t *Table) decodeAt(rank int) float64 {
	v := t.file.At(rank)
	if t.round && v == v {
		return float64(tablefile.RoundToFixed(v)) / tablefile.FixedOne
	}
	return v
}

// Err returns the damage found so far while values were read, a [*TableError], or nil. Check it
// after reading, before the values are used.
func (t *Table) Err() error {
	if t.file == nil {
		return nil
	}
	return withPath(t.file.Err(), t.path)
}

// Win returns the probability, 0 to 1, that the player to move wins under perfect play, before the
// dice are thrown. A finished game has the value 1 for its winner and 0 for the loser. The position
// must be legal under the table's rules and have at most Pieces() pieces a side to bring home.
func (t *Table) Win(p board.Position) float64 {
	if rank, ok := t.index.Rank(p); ok {
		return t.At(rank)
	}
	if winner, over := p.Winner(); over && winner == p.Turn() {
		return 1
	}
	return 0
}

// After returns a legal move's value for its side: the probability to win under perfect play.
func (t *Table) After(p board.Position, m board.Move) float64 {
	return t.winOf(p.Turn(), t.index.rules.Apply(p, m))
}

// winOf returns the probability that a side wins from a position.
func (t *Table) winOf(side board.Side, p board.Position) float64 {
	if p.Turn() == side {
		return t.Win(p)
	}
	return 1 - t.Win(p)
}

// BestMove returns the index of the best among some legal moves, the first on a tie, and its value for
// the side to move. There is at least one.
func (t *Table) BestMove(p board.Position, moves []board.Move) (best int, win float64) {
	win = -1
	for i, m := range moves {
		if w := t.After(p, m); w > win {
			best, win = i, w
		}
	}
	return best, win
}

// Luck returns how a roll changes the moving side's winning chances: the value
// after the best move, or after the pass if moves is empty, minus the value before the roll.
// Under perfect play, and before the dice are thrown, the luck of any roll is 0 on average.
func (t *Table) Luck(p board.Position, moves []board.Move) float64 {
	if len(moves) == 0 {
		return t.winOf(p.Turn(), p.Pass()) - t.Win(p)
	}
	_, win := t.BestMove(p, moves)
	return win - t.Win(p)
}

// Reference returns a table with t's values rounded as in a compact file, to steps of
// 1/65535. A [Library] always answers with these values, from a new solution or a file in any
// encoding. Nearly equal moves are then ordered, or tied, in the same way, so a seed names the
// same games between perfect players with any table.
func (t *Table) Reference() *Table {
	r := *t
	if t.file != nil {
		r.round = t.file.Precision() != urt.Fixed16
		return &r
	}
	r.values, r.file = nil, urt.NewValues(urt.Fixed16, len(t.values))
	for rank, v := range t.values {
		r.file.Set(rank, v)
	}
	return &r
}

// fingerprints is how many values a fingerprint looks at.
const fingerprints = 4096

// Fingerprint returns 16 hexadecimal digits that identify a table's values in games of a number
// of pieces: the first 8 bytes in a SHA-256 sum over 4096 values, at randomly drawn ranks, the
// same for every table. Two files with the same values, rounded alike, have the same
// fingerprint. Different tables have different ones unless they differ in a few positions only.
func (t *Table) Fingerprint(pieces int) string {
	n := uint64(t.index.Positions(pieces))
	sum := sha256.New()
	var bytes [8]byte
	for i := range uint64(fingerprints) {
		rank := board.DiceWord(n, i) % n
		binary.LittleEndian.PutUint64(bytes[:], math.Float64bits(t.At(int(rank))))
		sum.Write(bytes[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Info describes the table's file.
func (t *Table) Info() Info { return t.info }

// Verify reads the whole file and returns a [*TableError] for the first damage found, or ctx's
// error. It calls progress, unless that is nil, with the bytes read so far and the total. For a table
// in memory it returns nil: a .rgu's values were checked when it was opened.
func (t *Table) Verify(ctx context.Context, progress func(done, total int64)) error {
	if t.file == nil {
		return ctx.Err()
	}
	return withPath(t.file.Verify(ctx, progress), t.path)
}

// Close releases the table's file, if it has one.
func (t *Table) Close() error {
	if t.unmap == nil {
		return nil
	}
	*t.file = urt.Values{} // references share it
	return t.unmap()
}
