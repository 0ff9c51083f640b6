package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanesKernels writes the kernels that play 32 games at once with AVX-512.
func lanesKernels() {
	for _, brains := range []int{1, 2} {
		for _, w := range []width{packed16, plain16, wide32} {
			newLanes(brains, w).write()
		}
	}
}

// width is how a kernel holds values.
type width int

const (
	packed16 width = iota // 16 bits, of which the low four carry the move
	plain16               // 16 bits, the move apart
	wide32                // 32 bits in two halves of 16 lanes, packed
)

// Layout of lanesState in lanes_amd64.go, in bytes.
const (
	stateG       = 0                  // 50 rows of 128: a register, or two of the wide kernel
	stateOwn     = stateG + 50*128    // [32]uint16
	stateOpp     = stateOwn + 64      // [32]uint16
	stateCount   = stateOpp + 64      // [32]uint16
	stateRolls   = stateCount + 64    // [4][32]uint16
	stateNextKey = stateRolls + 4*64  // [4][8]uint64
	stateWord    = stateNextKey + 256 // [4][8]uint64
	stateShift   = stateWord + 256    // [4][8]uint64
	stateBegan   = stateShift + 256   // [32]uint64
	stateGame    = stateBegan + 256   // [32]uint64

	stateDark     = stateGame + 256   // uint64, as all that follow
	stateActive   = stateDark + 8     //
	stateRefill   = stateActive + 8   //
	statePhase    = stateRefill + 8   //
	stateNow      = statePhase + 8    //
	stateUntil    = stateNow + 8      //
	stateKeyInput = stateUntil + 8    //
	stateKeyStep  = stateKeyInput + 8 //
	stateNext     = stateKeyStep + 8  //
	stateEnd      = stateNext + 8     //
	stateWins     = stateEnd + 8      // [2]uint64
	stateTurns    = stateWins + 16    //
	stateCaptures = stateTurns + 8    //
	stateRosettes = stateCaptures + 8 //
	statePasses   = stateRosettes + 8 //
)

// Layout of lanesTables in lanes_amd64.go, in bytes.
const (
	tableMove       = 0                     // 16 rows of 64, by destination; index roll + 8*side
	tableTake       = tableMove + 16*64     // 16 rows of 64, by destination
	tableSquare     = tableTake + 16*64     // [16][32]uint16: 1<<t in every lane
	tableNumber     = tableSquare + 16*64   // [16][32]uint16: t in every lane
	tableConstant   = tableNumber + 16*64   // [17][32]uint16: see constant
	tableMix        = tableConstant + 17*64 // [8]uint64: gamma, two factors, nibble masks, 64
	tableStartCount = tableMix + 64         // uint16, and padding
	tableStart      = tableStartCount + 64  // 64 accumulators of a new game
	tableRows       = tableStart + 64*4     // 50 rows of land, leave, capture, 32 entries each
)

// constant is a row of one 16-bit number in every lane.
type constant int

const (
	constOne        constant = iota // 1
	constTwo                        // 2
	constEight                      // 8
	constFifteen                    // 15
	constSixteen                    // 16
	constSeven                      // 7
	constCapture                    // 0x100: one more in the opponent's hand
	constPath                       // 0x7ffe: squares 1 to 14
	constSafe                       // 0x0100: square 8
	constTakeable                   // 0x1ee0: squares 5 to 12 without 8
	constFinish                     // 0x8000: square 15
	constRosettes                   // squares 4, 8 and 14
	constHomeField                  // 0x00f0: the mover's pieces home
	constSwap                       // bytes 1 0 3 2 ...: exchange the players' counts
	constWon                        // pieces << 4
	constLowest                     // what a lane without a legal move has for its best
	constLowestWide                 // the same in 32 bits
)

// Registers of masks that last through a turn.
var (
	kDark  = K1 // lanes with Dark to move
	kMoved = K2 // lanes with a legal move
	kOdd   = K3 // lanes with a roll of 2 or 4: one square more than 1 or 3
	kFar   = K4 // lanes with a roll of 3 or 4
	kA     = K5
	kB     = K6
	kStay  = K7 // lanes whose mover has landed on a rosette
)

