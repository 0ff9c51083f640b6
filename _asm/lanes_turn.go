package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
	"github.com/seed-09dcdc84/ur/board"
)

// Legal moves and the best one.

// findMoves finds the destinations of all legal moves as sets of squares.
func (k *lanes) findMoves(g *laneGroup) {
	Comment("Movers: the pieces on the path, and square 0 when the hand is not empty.")
	movers := ZMM()
	VPANDQ(k.constant(constFifteen), g.count, movers)
	VPMINUW(k.constant(constOne), movers, movers)
	VPORQ(g.own, movers, movers)
	Comment("Destinations: moved by the roll, not on an own piece, nor on the safe square when it is taken. A roll of 0 and an idle lane have none.")
	blocked := copied(g.own)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a || b && c }), k.constant(constSafe), g.opp, blocked)
	KMOVD(half(k.active, g.number).As32(), kA)
	VPTESTMW(g.roll, g.roll, kA, kA)
	g.movable = ZMM()
	VPSLLVW_Z(g.roll, movers, kA, g.movable)
	VPANDNQ(g.movable, blocked, g.movable)
	g.takeable = copied(g.opp)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a && b && c }), k.constant(constTakeable), g.movable, g.takeable)
}

// evaluate finds every lane's best candidate. The groups go over the destinations
// together, so one's steps fill the latency in the other.
func (k *lanes) evaluate() {
	var e [groups]*evaluation
	for i := range e {
		e[i] = k.newEvaluation(&k.games[i], kShift[i])
	}
	for square := 1; square <= 15; square++ {
		for i := range e {
			Comment(fmt.Sprintf("Destination %d, group %d.", square, i))
			e[i].destination(square)
		}
	}
	for i := range e {
		k.games[i].best, k.games[i].bestSquare = e[i].best, e[i].bestSquare
	}
}

// shifts sets the masks for how far moves go, and returns every lane's index
// into the constants: roll + 8 for Dark.
func (k *lanes) shifts(g *laneGroup, shift evenFar) (index VecVirtual) {
	VPTESTNMW(k.constant(constOne), g.roll, shift.even)
	VPCMPUW(Imm(6), k.constant(constTwo), g.roll, shift.far) // roll > 2
	index = copied(g.roll)
	KMOVD(half(k.dark, g.number).As32(), kA)
	VPADDW(k.constant(constEight), index, kA, index)
	return index
}

// evaluation goes over the lanes' destinations in one register of values. A
// candidate's value is g[to] - g[from] plus constants, with from = to - roll: the accumulators are
// shifted by one square and then as far as the masks require.
type evaluation struct {
	*lanes
	group            *laneGroup
	shift            evenFar
	index            VecVirtual   // index into the constants
	g                VecVirtual   // accumulators of the last destination
	shifted          []VecVirtual // values shifted from square j, or from j-1 where the roll is even
	best, bestSquare VecVirtual
}

func (k *lanes) newEvaluation(group *laneGroup, shift evenFar) *evaluation {
	e := &evaluation{lanes: k, group: group, shift: shift, index: k.shifts(group, shift), g: ZMM()}
	e.best = avx512.load(k.constant(constLowest))
	if !k.packed {
		e.bestSquare = ZMM()
		VPXORQ(e.bestSquare, e.bestSquare, e.bestSquare)
	}
	VPXORQ(e.g, e.g, e.g) // a piece in hand is worth nothing
	e.shifted = []VecVirtual{e.g}
	return e
}

// destination compares the candidates with one destination with the best before it.
func (e *evaluation) destination(square int) {
	value, constants := ZMM(), ZMM()
	from := e.from(square)
	VPSUBW(from, e.g, value)
	VPERMW(e.tables.at("move").Offset(64*square), e.index, constants)
	if board.IsRosette(square) {
		VPSUBW(e.accumulator(e.turnRow(), e.group.number), value, value)
	}
	if board.IsTakeable(square) {
		VPTESTMW(e.tables.at("square").Offset(64*square), e.group.takeable, kB)
		VPERMW(e.tables.at("take").Offset(64*square), e.index, kB, constants)
		VPADDW(e.accumulator(e.oppRow(square), e.group.number), value, kB, value)
	}
	VPADDW(constants, value, value)
	VPTESTMW(e.tables.at("square").Offset(64*square), e.group.movable, kA)
	if e.packed {
		VPMAXSW(value, e.best, kA, e.best)
		return
	}
	VPCMPW(Imm(6), e.best, value, kA, kA) // value > best
	VMOVDQU16(value, kA, e.best)
	VMOVDQU16(e.tables.at("number").Offset(64*square), kA, e.bestSquare)
}

// from loads a destination's accumulators and returns those for the squares left.
func (e *evaluation) from(square int) VecVirtual {
	from := e.shifted[square-1]
	if square >= 3 { // nearer to the start, rolls of 3 and 4 reach no square
		from = e.shifted[square-3] // its last use
		VPBLENDMW(from, e.shifted[square-1], e.shift.far, from)
	}
	before := e.g
	e.g = avx512.load(e.accumulator(e.ownRow(square), e.group.number))
	if square < 15 {
		s := before // its last use
		if square == 1 {
			s = copied(before)
		}
		VPBLENDMW(s, e.g, e.shift.even, s)
		e.shifted = append(e.shifted, s)
	}
	return from
}

// Making the moves: boards, counts, accumulators.

