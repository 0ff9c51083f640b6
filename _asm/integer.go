package main

import (
	"fmt"
	"sync"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// integerKernels writes package valuenet's kernels.
func integerKernels() {
	for _, v := range []vectors{avx2, avx512} {
		v.sets()
		v.outputs()
		v.hidden(4)
		v.hidden(2)
	}
}

// broadcastWord returns a register with a 16-bit parameter in every place.
func (v vectors) broadcastWord(parameter string) VecVirtual {
	r := v.register()
	scalar := Load(Param(parameter), GP32())
	x := XMM()
	VMOVD(scalar, x)
	VPBROADCASTW(x, r)
	return r
}

// sets adds each set's rows to the bias and cuts the sums off below a number.
func (v vectors) sets() {
	kernel("sets"+v.suffix, "func(dst, bias, table *int16, sets *uint64, n, width uintptr, low uint32)",
		"writes for each of n sets the bias plus the rows of the table that are in it, at least low.",
		"width is that of a row in bytes, a multiple of 64. It must equal setsGo.")
	dst, bias, table := arg("dst"), arg("bias"), arg("table")
	sets, n, width := arg("sets"), arg("n"), arg("width")
	low := v.broadcastWord("low")
	blocks := []int{256, 64}
	if v.zmm {
		blocks = []int{512, 256, 64}
	}
	v.overSets(setRows{
		rows: dst, table: table, sets: sets, n: n, width: width, blocks: blocks,
		load: func(at func(Register) Mem, r VecVirtual) { v.move(at(bias), r) },
		add:  func(row Mem, r VecVirtual) { VPADDW(row, r, r) },
		store: func(at func(Register) Mem, r VecVirtual) {
			VPMAXSW(low, r, r)
			v.move(r, at(dst))
		},
	})
}

// sumLanes adds a register's 32-bit lanes into the lowest one in its lower part.
func (v vectors) sumLanes(r VecVirtual) Register {
	if v.zmm {
		y := YMM()
		VEXTRACTI64X4(Imm(1), r, y)
		VPADDD(y, r.AsY(), r.AsY())
	}
	x := XMM()
	VEXTRACTI128(Imm(1), r.AsY(), x)
	VPADDD(x, r.AsX(), r.AsX())
	VPSHUFD(Imm(0b1110), r.AsX(), x)
	VPADDD(x, r.AsX(), r.AsX())
	VPSHUFD(Imm(0b01), r.AsX(), x)
	VPADDD(x, r.AsX(), r.AsX())
	return r.AsX()
}

// outputs writes a net's values with one hidden layer.
func (v vectors) outputs() {
	kernel("outputs"+v.suffix, "func(dst *int32, units, weights *int16, n, width uintptr, bias int32)",
		"writes the bias plus the products of n rows of units with the weights; width is that of a row in bytes,",
		"a multiple of 64. It must equal outputsGo.")
	dst, units, weights := arg("dst"), arg("units"), arg("weights")
	n, width := arg("n"), arg("width")
	bias := Load(Param("bias"), GP32())
	column, value := GP64(), GP32()
	rounds(n, func() {
		XORQ(column, column)
		sum := v.zero()
		Label("columns")
		for at := 0; at < 64; at += v.bytes {
			r := v.load(Mem{Base: units, Index: column, Scale: 1, Disp: at})
			VPMADDWD(Mem{Base: weights, Index: column, Scale: 1, Disp: at}, r, r)
			VPADDD(r, sum, sum)
		}
		ADDQ(Imm(64), column)
		CMPQ(column, width)
		JL(LabelRef("columns"))
		VMOVD(v.sumLanes(sum), value)
		ADDL(bias, value)
		MOVL(value, Mem{Base: dst})
		ADDQ(Imm(4), dst)
		ADDQ(width, units)
	})
}

// hidden writes a net's values with two hidden layers, four or two positions at a time.
// Most units are 0: nine in ten in trained nets, and mostly the same ones after one decision's
// moves. So it first lists the pairs of units with a nonzero one in any
// position, and then sums block after block, 16 units in the second layer each, over the list.
// Every loaded weight serves all positions. VPDPWSSD and VPMADDWD multiply a broadcast pair of
// units with the pair's weights to 16 or 8 units.
func (v vectors) hidden(rows int) {
	kernel(fmt.Sprintf("hidden%d%s", rows, v.suffix), "func(dst *int32, units, weights *int16, bias, last *int32, list *uint32, n, width, blocks uintptr, shift uint32, lastBias int32)",
		fmt.Sprintf("writes the values of n times %d rows of units; width is that of a row in bytes, a multiple of 64, and", rows),
		"blocks counts 16 units of the second layer. The list is room for width/4 numbers and 16 more. It must equal hiddenGo.")
	units, width := arg("units"), arg("width")
	threeRows := GP64()
	if rows == 4 {
		LEAQ(Mem{Base: width, Index: width, Scale: 2}, threeRows)
	}
	row := fourRows(width, threeRows)
	count := arg("n")
	rounds(count, func() { v.hiddenRound(rows, units, width, row) })
}

// hiddenRound writes the values for the next positions.
func (v vectors) hiddenRound(rows int, units, width Register, row func(Register, int) Mem) {
	halves := 64 / v.bytes
	listEnd := v.listPairs(rows, units, width, row)
	weight, offset := arg("weights"), GP64()
	XORQ(offset, offset)
	block := arg("blocks")
	values := make([]VecVirtual, rows)
	for i := range values {
		values[i] = v.zero()
	}
	Label("block")
	Comment("Each row has a sum that begins with the bias; with ZMM there are more, for further pairs, so that additions wait less.")
	at := arg("bias")
	ADDQ(offset, at)
	chains := 1
	if v.zmm {
		chains = 8 / rows
	}
	sums := make([][]VecVirtual, rows)
	for i := range sums {
		for h := range halves {
			sums[i] = append(sums[i], v.load(Mem{Base: at, Disp: h * v.bytes}))
		}
		for v.zmm && len(sums[i]) < chains {
			sums[i] = append(sums[i], v.zero())
		}
	}
	list, left, pair, from := arg("list"), GP64(), GP64(), GP64()
	if chains > 1 {
		Label("pairs")
		MOVQ(listEnd, left)
		SUBQ(list, left)
		CMPQ(left, Imm(uint64(4*chains)))
		JL(LabelRef("single"))
		for c := range chains {
			v.pair(list, 4*c, pair, from, units, weight, rows, row, sums, c)
		}
		ADDQ(Imm(uint64(4*chains)), list)
		JMP(LabelRef("pairs"))
	}
	Label("single")
	CMPQ(list, listEnd)
	JGE(LabelRef("summed"))
	v.pair(list, 0, pair, from, units, weight, rows, row, sums, 0)
	ADDQ(Imm(4), list)
	JMP(LabelRef("single"))
	Label("summed")
	LEAQ(Mem{Base: weight, Index: width, Scale: 8}, weight)
	LEAQ(Mem{Base: weight, Index: width, Scale: 8}, weight)
	Comment("Clip and shift, and multiply with the weights of the output.")
	Load(Param("last"), at)
	ADDQ(offset, at)
	shift, number := XMM(), GP32()
	Load(Param("shift"), number)
	VMOVD(number, shift)
	zero := v.zero()
	for i := range sums {
		for _, further := range sums[i][halves:] {
			VPADDD(further, sums[i][0], sums[i][0])
		}
		for h := range halves {
			r := sums[i][h]
			VPMAXSD(zero, r, r)
			VPSRAD(shift, r, r)
			VPMULLD(Mem{Base: at, Disp: h * v.bytes}, r, r)
			VPADDD(r, values[i], values[i])
		}
	}
	ADDQ(Imm(64), offset)
	DECQ(block)
	JNZ(LabelRef("block"))
	Comment("Add up the values, and go on with the next positions.")
	value, bias := GP32(), GP32()
	Load(Param("lastBias"), bias)
	Load(Param("dst"), at)
	for i := range values {
		VMOVD(v.sumLanes(values[i]), value)
		ADDL(bias, value)
		MOVL(value, Mem{Base: at, Disp: 4 * i})
	}
	ADDQ(Imm(uint64(4*rows)), at)
	Store(at, Param("dst"))
	LEAQ(Mem{Base: units, Index: width, Scale: uint8(rows)}, units)
}

// listPairs lists the numbers of pairs whose units are nonzero in any row, and returns
// the list's end.
func (v vectors) listPairs(rows int, units, width Register, row func(Register, int) Mem) (end Register) {
	Comment("List the pairs of units that are not 0 everywhere.")
	end = arg("list")
	at, stop, mask := wordOf(units), GP64(), GP32()
	LEAQ(Mem{Base: units, Index: width, Scale: 1}, stop)
	any := v.register()
	if v.zmm {
		numbers, step, packed, found := ZMM(), ZMM(), ZMM(), K()
		first := GP64()
		LEAQ(pairNumbers(), first)
		VMOVDQU32(Mem{Base: first}, numbers)
		VMOVDQU32(Mem{Base: first, Disp: 64}, step)
		Label("list")
		VMOVDQU64(row(at, 0), any)
		for i := range rows - 1 {
			VPORD(row(at, i+1), any, any)
		}
		VPTESTMD(any, any, found)
		VPCOMPRESSD_Z(numbers, found, packed)
		VMOVDQU32(packed, Mem{Base: end})
		KMOVW(found, mask)
		POPCNTL(mask, mask)
		LEAQ(Mem{Base: end, Index: mask.As64(), Scale: 4}, end)
		VPADDD(step, numbers, numbers)
		ADDQ(Imm(64), at)
		CMPQ(at, stop)
		JL(LabelRef("list"))
		return end
	}
	zero, number, base, bit := v.zero(), GP32(), GP32(), GP32()
	XORL(base, base)
	Label("list")
	VMOVDQU(row(at, 0), any)
	for i := range rows - 1 {
		VPOR(row(at, i+1), any, any)
	}
	VPCMPEQD(zero, any, any)
	VMOVMSKPS(any, mask)
	XORL(Imm(0xff), mask)
	JZ(LabelRef("listed"))
	Label("bits")
	BSFL(mask, number)
	ADDL(base, number)
	MOVL(number, Mem{Base: end})
	ADDQ(Imm(4), end)
	LEAL(Mem{Base: mask, Disp: -1}, bit)
	ANDL(bit, mask)
	JNZ(LabelRef("bits"))
	Label("listed")
	ADDL(Imm(8), base)
	ADDQ(Imm(32), at)
	CMPQ(at, stop)
	JL(LabelRef("list"))
	return end
}

// pairNumbers returns where the numbers 0 to 15 lie, and sixteen times 16.
var pairNumbers = sync.OnceValue(func() Mem {
	table := GLOBL("pairNumbers", RODATA|NOPTR)
	for i := range 32 {
		DATA(4*i, U32(uint32(min(i, 16))))
	}
	return table
})

// pair adds the products for a pair of units in the list.
func (v vectors) pair(list Register, disp int, pair, from, units, weight Register, rows int, row func(Register, int) Mem, sums [][]VecVirtual, chain int) {
	MOVL(Mem{Base: list, Disp: disp}, pair.(GPVirtual).As32())
	LEAQ(Mem{Base: units, Index: pair, Scale: 4}, from)
	SHLQ(Imm(6), pair)
	if v.zmm {
		w := v.register()
		VMOVDQU32(Mem{Base: weight, Index: pair, Scale: 1}, w)
		for i := range rows {
			VPDPWSSD_BCST(row(from, i), w, sums[i][chain])
		}
		return
	}
	low := v.load(Mem{Base: weight, Index: pair, Scale: 1})
	high := v.load(Mem{Base: weight, Index: pair, Scale: 1, Disp: 32})
	for i := range rows {
		number, product := v.register(), v.register()
		VPBROADCASTD(row(from, i), number)
		VPMADDWD(number, low, product)
		VPADDD(product, sums[i][0], sums[i][0])
		VPMADDWD(number, high, number)
		VPADDD(number, sums[i][1], sums[i][1])
	}
}
