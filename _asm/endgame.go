package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// endgameKernels writes the kernels for Reversi's solver: the last seven empty squares, and
// the list of a position's moves.
func endgameKernels() {
	data := newLastData()
	(&last{vectors: avx2, lastData: data}).write()
	(&last{vectors: avx512, lastData: data}).write()
	(&last{vectors: avx2, lastData: data}).list()
	(&last{vectors: avx512, lastData: data}).list()
}

// lastUnknown is no score: its negative neither.
const lastUnknown = 127

const (
	lastSquares    = 7 // empty squares at most
	boardCorners   = 1 | 1<<7 | 1<<56 | 1<<63
	columnA        = 0x0101010101010101
	rowsAtEdges    = 0xff | 0xff<<56
	columnsAtEdges = columnA | columnA<<7
	innerColumns   = 1<<64 - 1 - columnsAtEdges
)

// lastData are the constants of the kernels for the last squares.
type lastData struct {
	steps   Mem // 1, 2 and 4 times those to neighbours
	inner   Mem // discs over which a move can turn in a step's lines
	edges   Mem // squares at which lines of each kind end
	bits    Mem // the bits of a byte, one to a byte, and both outer columns behind
	columns Mem // shuffles a byte, and the next, into eight
	orders  Mem // the four squares, each followed by the others in their order; the same for two pairs
}

func newLastData() lastData {
	words := func(name string, words ...uint64) Mem {
		data := GLOBL(name, RODATA|NOPTR)
		for i, word := range words {
			DATA(8*i, U64(word))
		}
		return data
	}
	both := uint64(columnsAtEdges | rowsAtEdges)
	return lastData{
		steps:   words("lastSteps", 1, 8, 9, 7, 2, 16, 18, 14, 4, 32, 36, 28),
		inner:   words("lastInner", innerColumns, 1<<64-1, innerColumns, innerColumns),
		edges:   words("lastEdges", columnsAtEdges, rowsAtEdges, both, both),
		bits:    words("lastBits", 0x8040201008040201, 0x8040201008040201, columnA, columnA<<7),
		columns: words("lastColumns", 0, columnA),
		orders:  words("lastOrders", 0x0302000103020100, 0x0201000303010002, 0x0302000103020100, 0x0100020301000302),
	}
}

// last writes a kernel for the last four to seven empty squares. A side's discs fill all lanes
// in a 32-byte register.
type last struct {
	vectors
	lastData
	tables              record // package engine's
	alpha, nodes, frame GPVirtual
	passing             Mem
	zero, ones, top     VecVirtual
	labels              int
}

// Offsets in the frame of a node. Behind a pass its score and window are those of the other side.
const (
	frameOpp    = 0
	frameOwn    = 8
	frameEmpty  = 16
	frameAlpha  = 24
	frameBest   = 32
	frameOdd    = 40 // squares not tried: alone in their quarter
	frameEven   = 48 // the others
	frameLeft   = 56 // empty squares
	framePassed = 64 // -1 behind a pass
	frameOrder  = 80 // of the last four squares, four times: a move, and the others behind it
	frameTried  = 96 // four times the squares tried among the last four
	frameBytes  = 112
)

func (k *last) at(offset int) Mem { return Mem{Base: k.frame, Disp: offset} }

// rowAt turns a square into the place of its row in the tables, and row returns a field there.
func (k *last) rowAt(square GPVirtual) {
	SHLQ(Imm(uint64(bits.TrailingZeros(uint(record{typ: structOf("lastRow")}.size())))), square)
}

func (k *last) row(place Register, field string) Mem {
	return Mem{Base: k.tables.base, Index: place, Scale: 1, Disp: k.tables.offset("rows.0." + field)}
}