// lanes writes one kernel.
type lanes struct {
	brains int
	width  width

	state, tables     Register
	phase, active     GPVirtual
	own, opp, count   VecVirtual // boards as the mover sees them
	roll              VecVirtual
	movable, takeable VecVirtual // destinations of legal moves, and of captures
	best, bestSquare  VecVirtual
}

func newLanes(brains int, w width) *lanes { return &lanes{brains: brains, width: w} }

func (k *lanes) name() string {
	return fmt.Sprintf("lanes%dBrain%s", k.brains, map[width]string{packed16: "Packed", plain16: "Plain", wide32: "Wide"}[k.width])
}

func (k *lanes) rows() int { return map[int]int{1: 33, 2: 50}[k.brains] }

// ownRow and oppRow return the rows of accumulators that a lane of each side reads
// for a square of its own or of its opponent. See lanesRows in lanes_amd64.go.
func (k *lanes) ownRow(square int) (light, dark int) {
	if k.brains == 1 {
		return square, 16 + square
	}
	return square, 25 + square
}

func (k *lanes) oppRow(square int) (light, dark int) {
	if k.brains == 1 {
		return 16 + square, square
	}
	order := map[int]int{5: 16, 6: 17, 7: 18, 9: 19, 10: 20, 11: 21, 12: 22, 0: 23}
	return order[square], 25 + order[square]
}

func (k *lanes) turnRow() (light, dark int) {
	if k.brains == 1 {
		return 32, 32
	}
	return 24, 49
}

func (k *lanes) at(offset int) Mem    { return Mem{Base: k.state, Disp: offset} }
func (k *lanes) table(offset int) Mem { return Mem{Base: k.tables, Disp: offset} }
func (k *lanes) constant(c constant) Mem {
	return k.table(tableConstant + 64*int(c))
}

// ternary returns the immediate of VPTERNLOG for a function of the bits of its
// destination, second and first operand in Go's order.
func ternary(f func(a, b, c bool) bool) Constant {
	imm := 0
	for i := range 8 {
		if f(i&4 != 0, i&2 != 0, i&1 != 0) {
			imm |= 1 << i
		}
	}
	return U8(imm)
}

func (k *lanes) write() {
	TEXT(k.name(), NOSPLIT, "func(state, tables *byte)")
	Doc(k.name()+" plays the games in the 32 lanes of a lanesState turn by turn, until every",
		"lane is idle or turn number until of the state is reached. It must equal turnGame.playTurn.")
	Pragma("noescape")
	k.state = Load(Param("state"), GP64())
	k.tables = Load(Param("tables"), GP64())
	k.phase, k.active = GP64(), GP64()
	k.own, k.opp, k.count = ZMM(), ZMM(), ZMM()
	k.enter()

	Label("turn")
	Comment("Every 16 turns the dice of all lanes are thrown together.")
	CMPQ(k.phase, Imm(16))
	JB(LabelRef("rolled"))
	k.throwDice()
	XORQ(k.phase, k.phase)
	Label("rolled")
	k.takeRoll()
	k.findMoves()
	k.evaluate()
	k.apply()

	Comment("Go on while games are running and the turn is not the last asked for.")
	Label("next")
	now := GP64()
	MOVQ(k.at(stateNow), now)
	CMPQ(now, k.at(stateUntil))
	JAE(LabelRef("leave"))
	TESTQ(k.active, k.active)
	JNZ(LabelRef("turn"))
	k.leave()
	k.refill()
}

// enter loads what lives in registers, and starts the first games.
func (k *lanes) enter() {
	Comment("Registers: the boards as the mover sees them, their counts, whose turn it is.")
	VMOVDQU64(k.at(stateOwn), k.own)
	VMOVDQU64(k.at(stateOpp), k.opp)
	VMOVDQU64(k.at(stateCount), k.count)
	KMOVD(k.at(stateDark), kDark)
	MOVQ(k.at(statePhase), k.phase)
	MOVQ(k.at(stateActive), k.active)
	fresh := GP64()
	MOVQ(k.at(stateRefill), fresh)
	MOVQ(U32(0), k.at(stateRefill))
	finished := k.finishedLanes()
	MOVQ(fresh, finished)
	TESTQ(finished, finished)
	JNZ(LabelRef("refill"))
}

