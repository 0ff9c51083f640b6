package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// start puts the squares of a node in order: those alone in their quarter first.
func (k *last) start() {
	Label("unstable")
	empty, odd, even, t := GP64(), GP64(), GP64(), GP64()
	MOVQ(k.at(frameEmpty), empty)
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
	own, opp := YMM(), YMM()
	VPBROADCASTQ(k.at(frameOwn), own)
	VPBROADCASTQ(k.at(frameOpp), opp)
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
	odd, even, bit, corner, square := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(k.at(frameOdd), odd)
	MOVQ(k.at(frameEven), even)
	MOVQ(odd, bit)
	TESTQ(odd, odd)
	CMOVQEQ(even, bit)
	MOVQ(U64(boardCorners), corner)
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
	own, opp := YMM(), YMM()
	VPBROADCASTQ(k.at(frameOwn), own)
	VPBROADCASTQ(k.at(frameOpp), opp)
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
	word := GP64()
	MOVQ(k.at(frameAlpha), word)
	NOTQ(word) // -alpha-1
	MOVQ(word, k.at(frameBytes+frameAlpha))
	MOVQ(k.at(frameLeft), word)
	DECQ(word)
	MOVQ(word, k.at(frameBytes+frameLeft))
	ADDQ(Imm(frameBytes), k.frame)
	JMP(LabelRef("node"))
}

// nextOfFour tries a square of four.
func (k *last) nextOfFour(score GPVirtual) {
	Label("nextOfFour")
	square, tried := GP64(), GP64()
	at := [3]GPVirtual{GP64(), GP64(), GP64()}
	MOVQ(k.at(frameTried), tried)
	CMPQ(tried, Imm(16))
	JEQ(LabelRef("tried"))
	for i, s := range append([]GPVirtual{square}, at[:]...) {
		MOVBQZX(Mem{Base: k.frame, Index: tried, Scale: 1, Disp: frameOrder + i}, s)
		k.rowAt(s)
	}
	ADDQ(Imm(4), tried)
	MOVQ(tried, k.at(frameTried))
	own, opp := YMM(), YMM()
	VPBROADCASTQ(k.at(frameOwn), own)
	VPBROADCASTQ(k.at(frameOpp), opp)
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