func (k *last) write() {
	kernel("lastFew"+k.suffix, "func(tables *uint64, edges *uint8, own, opp uint64, alpha, empties int) (score int, nodes uint64)",
		"solves a board with four to seven empty squares. It must equal fewPlain:",
		"score and nodes.")
	frames := AllocLocal(frameBytes * (lastSquares - 3))
	k.passing = AllocLocal(8)
	k.tables = record{structOf("lastTables"), arg("tables")}
	k.frame, k.nodes, k.alpha = GP64(), GP64(), GP64()
	LEAQ(frames, k.frame)
	own, opp := arg("own"), arg("opp")
	MOVQ(own, k.at(frameOwn))
	MOVQ(opp, k.at(frameOpp))
	ORQ(opp, own)
	NOTQ(own)
	MOVQ(own, k.at(frameEmpty))
	Load(Param("alpha"), own)
	MOVQ(own, k.at(frameAlpha))
	Load(Param("empties"), own)
	MOVQ(own, k.at(frameLeft))
	k.constants()
	XORQ(k.nodes, k.nodes)

	score := GP64()
	Label("node")
	INCQ(k.nodes)
	k.stable(score)
	k.start()
	k.next()
	k.nextOfFour(score)

	Label("behind")
	Comment("The score of a node's child, negated for its mover")
	SUBQ(Imm(frameBytes), k.frame)
	NEGQ(score)
	k.better(score)
	CMPQ(k.at(frameLeft), Imm(4))
	JEQ(LabelRef("nextOfFour"))
	JMP(LabelRef("next"))

	Label("tried")
	best := score
	MOVQ(k.at(frameBest), best)
	CMPQ(best, I32(-lastUnknown))
	JNE(LabelRef("done"))
	k.pass(score)

	Label("done")
	XORQ(k.at(framePassed), score) // negated behind a pass
	SUBQ(k.at(framePassed), score)
	root := GP64()
	LEAQ(frames, root)
	CMPQ(root, k.frame)
	JNE(LabelRef("behind"))
	Store(score, Return("score"))
	Store(k.nodes, Return("nodes"))
	end()
}

// spread loads a parameter into all lanes.
func spread(name string, to VecVirtual) {
	parameter, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VPBROADCASTQ(parameter.Addr, to)
}

// constants fills the registers that flips needs.
func (k *last) constants() {
	k.zero, k.ones, k.top = YMM(), YMM(), YMM()
	VPXOR(k.zero, k.zero, k.zero)
	VPCMPEQQ(k.ones, k.ones, k.ones)
	if k.zmm {
		VPSLLQ(Imm(63), k.ones, k.top)
	}
}

// better raises the best score of a node, and goes to done if it is above the window.
func (k *last) better(score GPVirtual) {
	worse := k.label("worse")
	CMPQ(score, k.at(frameBest))
	JLE(LabelRef(worse))
	MOVQ(score, k.at(frameBest))
	CMPQ(score, k.at(frameAlpha))
	JGT(LabelRef("done"))
	Label(worse)
}

// pass tries the squares for the other side, after which the game is over.
func (k *last) pass(score GPVirtual) {
	Comment("A pass, or after a pass the end")
	over := k.label("over")
	CMPQ(k.at(framePassed), Imm(0))
	JNE(LabelRef(over))
	sides := XMM()
	VPSHUFD(Imm(0x4e), k.at(frameOpp), sides)
	VMOVDQU(sides, k.at(frameOpp))
	NOTQ(k.at(frameAlpha))
	INCQ(k.nodes)
	MOVQ(I32(-1), k.at(framePassed))
	JMP(LabelRef("again"))
	Label(over)
	DECQ(k.nodes)
	own, less, more := GP64(), GP64(), GP64()
	POPCNTQ(k.at(frameOwn), own)
	LEAQ(Mem{Base: own, Index: own, Scale: 1, Disp: -64}, score)
	ADDQ(k.at(frameLeft), score)
	MOVQ(score, less)
	MOVQ(score, more)
	SUBQ(k.at(frameLeft), less)
	ADDQ(k.at(frameLeft), more)
	TESTQ(score, score)
	CMOVQGT(more, score)
	CMOVQLT(less, score)
}