// leave stores the registers again.
func (k *lanes) leave() {
	Label("leave")
	VMOVDQU64(k.own, k.at(stateOwn))
	VMOVDQU64(k.opp, k.at(stateOpp))
	VMOVDQU64(k.count, k.at(stateCount))
	dark := GP64()
	KMOVD(kDark, dark.As32())
	MOVQ(dark, k.at(stateDark))
	MOVQ(k.phase, k.at(statePhase))
	MOVQ(k.active, k.at(stateActive))
	VZEROUPPER()
	RET()
}

// throwDice computes the next 16 rolls of every lane. A lane's stream is shifted
// against the words of its dice, because its game began at any turn of the 16: the
// buffer takes the rest of one word and the beginning of the next.
func (k *lanes) throwDice() {
	gamma, factor1, factor2 := ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(k.table(tableMix), gamma)
	VPBROADCASTQ(k.table(tableMix+8), factor1)
	VPBROADCASTQ(k.table(tableMix+16), factor2)
	three, five, sixtyFour := ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(k.table(tableMix+24), three)
	VPBROADCASTQ(k.table(tableMix+32), five)
	VPBROADCASTQ(k.table(tableMix+40), sixtyFour)
	var rolls [4]VecVirtual
	for group := range rolls {
		Comment(fmt.Sprintf("Dice word of lanes %d, %d, ..., %d.", group, group+4, group+28))
		next, t := ZMM(), ZMM()
		VMOVDQU64(k.at(stateNextKey+64*group), next)
		VMOVDQA64(next, t)
		VPADDQ(gamma, next, next)
		VMOVDQU64(next, k.at(stateNextKey+64*group))
		mix(t, factor1, factor2)
		word, shift, left := ZMM(), ZMM(), ZMM()
		VMOVDQU64(k.at(stateWord+64*group), word)
		VMOVDQU64(k.at(stateShift+64*group), shift)
		VMOVDQU64(t, k.at(stateWord+64*group))
		VPSUBQ(shift, sixtyFour, left)
		VPSRLVQ(shift, word, word)
		VPSLLVQ(left, t, t)
		VPORQ(word, t, t)
		Comment("Ones in every nibble.")
		half := ZMM()
		VPSRLQ(Imm(1), t, half)
		VPANDQ(five, half, half)
		VPSUBQ(half, t, t)
		VPSRLQ(Imm(2), t, half)
		VPANDQ(three, half, half)
		VPANDQ(three, t, t)
		VPADDQ(half, t, t)
		rolls[group] = t
	}
	Comment("Sort the words of four turns: row j takes word j of every lane, lane 4e+g from quadword e of group g.")
	lanesOfGroup := [4]OpmaskPhysical{K0, K5, K6, K7}
	for group := 1; group < 4; group++ {
		mask := GP32()
		MOVL(U32(0x11111111<<group), mask)
		KMOVD(mask, lanesOfGroup[group])
	}
	for j := range 4 {
		row := ZMM()
		if j == 0 {
			VMOVDQA64(rolls[0], row)
		} else {
			VPSRLQ(Imm(uint64(16*j)), rolls[0], row)
		}
		for group := 1; group < 4; group++ {
			part := rolls[group]
			switch {
			case group > j:
				part = ZMM()
				VPSLLQ(Imm(uint64(16*(group-j))), rolls[group], part)
			case group < j:
				part = ZMM()
				VPSRLQ(Imm(uint64(16*(j-group))), rolls[group], part)
			}
			VMOVDQU16(part, lanesOfGroup[group], row)
		}
		VMOVDQU64(row, k.at(stateRolls+64*j))
	}
}

