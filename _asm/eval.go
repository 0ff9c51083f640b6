package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// evalKernels writes getValue for one board after another.
func evalKernels() { valuesAVX2("valuesArray16AVX2", "AVX2Weights", arrays{"int16", 66}) }

// arrayKernels writes the same for byte boards and with AVX-512.
func arrayKernels() {
	valuesAVX2("valuesArray8AVX2", "array8AVX2", arrays{"uint8", 33})
	valuesAVX512()
}

// arrays are the boards that a kernel reads: with 33 int16, or with 33 bytes, which it widens into the
// frame first, because broadcasts read from memory.
type arrays struct {
	element string
	stride  int
}

func (a arrays) bytes() bool { return a.stride == 33 }

// open prepares the 33 numbers on the board at ptr and returns where its numbers 0..31 lie as
// 16-bit integers, and a vector with all ones where Dark is to move.
func (a arrays) open(ptr Register, slot int) (Mem, VecVirtual) {
	numbers, spread, subtract, last := Mem{Base: ptr}, VPBROADCASTW, VPSUBW, 64
	if a.bytes() {
		numbers, spread, subtract, last = Mem{Base: StackPointer, Disp: 64 * slot}, VPBROADCASTB, VPSUBB, 32
		for half := range 2 {
			wide := YMM()
			VPMOVZXBW(Mem{Base: ptr, Disp: 16 * half}, wide)
			VMOVDQU(wide, numbers.Offset(32*half))
		}
	}
	turn, zero := YMM(), YMM()
	spread(Mem{Base: ptr, Disp: last}, turn)
	VPXOR(zero, zero, zero)
	subtract(turn, zero, turn)
	return numbers, turn
}

// overBoards writes a loop over n boards, two at a time, and one at the end if n is odd.
// evaluate returns vectors whose numbers sum to the values of the next boards, and fold adds up
// two boards' vectors.
func overBoards[V Register](dst, n Register, evaluate func(boards int) []V, fold func(a, b V) Register, advance func()) {
	Label("pair")
	CMPQ(n, Imm(2))
	JL(LabelRef("single"))
	sums := evaluate(2)
	VMOVQ(fold(sums[0], sums[1]), Mem{Base: dst})
	ADDQ(Imm(8), dst)
	advance()
	SUBQ(Imm(2), n)
	JMP(LabelRef("pair"))

	Comment("The last board of an odd number.")
	Label("single")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	sum := evaluate(1)[0]
	VMOVD(fold(sum, sum), Mem{Base: dst})

	Label("done")
	end()
}

// valuesAVX2 writes a kernel that evaluates boards two at a time, so every weight block is
// loaded once for both, and one at the end if their number is odd.
//
// With y[i] = sum over j <= i < 32 of B[i][j]*x[j], plus B[32][i] when Dark is to move, V = sum
// of x[i]*y[i], plus B[32][32] when Dark is to move. A board's four accumulators hold y in
// 8 rows each. A step takes two numbers x[2p], x[2p+1], broadcast as one 32-bit pair, and
// VPMADDWD multiplies them with the two columns in 8 rows at once, exactly: 40 blocks cover the
// triangle.
func valuesAVX2(name, brain string, source arrays) {
	kernel(name, fmt.Sprintf("func(dst *int32, boards *%s, n int, weights *%s)", source.element, brain),
		"writes getValue of n boards, one after another in memory, to dst.",
		"It reads and writes nothing beyond them. It must equal array16/scalar.")
	if source.bytes() {
		AllocLocal(128)
	}
	dst, boards, n := arg("dst"), arg("boards"), arg("n")
	weights := load("weights", brain)

	Comment("Two boards a round.")
	overBoards(dst, n, func(count int) []VecVirtual {
		if count == 1 {
			return quadraticAVX2(source, weights, boards)
		}
		second := GP64()
		LEAQ(Mem{Base: boards, Disp: source.stride}, second)
		sums := quadraticAVX2(source, weights, boards, second)
		Comment("Fold both sums to one number each and store them.")
		return sums
	}, func(a, b VecVirtual) Register {
		VPHADDD(b, a, a)
		VPHADDD(a, a, a)
		high := XMM()
		VEXTRACTI128(Imm(1), a, high)
		VPADDD(high, a.AsX(), a.AsX())
		return a.AsX()
	}, func() { LEAQ(Mem{Base: boards, Disp: 2 * source.stride}, boards) })
}

