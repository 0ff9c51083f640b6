package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func (k *last) label(name string) string {
	k.labels++
	return fmt.Sprintf("%s%d", name, k.labels)
}

// sides returns the discs of both sides in all lanes.
func (k *last) sides() (own, opp VecVirtual) {
	own, opp = YMM(), YMM()
	VPBROADCASTQ(k.at(frameOwn), own)
	VPBROADCASTQ(k.at(frameOpp), opp)
	return own, opp
}

// start puts the squares of a node in order: those alone in their quarter first.
func (k *last) start() {
	Label("unstable")
	empty, odd, even, t := wordOf(k.at(frameEmpty)), GP64(), GP64(), GP64()
	MOVQ(empty, odd)
	for i, shift := range []uint64{16, 8, 2, 1} {
		if i == 0 {
			MOVQ(empty, t)
		} else {
			MOVQ(odd, t)
		}
		SHRQ(Imm(shift), t)
		XORQ(t, odd)
	}
	MOVQ(U64(0x0000001100000011), t)
	ANDQ(t, odd)
	IMUL3Q(U32(0x0f0f0f0f), odd, odd)
	ANDQ(empty, odd)
	CMPQ(k.at(frameLeft), Imm(4))
	JEQ(LabelRef("four"))
	ANDNQ(empty, odd, even)
	own, opp := k.sides()
	moves := k.moves(own, opp)
	ANDQ(moves, odd)
	ANDQ(moves, even)
	MOVQ(odd, k.at(frameOdd))
	MOVQ(even, k.at(frameEven))
	MOVQ(I32(-lastUnknown), k.at(frameBest))
	JMP(LabelRef("next"))

	Comment("Four squares: of two pairs, or one and three, those in the first square's quarter change places")
	Label("four")
	first, square, orders := GP64(), GP64(), GP64()
	TZCNTQ(empty, square)
	k.rowAt(square)
	MOVQ(empty, first)
	ANDQ(k.row(square, "quarter"), first)
	ANDNQ(odd, first, even) // odd without the first's quarter
	MOVQ(odd, t)
	BLSRQ(first, square)
	CMOVQNE(even, t) // several are in that quarter
	CMPQ(odd, empty)
	CMOVQEQ(t, odd) // all are odd
	LEAQ(k.orders, orders)
	MOVQ(orders, t)
	ADDQ(Imm(16), t)
	TESTQ(odd, odd)
	CMOVQEQ(first, odd)
	CMOVQEQ(t, orders)
	ANDNQ(empty, odd, even)
	packed := GP64()
	for i := range 4 {
		MOVQ(odd, t)
		TESTQ(odd, odd)
		CMOVQEQ(even, t)
		if i == 0 {
			TZCNTQ(t, packed)
		} else {
			TZCNTQ(t, square)
			SHLQ(Imm(uint64(8*i)), square)
			ORQ(square, packed)
		}
		if i < 3 {
			BLSIQ(t, t)
			ANDNQ(odd, t, odd)
			ANDNQ(even, t, even)
		}
	}
	order := XMM()
	VMOVQ(packed, order)
	VPSHUFB(Mem{Base: orders}, order, order)
	VMOVDQU(order, k.at(frameOrder))
	MOVQ(I32(-lastUnknown), k.at(frameBest))
	MOVQ(I32(0), k.at(frameTried))
	JMP(LabelRef("nextOfFour"))

	Label("again")
	Comment("The same squares for the other side")
	CMPQ(k.at(frameLeft), Imm(4))
	JNE(LabelRef("unstable"))
	MOVQ(I32(0), k.at(frameTried))
	JMP(LabelRef("nextOfFour"))
}