// mix is SplitMix64's finalizer.
func mix(z, factor1, factor2 VecVirtual) {
	t := ZMM()
	VPSRLQ(Imm(30), z, t)
	VPXORQ(t, z, z)
	VPMULLQ(factor1, z, z)
	VPSRLQ(Imm(27), z, t)
	VPXORQ(t, z, z)
	VPMULLQ(factor2, z, z)
	VPSRLQ(Imm(31), z, t)
	VPXORQ(t, z, z)
}

// takeRoll gets this turn's roll of every lane.
func (k *lanes) takeRoll() {
	Comment("This turn's rolls: nibble phase%4 of row phase/4.")
	row, nibble := GP64(), GP64()
	MOVQ(k.phase, row)
	SHRQ(Imm(2), row)
	SHLQ(Imm(6), row)
	MOVQ(k.phase, nibble)
	ANDQ(Imm(3), nibble)
	SHLQ(Imm(2), nibble)
	bits := XMM()
	VMOVQ(nibble, bits)
	k.roll = ZMM()
	VMOVDQU64(Mem{Base: k.state, Index: row, Scale: 1, Disp: stateRolls}, k.roll)
	VPSRLW(bits, k.roll, k.roll)
	VPANDQ(k.constant(constSeven), k.roll, k.roll)
	INCQ(k.phase)
	INCQ(k.at(stateNow))
}

// findMoves finds the destinations of all legal moves as sets of squares.
func (k *lanes) findMoves() {
	Comment("Movers: the pieces on the path, and square 0 when the hand is not empty.")
	movers := ZMM()
	VPANDQ(k.constant(constFifteen), k.count, movers)
	VPMINUW(k.constant(constOne), movers, movers)
	VPORQ(k.own, movers, movers)
	Comment("Destinations: moved by the roll, not on an own piece, nor on the safe square when it is taken. A roll of 0 and an idle lane have none.")
	blocked := ZMM()
	VMOVDQA64(k.own, blocked)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a || b && c }), k.constant(constSafe), k.opp, blocked)
	KMOVD(k.active.As32(), kA)
	VPTESTMW(k.roll, k.roll, kA, kMoved)
	k.movable = ZMM()
	VPSLLVW_Z(k.roll, movers, kMoved, k.movable)
	VPANDNQ(k.movable, blocked, k.movable)
	VPTESTMW(k.movable, k.movable, kMoved)
	k.takeable = ZMM()
	VMOVDQA64(k.opp, k.takeable)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a && b && c }), k.constant(constTakeable), k.movable, k.takeable)
}

// evaluate goes over the 15 destinations and keeps the best candidate of each lane.
// A candidate is worth g[to] - g[from] plus constants, with from = to - roll: the
// accumulators are shifted by one square more where the roll is even, and by two
// more where it is 3 or 4.
func (k *lanes) evaluate() {
	Comment("How far to shift, and the index of the constants: roll + 8 for Dark.")
	VPTESTNMW(k.constant(constOne), k.roll, kOdd)
	VPCMPUW(Imm(6), k.constant(constTwo), k.roll, kFar) // roll > 2
	index := ZMM()
	VMOVDQA64(k.roll, index)
	VPADDW(k.constant(constEight), index, kDark, index)
	if k.width != wide32 {
		k.best, k.bestSquare = k.evaluateHalf(narrow{k}, index)
		return
	}

	Comment("Lanes 0 to 15, and after that lanes 16 to 31 with the masks moved down.")
	saved := GP64()
	KMOVD(kDark, saved.As32())
	var best [2]VecVirtual
	for half := range best {
		if half == 1 {
			for _, mask := range []OpmaskPhysical{kDark, kOdd, kFar} {
				KSHIFTRD(Imm(16), mask, mask)
			}
		}
		wideIndex, result := widen(index, half), YMM()
		value, _ := k.evaluateHalf(wide{k, half}, wideIndex)
		VPMOVDW(value, result)
		best[half] = result
	}
	KMOVD(saved.As32(), kDark)
	k.best = ZMM()
	VINSERTI64X4(Imm(1), best[1], best[0].AsZ(), k.best)
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
	row(light, dark int) VecVirtual // the accumulators each lane's mover looks at
	blend(yes, no Op, mask, dst Op)
	add(ops ...Op)
	subtract(ops ...Op)
	maximum(ops ...Op)
	lookUp(table Mem, index, dst Op)
	test(square int, set Op, mask OpmaskPhysical) // lanes whose set has the square
}

