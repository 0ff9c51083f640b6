package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// reversiKernels writes the kernels to expand a position in Reversi.
func reversiKernels() {
	reversi{avx2}.write()
	reversi{avx512}.write()
}

// reversi writes one kernel: each 64-bit lane is the board after one move. The steps are
// the same as in the generator koggestone, in all lanes at once.
type reversi struct{ vectors }

// reversiSteps are the shifts to the neighbours: along a row, and to the row behind.
var reversiSteps = [4]uint64{1, 7, 8, 9}

func (k reversi) and(a Op, b, to VecVirtual) { k.op(VPAND, VPANDQ, a, b, to) }
func (k reversi) or(a Op, b, to VecVirtual)  { k.op(VPOR, VPORQ, a, b, to) }
func (k reversi) xor(a Op, b, to VecVirtual) { k.op(VPXOR, VPXORQ, a, b, to) }

// andNot sets to = b &^ a.
func (k reversi) andNot(a, b, to VecVirtual) { k.op(VPANDN, VPANDNQ, b, a, to) }

func (k reversi) shift(up bool, bits uint64, a, to VecVirtual) {
	if up {
		VPSLLQ(Imm(bits), a, to)
	} else {
		VPSRLQ(Imm(bits), a, to)
	}
}

// orAnd sets f |= a & b and may use a.
func (k reversi) orAnd(f, a VecVirtual, b Op) {
	if k.zmm {
		VPTERNLOGQ(Imm(0xf8), b, a, f)
		return
	}
	k.and(b, a, a)
	k.or(a, f, f)
}

// fill returns through's discs in unbroken rows behind from: one step, one more, and twice
// two by pairs of adjacent discs in through.
func (k reversi) fill(up bool, bits uint64, from VecVirtual, through, pairs Op) VecVirtual {
	f, t := k.register(), k.register()
	k.shift(up, bits, from, f)
	k.and(through, f, f)
	k.shift(up, bits, f, t)
	k.orAnd(f, t, through)
	for range 2 {
		k.shift(up, 2*bits, f, t)
		k.orAnd(f, t, pairs)
	}
	return f
}

func (k reversi) write() {
	kernel("expand"+k.suffix, "func(own, opp, moves uint64, flips *uint64)",
		"writes to flips what each of moves turns over, from the lowest on, and the legal",
		"moves of the other side behind each 64 words further. It must equal koggeStone.Expand.")
	size := k.bytes

	// All lanes hold the same board, so the discs for flip fills are computed once.
	ownWord, oppWord, innerWord := arg("own"), arg("opp"), GP64()
	moves, to := arg("moves"), arg("flips")
	MOVQ(U64(0x7e7e7e7e7e7e7e7e), innerWord)
	own, opp, in, inner := k.filled(ownWord), k.filled(oppWord), k.register(), k.filled(innerWord)
	k.and(inner, opp, in)
	room := AllocLocal(8 * size)
	var pairs [4]map[bool]Mem // pairs by step, rising or falling
	for i, bits := range reversiSteps {
		t := k.register()
		through := k.through(bits, opp, in)
		k.shift(true, bits, through, t)
		k.and(through, t, t)
		pairs[i] = map[bool]Mem{true: room.Offset(2 * i * size), false: room.Offset((2*i + 1) * size)}
		k.move(t, pairs[i][true])
		k.shift(false, bits, t, t)
		k.move(t, pairs[i][false])
	}

	Label("next")

	Comment("One move to a lane")
	at := k.spread(moves)

	Comment("Flips: fills from the move that end on a disc of our own")
	flips := k.register()
	k.xor(flips, flips, flips)
	for i, bits := range reversiSteps {
		for _, rising := range []bool{true, false} {
			f := k.fill(rising, bits, at, k.through(bits, opp, in), pairs[i][rising])
			k.ended(rising, bits, f, own, flips)
		}
	}
	k.move(flips, Mem{Base: to})

	Comment("The board behind the move, seen from the other side")
	children := record{typ: structOf("Children")}
	k.moves(own, opp, at, flips, inner, Mem{Base: to, Disp: children.offset("Moves") - children.offset("Flips")})

	ADDQ(Imm(uint64(size)), to)
	TESTQ(moves, moves)
	JNE(LabelRef("next"))
	end()
}

// through returns the discs that rows can run through: discs in columns a and h end every row
// not along a column.
func (k reversi) through(bits uint64, opp, in VecVirtual) VecVirtual {
	if bits == 8 {
		return opp
	}
	return in
}

// filled returns a register with a word in all lanes.
func (k reversi) filled(word Register) VecVirtual {
	v := k.register()
	if !k.zmm { // AVX2 reads no general register
		x := XMM()
		VMOVQ(word, x)
		word = x
	}
	VPBROADCASTQ(word, v)
	return v
}

// spread takes the lowest bits off moves and returns each in its own lane; lanes behind the
// last bit are zero.
func (k reversi) spread(moves Register) VecVirtual {
	half := func() VecVirtual {
		var pair [2]VecVirtual
		for i := range pair {
			bit := GP64()
			pair[i] = XMM()
			BLSIQ(moves, bit)
			BLSRQ(moves, moves)
			VMOVQ(bit, pair[i])
			bit = GP64()
			BLSIQ(moves, bit)
			BLSRQ(moves, moves)
			VPINSRQ(Imm(1), bit, pair[i], pair[i])
		}
		y := pair[0].AsY().(VecVirtual)
		VINSERTI128(Imm(1), pair[1], y, y)
		return y
	}
	low := half()
	if !k.zmm {
		return low
	}
	high := half()
	z := low.AsZ().(VecVirtual)
	VINSERTI64X4(Imm(1), high, z, z)
	return z
}

