// Package movegen generates the moves of Reversi by several algorithms with one interface, from
// a walk over an array to kernels that expand all moves of a position at once. [Perft] counts
// positions with any of them.
//
// [All] lists them from plain to fast. The first is the oracle: the tests check every other one
// against it.
package movegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Generator is one way to find moves. It keeps no state: any number of goroutines may
// use it.
type Generator interface {
	// Name is unique in the list, such as "rays" or "lanes/avx2".
	Name() string

	// Needs lists the CPU features required by the generator.
	Needs() []cpu.Feature

	// Moves returns the legal squares of the side to move.
	Moves(b board.Board) uint64

	// Flips returns the discs turned over by a disc on the empty square s.
	Flips(b board.Board, s board.Square) uint64

	// Expand writes the boards after the legal moves of b to c.
	Expand(b board.Board, moves uint64, c *Children)
}

// MaxMoves bounds the number of moves of any board, reachable or not. The largest number known
// in a reachable position is 33.
const MaxMoves = 64

// Children holds the boards after a position's moves, in the order of their squares. Only
// the first N entries are valid: kernels write the rest of a register after them.
type Children struct {
	N     int
	Flips [MaxMoves]uint64 // discs turned over by the move
	Moves [MaxMoves]uint64 // legal moves of the other side behind it
}

// All returns every generator of this build in ladder order, from plain to fast,
// whether or not this CPU can run it.
func All() []Generator { return slices.Clone(all) }

// all is the ladder. A new generator is one line here.
var all = append([]Generator{
	arrayWalk{},
	shiftLoop{},
	koggeStone{},
	rays{},
}, kernels...)

// check returns nil if g can run here, and otherwise the missing features.
func check(g Generator) error { return cpu.Available(g.Name(), g.Needs()) }

// Available returns the generators that this CPU can run and UR_DISABLE does not mask.
func Available() []Generator {
	return slices.DeleteFunc(All(), func(g Generator) bool { return check(g) != nil })
}

// Fastest returns the last generator of the ladder that can run here.
func Fastest() Generator { return cpu.Best(all) }

// Lookup returns the generator with a name, or an error that lists the names.
func Lookup(name string) (Generator, error) {
	if i := slices.IndexFunc(all, func(g Generator) bool { return g.Name() == name }); i >= 0 {
		return all[i], check(all[i])
	}
	return nil, fmt.Errorf("unknown move generator %q (want one of %s)", name,
		strings.Join(text.List(all, Generator.Name), ", "))
}

// expand is Expand by the two other methods.
func expand(g Generator, b board.Board, moves uint64, c *Children) {
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		c.Flips[n] = g.Flips(b, s)
		c.Moves[n] = g.Moves(b.Play(s, c.Flips[n]))
		n++
	}
	c.N = n
}