// narrow is arithmetic on 32 lanes of 16 bits.
type narrow struct{ *lanes }

func (k narrow) row(light, dark int) VecVirtual {
	row := ZMM()
	VMOVDQU64(k.at(stateG+64*light), row)
	if light != dark {
		VPBLENDMW(k.at(stateG+64*dark), row, kDark, row)
	}
	return row
}

func (narrow) blend(yes, no Op, mask, dst Op)  { VPBLENDMW(yes, no, mask, dst) }
func (narrow) add(ops ...Op)                   { VPADDW(ops...) }
func (narrow) subtract(ops ...Op)              { VPSUBW(ops...) }
func (narrow) maximum(ops ...Op)               { VPMAXSW(ops...) }
func (narrow) lookUp(table Mem, index, dst Op) { VPERMW(table, index, dst) }
func (k narrow) test(square int, set Op, mask OpmaskPhysical) {
	VPTESTMW(k.table(tableSquare+64*square), set, mask)
}

// wide is arithmetic on 16 lanes of 32 bits, the lower or the upper half of the
// games.
type wide struct {
	*lanes
	half int
}

func (k wide) row(light, dark int) VecVirtual {
	row := ZMM()
	VMOVDQU64(k.at(stateG+128*light+64*k.half), row)
	if light != dark {
		VPBLENDMD(k.at(stateG+128*dark+64*k.half), row, kDark, row)
	}
	return row
}

func (wide) blend(yes, no Op, mask, dst Op)  { VPBLENDMD(yes, no, mask, dst) }
func (wide) add(ops ...Op)                   { VPADDD(ops...) }
func (wide) subtract(ops ...Op)              { VPSUBD(ops...) }
func (wide) maximum(ops ...Op)               { VPMAXSD(ops...) }
func (wide) lookUp(table Mem, index, dst Op) { VPERMD(table, index, dst) }
func (k wide) test(square int, set Op, mask OpmaskPhysical) {
	VPTESTMW(k.table(tableSquare+64*square), set, mask)
	if k.half == 1 {
		KSHIFTRD(Imm(16), mask, mask)
	}
}

// difference returns to - from, with its sign changed where the brain is common
// and Dark minimises.
func (k *lanes) difference(a arithmetic, to, from VecVirtual) VecVirtual {
	d := ZMM()
	a.subtract(from, to, d)
	if k.brains == 1 {
		a.subtract(to, from, kDark, d)
	}
	return d
}

// evaluateHalf evaluates the lanes that one register of values holds, and returns
// the best value and, where it does not carry it, the square.
func (k *lanes) evaluateHalf(a arithmetic, index VecVirtual) (best, bestSquare VecVirtual) {
	start := a.row(k.oppRow(0))
	best = ZMM()
	if k.width == wide32 {
		VPBROADCASTD(k.constant(constLowestWide), best)
	} else {
		VMOVDQU64(k.constant(constLowest), best)
	}
	if k.width == plain16 {
		bestSquare = ZMM()
		VPXORQ(bestSquare, bestSquare, bestSquare)
	}

	g := a.row(k.ownRow(0))
	shifted := []VecVirtual{g} // shifted[j]: accumulators of square j, or j-1 where the roll is even
	for square := 1; square <= 15; square++ {
		Comment(fmt.Sprintf("Destination %d.", square))
		from := shifted[square-1]
		if square >= 3 { // nearer to the start, rolls of 3 and 4 reach no square
			from = shifted[square-3] // its last use
			a.blend(from, shifted[square-1], kFar, from)
		}
		before := g
		g = a.row(k.ownRow(square))
		if square < 15 {
			s := before // its last use
			if square == 1 {
				s = ZMM()
				VMOVDQA64(before, s)
			}
			a.blend(s, g, kOdd, s)
			shifted = append(shifted, s)
		}
		value, constants := k.difference(a, g, from), ZMM()
		a.lookUp(k.table(tableMove+64*square), index, constants)
		a.add(constants, value, value)
		if isRosette(square) {
			a.subtract(a.row(k.turnRow()), value, value)
		}
		if isTakeable(square) {
			a.test(square, k.takeable, kB)
			taken, constants := k.difference(a, start, a.row(k.oppRow(square))), ZMM()
			a.lookUp(k.table(tableTake+64*square), index, constants)
			a.add(constants, taken, taken)
			a.add(taken, value, kB, value)
		}
		a.test(square, k.movable, kA)
		if k.width != plain16 {
			a.maximum(value, best, kA, best)
			continue
		}
		VPCMPW(Imm(6), best, value, kA, kA) // value > best
		VMOVDQU16(value, kA, best)
		VMOVDQU16(k.table(tableNumber+64*square), kA, bestSquare)
	}
	return best, bestSquare
}