// quadraticAVX2 evaluates the boards at the given pointers and returns for each a
// vector whose eight numbers sum to its value.
func quadraticAVX2(source arrays, weights record, boards ...Register) []VecVirtual {
	numbers := make([]Mem, len(boards))
	constant := make([]VecVirtual, len(boards))
	y := make([][4]VecVirtual, len(boards))
	for k, ptr := range boards {
		Comment(fmt.Sprintf("Board %d: y starts with the turn's row, or with zeros when Light is to move.", k))
		var dark VecVirtual
		numbers[k], dark = source.open(ptr, k)
		for rows := range y[k] {
			y[k][rows] = YMM()
			VPAND(weights.at("turn").Offset(32*rows), dark, y[k][rows])
		}
		constant[k] = dark // B[32][32] is added last; keep the register until then
	}

	Comment("y += two columns at a time; rows above the pair have no weights there.")
	block := 0
	for pair := range 16 {
		x := make([]VecVirtual, len(boards))
		for k := range boards {
			x[k] = YMM()
			VPBROADCASTD(numbers[k].Offset(4*pair), x[k])
		}
		for rows := pair / 4; rows < 4; rows++ {
			b := avx2.load(weights.at("pairs").Offset(block))
			for k := range boards {
				product := YMM()
				VPMADDWD(b, x[k], product)
				VPADDD(product, y[k][rows], y[k][rows])
			}
			block += 32
		}
	}

	sums := make([]VecVirtual, len(boards))
	for k := range boards {
		Comment(fmt.Sprintf("Board %d: multiply y by x and add up.", k))
		for rows := range y[k] {
			x := YMM()
			VPMOVSXWD(numbers[k].Offset(16*rows), x)
			VPMULLD(x, y[k][rows], y[k][rows])
		}
		VPAND(weights.at("turnTurn"), constant[k], constant[k])
		VPADDD(y[k][1], y[k][0], y[k][0])
		VPADDD(y[k][3], y[k][2], y[k][2])
		VPADDD(constant[k], y[k][0], y[k][0])
		VPADDD(y[k][2], y[k][0], y[k][0])
		sums[k] = y[k][0]
	}
	return sums
}

// valuesAVX512 writes getValue for one board after another with the brain in registers. It is
// valuesAVX2 with rows twice as wide: the triangle takes 24 blocks with 16 rows, which fit in 24
// among the 32 registers, so a step is one instruction: VPDPWSSD broadcasts a pair of numbers from
// memory, multiplies a block with it, and adds both products to y.
//
// Registers, for each of two boards: Z0, Z1 y for the lower rows; Z2 to Z5 two sums for the upper
// rows, so the addition chain is half as long; Z6, Z7 x at the end; K1, K2 Dark is to move.
// Z8 to Z31 hold the brain.
func valuesAVX512() {
	kernel("valuesArray16AVX512", "func(dst *int32, boards *int16, n int, weights *avx512Weights)",
		"writes getValue of n boards, one after another in memory, to dst.",
		"It reads and writes nothing beyond them. It must equal array16/scalar.")
	dst, board, n := arg("dst"), arg("boards"), arg("n")
	weights := load("weights", "avx512Weights")

	Comment("Keep the whole triangle in registers: rows 0-15 with columns 0-15, then rows 16-31 with columns 0-31.")
	var lower [8]VecVirtual
	var upper [16]VecVirtual
	for pair := range lower {
		lower[pair] = avx512.load(weights.at("pairs").Offset(64 * pair))
	}
	for pair := range upper {
		upper[pair] = avx512.load(weights.at("pairs").Offset(64 * (8 + pair)))
	}
	Comment("Two boards a round, so that each fills the time the other waits for sums.")
	overBoards(dst, n, func(count int) []VecPhysical {
		return quadraticAVX512(weights, board, lower, upper, count)
	}, func(a, b VecPhysical) Register {
		VPHADDD(b.AsX(), a.AsX(), a.AsX())
		VPHADDD(a.AsX(), a.AsX(), a.AsX())
		return a.AsX()
	}, func() { ADDQ(U8(132), board) })
}

