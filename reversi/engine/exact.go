package engine

import (
	"math/bits"
	"sync/atomic"
	"time"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// inf is beyond every score.
const inf = 127

// searcher is one thread's part of a search.
type searcher struct {
	nodes     uint64
	looked    [2]uint64 // visited positions that the table did not know, and those that it knew, with a depth of 1 or more
	without   Technique
	seen      bounds            // result of get
	generator movegen.Generator // nil for the kernel of listMoves
	weights   *eval.Weights     // nil for the hand-set rules
	hand      eval.Hand
	cutting   int    // enclosing shallow searches of ProbCut
	table     *table // score table
	busy      *busy  // positions of other threads; nil with one thread
	stop      *atomic.Bool
	frames    []frame

	root     node // the position searched
	features eval.Features
	best     board.Square // its best move so far
	improved bool         // the current search of the root has shown best to be above its window's floor
	known    Result       // result of the last completed search

	goal     uint8 // level of the last search to the end
	gradual  bool  // all levels before the last one come in turn
	toEnd    bool  // the search ends with the end of the game
	progress func(Result) bool

	deadline time.Time // zero for none
	late     bool      // it has ended the search
	look     int       // calls of stopped before the next look at the clock

	watch func(by reason, n node, alpha, value, depth, empties int, level uint8) // set by tests alone
}

// reason is why a node of at least three plies ended.
type reason int

const (
	byWindow reason = iota // its window was no null window, so nothing ended it before its moves
	byTable                // its entry, or that of a child
	byProbCut
	byFirst // its first move has the value
	byLater // another move
)

func (s *searcher) tell(by reason, n node, alpha, value, depth, empties int, level uint8) int {
	if s.watch != nil {
		s.watch(by, n, alpha, value, depth, empties, level)
	}
	return value
}

// frame is the room of one node on the path.
type frame struct {
	children movegen.Children
	moves    [movegen.MaxMoves]move
	features [movegen.MaxMoves]eval.Features
	scratch  eval.Features // features of one child at a time
}

// move is a legal move while a node's moves are put in order.
type move struct {
	flips, replies uint64
	order          int32
	square         uint8
	child          uint8 // its place in children and features
}

// Depths, in empty squares, where the search changes its method.
const (
	lastSquares = 4  // tried in an order found once, up to here
	byParity    = 7  // up to here moves are ordered by parity alone, and nothing is remembered
	byMobility  = 12 // up to here they are ordered by mobility, from here on by evaluation
	transposing = 11 // squares from which on children are looked up in the table before any is searched
)

// lookEvery is the number of calls between two looks at the clock: some hundredths of a millisecond.
const lookEvery = 16

// stopped reports whether the search has to end. It looks at the clock itself: where all
// processors search, the goroutine of a timer may have to wait 10 ms for one of them.
func (s *searcher) stopped() bool {
	if s.look--; s.look > 0 {
		return s.stop.Load()
	}
	s.look = lookEvery
	if !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		s.late = true
		s.stop.Store(true)
	}
	return s.stop.Load()
}

// solving reports whether the last search is an exact one without a deadline: what those before it leave in
// the table matters more than their own time.
func (s *searcher) solving() bool { return s.toEnd && !s.gradual }

func (s *searcher) uses(t Technique) bool { return s.without&t == 0 }

// stableFrom is the least alpha at which stable discs may cut, by the number of empty squares:
// below it the other side hardly ever has enough of them.
var stableFrom = func() (t [65]int) {
	for n := range t {
		switch {
		case n < 4:
			t[n] = 99
		case n < 10:
			t[n] = 6 + 2*(n-4)
		default:
			t[n] = min(62, 20+2*(n-10))
		}
	}
	return t
}()

// stableBound reports whether the other side's stable discs keep the score at alpha or
// below, and the bound.
func (s *searcher) stableBound(own, opp uint64, alpha, empties int) (int, bool) {
	if alpha < stableFrom[empties] || !s.uses(stability) {
		return 0, false
	}
	if 64-2*bits.OnesCount64(opp) > alpha {
		return 0, false // not even if all of its discs were stable
	}
	bound := 64 - 2*bits.OnesCount64(eval.Stable(opp, own))
	return bound, bound <= alpha
}

