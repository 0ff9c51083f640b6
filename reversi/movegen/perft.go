package movegen

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

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
	Threads    int        // 1 if 0
	HashBits   int        // a table of 2^HashBits entries for positions that come up again; none if 0
}

// maxPerft bounds the depth: no game has more plies, passes included.
const maxPerft = 120

// MaxHashBits bounds Perft.HashBits; each entry takes HashEntryBytes.
const (
	MaxHashBits    = 32
	HashEntryBytes = 24
)

// Count returns the number of leaves of b after a number of plies. A cancelled context ends it
// early with the context's error.
func (p Perft) Count(ctx context.Context, b board.Board, depth int) (uint64, error) {
	if depth < 0 || depth > maxPerft {
		return 0, fmt.Errorf("perft: depth %d (want 0 to %d)", depth, maxPerft)
	}
	if p.HashBits < 0 || p.HashBits > MaxHashBits || p.HashBits > bits.UintSize-6 {
		return 0, fmt.Errorf("perft: table of 2^%d entries (want 1 to %d, or 0 for no table)", p.HashBits, min(MaxHashBits, bits.UintSize-6))
	}
	c := counter{generator: p.Generator, convention: p.Convention, stop: ctx.Done()}
	if c.generator == nil {
		c.generator = Fastest()
	}
	if c.convention == 0 {
		c.convention = PassCounts
	}
	if p.HashBits > 0 {
		c.table = make([]perftEntry, 1<<p.HashBits)
	}
	n := c.parallel(b, depth, max(1, min(p.Threads, 256)))
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return n, nil
}

// counter counts; goroutines share it.
type counter struct {
	generator  Generator
	convention Convention
	stop       <-chan struct{}
	table      []perftEntry
}

// stopDepth is from how many plies on a counter looks whether it is to stop: some ms.
const stopDepth = 5

// hashDepth is the least number of plies at which a count is stored, by the least of the eight
// symmetric boards. Counting smaller subtrees is faster than looking them up.
const hashDepth = 4

// splitDepth is how far down the tree is cut into tasks for threads: some hundred.
const splitDepth = 5

// task is a subtree.
type task struct {
	board board.Board
	depth int
}

// parallel counts the subtrees below the first plies on n goroutines.
func (c *counter) parallel(b board.Board, depth, threads int) uint64 {
	if threads == 1 || depth < splitDepth+3 {
		return c.count(b, b.Moves(), depth, new(frames))
	}
	var tasks []task
	total := c.split(b, depth, depth-splitDepth, &tasks)
	var next atomic.Int64
	var sum atomic.Uint64
	var wait sync.WaitGroup
	for range min(threads, len(tasks)) {
		wait.Go(func() {
			room := new(frames)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return
				}
				t := tasks[i]
				sum.Add(c.count(t.board, t.board.Moves(), t.depth, room))
			}
		})
	}
	wait.Wait()
	return total + sum.Load()
}

// split appends the subtrees at depth down to tasks and returns the leaves above them.
func (c *counter) split(b board.Board, depth, down int, tasks *[]task) uint64 {
	if depth <= down {
		*tasks = append(*tasks, task{b, depth})
		return 0
	}
	moves := b.Moves()
	if moves == 0 {
		next, left, leaves := c.stuck(b, depth)
		if left < 0 {
			return leaves
		}
		return c.split(next, left, down, tasks)
	}
	var total uint64
	for ; moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		total += c.split(b.Play(s, b.Flips(s)), depth-1, down, tasks)
	}
	return total
}

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
	if depth >= hashDepth && c.table != nil {
		return c.remembered(b, moves, depth, room)
	}
	return c.below(b, moves, depth, room)
}

// below adds up the children.
func (c *counter) below(b board.Board, moves uint64, depth int, room *frames) uint64 {
	children := &room[depth]
	c.generator.Expand(b, moves, children)
	var total uint64
	if depth == 2 {
		for i, replies := range children.Moves[:children.N] {
			if replies == 0 {
				total += c.child(b, moves, i, depth, room)
			}
			total += uint64(bits.OnesCount64(replies))
		}
		return total
	}
	for i := range children.N {
		s := board.First(moves)
		moves &= moves - 1
		total += c.count(b.Play(s, children.Flips[i]), children.Moves[i], depth-1, room)
	}
	return total
}

// child counts the leaves behind move i alone.
func (c *counter) child(b board.Board, moves uint64, i, depth int, room *frames) uint64 {
	for range i {
		moves &= moves - 1
	}
	return c.count(b.Play(board.First(moves), room[depth].Flips[i]), 0, depth-1, room)
}

// perftEntry stores a count. Goroutines write entries without a lock: check is the exclusive or
// of the other fields, so an entry torn between two writers matches no position (Hyatt and
// Mann's method for computer chess, 2002).
type perftEntry struct{ check, opp, leaves atomic.Uint64 }

// remembered is below with the table. Leaves hold the depth in their top byte; a count that
// reaches into it is not stored.
func (c *counter) remembered(at board.Board, moves uint64, depth int, room *frames) uint64 {
	b, _ := at.Canonical() // symmetric boards have as many leaves
	key := (b.Own*0x9e3779b97f4a7c15 ^ b.Opp) * 0xbf58476d1ce4e5b9
	e := &c.table[(key^key>>29)>>16&uint64(len(c.table)-1)]
	opp, leaves := e.opp.Load(), e.leaves.Load()
	if opp == b.Opp && e.check.Load()^opp^leaves == b.Own && leaves>>56 == uint64(depth) {
		return leaves << 8 >> 8
	}
	n := c.below(at, moves, depth, room)
	select {
	case <-c.stop:
		return n // cut short: not to be kept
	default:
	}
	if n>>56 == 0 {
		n := n | uint64(depth)<<56
		e.opp.Store(b.Opp)
		e.leaves.Store(n)
		e.check.Store(b.Own ^ b.Opp ^ n)
	}
	return n
}