// stable goes to done if the other side's stable discs, found as in eval.Stable, keep the score at
// alpha or below.
func (k *last) stable(score GPVirtual) {
	Comment("Stable discs")
	MOVQ(I32(0), k.at(framePassed))
	left, alpha, own := wordOf(k.at(frameLeft)), wordOf(k.at(frameAlpha)), GP64()
	CMPQ(alpha, Mem{Base: k.tables.base, Index: left, Scale: 8, Disp: k.tables.offset("from")})
	JLT(LabelRef("unstable"))
	POPCNTQ(k.at(frameOpp), own)
	LEAQ(Mem{Base: alpha, Index: own, Scale: 2}, own)
	CMPQ(own, Imm(64))
	JLT(LabelRef("unstable"))

	edges, line, found := arg("edges"), GP64(), GP64()
	sides, column := XMM(), XMM()
	VMOVDQU(k.at(frameOpp), sides)
	lookUp := func() { MOVBQZX(Mem{Base: edges, Index: line, Scale: 1}, line) }
	VPSLLQ(Imm(7), sides, column)
	VPMOVMSKB(column, line.As32())
	lookUp()
	MOVQ(line, found)
	VPMOVMSKB(sides, line.As32())
	lookUp()
	SHLQ(Imm(8), line)
	ORQ(line, found)
	VMOVQ(found, column)
	VPSHUFB(k.columns, column, column)
	VPAND(k.bits, column, column)
	VPCMPEQB(k.bits, column, column)
	VPAND(k.bits.Offset(16), column, column)
	lookUpRow := func(place int) {
		second := GP64()
		MOVBQZX(k.at(frameOpp+place), line)
		MOVBQZX(k.at(frameOwn+place), second)
		SHLQ(Imm(8), second)
		ORQ(second, line)
		lookUp()
	}
	lookUpRow(0)
	MOVQ(line, found)
	lookUpRow(7)
	SHLQ(Imm(56), line)
	ORQ(line, found)
	half := XMM()
	VMOVQ(found, half)
	VPOR(half, column, column)
	VPSHUFD(Imm(0x4e), column, half)
	VPOR(half, column, column)
	stable, full, opp, t := YMM(), YMM(), YMM(), YMM()
	VPBROADCASTQ(column, stable)

	rest, square := wordOf(k.at(frameEmpty)), GP64()
	VPXOR(full, full, full)
	Label("line")
	TZCNTQ(rest, square)
	k.rowAt(square)
	VPOR(k.row(square, "lines"), full, full)
	BLSRQ(rest, rest)
	JNE(LabelRef("line"))
	VPXOR(k.ones, full, full)
	VPOR(k.edges, full, full)
	VPBROADCASTQ(k.at(frameOpp), opp)
	// among sets t to the discs whose lines are all in t.
	among := func() {
		u := YMM()
		VPERM2I128(Imm(1), t, t, u)
		VPAND(u, t, t)
		VPSHUFD(Imm(0x4e), t, u)
		VPAND(u, t, t)
		VPAND(opp, t, t)
	}
	VMOVDQU(full, t)
	among()
	VPOR(t, stable, stable)
	Label("spread")
	u := YMM()
	VPSLLVQ(k.steps, stable, t)
	VPSRLVQ(k.steps, stable, u)
	VPOR(u, t, t)
	VPOR(full, t, t)
	among()
	VPTEST(t, stable) // no carry: stable lacks a disc in t
	VPOR(t, stable, stable)
	JCC(LabelRef("spread"))
	VMOVQ(stable.AsX(), found)
	POPCNTQ(found, found)
	MOVQ(I32(64), score)
	ADDQ(found, found)
	SUBQ(found, score)
	CMPQ(score, k.at(frameAlpha))
	JLE(LabelRef("done"))
}