// moves returns the squares, not all of them empty, where own may turn over discs: by fills in doubling
// steps, as in board.Moves.
func (k *last) moves(own, opp VecVirtual) GPVirtual {
	in, up, down, through, t, moves := YMM(), YMM(), YMM(), YMM(), YMM(), GP64()
	VPAND(k.inner, opp, in)
	VPSLLVQ(k.steps, own, up)
	VPSRLVQ(k.steps, own, down)
	VPAND(in, up, up)
	VPAND(in, down, down)
	VPSLLVQ(k.steps, in, through)
	VPAND(in, through, through)
	fill := func(shift func(ops ...Op), discs, through VecVirtual, step Mem) {
		shift(step, discs, t)
		if k.zmm {
			VPTERNLOGQ(Imm(0xf8), through, t, discs) // discs | through & t
			return
		}
		VPAND(through, t, t)
		VPOR(t, discs, discs)
	}
	two := k.steps.Offset(32)
	fill(VPSLLVQ, up, in, k.steps)
	fill(VPSLLVQ, up, through, two)
	fill(VPSLLVQ, up, through, two)
	VPSRLVQ(k.steps, through, through)
	fill(VPSRLVQ, down, in, k.steps)
	fill(VPSRLVQ, down, through, two)
	fill(VPSRLVQ, down, through, two)
	VPSLLVQ(k.steps, up, up)
	VPSRLVQ(k.steps, down, down)
	VPOR(down, up, up)
	VEXTRACTI128(Imm(1), up, t.AsX())
	VPOR(t.AsX(), up.AsX(), up.AsX())
	VPSHUFD(Imm(0x4e), up.AsX(), t.AsX())
	VPOR(t.AsX(), up.AsX(), up.AsX())
	VMOVQ(up.AsX(), moves)
	return moves
}

// next tries a square of five or more: corners first.
func (k *last) next() {
	Label("next")
	odd, even, square := wordOf(k.at(frameOdd)), wordOf(k.at(frameEven)), GP64()
	bit := wordOf(odd)
	TESTQ(odd, odd)
	CMOVQEQ(even, bit)
	corner := wordOf(U64(boardCorners))
	ANDQ(bit, corner)
	CMOVQNE(corner, bit)
	TESTQ(bit, bit)
	JEQ(LabelRef("tried"))
	BLSIQ(bit, bit)
	ANDNQ(odd, bit, odd)
	ANDNQ(even, bit, even)
	MOVQ(odd, k.at(frameOdd))
	MOVQ(even, k.at(frameEven))
	TZCNTQ(bit, square)
	k.rowAt(square)
	own, opp := k.sides()
	f := k.flips(own, opp, square, "")

	Comment("The board behind the move")
	sides, move := XMM(), XMM()
	VPSHUFD(Imm(0x4e), k.at(frameOpp), sides)
	VPXOR(f.AsX(), sides, sides)
	VMOVQ(bit, move)
	VPXOR(move, sides, sides)
	VMOVDQU(sides, k.at(frameBytes+frameOpp))
	XORQ(k.at(frameEmpty), bit)
	MOVQ(bit, k.at(frameBytes+frameEmpty))
	number := wordOf(k.at(frameAlpha))
	NOTQ(number) // -alpha-1
	MOVQ(number, k.at(frameBytes+frameAlpha))
	MOVQ(k.at(frameLeft), number)
	DECQ(number)
	MOVQ(number, k.at(frameBytes+frameLeft))
	ADDQ(Imm(frameBytes), k.frame)
	JMP(LabelRef("node"))
}

// nextOfFour tries a square of four.
func (k *last) nextOfFour(score GPVirtual) {
	Label("nextOfFour")
	square, tried := GP64(), wordOf(k.at(frameTried))
	at := [3]GPVirtual{GP64(), GP64(), GP64()}
	CMPQ(tried, Imm(16))
	JEQ(LabelRef("tried"))
	for i, s := range append([]GPVirtual{square}, at[:]...) {
		MOVBQZX(Mem{Base: k.frame, Index: tried, Scale: 1, Disp: frameOrder + i}, s)
		k.rowAt(s)
	}
	ADDQ(Imm(4), tried)
	MOVQ(tried, k.at(frameTried))
	own, opp := k.sides()
	f := k.flips(own, opp, square, "nextOfFour")
	p, o := YMM(), YMM()
	VPBROADCASTQ(k.row(square, "bit"), p)
	VPOR(f, p, p)
	VPXOR(own, p, p)
	VPXOR(opp, f, o)
	MOVQ(k.at(frameAlpha), k.alpha)
	NOTQ(k.alpha)
	MOVQ(I32(0), k.passing)
	k.three(o, p, at, score)
	NEGQ(score)
	k.better(score)
	JMP(LabelRef("nextOfFour"))
}