func isRosette(square int) bool  { return square == 4 || square == 8 || square == 14 }
func isTakeable(square int) bool { return 5 <= square && square <= 12 && square != 8 }

// apply makes the best move of every lane: on the boards, in the accumulators and
// in the tally.
func (k *lanes) apply() {
	square := k.bestSquare
	if k.width != plain16 {
		Comment("The low four bits of the best are 15 - square; 0 stands for a pass.")
		square = ZMM()
		VPANDNQ(k.constant(constFifteen), k.best, square)
	}
	one, to, from := ZMM(), ZMM(), ZMM()
	VMOVDQU64(k.constant(constOne), one)
	VPSLLVW(square, one, to)
	VPSRLVW(k.roll, to, from)

	Comment("Indices into the rows of the brain: landing square, square left, square of a capture.")
	land, leave, take := ZMM(), ZMM(), ZMM()
	VMOVDQA64(square, land)
	VPADDW(k.constant(constSixteen), land, kDark, land)
	VMOVDQU64(k.constant(constFifteen), leave)
	VPSUBW(k.roll, land, kMoved, leave)
	capture := K5
	VPTESTMW(to, k.takeable, capture)
	VMOVDQU16_Z(land, capture, take)

	Comment("Counts: a piece leaves the hand, comes home, or sends one back to the other hand.")
	VPTESTMW(one, from, kMoved, K6)
	VPSUBW(one, k.count, K6, k.count)
	VPADDW(k.constant(constCapture), k.count, capture, k.count)
	VPTESTMW(k.constant(constFinish), to, K6)
	VPADDW(k.constant(constSixteen), k.count, K6, k.count)
	won := ZMM()
	VPANDQ(k.constant(constHomeField), k.count, won)
	finished := k.finishedLanes()
	VPCMPEQW(k.constant(constWon), won, K6, K6)
	KMOVD(K6, finished.As32())

	Comment("Boards: two squares of the mover change, one of the opponent.")
	VPSUBW(to, k.opp, capture, k.opp)
	changed := ZMM()
	VMOVDQA64(from, changed)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return (a || b) && c }), k.constant(constPath), to, changed)
	VPXORQ(changed, k.own, k.own)

	Comment("Tally.")
	VPTESTMW(k.constant(constRosettes), to, kStay)
	k.tally(capture, kStay)

	Comment("Unless the move ended on a rosette, the other side is to move: exchange the boards and counts.")
	swapped, swappedCount := ZMM(), ZMM()
	VMOVDQA64(k.own, swapped)
	VPBLENDMW(k.own, k.opp, kStay, k.own)
	VPBLENDMW(k.opp, swapped, kStay, k.opp)
	VPSHUFB(k.constant(constSwap), k.count, swappedCount)
	VPBLENDMW(k.count, swappedCount, kStay, k.count)
	KXNORD(kStay, kDark, kDark)

	k.updateAccumulators(land, leave, take)

	Comment("A finished game is rare enough for a branch.")
	TESTQ(finished, finished)
	JNZ(LabelRef("won"))
}