// apply makes every lane's best move on the boards, counts it, and leaves its
// changes' indexes in the brain's rows for the accumulators.
func (k *lanes) apply(g *laneGroup, stays GPVirtual) {
	KMOVD(half(k.dark, g.number).As32(), kDark)
	VPTESTMW(g.movable, g.movable, kMoved)
	square := g.bestSquare
	if k.packed {
		Comment("The low four bits of the best are 15 - square; 0 stands for a pass.")
		square = ZMM()
		VPANDNQ(k.constant(constFifteen), g.best, square)
	}
	one, to, from := avx512.load(k.constant(constOne)), ZMM(), ZMM()
	VPSLLVW(square, one, to)
	VPSRLVW(g.roll, to, from)
	capture := kC
	VPTESTMW(to, g.takeable, capture)

	Comment("Indices into the brain's rows: the landing square, 32 higher with a capture, and the square left, 15 for none.")
	g.land = copied(square)
	VPADDW(k.constant(constSixteen), g.land, kDark, g.land)
	g.leave = avx512.load(k.constant(constFifteen))
	VPSUBW(g.roll, g.land, kMoved, g.leave)
	VPADDW(k.constant(constThirtyTwo), g.land, capture, g.land)

	Comment("Counts: a piece leaves the hand, comes home, or sends one back to the other hand.")
	VPTESTMW(one, from, kMoved, K6)
	VPSUBW(one, g.count, K6, g.count)
	VPADDW(k.constant(constCapture), g.count, capture, g.count)
	VPTESTMW(k.constant(constFinish), to, K6)
	VPADDW(k.constant(constSixteen), g.count, K6, g.count)
	won := ZMM()
	VPANDQ(k.constant(constHomeField), g.count, won)
	VPCMPEQW(k.constant(constWon), won, K6, K6)
	k.merge(K6, k.finishedLanes(), g)

	Comment("Boards: two squares of the mover change, one of the opponent.")
	VPSUBW(to, g.opp, capture, g.opp)
	changed := copied(from)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return (a || b) && c }), k.constant(constPath), to, changed)
	VPXORQ(changed, g.own, g.own)

	Comment("Unless the move ended on a rosette, the other side is to move: exchange the boards and counts.")
	VPTESTMW(k.constant(constRosettes), to, kStay)
	swapped, swappedCount := copied(g.own), ZMM()
	VPBLENDMW(g.own, g.opp, kStay, g.own)
	VPBLENDMW(g.opp, swapped, kStay, g.opp)
	VPSHUFB(k.constant(constSwap), g.count, swappedCount)
	VPBLENDMW(g.count, swappedCount, kStay, g.count)
	k.merge(kStay, stays, g)

	Comment("Tally.")
	k.countLanes(capture, "captures")
	k.countLanes(kStay, "rosettes")
	idle := GP64()
	KMOVD(kMoved, idle.As32())
	NOTL(idle.As32())
	ANDL(half(k.active, g.number).As32(), idle.As32())
	POPCNTQ(idle, idle)
	ADDQ(idle, k.state.at("passes"))
}

// merge adds the lanes in a group's mask to a set of 64 lanes.
func (k *lanes) merge(mask OpmaskPhysical, set Register, g *laneGroup) {
	lanes := GP64()
	KMOVD(mask, lanes.As32())
	if g.number == 1 {
		SHLQ(Imm(32), lanes)
	}
	ORQ(lanes, set)
}

// countLanes adds the number of lanes in a mask to one of the state's counters.
func (k *lanes) countLanes(mask OpmaskPhysical, counter string) {
	n := GP64()
	KMOVD(mask, n.As32())
	POPCNTQ(n, n)
	ADDQ(n, k.state.at(counter))
}

// finishedLanes is the register with the finished games' lanes.
func (k *lanes) finishedLanes() GPPhysical { return RAX }

// updateAccumulators adds the columns in B + B^T touched by the moves to every row, and swaps
// the two players' rows where the turn passes.
func (k *lanes) updateAccumulators(stays GPVirtual) {
	Comment("Accumulators: in every row look up the landing square, with the turn and the capture, and the square left; then exchange the players' rows where the turn passes.")
	stay := [groups]OpmaskPhysical{kA, kB}
	for i, mask := range stay {
		KMOVD(half(stays, i).As32(), mask)
	}
	pairs, fixed := k.exchanged()
	for _, pair := range pairs {
		mine, theirs := k.loadRow(pair[0]), k.loadRow(pair[1])
		for i := range k.games {
			g := &k.games[i]
			a, b := k.added(g, pair[0], mine), k.added(g, pair[1], theirs)
			before := copied(a)
			VPBLENDMW(a, b, stay[i], a)
			VPBLENDMW(b, before, stay[i], b)
			VMOVDQU64(a, k.accumulator(pair[0], i))
			VMOVDQU64(b, k.accumulator(pair[1], i))
		}
	}
	for _, row := range fixed {
		changes := k.loadRow(row)
		for i := range k.games {
			VMOVDQU64(k.added(&k.games[i], row, changes), k.accumulator(row, i))
		}
	}
}

// loadRow loads the parts of a brain's row, for both groups.
func (k *lanes) loadRow(row int) (parts [3]VecVirtual) {
	for i := range parts {
		parts[i] = avx512.load(k.rowOfBrain(row, i))
	}
	return parts
}

// added returns a row of accumulators with a group's changes by moves.
func (k *lanes) added(g *laneGroup, row int, changes [3]VecVirtual) VecVirtual {
	sum, leave := copied(g.land), ZMM()
	VPERMI2W(changes[1], changes[0], sum)
	VPERMW(changes[2], g.leave, leave)
	VPADDW(k.accumulator(row, g.number), sum, sum)
	VPADDW(leave, sum, sum)
	return sum
}
