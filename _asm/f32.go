package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vectors is one width of registers: the same kernels are written for YMM and ZMM.
type vectors struct {
	suffix string // of the names of kernels
	bytes  int    // of a register
	zmm    bool
}

var (
	avx2   = vectors{"AVX2", 32, false}
	avx512 = vectors{"AVX512", 64, true}
)

// register returns a new register of the width.
func (v vectors) register() VecVirtual {
	if v.zmm {
		return ZMM()
	}
	return YMM()
}

// zero clears a register.
func (v vectors) zero(r VecVirtual) {
	if v.zmm {
		VPXORD(r, r, r)
	} else {
		VPXOR(r, r, r)
	}
}

// floatKernels writes the kernels of package f32.
func floatKernels() {
	for _, v := range []vectors{avx2, avx512} {
		rows, registers := 4, 2
		if v.zmm {
			rows = 8
		}
		v.tile(rows, registers)
		if v.zmm {
			v.tile(rows, 1)
		}
		v.tile(1, registers)
		if v.zmm {
			v.tile(1, 1)
		}
		v.sumSets()
		v.addToSets()
		v.clip()
		v.clipBack()
		v.dots()
		v.addScaled()
		v.follow()
		v.adam()
	}
}

// tile adds the product of rows of A and columns of B to a tile of C kept in registers. Every
// step broadcasts a number of A for each row and multiplies it with a piece of a row of B.
func (v vectors) tile(rows, registers int) {
	name := fmt.Sprintf("tile%dx%d%s", rows, registers*v.bytes/4, v.suffix)
	TEXT(name, NOSPLIT, "func(c, a, b *float32, k, cRow, aRow, aCol, bRow uintptr)")
	Doc(fmt.Sprintf("%s adds A B to a tile C of %d rows and %d columns; A has k columns. Strides are in bytes.",
		name, rows, registers*v.bytes/4), "It must equal multiplyTile.")
	Pragma("noescape")
	c, a, b := Load(Param("c"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	k := Load(Param("k"), GP64())
	cRow, aRow := Load(Param("cRow"), GP64()), Load(Param("aRow"), GP64())
	aCol, bRow := Load(Param("aCol"), GP64()), Load(Param("bRow"), GP64())

	Comment("The tile of C.")
	sums := make([][]VecVirtual, rows)
	row := GP64()
	MOVQ(c, row)
	for i := range sums {
		for j := range registers {
			r := v.register()
			VMOVUPS(Mem{Base: row, Disp: j * v.bytes}, r)
			sums[i] = append(sums[i], r)
		}
		if i < rows-1 {
			ADDQ(cRow, row)
		}
	}
	Comment("Rows of A are reached from two pointers, by 0, 1, 2 and 3 times their distance.")
	high := GP64()
	threeRows := GP64()
	if rows > 1 {
		LEAQ(Mem{Base: aRow, Index: aRow, Scale: 2}, threeRows)
		LEAQ(Mem{Base: a, Index: aRow, Scale: 4}, high)
	}
	operand := func(i int) Mem {
		base := a
		if i >= 4 {
			base, i = high, i-4
		}
		switch i {
		case 0:
			return Mem{Base: base}
		case 1:
			return Mem{Base: base, Index: aRow, Scale: 1}
		case 2:
			return Mem{Base: base, Index: aRow, Scale: 2}
		}
		return Mem{Base: base, Index: threeRows, Scale: 1}
	}
	TESTQ(k, k)
	JZ(LabelRef("store"))
	Label("loop")
	columns := make([]VecVirtual, registers)
	for j := range columns {
		columns[j] = v.register()
		VMOVUPS(Mem{Base: b, Disp: j * v.bytes}, columns[j])
	}
	number := v.register()
	for i := range rows {
		VBROADCASTSS(operand(i), number)
		for j := range columns {
			VFMADD231PS(columns[j], number, sums[i][j])
		}
	}
	ADDQ(aCol, a)
	if rows > 4 {
		ADDQ(aCol, high)
	}
	ADDQ(bRow, b)
	DECQ(k)
	JNZ(LabelRef("loop"))
	Label("store")
	for i := range sums {
		for j := range registers {
			VMOVUPS(sums[i][j], Mem{Base: c, Disp: j * v.bytes})
		}
		if i < rows-1 {
			ADDQ(cRow, c)
		}
	}
	VZEROUPPER()
	RET()
}

// sumSets writes, for each of n sets, the bias plus the rows of a table in the set. It takes
// the columns 64 bytes or a multiple at a time, so the sums stay in registers.
func (v vectors) sumSets() {
	name := "sumSets" + v.suffix
	TEXT(name, NOSPLIT, "func(dst, bias, table *float32, sets *uint64, n, width uintptr)")
	Doc(name+" writes for each of n sets the bias plus the rows of the table that are in it; width is that of a row in bytes, a multiple of 64.", "It must equal sumSets.")
	Pragma("noescape")
	dst, bias, table := Load(Param("dst"), GP64()), Load(Param("bias"), GP64()), Load(Param("table"), GP64())
	sets, n, width := Load(Param("sets"), GP64()), Load(Param("n"), GP64()), Load(Param("width"), GP64())
	column, set, index, rest := GP64(), GP64(), GP64(), GP64()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("next")
	XORQ(column, column)
	blocks := []int{256, 64}
	for _, block := range blocks {
		Label(fmt.Sprintf("columns%d", block))
		MOVQ(width, rest)
		SUBQ(column, rest)
		CMPQ(rest, U32(block))
		if block == 64 {
			JL(LabelRef("after"))
		} else {
			JL(LabelRef(fmt.Sprintf("columns%d", blocks[1])))
		}
		sums := make([]VecVirtual, block/v.bytes)
		for i := range sums {
			sums[i] = v.register()
			VMOVUPS(Mem{Base: bias, Index: column, Scale: 1, Disp: i * v.bytes}, sums[i])
		}
		MOVQ(Mem{Base: sets}, set)
		TESTQ(set, set)
		JZ(LabelRef(fmt.Sprintf("store%d", block)))
		Label(fmt.Sprintf("member%d", block))
		BSFQ(set, index)
		IMULQ(width, index)
		ADDQ(table, index)
		for i := range sums {
			VADDPS(Mem{Base: index, Index: column, Scale: 1, Disp: i * v.bytes}, sums[i], sums[i])
		}
		LEAQ(Mem{Base: set, Disp: -1}, rest)
		ANDQ(rest, set)
		JNZ(LabelRef(fmt.Sprintf("member%d", block)))
		Label(fmt.Sprintf("store%d", block))
		for i := range sums {
			VMOVUPS(sums[i], Mem{Base: dst, Index: column, Scale: 1, Disp: i * v.bytes})
		}
		ADDQ(U32(block), column)
		JMP(LabelRef(fmt.Sprintf("columns%d", block)))
	}
	Label("after")
	ADDQ(width, dst)
	ADDQ(Imm(8), sets)
	DECQ(n)
	JNZ(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}

// addToSets adds row i of src to every row of the table in set i.
func (v vectors) addToSets() {
	name := "addToSets" + v.suffix
	TEXT(name, NOSPLIT, "func(table, src *float32, sets *uint64, n, width uintptr)")
	Doc(name+" adds each of n rows to the rows of the table that are in its set; width is that of a row in bytes, a multiple of 64.", "It must equal addToSets.")
	Pragma("noescape")
	table, src := Load(Param("table"), GP64()), Load(Param("src"), GP64())
	sets, n, width := Load(Param("sets"), GP64()), Load(Param("n"), GP64()), Load(Param("width"), GP64())
	column, set, index, rest := GP64(), GP64(), GP64(), GP64()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("next")
	XORQ(column, column)
	blocks := []int{256, 64}
	for _, block := range blocks {
		Label(fmt.Sprintf("columns%d", block))
		MOVQ(width, rest)
		SUBQ(column, rest)
		CMPQ(rest, U32(block))
		if block == 64 {
			JL(LabelRef("after"))
		} else {
			JL(LabelRef(fmt.Sprintf("columns%d", blocks[1])))
		}
		terms := make([]VecVirtual, block/v.bytes)
		for i := range terms {
			terms[i] = v.register()
			VMOVUPS(Mem{Base: src, Index: column, Scale: 1, Disp: i * v.bytes}, terms[i])
		}
		MOVQ(Mem{Base: sets}, set)
		TESTQ(set, set)
		JZ(LabelRef(fmt.Sprintf("stored%d", block)))
		Label(fmt.Sprintf("member%d", block))
		BSFQ(set, index)
		IMULQ(width, index)
		ADDQ(table, index)
		for i := range terms {
			sum := v.register()
			at := Mem{Base: index, Index: column, Scale: 1, Disp: i * v.bytes}
			VADDPS(at, terms[i], sum)
			VMOVUPS(sum, at)
		}
		LEAQ(Mem{Base: set, Disp: -1}, rest)
		ANDQ(rest, set)
		JNZ(LabelRef(fmt.Sprintf("member%d", block)))
		Label(fmt.Sprintf("stored%d", block))
		ADDQ(U32(block), column)
		JMP(LabelRef(fmt.Sprintf("columns%d", block)))
	}
	Label("after")
	ADDQ(width, src)
	ADDQ(Imm(8), sets)
	DECQ(n)
	JNZ(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}

// broadcast returns a register with a parameter in every place.
func (v vectors) broadcast(parameter string) VecVirtual {
	r := v.register()
	scalar := Load(Param(parameter), XMM())
	VBROADCASTSS(scalar, r)
	return r
}

// clip writes max(0, min(x, high)) over x.
func (v vectors) clip() {
	name := "clip" + v.suffix
	TEXT(name, NOSPLIT, "func(x *float32, n uintptr, high float32)")
	Doc(name+" clips n numbers, a multiple of 16, to 0 and high.", "It must equal clip.")
	Pragma("noescape")
	x, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	high, zero := v.broadcast("high"), v.register()
	v.zero(zero)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("loop")
	for at := 0; at < 64; at += v.bytes {
		r := v.register()
		VMOVUPS(Mem{Base: x, Disp: at}, r)
		VMINPS(high, r, r)
		VMAXPS(zero, r, r)
		VMOVUPS(r, Mem{Base: x, Disp: at})
	}
	ADDQ(Imm(64), x)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// clipBack clears the numbers of d where a is not between 0 and high: the derivative of
// clip.
func (v vectors) clipBack() {
	name := "clipBack" + v.suffix
	TEXT(name, NOSPLIT, "func(d, a *float32, n uintptr, high float32)")
	Doc(name+" clears those of n numbers of d, a multiple of 16, where a is 0 or high.", "It must equal clipBack.")
	Pragma("noescape")
	d, a, n := Load(Param("d"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	high, zero := v.broadcast("high"), v.register()
	v.zero(zero)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("loop")
	for at := 0; at < 64; at += v.bytes {
		value, gradient := v.register(), v.register()
		VMOVUPS(Mem{Base: a, Disp: at}, value)
		if v.zmm {
			above, inside := K(), K()
			VCMPPS(Imm(14), zero, value, above) // value > 0
			VCMPPS(Imm(1), high, value, inside) // value < high
			KANDW(above, inside, inside)
			VMOVUPS_Z(Mem{Base: d, Disp: at}, inside, gradient)
		} else {
			above, inside := v.register(), v.register()
			VCMPPS(Imm(14), zero, value, above)
			VCMPPS(Imm(1), high, value, inside)
			VANDPS(above, inside, inside)
			VANDPS(Mem{Base: d, Disp: at}, inside, gradient)
		}
		VMOVUPS(gradient, Mem{Base: d, Disp: at})
	}
	ADDQ(Imm(64), a)
	ADDQ(Imm(64), d)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// dots writes the scalar products of n rows with one row: 16 sums, of every sixteenth product,
// added in halves.
func (v vectors) dots() {
	name := "dots" + v.suffix
	TEXT(name, NOSPLIT, "func(dst, rows, weights *float32, n, width uintptr)")
	Doc(name+" writes the products of n rows with the weights; width is that of a row in bytes, a multiple of 64.", "It must equal dots.")
	Pragma("noescape")
	dst, rows, weights := Load(Param("dst"), GP64()), Load(Param("rows"), GP64()), Load(Param("weights"), GP64())
	n, width := Load(Param("n"), GP64()), Load(Param("width"), GP64())
	column := GP64()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("next")
	XORQ(column, column)
	sums := make([]VecVirtual, 64/v.bytes)
	for i := range sums {
		sums[i] = v.register()
		v.zero(sums[i])
	}
	Label("columns")
	for i := range sums {
		r := v.register()
		VMOVUPS(Mem{Base: rows, Index: column, Scale: 1, Disp: i * v.bytes}, r)
		VFMADD231PS(Mem{Base: weights, Index: column, Scale: 1, Disp: i * v.bytes}, r, sums[i])
	}
	ADDQ(Imm(64), column)
	CMPQ(column, width)
	JL(LabelRef("columns"))
	var low, high Register
	if v.zmm {
		y := YMM()
		VEXTRACTF64X4(Imm(1), sums[0], y)
		low, high = sums[0].AsY(), y
	} else {
		low, high = sums[0], sums[1]
	}
	VADDPS(high, low, low)
	x, lowX := XMM(), low.(VecVirtual).AsX()
	VEXTRACTF128(Imm(1), low, x)
	VADDPS(x, lowX, lowX)
	VPSHUFD(Imm(0b1110), lowX, x)
	VADDPS(x, lowX, lowX)
	VPSHUFD(Imm(0b01), lowX, x)
	VADDSS(x, lowX, lowX)
	VMOVSS(lowX, Mem{Base: dst})
	ADDQ(width, rows)
	ADDQ(Imm(4), dst)
	DECQ(n)
	JNZ(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}

// addScaled adds a multiple of one list to another.
func (v vectors) addScaled() {
	name := "addScaled" + v.suffix
	TEXT(name, NOSPLIT, "func(y, x *float32, n uintptr, step float32)")
	Doc(name+" adds step times x to n numbers of y, a multiple of 16.", "It must equal addScaled.")
	Pragma("noescape")
	y, x, n := Load(Param("y"), GP64()), Load(Param("x"), GP64()), Load(Param("n"), GP64())
	step := v.broadcast("step")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("loop")
	for at := 0; at < 64; at += v.bytes {
		r := v.register()
		VMOVUPS(Mem{Base: y, Disp: at}, r)
		VFMADD231PS(Mem{Base: x, Disp: at}, step, r)
		VMOVUPS(r, Mem{Base: y, Disp: at})
	}
	ADDQ(Imm(64), y)
	ADDQ(Imm(64), x)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// follow moves weights along their traces, and lets the traces decay.
func (v vectors) follow() {
	name := "follow" + v.suffix
	TEXT(name, NOSPLIT, "func(weights, traces *float32, n uintptr, step, decay float32)")
	Doc(name+" adds step times the traces to n weights, a multiple of 16, and multiplies the traces with decay.", "It must equal follow.")
	Pragma("noescape")
	w, e, n := Load(Param("weights"), GP64()), Load(Param("traces"), GP64()), Load(Param("n"), GP64())
	step, decay := v.broadcast("step"), v.broadcast("decay")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("loop")
	for at := 0; at < 64; at += v.bytes {
		weight, trace := v.register(), v.register()
		VMOVUPS(Mem{Base: w, Disp: at}, weight)
		VMOVUPS(Mem{Base: e, Disp: at}, trace)
		VFMADD231PS(trace, step, weight)
		VMULPS(decay, trace, trace)
		VMOVUPS(weight, Mem{Base: w, Disp: at})
		VMOVUPS(trace, Mem{Base: e, Disp: at})
	}
	ADDQ(Imm(64), w)
	ADDQ(Imm(64), e)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// adam moves weights by their gradient, as Adam does.
func (v vectors) adam() {
	name := "adam" + v.suffix
	TEXT(name, NOSPLIT, "func(weights, gradient, first, second *float32, n uintptr, scale, size, keepFirst, newFirst, keepSecond, newSecond, epsilon float32)")
	Doc(name+" takes a step of Adam with n weights, a multiple of 16.", "It must equal adam.")
	Pragma("noescape")
	w, g := Load(Param("weights"), GP64()), Load(Param("gradient"), GP64())
	first, second, n := Load(Param("first"), GP64()), Load(Param("second"), GP64()), Load(Param("n"), GP64())
	scale, size, epsilon := v.broadcast("scale"), v.broadcast("size"), v.broadcast("epsilon")
	keepFirst, newFirst := v.broadcast("keepFirst"), v.broadcast("newFirst")
	keepSecond, newSecond := v.broadcast("keepSecond"), v.broadcast("newSecond")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("loop")
	for at := 0; at < 64; at += v.bytes {
		slope, mean, square, part := v.register(), v.register(), v.register(), v.register()
		Comment("The running mean of the gradient.")
		VMULPS(Mem{Base: g, Disp: at}, scale, slope)
		VMULPS(Mem{Base: first, Disp: at}, keepFirst, mean)
		VMULPS(slope, newFirst, part)
		VADDPS(part, mean, mean)
		VMOVUPS(mean, Mem{Base: first, Disp: at})
		Comment("The running mean of its square.")
		VMULPS(Mem{Base: second, Disp: at}, keepSecond, square)
		VMULPS(slope, newSecond, part)
		VMULPS(slope, part, part)
		VADDPS(part, square, square)
		VMOVUPS(square, Mem{Base: second, Disp: at})
		Comment("The step.")
		VSQRTPS(square, square)
		VADDPS(epsilon, square, square)
		VMULPS(size, mean, mean)
		VDIVPS(square, mean, mean)
		VMOVUPS(Mem{Base: w, Disp: at}, part)
		VSUBPS(mean, part, part)
		VMOVUPS(part, Mem{Base: w, Disp: at})
	}
	for _, list := range []Register{w, g, first, second} {
		ADDQ(Imm(64), list)
	}
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}
