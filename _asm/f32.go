package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vectors is one register width: the same kernels are written for YMM and ZMM.
type vectors struct {
	suffix string // suffix for the kernels' names
	bytes  int    // bytes in a register
	zmm    bool
}

var (
	avx2   = vectors{"AVX2", 32, false}
	avx512 = vectors{"AVX512", 64, true}
)

// register returns a new register with the width.
func (v vectors) register() VecVirtual {
	if v.zmm {
		return ZMM()
	}
	return YMM()
}

// op writes an instruction that has one name for YMM and another for ZMM.
func (v vectors) op(ymm func(a, b, to Op), zmm func(...Op), a, b, to Op) {
	if v.zmm {
		zmm(a, b, to)
	} else {
		ymm(a, b, to)
	}
}

// zero returns a register that is cleared.
func (v vectors) zero() VecVirtual {
	r := v.register()
	v.op(VPXOR, VPXORD, r, r, r)
	return r
}

// move moves integers between a register and memory.
func (v vectors) move(from, to Op) {
	if v.zmm {
		VMOVDQU64(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

// load returns a register with integers from memory, and floats one with float32.
func (v vectors) load(from Mem) VecVirtual {
	r := v.register()
	v.move(from, r)
	return r
}

func (v vectors) floats(from Mem) VecVirtual {
	r := v.register()
	VMOVUPS(from, r)
	return r
}

// copied returns a ZMM register with another's numbers.
func copied(from VecVirtual) VecVirtual {
	r := ZMM()
	VMOVDQA64(from, r)
	return r
}

// broadcast returns a register with a parameter in every place.
func broadcast(parameter string) VecVirtual {
	r := YMM()
	scalar := Load(Param(parameter), XMM())
	VBROADCASTSS(scalar, r)
	return r
}

// everywhere returns a register with a number in every place.
func everywhere(name string, x float32) VecVirtual {
	r := YMM()
	VBROADCASTSS(ConstData(name, F32(x)), r)
	return r
}

// list and length load a slice: its beginning and how many members it has.
func list(name string) GPVirtual   { return Load(Param(name).Base(), GP64()).(GPVirtual) }
func length(name string) GPVirtual { return Load(Param(name).Len(), GP64()).(GPVirtual) }

// inBytes turns a number of float32 into bytes.
func inBytes(n GPVirtual) GPVirtual {
	SHLQ(Imm(2), n)
	return n
}

// floatKernels writes package f32's kernels.
func floatKernels() {
	avx2.tile(4, 2)
	avx2.tile(1, 2)
	sumSets()
	addToSets()
	clip()
	clipBack()
	dots()
	addScaled()
	follow()
	adam()
	for _, rows := range []int{8, 1} {
		avx512.tile(rows, 2)
		avx512.tile(rows, 1)
	}
}

// fourRows returns the operands for up to four rows at a register, apart by a distance of which
// another register holds three times.
func fourRows(distance, three Register) func(base Register, row int) Mem {
	return func(base Register, row int) Mem {
		switch row {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: base, Index: three, Scale: 1}
		}
		return Mem{Base: base, Index: distance, Scale: uint8(row)}
	}
}

// tile adds the product between A's rows and B's columns to a tile of C kept in registers. Every
// step broadcasts one of A's numbers for each row and multiplies it with a piece of B's row.
func (v vectors) tile(rows, registers int) {
	kernel(fmt.Sprintf("tile%dx%d%s", rows, registers*v.bytes/4, v.suffix), "func(c, a, b *float32, k, cRow, aRow, aCol, bRow uintptr)",
		fmt.Sprintf("adds A B to a tile C of %d rows and %d columns; A has k columns. Strides are in bytes.",
			rows, registers*v.bytes/4), "It must equal multiply.")
	c, a, b := arg("c"), arg("a"), arg("b")
	k, cRow, aRow, aCol, bRow := arg("k"), arg("cRow"), arg("aRow"), arg("aCol"), arg("bRow")

	Comment("The tile of C.")
	sums := make([][]VecVirtual, rows)
	row := wordOf(c)
	for i := range sums {
		for j := range registers {
			sums[i] = append(sums[i], v.floats(Mem{Base: row, Disp: j * v.bytes}))
		}
		if i < rows-1 {
			ADDQ(cRow, row)
		}
	}
	Comment("Rows of A are reached from two pointers, by 0, 1, 2 and 3 times their distance.")
	high, threeRows := GP64(), GP64()
	if rows > 1 {
		LEAQ(Mem{Base: aRow, Index: aRow, Scale: 2}, threeRows)
		LEAQ(Mem{Base: a, Index: aRow, Scale: 4}, high)
	}
	row4 := fourRows(aRow, threeRows)
	operand := func(i int) Mem {
		if i >= 4 {
			return row4(high, i-4)
		}
		return row4(a, i)
	}
	TESTQ(k, k)
	JZ(LabelRef("store"))
	Label("loop")
	columns := make([]VecVirtual, registers)
	for j := range columns {
		columns[j] = v.floats(Mem{Base: b, Disp: j * v.bytes})
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
	end()
}

// setRows is a walk over a table's rows: for each of n sets over those in it, with blocks of their
// columns in registers, the widest that fits first.
type setRows struct {
	rows, table, sets, n, width GPVirtual // rows has one row for each set
	blocks                      []int     // bytes of columns at a time

	load  func(at func(Register) Mem, r VecVirtual) // a part of a block; at returns its place in a row
	add   func(row Mem, r VecVirtual)               // the same part of a row in the set
	store func(at func(Register) Mem, r VecVirtual) // or nil
}

// overSets writes the walk.
func (v vectors) overSets(w setRows) {
	column, set, row, rest := GP64(), GP64(), GP64(), GP64()
	stored := "store%d"
	if w.store == nil {
		stored = "stored%d"
	}
	rounds(w.n, func() {
		XORQ(column, column)
		for i, block := range w.blocks {
			label := func(format string) string { return fmt.Sprintf(format, block) }
			Label(label("columns%d"))
			MOVQ(w.width, rest)
			SUBQ(column, rest)
			CMPQ(rest, U32(block))
			if i+1 == len(w.blocks) {
				JL(LabelRef("after"))
			} else {
				JL(LabelRef(fmt.Sprintf("columns%d", w.blocks[i+1])))
			}
			at := func(i int) func(Register) Mem {
				return func(base Register) Mem { return Mem{Base: base, Index: column, Scale: 1, Disp: i * v.bytes} }
			}
			parts := make([]VecVirtual, block/v.bytes)
			for i := range parts {
				parts[i] = v.register()
				w.load(at(i), parts[i])
			}
			MOVQ(Mem{Base: w.sets}, set)
			TESTQ(set, set)
			JZ(LabelRef(label(stored)))
			Label(label("member%d"))
			BSFQ(set, row)
			IMULQ(w.width, row)
			ADDQ(w.table, row)
			for i, part := range parts {
				w.add(at(i)(row), part)
			}
			LEAQ(Mem{Base: set, Disp: -1}, rest)
			ANDQ(rest, set)
			JNZ(LabelRef(label("member%d")))
			Label(label(stored))
			if w.store != nil {
				for i, part := range parts {
					w.store(at(i), part)
				}
			}
			ADDQ(U32(block), column)
			JMP(LabelRef(label("columns%d")))
		}
		Label("after")
		ADDQ(w.width, w.rows)
		ADDQ(Imm(8), w.sets)
	})
}

func sumSets() {
	kernel("sumSetsAVX2", "func(dst, bias, table []float32, sets []uint64)",
		"writes for each set the bias plus the rows of the table that are in it, as sumSets does.")
	dst, bias, table, sets := list("dst"), list("bias"), list("table"), list("sets")
	avx2.overSets(setRows{
		rows: dst, table: table, sets: sets, n: length("sets"), width: inBytes(length("bias")), blocks: []int{256, 64},
		load:  func(at func(Register) Mem, r VecVirtual) { VMOVUPS(at(bias), r) },
		add:   func(row Mem, r VecVirtual) { VADDPS(row, r, r) },
		store: func(at func(Register) Mem, r VecVirtual) { VMOVUPS(r, at(dst)) },
	})
}

func addToSets() {
	kernel("addToSetsAVX2", "func(table, src []float32, sets []uint64, width int)",
		"adds each row of a width to the rows of the table that are in its set, as addToSets does.")
	table, src, sets := list("table"), list("src"), list("sets")
	avx2.overSets(setRows{
		rows: src, table: table, sets: sets, n: length("sets"), width: inBytes(arg("width")), blocks: []int{256, 64},
		load: func(at func(Register) Mem, r VecVirtual) { VMOVUPS(at(src), r) },
		add: func(row Mem, r VecVirtual) {
			sum := YMM()
			VADDPS(row, r, sum)
			VMOVUPS(sum, row)
		},
	})
}

// over writes a loop over lists with n numbers, 16 at a time, whose step handles a register at an
// offset.
func over(n Register, step func(at int), lists ...Register) {
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("loop")
	for at := 0; at < 64; at += 32 {
		step(at)
	}
	for _, list := range lists {
		ADDQ(Imm(64), list)
	}
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	Label("done")
	end()
}

func clip() {
	kernel("clipAVX2", "func(x []float32)", "clips numbers below 0, as clip does.")
	x, n, zero := list("x"), length("x"), avx2.zero()
	over(n, func(at int) {
		r := avx2.floats(Mem{Base: x, Disp: at})
		VMAXPS(zero, r, r)
		VMOVUPS(r, Mem{Base: x, Disp: at})
	}, x)
}

func clipBack() {
	kernel("clipBackAVX2", "func(d, a []float32)",
		"clears the numbers of d where a is 0, as clipBack does.")
	d, a, n, zero := list("d"), list("a"), length("d"), avx2.zero()
	over(n, func(at int) {
		gradient := avx2.floats(Mem{Base: a, Disp: at})
		VCMPPS(Imm(14), zero, gradient, gradient) // above 0
		VANDPS(Mem{Base: d, Disp: at}, gradient, gradient)
		VMOVUPS(gradient, Mem{Base: d, Disp: at})
	}, a, d)
}

// dots writes the scalar products between n rows and one row: 16 sums, over every sixteenth product,
// added in halves.
func dots() {
	kernel("dotsAVX2", "func(dst, rows, weights []float32)",
		"writes the products of rows with the weights, as dots does.")
	dst, rows, weights := list("dst"), list("rows"), list("weights")
	n, width := length("dst"), inBytes(length("weights"))
	column := GP64()
	rounds(n, func() {
		XORQ(column, column)
		sums := [2]VecVirtual{avx2.zero(), avx2.zero()}
		Label("columns")
		for i := range sums {
			r := avx2.floats(Mem{Base: rows, Index: column, Scale: 1, Disp: i * 32})
			VFMADD231PS(Mem{Base: weights, Index: column, Scale: 1, Disp: i * 32}, r, sums[i])
		}
		ADDQ(Imm(64), column)
		CMPQ(column, width)
		JL(LabelRef("columns"))
		low := sums[0]
		VADDPS(sums[1], low, low)
		x, lowX := XMM(), low.AsX()
		VEXTRACTF128(Imm(1), low, x)
		VADDPS(x, lowX, lowX)
		VPSHUFD(Imm(0b1110), lowX, x)
		VADDPS(x, lowX, lowX)
		VPSHUFD(Imm(0b01), lowX, x)
		VADDSS(x, lowX, lowX)
		VMOVSS(lowX, Mem{Base: dst})
		ADDQ(width, rows)
		ADDQ(Imm(4), dst)
	})
}

func addScaled() {
	kernel("addScaledAVX2", "func(y, x []float32, step float32)",
		"adds step times x to y, as addScaled does.")
	y, x, n := list("y"), list("x"), length("y")
	step := broadcast("step")
	over(n, func(at int) {
		r := avx2.floats(Mem{Base: y, Disp: at})
		VFMADD231PS(Mem{Base: x, Disp: at}, step, r)
		VMOVUPS(r, Mem{Base: y, Disp: at})
	}, y, x)
}

func follow() {
	kernel("followAVX2", "func(weights, traces []float32, step, decay float32)",
		"adds step times the traces to the weights, and multiplies the traces with decay, as follow does.")
	w, e, n := list("weights"), list("traces"), length("weights")
	step, decay := broadcast("step"), broadcast("decay")
	over(n, func(at int) {
		weight, trace := avx2.floats(Mem{Base: w, Disp: at}), avx2.floats(Mem{Base: e, Disp: at})
		VFMADD231PS(trace, step, weight)
		VMULPS(decay, trace, trace)
		VMOVUPS(weight, Mem{Base: w, Disp: at})
		VMOVUPS(trace, Mem{Base: e, Disp: at})
	}, w, e)
}

func adam() {
	kernel("adamAVX2", "func(weights, gradient, first, second []float32, scale, size float32)",
		"takes a step of Adam, as Adam does.")
	w, g := list("weights"), list("gradient")
	first, second, n := list("first"), list("second"), length("weights")
	scale, size, epsilon := broadcast("scale"), broadcast("size"), everywhere("epsilon", 1e-8)
	keepFirst, newFirst := everywhere("keepFirst", 0.9), everywhere("newFirst", 0.1)
	keepSecond, newSecond := everywhere("keepSecond", 0.999), everywhere("newSecond", 0.001)
	over(n, func(at int) {
		slope, mean, square, part := YMM(), YMM(), YMM(), YMM() // mean of slopes and of their squares
		VMULPS(Mem{Base: g, Disp: at}, scale, slope)
		VMULPS(Mem{Base: first, Disp: at}, keepFirst, mean)
		VMULPS(slope, newFirst, part)
		VADDPS(part, mean, mean)
		VMOVUPS(mean, Mem{Base: first, Disp: at})
		VMULPS(Mem{Base: second, Disp: at}, keepSecond, square)
		VMULPS(slope, newSecond, part)
		VMULPS(slope, part, part)
		VADDPS(part, square, square)
		VMOVUPS(square, Mem{Base: second, Disp: at})
		VSQRTPS(square, square)
		VADDPS(epsilon, square, square)
		VMULPS(size, mean, mean)
		VDIVPS(square, mean, mean)
		VMOVUPS(Mem{Base: w, Disp: at}, part)
		VSUBPS(mean, part, part)
		VMOVUPS(part, Mem{Base: w, Disp: at})
	}, w, g, first, second)
}
