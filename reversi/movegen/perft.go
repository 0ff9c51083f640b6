package movegen

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Convention defines how perft counts passes and games that end early. Programs differ.
type Convention byte

// The conventions.
const (
	// PassCounts: a leaf is a position after the given number of plies, passes included; a game
	// that ends earlier is one leaf.
	PassCounts Convention = 'A'
	// OnlyFull is like PassCounts, but games that end earlier are not leaves.
	OnlyFull Convention = 'B'
	// PassIsFree: a pass is not a ply; a game that ends earlier is one leaf.
	PassIsFree Convention = 'C'
)

// ParseConvention reads "A", "B" or "C", in either case.
func ParseConvention(text string) (Convention, error) {
	if len(text) == 1 {
		if c := Convention(text[0] &^ 0x20); PassCounts <= c && c <= PassIsFree {
			return c, nil
		}
	}
	return 0, fmt.Errorf("unknown convention %q (want A, where a pass is a ply; B, as A without games that ended earlier; or C, where a pass is not a ply)", text)
}

// Perft describes a count of leaves.
type Perft struct {
	Generator  Generator  // Fastest() if nil
	Convention Convention // PassCounts if 0
}

// maxPerft bounds the depth: no game has more plies, passes included.
const maxPerft = 120

// Count returns the number of leaves of b after a number of plies. A cancelled context ends it
// early with the context's error.
func (p Perft) Count(ctx context.Context, b board.Board, depth int) (uint64, error) {
	if depth < 0 || depth > maxPerft {
		return 0, fmt.Errorf("perft: depth %d (want 0 to %d)", depth, maxPerft)
	}
	c := counter{generator: p.Generator, convention: cmp.Or(p.Convention, PassCounts), stop: ctx.Done()}
	if c.generator == nil {
		c.generator = Fastest()
	}
	n := c.count(b, b.Moves(), depth, new(frames))
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return n, nil
}

// counter is a count under way.
type counter struct {
	generator  Generator
	convention Convention
	stop       <-chan struct{}
}

// stopDepth is from how many plies on a counter looks whether it is to stop: some ms.
const stopDepth = 5

// stuck returns the continuation of a position without moves: the position after a pass, with
// the plies left; or, if left is negative, none, with a number of leaves.
func (c *counter) stuck(b board.Board, depth int) (next board.Board, left int, leaves uint64) {
	next = b.Pass()
	switch {
	case next.Moves() == 0 && c.convention == OnlyFull:
		return next, -1, 0
	case next.Moves() == 0:
		return next, -1, 1
	case c.convention == PassIsFree:
		return next, depth, 0
	}
	return next, depth - 1, 0
}

// frames holds the children of the positions on the path, so counting allocates nothing.
type frames [maxPerft + 1]Children

// count returns the leaves below b, whose moves are given. At two plies the children's
// own moves are the leaves: nothing is played.
func (c *counter) count(b board.Board, moves uint64, depth int, room *frames) uint64 {
	switch {
	case depth == 0:
		return 1
	case moves == 0:
		next, left, leaves := c.stuck(b, depth)
		if left < 0 {
			return leaves
		}
		return c.count(next, next.Moves(), left, room)
	case depth == 1:
		return uint64(bits.OnesCount64(moves))
	}
	if depth >= stopDepth {
		select {
		case <-c.stop:
			return 0
		default:
		}
	}
	children := &room[depth]
	c.generator.Expand(b, moves, children)
	var total uint64
	for i := range children.N {
		replies := children.Moves[i]
		if depth == 2 && replies != 0 {
			total += uint64(bits.OnesCount64(replies))
		} else {
			total += c.count(b.Play(board.First(moves), children.Flips[i]), replies, depth-1, room)
		}
		moves &= moves - 1
	}
	return total
}