// finishedLanes is the register that names the lanes whose games are over.
func (k *lanes) finishedLanes() GPPhysical { return RAX }

// tally counts the turn: turns and passes of active lanes, captures, rosettes.
func (k *lanes) tally(capture, rosette OpmaskPhysical) {
	n := GP64()
	POPCNTQ(k.active, n)
	ADDQ(n, k.at(stateTurns))
	moved := GP64()
	KMOVD(kMoved, moved.As32())
	POPCNTQ(moved, moved)
	SUBQ(moved, n)
	ADDQ(n, k.at(statePasses))
	c := GP64()
	KMOVD(capture, c.As32())
	POPCNTQ(c, c)
	ADDQ(c, k.at(stateCaptures))
	r := GP64()
	KMOVD(rosette, r.As32())
	POPCNTQ(r, r)
	ADDQ(r, k.at(stateRosettes))
}

// updateAccumulators adds the columns of B + B^T that the move touches to every row.
func (k *lanes) updateAccumulators(land, leave, take VecVirtual) {
	Comment("Accumulators: in every row look up the landing square (with the turn), the square left and the capture.")
	if k.width == wide32 {
		k.updateWide(land, leave, take)
		return
	}
	for row := range k.rows() {
		g, a, b, c := ZMM(), ZMM(), ZMM(), ZMM()
		offset := tableRows + 3*64*row
		VPERMW(k.table(offset), land, a)
		VPERMW(k.table(offset+64), leave, b)
		VPERMW(k.table(offset+128), take, c)
		VPADDW(a, b, g)
		VPADDW(k.at(stateG+64*row), c, c)
		VPADDW(c, g, g)
		VMOVDQU64(g, k.at(stateG+64*row))
	}
}

// updateWide is updateAccumulators in 32 bits: a row of the brain is two registers,
// and so is an accumulator of the 32 games.
func (k *lanes) updateWide(land, leave, take VecVirtual) {
	for half := range 2 {
		index := [3]VecVirtual{widen(land, half), widen(leave, half), widen(take, half)}
		for row := range k.rows() {
			sum := ZMM()
			VMOVDQU64(k.at(stateG+128*row+64*half), sum)
			for part, i := range index {
				offset := tableRows + 3*128*row + 128*part
				entry := ZMM()
				VMOVDQU64(k.table(offset), entry)
				VPERMT2D(k.table(offset+64), i, entry)
				VPADDD(entry, sum, sum)
			}
			VMOVDQU64(sum, k.at(stateG+128*row+64*half))
		}
	}
}