// three tries the squares in turn. If none is a move it does the same for the other side, with
// the window and in the end the score negated.
//
// All scores in it belong to the side to move with three empty squares, called P; the other side is O.
func (k *last) three(own, opp VecVirtual, at [3]GPVirtual, best GPVirtual) {
	score := GP64()
	Label("three")
	INCQ(k.nodes)
	MOVQ(I64(-lastUnknown), best)
	for i, order := range [3][3]int{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}} {
		x, y, z := at[order[0]], at[order[1]], at[order[2]]
		Comment(fmt.Sprintf("Square %d of three", i+1))
		next := k.label("next")
		f := k.flips(own, opp, x, next)
		p, o := YMM(), YMM()
		VPBROADCASTQ(k.row(x, "bit"), p)
		VPOR(f, p, p)
		VPXOR(own, p, p)
		VPXOR(opp, f, o)
		k.two(p, o, y, z, score)
		CMPQ(score, best)
		CMOVQGT(score, best)
		CMPQ(best, k.alpha)
		JGT(LabelRef("doneThree"))
		Label(next)
	}
	CMPQ(best, I32(-lastUnknown))
	JNE(LabelRef("doneThree"))

	Comment("A pass, or after a pass the end")
	NOTQ(k.alpha) // -alpha-1
	NOTQ(k.passing)
	t := YMM()
	VMOVDQU(own, t)
	VMOVDQU(opp, own)
	VMOVDQU(t, opp)
	CMPQ(k.passing, Imm(0))
	JNE(LabelRef("three"))
	DECQ(k.nodes)
	k.final(own, 3, best)

	Label("doneThree")
	XORQ(k.passing, best) // negated if passing is -1
	SUBQ(k.passing, best)
}

// two solves two empty squares with O to move: the least among P's scores behind each move.
func (k *last) two(p, o VecVirtual, y, z, score GPVirtual) {
	done, end := k.label("done"), k.label("end")
	INCQ(k.nodes)
	MOVQ(I64(lastUnknown), score)
	t, word := GP64(), GP64()
	// least lowers score to the least behind a side's moves, and goes to enough early.
	least := func(own, opp VecVirtual, enough string) {
		for i, move := range [2][2]GPVirtual{{y, z}, {z, y}} {
			next := k.label("next")
			f := k.flips(own, opp, move[0], next)
			VPXOR(f.AsX(), opp.AsX(), f.AsX())
			VMOVQ(f.AsX(), word)
			k.one(word, k.alpha, move[1], t)
			CMPQ(t, score)
			CMOVQLT(t, score)
			if i == 0 {
				CMPQ(score, k.alpha)
				JLE(LabelRef(enough))
			}
			Label(next)
		}
		CMPQ(score, I32(lastUnknown))
		JNE(LabelRef(enough))
	}
	least(o, p, done)

	Comment("A pass: the least of O's scores, negated")
	NOTQ(k.alpha) // the other side's
	least(p, o, end)
	k.final(o, 2, score)
	Label(end)
	NEGQ(score)
	NOTQ(k.alpha)
	Label(done)
}

// one sets score to that for a side with the discs own, which is to move on the last square.
func (k *last) one(own, alpha, square, score GPVirtual) {
	done, blocked := k.label("done"), k.label("blocked")
	INCQ(k.nodes)
	n, less := GP64(), GP64()
	POPCNTQ(own, score)
	LEAQ(Mem{Base: score, Index: score, Scale: 1, Disp: -62}, score)
	k.count(own, square, n)
	TESTQ(n, n)
	JZ(LabelRef(blocked))
	ADDQ(n, score)
	JMP(LabelRef(done))

	Label(blocked)
	LEAQ(Mem{Base: score, Disp: -2}, less)
	TESTQ(score, score)
	CMOVQLE(less, score)
	CMPQ(score, alpha)
	JLE(LabelRef(done))
	NOTQ(own) // the empty square does not matter
	k.count(own, square, n)
	TESTQ(n, n)
	JZ(LabelRef(done))
	SUBQ(n, less)
	MOVQ(less, score)
	Label(done)
}

