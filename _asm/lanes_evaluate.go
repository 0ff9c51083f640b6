package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/seed-09dcdc84/ur/board"
)

// Legal moves and the best of them.

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

// evaluate finds the best candidate of every lane. The groups go over the destinations
// together, so the steps of one fill the latency of the other.
func (k *lanes) evaluate() {
	if k.width == wide32 {
		for i := range k.games {
			k.evaluateWide(&k.games[i])
		}
		return
	}
	var e [groups]*evaluation
	for i := range e {
		g := &k.games[i]
		e[i] = k.newEvaluation(g, narrow{k, i}, kShift[i], k.shifts(g, kShift[i]))
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

// shifts sets the masks of how far moves go, and returns the index of the constants
// of every lane: roll + 8 for Dark.
func (k *lanes) shifts(g *laneGroup, shift evenFar) (index VecVirtual) {
	VPTESTNMW(k.constant(constOne), g.roll, shift.even)
	VPCMPUW(Imm(6), k.constant(constTwo), g.roll, shift.far) // roll > 2
	index = ZMM()
	VMOVDQA64(g.roll, index)
	KMOVD(half(k.dark, g.number).As32(), kA)
	VPADDW(k.constant(constEight), index, kA, index)
	return index
}

// evaluateWide evaluates a group in 32 bits: lanes 0 to 15, and after that lanes 16 to
// 31 with the masks moved down.
func (k *lanes) evaluateWide(g *laneGroup) {
	shift := kShift[0]
	index := k.shifts(g, shift)
	var result [2]VecVirtual
	for upper := range result {
		if upper == 1 {
			KSHIFTRD(Imm(16), shift.even, shift.even)
			KSHIFTRD(Imm(16), shift.far, shift.far)
		}
		e := k.newEvaluation(g, wide{k, g.number, upper}, shift, widen(index, upper))
		for square := 1; square <= 15; square++ {
			Comment(fmt.Sprintf("Destination %d.", square))
			e.destination(square)
		}
		result[upper] = YMM()
		VPMOVDW(e.best, result[upper])
	}
	g.best = ZMM()
	VINSERTI64X4(Imm(1), result[1], result[0].AsZ(), g.best)
}

// widen returns half of the 16-bit lanes of v in 32 bits.
func widen(v VecVirtual, half int) VecVirtual {
	w := ZMM()
	if half == 0 {
		VPMOVZXWD(v.AsY(), w)
		return w
	}
	upper := YMM()
	VEXTRACTI64X4(Imm(1), v, upper)
	VPMOVZXWD(upper, w)
	return w
}

// arithmetic is the instructions on values of one width.
type arithmetic interface {
	row(number int) Mem // a row of accumulators
	blend(yes, no Op, mask, dst Op)
	add(ops ...Op)
	subtract(ops ...Op)
	maximum(ops ...Op)
	lookUp(ops ...Op)
	test(square int, set VecVirtual, mask OpmaskPhysical) // lanes whose set has the square
}

// narrow is arithmetic on the 32 lanes of a group in 16 bits.
type narrow struct {
	*lanes
	group int
}

func (k narrow) row(number int) Mem { return k.accumulator(number, k.group, 0) }

func (narrow) blend(yes, no Op, mask, dst Op) { VPBLENDMW(yes, no, mask, dst) }
func (narrow) add(ops ...Op)                  { VPADDW(ops...) }
func (narrow) subtract(ops ...Op)             { VPSUBW(ops...) }
func (narrow) maximum(ops ...Op)              { VPMAXSW(ops...) }
func (narrow) lookUp(ops ...Op)               { VPERMW(ops...) }
func (k narrow) test(square int, set VecVirtual, mask OpmaskPhysical) {
	VPTESTMW(k.tables.at("square").Offset(64*square), set, mask)
}

// wide is arithmetic on 16 lanes of 32 bits, the lower or the upper half of a group.
type wide struct {
	*lanes
	group, half int
}

func (k wide) row(number int) Mem { return k.accumulator(number, k.group, k.half) }

func (wide) blend(yes, no Op, mask, dst Op) { VPBLENDMD(yes, no, mask, dst) }
func (wide) add(ops ...Op)                  { VPADDD(ops...) }
func (wide) subtract(ops ...Op)             { VPSUBD(ops...) }
func (wide) maximum(ops ...Op)              { VPMAXSD(ops...) }
func (wide) lookUp(ops ...Op)               { VPERMD(ops...) }
func (k wide) test(square int, set VecVirtual, mask OpmaskPhysical) {
	VPTESTMW(k.tables.at("square").Offset(64*square), set, mask)
	if k.half == 1 {
		KSHIFTRD(Imm(16), mask, mask)
	}
}

// evaluation goes over the destinations of the lanes in one register of values. The value of a
// candidate is g[to] - g[from] plus constants, with from = to - roll: the accumulators are
// shifted by one square and then as far as the masks require.
type evaluation struct {
	arithmetic
	k                *lanes
	group            *laneGroup
	shift            evenFar
	index            VecVirtual   // of the constants
	g                VecVirtual   // accumulators of the last destination
	shifted          []VecVirtual // of square j, or of j-1 where the roll is even
	best, bestSquare VecVirtual
}

func (k *lanes) newEvaluation(group *laneGroup, a arithmetic, shift evenFar, index VecVirtual) *evaluation {
	e := &evaluation{arithmetic: a, k: k, group: group, shift: shift, index: index, g: ZMM(), best: ZMM()}
	lowest := constLowest
	if k.width == wide32 {
		lowest = constLowestWide
	}
	VMOVDQU64(k.constant(lowest), e.best)
	if k.width == plain16 {
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
	e.subtract(from, e.g, value)
	e.lookUp(e.k.tables.at("move").Offset(64*square), e.index, constants)
	if board.IsRosette(square) {
		e.subtract(e.row(e.k.turnRow()), value, value)
	}
	if board.IsTakeable(square) {
		e.test(square, e.group.takeable, kB)
		e.lookUp(e.k.tables.at("take").Offset(64*square), e.index, kB, constants)
		e.add(e.row(e.k.oppRow(square)), value, kB, value)
	}
	e.add(constants, value, value)
	e.test(square, e.group.movable, kA)
	if e.k.width != plain16 {
		e.maximum(value, e.best, kA, e.best)
		return
	}
	VPCMPW(Imm(6), e.best, value, kA, kA) // value > best
	VMOVDQU16(value, kA, e.best)
	VMOVDQU16(e.k.tables.at("number").Offset(64*square), kA, e.bestSquare)
}

// from loads the accumulators of a destination and returns those of the squares left.
func (e *evaluation) from(square int) VecVirtual {
	from := e.shifted[square-1]
	if square >= 3 { // nearer to the start, rolls of 3 and 4 reach no square
		from = e.shifted[square-3] // its last use
		e.blend(from, e.shifted[square-1], e.shift.far, from)
	}
	before := e.g
	e.g = ZMM()
	VMOVDQU64(e.row(e.k.ownRow(square)), e.g)
	if square < 15 {
		s := before // its last use
		if square == 1 {
			s = ZMM()
			VMOVDQA64(before, s)
		}
		e.blend(s, e.g, e.shift.even, s)
		e.shifted = append(e.shifted, s)
	}
	return from
}