// exact searches a null window to the end of the game from a position with the given legal moves,
// ordered by mobility, and remembers positions.
func (s *searcher) exact(own, opp, moves uint64, alpha, empties int) int {
	if empties <= byParity {
		return s.few(own, opp, alpha, empties)
	}
	s.nodes++
	if bound, cut := s.stableBound(own, opp, alpha, empties); cut {
		return bound
	}
	if moves == 0 {
		if moves = board.Moves(opp, own); moves == 0 {
			return final(own, empties)
		}
		return -s.exact(opp, own, moves, -alpha-1, empties)
	}
	if s.stopped() {
		return alpha
	}
	begin := s.nodes
	room := &s.frames[empties]
	list, first, wiped := s.expand(room, own, opp, moves, s.byMobility(own, opp, empties))
	// The bucket takes as long to come as the list, so it is looked at behind it.
	known := *s.get(own, opp)
	s.looked[min(known.depth, 1)]++
	if value, cut := known.cut(alpha*eval.Disc, (alpha+1)*eval.Disc, empties, levelExact); cut {
		return value >> 5
	}
	if wiped {
		return 64
	}
	if empties >= transposing && s.uses(transpositions) {
		if value, cut := s.childCut(list, own, opp, alpha*eval.Disc, empties-1, levelExact); cut {
			return value >> 5
		}
	}
	first = known.lead(list, moves, first)
	best, bestMove := -inf, noMove
	for i := range list {
		m := pick(list, i, first)
		score := -s.exact(opp^m.flips, own^m.flips|1<<(m.square&63), m.replies, -alpha-1, empties-1)
		if score > best {
			best, bestMove = score, m.square
			if best > alpha {
				break
			}
		}
	}
	if s.stopped() {
		return alpha
	}
	s.put(own, opp, empties, levelExact, s.nodes-begin, alpha*eval.Disc, (alpha+1)*eval.Disc, best*eval.Disc, bestMove)
	return best
}

// get returns what is known of a position, until the next call: by a pointer, as six fields are slow to return.
func (s *searcher) get(own, opp uint64) *bounds {
	s.seen = unknown
	if s.uses(remembering) {
		s.table.get(own, opp, &s.seen)
	}
	return &s.seen
}

func (s *searcher) put(own, opp uint64, depth int, level uint8, nodes uint64, alpha, beta, score int, best uint8) {
	if s.uses(remembering) {
		s.table.put(own, opp, uint8(depth), level, uint8(bits.Len64(nodes)), alpha, beta, score, best)
	}
}

// cut reports whether bounds decide a window from alpha to beta.
func (b *bounds) cut(alpha, beta, depth int, level uint8) (int, bool) {
	lower, upper := int(b.lower), int(b.upper)
	switch {
	case int(b.depth) < depth || b.level < level:
		return 0, false
	case lower >= beta || lower == upper:
		return lower, true
	}
	return upper, upper <= alpha
}

// ordering is how moves are put in order when they are listed.
type ordering struct {
	odd      uint64 // squares alone in their quarter
	parity   int    // worth of such a square
	mobility int    // worth of one reply less; a stable disc at a corner has a sixteenth of it
	ahead    bool   // fetch the buckets of the children ahead
}

// expand lists a node's moves, and returns the place of the first in order, and whether one of them leaves
// nothing of the other side.
func (s *searcher) expand(room *frame, own, opp, moves uint64, o ordering) (list []move, first int, wiped bool) {
	list = room.moves[:bits.OnesCount64(moves)]
	if s.generator == nil {
		over, place, _ := s.listMoves(room, own, opp, moves, o)
		return list, int(place), over != 0
	}
	s.generator.Expand(board.Board{Own: own, Opp: opp}, moves, &room.children)
	wiped = listPlain(list, &room.children, own, opp, moves, o)
	return list, highest(list), wiped
}