// count sets n to twice the number of discs that own's disc on the last square turns over.
func (k *last) count(own, square, n GPVirtual) {
	line := GP64()
	for i := range 4 {
		places := k.row(square, "lines").Offset(8 * i)
		if k.zmm {
			PEXTQ(places, own, line)
			ADDL(k.row(square, "places").Offset(4*i), line.As32())
		} else { // where PEXT is slow
			MOVQ(places, line)
			ANDQ(own, line)
			IMULQ(k.row(square, "factors").Offset(8*i), line)
			SHRQ(Imm(56), line)
			ADDL(k.row(square, "offsets").Offset(4*i), line.As32())
		}
		counted := Mem{Base: k.tables.base, Index: line, Scale: 1, Disp: k.tables.offset("counts")}
		if i == 0 {
			MOVBQZX(counted, n)
			continue
		}
		MOVBQZX(counted, line)
		ADDQ(line, n)
	}
}

// flips returns the discs turned over by own's disc on a square, in all lanes of a
// register. If there are none it jumps to none, unless the square is known to be a move.
func (k *last) flips(own, opp VecVirtual, square GPVirtual, none string) VecVirtual {
	rising := k.row(square, "rising")
	falling := k.row(square, "falling")
	up, down, t, f := YMM(), YMM(), YMM(), YMM()
	if none != "" {
		VPTEST(k.row(square, "around"), opp.AsX())
		JZ(LabelRef(none))
	}
	VPANDN(rising, opp, up) // the lowest bit ends a row of opp
	VPSUBQ(up, k.zero, t)
	VPAND(own, up, up)
	VPAND(t, up, up)
	VPCMPEQQ(up, k.zero, t)
	VPADDQ(k.ones, up, up)
	VPSUBQ(t, up, up) // the bits below the end, none without one
	VPAND(rising, up, f)
	if k.zmm {
		VPANDN(falling, opp, down) // here the highest
		VPLZCNTQ(down, down)
		VPSRLVQ(down, k.top, down)
		VPAND(own, down, down)
		VPADDQ(down, down, down)
		VPSUBQ(down, k.zero, down)
		VPTERNLOGQ(Imm(0xf8), falling, down, f) // f | falling & down
	} else {
		end, empty := YMM(), YMM()
		VPAND(falling, own, end)
		VPANDN(falling, opp, empty)
		VPXOR(end, empty, empty)
		VPSRLVQ(k.steps, end, down)
		VPOR(end, down, down)
		for i := 1; i < 3; i++ { // fill the squares behind own discs
			VPSRLVQ(k.steps.Offset(32*i), down, t)
			VPOR(t, down, down)
		}
		VPCMPGTQ(empty, end, end) // the first square that is not opp's is own
		VPANDN(falling, down, down)
		VPAND(end, down, down)
		VPOR(down, f, f)
	}
	if none != "" {
		VPTEST(f, f)
		JZ(LabelRef(none))
	}
	VPERM2I128(Imm(1), f, f, t)
	VPOR(t, f, f)
	VPSHUFD(Imm(0x4e), f, t)
	VPOR(t, f, f)
	return f
}

// final sets score to that for a finished game with a number of empty squares.
func (k *last) final(own VecVirtual, empties int, score GPVirtual) {
	less, more := GP64(), GP64()
	VMOVQ(own.AsX(), score)
	POPCNTQ(score, score)
	LEAQ(Mem{Base: score, Index: score, Scale: 1, Disp: empties - 64}, score)
	LEAQ(Mem{Base: score, Disp: empties}, more)
	LEAQ(Mem{Base: score, Disp: -empties}, less)
	TESTQ(score, score)
	CMOVQGT(more, score)
	CMOVQLT(less, score)
}