// ended adds f to flips in the lanes where own's disc lies behind it.
func (k reversi) ended(up bool, bits uint64, f, own, flips VecVirtual) {
	t := k.register()
	k.shift(up, bits, f, t)
	if k.zmm {
		mask := K()
		VPTESTMQ(own, t, mask)
		VPORQ(f, flips, mask, flips)
		return
	}
	zero := YMM()
	k.and(own, t, t)
	k.xor(zero, zero, zero)
	VPCMPEQQ(zero, t, t)
	k.andNot(t, f, t)
	k.or(t, flips, flips)
}

// moves stores the other side's legal moves after a move at that turns over flips.
func (k reversi) moves(own, opp, at, flips, inner VecVirtual, to Mem) {
	mine, theirs, in, found := k.register(), k.register(), k.register(), k.register()
	k.xor(flips, opp, mine)
	k.xor(flips, own, theirs)
	k.xor(at, theirs, theirs)
	k.and(inner, theirs, in)

	Comment("Along a row, rising: a carry runs through the row of discs")
	k.shift(true, 1, mine, found)
	k.and(in, found, found)
	VPADDQ(in, found, found)
	k.andNot(in, found, found)

	for _, bits := range reversiSteps {
		through := k.through(bits, theirs, in)
		pairs, t := k.register(), k.register()
		k.shift(true, bits, through, pairs)
		k.and(through, pairs, pairs)
		if bits != 1 {
			f := k.fill(true, bits, mine, through, pairs)
			k.shift(true, bits, f, t)
			k.or(t, found, found)
		}
		k.shift(false, bits, pairs, pairs)
		f := k.fill(false, bits, mine, through, pairs)
		k.shift(false, bits, f, t)
		k.or(t, found, found)
	}
	taken := k.register()
	k.or(mine, theirs, taken)
	k.andNot(taken, found, found)
	k.move(found, to)
}

// patternKernels writes the kernels that update Reversi's pattern indices by a move, and add up the
// patterns' weights.
func patternKernels() {
	patternKernel("playFirstAVX2", false)
	patternKernel("playSecondAVX2", true)
	sumKernel()
}

// sumKernel adds up in four sums, whose loads do not wait for each other.
func sumKernel() {
	kernel("sumWeights", "func(weights *int8, features *uint64) int", "equals sum.")
	weights, features := arg("weights"), arg("features")
	var sums [4]GPVirtual
	shape := 0 // where the shape's weights begin
	for i := range 16 * patternVectors {
		place, weight := GP64(), GP64()
		MOVWQZX(Mem{Base: features, Disp: 2 * i}, place)
		MOVBQSX(Mem{Base: weights, Index: place, Scale: 1, Disp: shape}, weight)
		if i < len(sums) {
			sums[i] = weight
		} else {
			ADDQ(weight, sums[i%len(sums)])
		}
		switch i { // the first shape has nine squares, the others ten, and the last has eight places
		case 3:
			shape += 19683
		case 7, 11, 15, 19, 23, 27, 31, 35, 39:
			shape += 59049
		}
	}
	ADDQ(sums[1], sums[0])
	ADDQ(sums[3], sums[2])
	ADDQ(sums[2], sums[0])
	Store(sums[0], ReturnIndex(0))
	RET()
}

const (
	// patternVectors holds the indices of all patterns, four 16-bit lanes to a word.
	patternVectors = 3
	vectorBytes    = 32
)

// patternKernel writes one side's kernel. A disc on the first side counts once, one on the
// second twice, so discs that are turned over count once less, or more.
func patternKernel(name string, second bool) {
	kernel(name, "func(from, to, adds *uint64, square, flips uint64)",
		"sets to to from after a move to square that turns over flips, with a row of adds",
		"for every square.")
	from, to, adds := arg("from"), arg("to"), arg("adds")
	square, flips := arg("square"), arg("flips")
	var sums [patternVectors]VecVirtual
	for i := range sums {
		sums[i] = avx2.load(Mem{Base: from, Disp: i * vectorBytes})
	}
	row := patternRow(square)
	for i, sum := range sums {
		VPADDQ(Mem{Base: adds, Index: row, Scale: 1, Disp: i * vectorBytes}, sum, sum)
		if second {
			VPADDQ(Mem{Base: adds, Index: row, Scale: 1, Disp: i * vectorBytes}, sum, sum)
		}
	}
	Label("next")
	TESTQ(flips, flips)
	JE(LabelRef("done"))
	disc := GP64()
	TZCNTQ(flips, disc)
	BLSRQ(flips, flips)
	row = patternRow(disc)
	for i, sum := range sums {
		m := Mem{Base: adds, Index: row, Scale: 1, Disp: i * vectorBytes}
		if second {
			VPADDQ(m, sum, sum)
		} else {
			VPSUBQ(m, sum, sum)
		}
	}
	JMP(LabelRef("next"))
	Label("done")
	for i, sum := range sums {
		VMOVDQU(sum, Mem{Base: to, Disp: i * vectorBytes})
	}
	end()
}

// patternRow returns the offset to a square's row in adds: 96 bytes each.
func patternRow(square Register) Register {
	row := GP64()
	LEAQ(Mem{Base: square, Index: square, Scale: 2}, row)
	SHLQ(Imm(5), row)
	return row
}