// listPlain is listMoves in plain Go. It fetches nothing ahead.
func listPlain(list []move, children *movegen.Children, own, opp, moves uint64, o ordering) (wiped bool) {
	for i := range list {
		x := bits.TrailingZeros64(moves)
		moves &= moves - 1
		m := move{flips: children.Flips[i], replies: children.Moves[i], square: uint8(x), child: uint8(i)}
		wiped = wiped || m.flips == opp
		order := int(orders.worth[x]) - weighted(m.replies)*o.mobility + int(o.odd>>x&1)*o.parity
		m.order = int32(order + cornerStability(own^m.flips|1<<x)*(o.mobility>>4))
		list[i] = m
	}
	return wiped
}

// childCut looks up the children before any is searched: one already known to be good enough
// saves the search (enhanced transposition cut-off, Plaat and others 1996).
func (s *searcher) childCut(list []move, own, opp uint64, alpha, depth int, level uint8) (int, bool) {
	for i := range list {
		m := &list[i]
		known := s.get(opp^m.flips, own^m.flips|1<<(m.square&63))
		if int(known.depth) >= depth && known.level >= level && -int(known.upper) > alpha {
			return -int(known.upper), true
		}
	}
	return 0, false
}

// ordered holds what listMoves looks up. The kernel knows the offsets.
type ordered struct {
	worth [64]int32  // of squares with the same merit
	held  [16]uint64 // own corners, one to a bit, and the neighbouring squares that they make stable
}

// orders has corners first, and orthogonal and diagonal neighbours of corners last.
var orders = func() (t ordered) {
	rows := [4][4]int32{{18, 4, 16, 12}, {4, 2, 6, 8}, {16, 6, 14, 10}, {12, 8, 10, 0}}
	for s := range t.worth {
		t.worth[s] = rows[min(s>>3, 7-s>>3)][min(s&7, 7-s&7)]
	}
	for i, at := range [4]uint64{1, 1 << 7, 1 << 56, 1 << 63} {
		near := at<<1&(1<<1|1<<57) | at>>1&(1<<6|1<<62) | at<<8&(1<<8|1<<15) | at>>8&(1<<48|1<<55)
		for set := range t.held {
			if set>>i&1 != 0 {
				t.held[set] |= at | near
			}
		}
	}
	return t
}()

// Weights of the move ordering. Mobility decides; the rest settles ties.
const (
	orderBest     = 1 << 30
	orderSecond   = 1 << 29
	orderMobility = 1 << 15
	orderEval     = 1 << 10 // unit: 32nds of a disc
)

// byMobility orders by mobility: few replies first, corners among these counted twice.
func (s *searcher) byMobility(own, opp uint64, empties int) ordering {
	o := ordering{parity: 1 << 3, ahead: empties > byParity+1 && s.uses(prefetching) && s.uses(remembering)}
	if s.uses(parity) {
		o.odd = board.OddQuarters(^(own | opp))
	}
	if empties >= 12 {
		o.parity = 1 << 2
	}
	if s.uses(mobility) {
		o.mobility = orderMobility
	}
	return o
}

// lead puts the best moves of former searches first, and returns the place of the first move: the one given
// if there are none.
func (b *bounds) lead(list []move, moves uint64, first int) int {
	put := func(square uint8, order int32) {
		if square < 64 && moves>>square&1 != 0 {
			first = bits.OnesCount64(moves & (1<<square - 1))
			list[first].order = order
		}
	}
	put(b.second, orderSecond)
	put(b.best, orderBest)
	return first
}

// weighted counts squares, corners twice.
func weighted(set uint64) int { return bits.OnesCount64(set) + bits.OnesCount64(set&corners) }

// cornerStability counts discs on corners and the neighbouring discs they make stable.
func cornerStability(own uint64) int {
	const gather = 1<<60 | 1<<54 | 1<<6 | 1 // moves the corners to the highest bits
	return bits.OnesCount64(own & orders.held[own&corners*gather>>60])
}

// pick returns the first in order of the moves from i on. first is the place of the first of all, which most often
// cuts: all stay where they are until another is wanted.
func pick(list []move, i, first int) *move {
	switch i {
	case 0:
		return &list[first]
	case 1:
		list[0], list[first] = list[first], list[0]
	}
	first = i + highest(list[i:])
	list[i], list[first] = list[first], list[i]
	return &list[i]
}

// highest returns the place of the first move in order.
func highest(list []move) int {
	first := 0
	for i := range list {
		if list[i].order > list[first].order {
			first = i
		}
	}
	return first
}
