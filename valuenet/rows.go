package valuenet

import "github.com/seed-09dcdc84/ur/board"

// A move changes the sums of the first layer by few rows: one for the square or hand the piece
// leaves, one for its destination, and with a capture one for the captured piece and one for
// the hand it returns to. The sums are kept twice, as seen by either side to move. The rows of
// the mover are those of view 0 in the mover's view, and those of view 1 in the other.

// Kinds of rows, in their order in the table, by view.
const (
	leaveRows = 0                          // from square 1..14 at 1..14; from a hand of 1..7 at 15..21
	arriveRow = leaveRows + 22             // on square 1..14 at 1..14; home, where 0..6 were, at 15..21
	takeRows  = arriveRow + 22             // the other's piece from square 1..14
	handRows  = takeRows + 15              // to the other's hand, where 0..6 were
	zeroRow   = handRows + board.MaxPieces // of zeros, for moves with fewer changes
	viewRows  = zeroRow + 1                // of one view
	noHand    = board.Finish - 1           // a hand of n is at noHand + n
)

// change is the change of a view's sums by a move: the numbers of its rows in the table, 16
// bits each.
type change uint64

// otherView is added to a change of view 0 to make it one of view 1.
const otherView change = viewRows * (1 + 1<<16 + 1<<32 + 1<<48)

// newTable returns the rows of changes, each of the width of the first layer.
func (q *Integer) newTable() []int16 {
	if q.shape.Rules != nil {
		return nil // their positions are valued by their sets of inputs
	}
	table := make([]int16, 2*viewRows*q.width)
	for view := range 2 {
		mover, other := [2]int{ownSquares, otherSquares}[view], [2]int{otherSquares, ownSquares}[view]
		hand, home := [2]int{ownHand, otherHand}[view], [2]int{ownHome, otherHome}[view]
		handOfOther := [2]int{otherHand, ownHand}[view]
		rows := table[view*viewRows*q.width:]
		for square := 1; square < board.Finish; square++ {
			q.combine(rows, leaveRows+square, -1, mover+square-1)
			q.combine(rows, arriveRow+square, +1, mover+square-1)
			q.combine(rows, takeRows+square, -1, other+square-1)
		}
		for n := range board.MaxPieces {
			q.combine(rows, leaveRows+noHand+n+1, +1, hand+n)
			q.combine(rows, leaveRows+noHand+n+1, -1, hand+n+1)
			q.combine(rows, arriveRow+board.Finish+n, +1, home+n+1)
			q.combine(rows, arriveRow+board.Finish+n, -1, home+n)
			q.combine(rows, handRows+n, +1, handOfOther+n+1)
			q.combine(rows, handRows+n, -1, handOfOther+n)
		}
	}
	return table
}

// combine adds the row of an input, times a sign, to a row of a table.
func (q *Integer) combine(table []int16, row int, sign int16, input int) {
	to := table[row*q.width:][:q.width]
	for o, w := range q.first[input*q.width:][:q.width] {
		to[o] += sign * w
	}
}

// compact is an engine's position: squares 1..14 of a side as bits, and its pieces in hand and
// home, by side.
type compact struct {
	squares [2]uint32
	hand    [2]uint32
	home    [2]uint32
}

func compactOf(p board.Position) compact {
	var c compact
	for side := range board.Side(2) {
		c.squares[side] = uint32(p.Squares(side))
		c.hand[side], c.home[side] = uint32(p.Hand(side)), uint32(p.Home(side))
	}
	return c
}

// set returns the inputs as a side to move sees the position.
func (c *compact) set(side board.Side) uint64 {
	me, you := side&1, (side^1)&1
	return uint64(c.squares[me]>>1)<<ownSquares | uint64(c.squares[you]>>1)<<otherSquares |
		1<<(ownHand+c.hand[me]) | 1<<(ownHome+c.home[me]) | 1<<(otherHand+c.hand[you]) | 1<<(otherHome+c.home[you])
}

// after returns the inputs after a move of a side, as the side to move then sees them.
func (c *compact) after(side board.Side, from, to uint32) uint64 {
	next := *c
	next.move(side, from, to)
	if rosetteSquares>>to&1 == 0 {
		side ^= 1
	}
	return next.set(side)
}

// change returns the change of the sums of view 0, the moving side's view, by a move.
func (c *compact) change(side board.Side, from, to uint32) change {
	leave, arrive := from, to
	if from == board.Start {
		leave = noHand + c.hand[side&1]
	}
	if to == board.Finish {
		arrive += c.home[side&1]
	}
	return change(leaveRows+leave) | change(arriveRow+arrive)<<16 | c.taking((side^1)&1, to)
}

// taking returns the rows of a capture on a square of a piece of a side, or rows of zeros.
func (c *compact) taking(you board.Side, to uint32) change {
	if sharedSquares&c.squares[you]>>to&1 == 0 {
		return zeroRow<<32 | zeroRow<<48
	}
	return change(takeRows+to)<<32 | change(handRows+c.hand[you])<<48
}

// move makes a move of a side, and returns whether it captured.
func (c *compact) move(side board.Side, from, to uint32) (captured bool) {
	me, you := side&1, (side^1)&1
	if from == board.Start {
		c.hand[me]--
	} else {
		c.squares[me] &^= 1 << from
	}
	if to == board.Finish {
		c.home[me]++
		return false
	}
	c.squares[me] |= 1 << to
	if taken := sharedSquares & c.squares[you] & (1 << to); taken != 0 {
		c.squares[you] &^= taken
		c.hand[you]++
		return true
	}
	return false
}

// Squares as bits.
const (
	sharedSquares  = 0x1fe0
	rosetteSquares = 1<<4 | 1<<8 | 1<<14
	pathSquares    = 0x7ffe
)

// destinations returns the squares a piece of a side can reach with a roll of 1 to 4, as bits;
// the finish is bit 15.
func (c *compact) destinations(side board.Side, roll uint32) uint32 {
	me, you := side&1, (side^1)&1
	from := c.squares[me]
	if c.hand[me] > 0 {
		from |= 1
	}
	return from << roll & (pathSquares | 1<<board.Finish) &^ c.squares[me] &^ (c.squares[you] & (1 << board.SafeSquare))
}