// quadraticAVX512 evaluates one or two boards, and returns for each a vector whose
// lowest four numbers sum to its value.
func quadraticAVX512(weights record, board Register, lower [8]VecVirtual, upper [16]VecVirtual, boards int) []VecPhysical {
	low := []VecPhysical{Z0, Z1}[:boards]
	high := []VecPhysical{Z2, Z3}[:boards]
	more := []VecPhysical{Z4, Z5}[:boards]
	x := []VecPhysical{Z6, Z7}[:boards]
	dark := []OpmaskPhysical{K1, K2}
	for i := range boards {
		Comment(fmt.Sprintf("Board %d: y starts with the turn's row where Dark is to move.", i))
		turn := GP32()
		MOVWLZX(Mem{Base: board, Disp: 66*i + 64}, turn)
		NEGL(turn)
		KMOVW(turn, dark[i])
		VMOVDQU32_Z(weights.at("turn"), dark[i], low[i])
		VMOVDQU32_Z(weights.at("turn").Offset(64), dark[i], high[i])
		VPXORD(more[i], more[i], more[i])
	}
	Comment("y += two columns at a time.")
	for pair := range upper {
		for i := range boards {
			numbers := Mem{Base: board, Disp: 66*i + 4*pair}
			if pair < len(lower) {
				VPDPWSSD_BCST(numbers, lower[pair], low[i])
			}
			if pair%2 == 0 {
				VPDPWSSD_BCST(numbers, upper[pair], high[i])
			} else {
				VPDPWSSD_BCST(numbers, upper[pair], more[i])
			}
		}
	}
	Comment("Multiply y by x and add up; B[32][32] joins where Dark is to move.")
	for i := range boards {
		VPADDD(more[i], high[i], high[i])
		VPMOVSXWD(Mem{Base: board, Disp: 66 * i}, x[i])
		VPMULLD(x[i], low[i], low[i])
		VPMOVSXWD(Mem{Base: board, Disp: 66*i + 32}, x[i])
		VPMULLD(x[i], high[i], high[i])
		VPADDD(high[i], low[i], low[i])
		VPADDD(weights.at("turnTurn"), low[i], dark[i], low[i])
		VEXTRACTI64X4(Imm(1), low[i], x[i].AsY())
		VPADDD(x[i].AsY(), low[i].AsY(), low[i].AsY())
		VEXTRACTI128(Imm(1), low[i].AsY(), x[i].AsX())
		VPADDD(x[i].AsX(), low[i].AsX(), low[i].AsX())
	}
	return low
}

// incrementalKernels writes the update for bits/incremental-avx2.
//
// Registers: Y0 to Y7 both sides' fields, four 32-bit fields and their borrows in
// every 64, so the additions have 64 bits as in Go.
func incrementalKernels() {
	kernel("addRowAVX2", "func(game *state, row *row)",
		"adds a row to a game, the unused fields 16 to 19 among them. It must equal",
		"state.add in all fields that are read.")
	game, row := load("game", "state"), load("row", "row")

	Comment("The fields of both sides.")
	for i := range 8 {
		sums := avx2.load(row.at("fields").Offset(32 * i))
		VPADDQ(game.at("fields").Offset(32*i), sums, sums)
		VMOVDQU(sums, game.at("fields").Offset(32*i))
	}

	Comment("Position and counts.")
	for _, field := range []string{"position", "counts"} {
		ADDQ(wordOf(row.at(field)), game.at(field))
	}
	end()
}