// refill starts new games in the lanes whose games are over.
func (k *lanes) refill() {
	finished := k.finishedLanes()
	Comment("The winner is the side that is not to move any more.")
	Label("won")
	light, dark := GP64(), GP64()
	KMOVD(kDark, light.As32())
	MOVQ(light, dark)
	NOTQ(dark)
	ANDQ(finished, light)
	ANDQ(finished, dark)
	POPCNTQ(light, light)
	POPCNTQ(dark, dark)
	ADDQ(light, k.at(stateWins))
	ADDQ(dark, k.at(stateWins+8))

	Comment("Put the lanes to the start: no piece on the path, all in hand, Light to move.")
	Label("refill")
	KMOVD(finished.As32(), kA)
	zero := ZMM()
	VPXORQ(zero, zero, zero)
	VMOVDQU16(zero, kA, k.own)
	VMOVDQU16(zero, kA, k.opp)
	VPBROADCASTW(k.table(tableStartCount), kA, k.count)
	KANDND(kDark, kA, kDark)
	k.resetAccumulators()

	Comment("Each lane takes the next game of the series, or falls idle.")
	Label("lane")
	lane := GP64()
	BSFQ(finished, lane)
	JZ(LabelRef("next"))
	BTRQ(lane, finished)
	BTRQ(lane, k.active)
	number := GP64()
	MOVQ(k.at(stateNext), number)
	CMPQ(number, k.at(stateEnd))
	JAE(LabelRef("lane"))
	BTSQ(lane, k.active)
	MOVQ(number, Mem{Base: k.state, Index: lane, Scale: 8, Disp: stateGame})
	INCQ(number)
	MOVQ(number, k.at(stateNext))
	MOVQ(k.at(stateNow), number)
	MOVQ(number, Mem{Base: k.state, Index: lane, Scale: 8, Disp: stateBegan})

	Comment("Its dice: key, word 0, and the input of word 1.")
	key, t := GP64(), GP64()
	MOVQ(k.at(stateKeyInput), key)
	MOVQ(key, t)
	ADDQ(k.at(stateKeyStep), t)
	MOVQ(t, k.at(stateKeyInput))
	k.mixScalar(key)
	ADDQ(k.table(tableMix), key)
	quad := GP64()
	Comment("Quadword of a lane: group lane%4, element lane/4.")
	MOVQ(lane, quad)
	ANDQ(Imm(3), quad)
	SHLQ(Imm(3), quad)
	MOVQ(lane, t)
	SHRQ(Imm(2), t)
	ADDQ(t, quad)
	MOVQ(key, t)
	ADDQ(k.table(tableMix), t)
	MOVQ(t, Mem{Base: k.state, Index: quad, Scale: 8, Disp: stateNextKey})
	k.mixScalar(key)
	MOVQ(key, Mem{Base: k.state, Index: quad, Scale: 8, Disp: stateWord})

	Comment("The word starts at the next turn: what the 16 turns under way do not reach is left for the next ones.")
	shift := GP64()
	MOVQ(U32(16), shift)
	SUBQ(k.phase, shift)
	SHLQ(Imm(2), shift)
	MOVQ(shift, Mem{Base: k.state, Index: quad, Scale: 8, Disp: stateShift})
	Comment("Ones in every nibble, moved up to the nibble of the next turn. After the last of the 16 the rows are thrown anew anyway.")
	MOVQ(key, t)
	SHRQ(Imm(1), t)
	ANDQ(k.table(tableMix+32), t)
	SUBQ(t, key)
	MOVQ(key, t)
	SHRQ(Imm(2), t)
	ANDQ(k.table(tableMix+24), t)
	ANDQ(k.table(tableMix+24), key)
	ADDQ(t, key)
	MOVQ(k.phase, RCX)
	SHLQ(Imm(2), RCX)
	SHLQ(CL, key)
	for j := range 4 {
		MOVW(key.As16(), Mem{Base: k.state, Index: lane, Scale: 2, Disp: stateRolls + 64*j})
		if j < 3 {
			SHRQ(Imm(16), key)
		}
	}
	JMP(LabelRef("lane"))
}

// resetAccumulators puts the accumulators of the lanes in kA to the start.
func (k *lanes) resetAccumulators() {
	for row := range k.rows() {
		g := ZMM()
		if k.width != wide32 {
			VMOVDQU64(k.at(stateG+64*row), g)
			VPBROADCASTW(k.table(tableStart+2*row), kA, g)
			VMOVDQU64(g, k.at(stateG+64*row))
			continue
		}
		upper := kB
		KSHIFTRD(Imm(16), kA, upper)
		for half, mask := range []OpmaskPhysical{kA, upper} {
			VMOVDQU64(k.at(stateG+128*row+64*half), g)
			VPBROADCASTD(k.table(tableStart+4*row), mask, g)
			VMOVDQU64(g, k.at(stateG+128*row+64*half))
		}
	}
}

// mixScalar is SplitMix64's finalizer on one word.
func (k *lanes) mixScalar(z GPVirtual) {
	t := GP64()
	MOVQ(z, t)
	SHRQ(Imm(30), t)
	XORQ(t, z)
	IMULQ(k.table(tableMix+8), z)
	MOVQ(z, t)
	SHRQ(Imm(27), t)
	XORQ(t, z)
	IMULQ(k.table(tableMix+16), z)
	MOVQ(z, t)
	SHRQ(Imm(31), t)
	XORQ(t, z)
}
