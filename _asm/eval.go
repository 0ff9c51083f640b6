package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// evalKernels writes getValue of one board after another.
func evalKernels() {
	valuesAVX2("valuesArray16AVX2", "int16", array16AVX2{})
	valuesAVX2("valuesArray8AVX2", "uint8", array8AVX2{})
	valuesAVX512()
}

// boardSource gives a kernel access to the boards it reads.
type boardSource interface {
	stride() int
	// open prepares the 33 numbers of the board at ptr and returns where its
	// numbers 0..31 lie as 16-bit integers, and a vector of all ones where Dark is
	// to move.
	open(ptr Register, slot int) (numbers Mem, darkToMove VecVirtual)
}

// array16AVX2 reads boards of 33 int16 as they stand.
type array16AVX2 struct{}

func (array16AVX2) stride() int { return 66 }

func (array16AVX2) open(ptr Register, slot int) (Mem, VecVirtual) {
	turn, zero := YMM(), YMM()
	VPBROADCASTW(Mem{Base: ptr, Disp: 64}, turn)
	VPXOR(zero, zero, zero)
	VPSUBW(turn, zero, turn)
	return Mem{Base: ptr}, turn
}

// array8AVX2 widens boards of 33 bytes into the frame first: the broadcasts below
// read from memory.
type array8AVX2 struct{}

func (array8AVX2) stride() int { return 33 }

func (array8AVX2) open(ptr Register, slot int) (Mem, VecVirtual) {
	frame := Mem{Base: StackPointer, Disp: 64 * slot}
	for half := range 2 {
		wide := YMM()
		VPMOVZXBW(Mem{Base: ptr, Disp: 16 * half}, wide)
		VMOVDQU(wide, frame.Offset(32*half))
	}
	turn, zero := YMM(), YMM()
	VPBROADCASTB(Mem{Base: ptr, Disp: 32}, turn)
	VPXOR(zero, zero, zero)
	VPSUBB(turn, zero, turn)
	return frame, turn
}

// valuesAVX2 writes a kernel that evaluates boards two at a time, so every block of weights is
// loaded once for both, and one at the end of an odd number.
//
// With y[i] = sum over j <= i < 32 of B[i][j]*x[j], plus B[32][i] when Dark is to move, V = sum
// of x[i]*y[i], plus B[32][32] when Dark is to move. The four accumulators of a board hold y in
// 8 rows each. A step takes two numbers x[2p], x[2p+1], broadcast as one 32-bit pair, and
// VPMADDWD multiplies them with the two columns of 8 rows at once, exactly: 40 blocks cover the
// triangle.
func valuesAVX2(name, element string, source boardSource) {
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst *int32, boards *%s, n int, weights *avx2Weights)", element))
	Doc(name+" writes getValue of n boards, one after another in memory, to dst.",
		"It reads and writes nothing beyond them. It must equal valueByDefinition.")
	Pragma("noescape")
	if _, ok := source.(array8AVX2); ok {
		AllocLocal(128)
	}
	dst := Load(Param("dst"), GP64())
	boards := Load(Param("boards"), GP64())
	n := Load(Param("n"), GP64())
	weights := load("weights", "avx2Weights")

	Comment("Two boards a round.")
	Label("pair")
	CMPQ(n, Imm(2))
	JL(LabelRef("single"))
	second := GP64()
	LEAQ(Mem{Base: boards, Disp: source.stride()}, second)
	sums := quadraticAVX2(source, weights, boards, second)
	Comment("Fold both sums to one number each and store them.")
	VPHADDD(sums[1], sums[0], sums[0])
	VPHADDD(sums[0], sums[0], sums[0])
	high := XMM()
	VEXTRACTI128(Imm(1), sums[0], high)
	VPADDD(high, sums[0].AsX(), sums[0].AsX())
	VMOVQ(sums[0].AsX(), Mem{Base: dst})
	ADDQ(Imm(8), dst)
	LEAQ(Mem{Base: boards, Disp: 2 * source.stride()}, boards)
	SUBQ(Imm(2), n)
	JMP(LabelRef("pair"))

	Comment("The last board of an odd number.")
	Label("single")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	sum := quadraticAVX2(source, weights, boards)[0]
	VPHADDD(sum, sum, sum)
	VPHADDD(sum, sum, sum)
	high = XMM()
	VEXTRACTI128(Imm(1), sum, high)
	VPADDD(high, sum.AsX(), sum.AsX())
	VMOVD(sum.AsX(), Mem{Base: dst})

	Label("done")
	VZEROUPPER()
	RET()
}

// quadraticAVX2 evaluates the boards at the given pointers and returns for each a
// vector whose eight numbers sum to its value.
func quadraticAVX2(source boardSource, weights record, boards ...Register) []VecVirtual {
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
			b := YMM()
			VMOVDQU(weights.at("pairs").Offset(block), b)
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
