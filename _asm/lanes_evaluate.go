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
	blocked := ZMM()
	VMOVDQA64(g.own, blocked)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a || b && c }), k.constant(constSafe), g.opp, blocked)
	KMOVD(half(k.active, g.number).As32(), kA)
	VPTESTMW(g.roll, g.roll, kA, kA)
	g.movable = ZMM()
	VPSLLVW_Z(g.roll, movers, kA, g.movable)
	VPANDNQ(g.movable, blocked, g.movable)
	g.takeable = ZMM()
	VMOVDQA64(g.opp, g.takeable)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a && b && c }), k.constant(constTakeable), g.movable, g.takeable)
}

// evaluate finds every lane's best candidate. The groups go over the destinations
// together, so one's steps fill the latency in the other.
func (k *lanes) evaluate() {
	var e [groups]*evaluation
	for i := range e {
		g := &k.games[i]
		e[i] = k.newEvaluation(g, kShift[i])
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
	index = ZMM()
	VMOVDQA64(g.roll, index)
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
	e := &evaluation{lanes: k, group: group, shift: shift, index: k.shifts(group, shift), g: ZMM(), best: ZMM()}
	VMOVDQU64(k.constant(constLowest), e.best)
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
	e.g = ZMM()
	VMOVDQU64(e.accumulator(e.ownRow(square), e.group.number), e.g)
	if square < 15 {
		s := before // its last use
		if square == 1 {
			s = ZMM()
			VMOVDQA64(before, s)
		}
		VPBLENDMW(s, e.g, e.shift.even, s)
		e.shifted = append(e.shifted, s)
	}
	return from
}
