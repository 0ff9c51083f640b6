package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanesKernels writes the kernels that play 64 games at once with AVX-512.
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

// A kernel plays two groups of 32 games. They take turns in the vector registers,
// but share every load of the brain's rows.
const groups = 2

// Layout of lanesState in lanes_amd64.go, in bytes.
const (
	stateG       = 0                  // 50 rows of 256: a register a group, or two in the wide kernel
	stateOwn     = stateG + 50*256    // [64]uint16
	stateOpp     = stateOwn + 128     // [64]uint16
	stateCount   = stateOpp + 128     // [64]uint16
	stateRolls   = stateCount + 128   // [4][64]uint16
	stateNextKey = stateRolls + 4*128 // [8][8]uint64
	stateWord    = stateNextKey + 512 // [8][8]uint64
	stateShift   = stateWord + 512    // [8][8]uint64
	stateBegan   = stateShift + 512   // [64]uint64
	stateGame    = stateBegan + 512   // [64]uint64

	stateDark     = stateGame + 512   // uint64, as all that follow
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
	tableTake       = tableMove + 16*64     // the same for captures
	tableSquare     = tableTake + 16*64     // [16][32]uint16: 1<<t in every lane
	tableNumber     = tableSquare + 16*64   // [16][32]uint16: t in every lane
	tableConstant   = tableNumber + 16*64   // [18][32]uint16: see constant
	tableMix        = tableConstant + 18*64 // [8]uint64: gamma, two factors, nibble masks, 64
	tableStartCount = tableMix + 64         // uint16, and padding
	tableStart      = tableStartCount + 64  // 64 accumulators of a new game
	tableRows       = tableStart + 64*4     // 50 rows of land, land with a capture, leave: 32 entries each
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
	constThirtyTwo                  // 32
)

// Registers of masks. The first four last through the evaluation of both groups.
var (
	kShift = [groups]evenFar{{K1, K2}, {K3, K4}}
	kDark  = K1 // while moves are made: lanes with Dark to move
	kMoved = K2 // and lanes with a legal move
	kStay  = K3 // and lanes whose mover has landed on a rosette
	kA     = K5
	kB     = K6
	kC     = K7
)

// evenFar says how far back of its destination a lane's piece comes from: one square,
// one more where the roll is even, and two more where it is 3 or 4.
type evenFar struct{ even, far OpmaskPhysical }

// lanes writes one kernel.
type lanes struct {
	brains int
	width  width

	state, tables Register
	phase         GPVirtual // turns taken of the 16 whose dice are thrown
	active, dark  GPVirtual // lanes that play; lanes with Dark to move
	games         [groups]laneGroup
}

// laneGroup is 32 of the games. The boards last from turn to turn, the rest for one.
type laneGroup struct {
	number            int
	own, opp, count   VecVirtual // boards as the mover sees them
	roll              VecVirtual
	movable, takeable VecVirtual // destinations of legal moves, and of captures
	best, bestSquare  VecVirtual // of the candidates; the square where the value does not carry it
	land, leave       VecVirtual // where in the rows of the brain the move looks
}

func newLanes(brains int, w width) *lanes { return &lanes{brains: brains, width: w} }

func (k *lanes) name() string {
	return fmt.Sprintf("lanes%dBrain%s", k.brains, map[width]string{packed16: "Packed", plain16: "Plain", wide32: "Wide"}[k.width])
}

func (k *lanes) rows() int { return map[int]int{1: 33, 2: 50}[k.brains] }

// Rows of accumulators stand as the side to move sees them. With one brain there are
// its own squares, the opponent's squares and the turn; with two, what the mover's
// brain reads and, at the same places 25 rows on, what the other's does. See
// lanesRows in lanes_amd64.go.
func (k *lanes) ownRow(square int) int { return square }

func (k *lanes) oppRow(square int) int {
	if k.brains == 1 {
		return 16 + square
	}
	return map[int]int{5: 16, 6: 17, 7: 18, 9: 19, 10: 20, 11: 21, 12: 22, 0: 23}[square]
}

func (k *lanes) turnRow() int {
	if k.brains == 1 {
		return 32
	}
	return 24
}

// exchanged returns the pairs of rows that change places when the turn passes, and
// the rows that stay.
func (k *lanes) exchanged() (pairs [][2]int, fixed []int) {
	distance := 16
	if k.brains == 2 {
		distance = 25
	}
	for row := range distance {
		pairs = append(pairs, [2]int{row, row + distance})
	}
	if k.brains == 1 {
		fixed = []int{k.turnRow()}
	}
	return pairs, fixed
}

func (k *lanes) at(offset int) Mem       { return Mem{Base: k.state, Disp: offset} }
func (k *lanes) table(offset int) Mem    { return Mem{Base: k.tables, Disp: offset} }
func (k *lanes) constant(c constant) Mem { return k.table(tableConstant + 64*int(c)) }

// accumulator returns a row of accumulators of a group; half is 1 for the upper 16
// lanes in the wide kernel.
func (k *lanes) accumulator(row, group, half int) Mem {
	if k.width == wide32 {
		return k.at(stateG + 256*row + 128*group + 64*half)
	}
	return k.at(stateG + 128*row + 64*group)
}

// rowOfBrain returns a part of what moves add to a row of accumulators: 0 landing,
// 1 landing with a capture, 2 leaving.
func (k *lanes) rowOfBrain(row, part int) Mem {
	if k.width == wide32 {
		return k.table(tableRows + 128*(3*row+part))
	}
	return k.table(tableRows + 64*(3*row+part))
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
	Doc(k.name()+" plays the games in the 64 lanes of a lanesState turn by turn, until every",
		"lane is idle or turn number until of the state is reached. It must equal",
		"turnGame.playTurn.")
	Pragma("noescape")
	k.state = Load(Param("state"), GP64())
	k.tables = Load(Param("tables"), GP64())
	k.phase, k.active, k.dark = GP64(), GP64(), GP64()
	k.enter()

	Label("turn")
	Comment("Every 16 turns the dice of all lanes are thrown together.")
	CMPQ(k.phase, Imm(16))
	JB(LabelRef("rolled"))
	k.throwDice()
	XORQ(k.phase, k.phase)
	Label("rolled")
	XORQ(k.finishedLanes(), k.finishedLanes())
	stays := GP64()
	XORQ(stays, stays)
	for i := range k.games {
		Comment(fmt.Sprintf("Group %d: rolls and legal moves.", i))
		k.takeRoll(&k.games[i])
		k.findMoves(&k.games[i])
	}
	k.evaluate()
	for i := range k.games {
		Comment(fmt.Sprintf("Group %d: make the moves.", i))
		k.apply(&k.games[i], stays)
	}
	k.updateAccumulators(stays)
	Comment("The turn passes in all lanes but those whose mover landed on a rosette.")
	NOTQ(stays)
	XORQ(stays, k.dark)
	INCQ(k.phase)
	INCQ(k.at(stateNow))
	turns := GP64()
	POPCNTQ(k.active, turns)
	ADDQ(turns, k.at(stateTurns))
	Comment("A finished game is rare enough for a branch.")
	TESTQ(k.finishedLanes(), k.finishedLanes())
	JNZ(LabelRef("won"))

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
	Comment("Registers: the boards of both groups as the movers see them, their counts, whose turn it is.")
	for i := range k.games {
		g := &k.games[i]
		g.number = i
		g.own, g.opp, g.count = ZMM(), ZMM(), ZMM()
		VMOVDQU64(k.at(stateOwn+64*i), g.own)
		VMOVDQU64(k.at(stateOpp+64*i), g.opp)
		VMOVDQU64(k.at(stateCount+64*i), g.count)
	}
	MOVQ(k.at(stateDark), k.dark)
	MOVQ(k.at(statePhase), k.phase)
	MOVQ(k.at(stateActive), k.active)
	finished := k.finishedLanes()
	MOVQ(k.at(stateRefill), finished)
	MOVQ(U32(0), k.at(stateRefill))
	TESTQ(finished, finished)
	JNZ(LabelRef("refill"))
}

// leave stores the registers again.
func (k *lanes) leave() {
	Label("leave")
	for i, g := range k.games {
		VMOVDQU64(g.own, k.at(stateOwn+64*i))
		VMOVDQU64(g.opp, k.at(stateOpp+64*i))
		VMOVDQU64(g.count, k.at(stateCount+64*i))
	}
	MOVQ(k.dark, k.at(stateDark))
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
	lanesOfPart := [4]OpmaskPhysical{K0, K5, K6, K7} // the first part needs no mask
	for part := 1; part < 4; part++ {
		mask := GP32()
		MOVL(U32(0x11111111<<part), mask)
		KMOVD(mask, lanesOfPart[part])
	}
	for i := range k.games {
		var rolls [4]VecVirtual
		for part := range rolls {
			Comment(fmt.Sprintf("Group %d: dice word of lanes %d, %d, ..., %d.", i, part, part+4, part+28))
			offset := 64 * (4*i + part)
			next, t := ZMM(), ZMM()
			VMOVDQU64(k.at(stateNextKey+offset), next)
			VMOVDQA64(next, t)
			VPADDQ(gamma, next, next)
			VMOVDQU64(next, k.at(stateNextKey+offset))
			mix(t, factor1, factor2)
			word, shift, left := ZMM(), ZMM(), ZMM()
			VMOVDQU64(k.at(stateWord+offset), word)
			VMOVDQU64(k.at(stateShift+offset), shift)
			VMOVDQU64(t, k.at(stateWord+offset))
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
			rolls[part] = t
		}
		Comment("Row j takes word j of every lane: lane 4e+p from quadword e of part p.")
		for j := range 4 {
			row := ZMM()
			if j == 0 {
				VMOVDQA64(rolls[0], row)
			} else {
				VPSRLQ(Imm(uint64(16*j)), rolls[0], row)
			}
			for part := 1; part < 4; part++ {
				moved := rolls[part]
				switch {
				case part > j:
					moved = ZMM()
					VPSLLQ(Imm(uint64(16*(part-j))), rolls[part], moved)
				case part < j:
					moved = ZMM()
					VPSRLQ(Imm(uint64(16*(j-part))), rolls[part], moved)
				}
				VMOVDQU16(moved, lanesOfPart[part], row)
			}
			VMOVDQU64(row, k.at(stateRolls+128*j+64*i))
		}
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

// half moves the half of a set of 64 lanes that is group i to the lower half.
func half(set Register, i int) GPVirtual {
	h := GP64()
	MOVQ(set, h)
	if i == 1 {
		SHRQ(Imm(32), h)
	}
	return h
}

// takeRoll gets this turn's roll of every lane.
func (k *lanes) takeRoll(g *laneGroup) {
	Comment("This turn's rolls: nibble phase%4 of row phase/4.")
	row, nibble := GP64(), GP64()
	MOVQ(k.phase, row)
	SHRQ(Imm(2), row)
	SHLQ(Imm(7), row)
	MOVQ(k.phase, nibble)
	ANDQ(Imm(3), nibble)
	SHLQ(Imm(2), nibble)
	bits := XMM()
	VMOVQ(nibble, bits)
	g.roll = ZMM()
	VMOVDQU64(Mem{Base: k.state, Index: row, Scale: 1, Disp: stateRolls + 64*g.number}, g.roll)
	VPSRLW(bits, g.roll, g.roll)
	VPANDQ(k.constant(constSeven), g.roll, g.roll)
}

// findMoves finds the destinations of all legal moves as sets of squares.
func (k *lanes) findMoves(g *laneGroup) {
	Comment("Movers: the pieces on the path, and square 0 when the hand is not empty.")
	movers := ZMM()
	VPANDQ(k.constant(constFifteen), g.count, movers)
	VPMINUW(k.constant(constOne), movers, movers)
	VPORQ(g.own, movers, movers)
	Comment("Destinations: moved by the roll, not on an own piece, nor on the safe square when it is taken. A roll of 0 and an idle lane have none.")
	blocked := ZMM()
	VMOVDQA64(g.own, blocked)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a || b && c }), k.constant(constSafe), g.opp, blocked)
	KMOVD(half(k.active, g.number).As32(), kA)
	VPTESTMW(g.roll, g.roll, kA, kA)
	g.movable = ZMM()
	VPSLLVW_Z(g.roll, movers, kA, g.movable)
	VPANDNQ(g.movable, blocked, g.movable)
	g.takeable = ZMM()
	VMOVDQA64(g.opp, g.takeable)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return a && b && c }), k.constant(constTakeable), g.movable, g.takeable)
}

// evaluate finds the best candidate of every lane. The groups go over the
// destinations together, so that the steps of one fill the time that those of the
// other wait for results.
func (k *lanes) evaluate() {
	if k.width == wide32 {
		for i := range k.games {
			k.evaluateWide(&k.games[i])
		}
		return
	}
	var e [groups]*evaluation
	for i := range e {
		g := &k.games[i]
		e[i] = k.newEvaluation(g, narrow{k, i}, kShift[i], k.shifts(g, kShift[i]))
	}
	for square := 1; square <= 15; square++ {
		for i := range e {
			Comment(fmt.Sprintf("Destination %d, group %d.", square, i))
			e[i].destination(square)
		}
	}
	for i := range e {
		k.games[i].best, k.games[i].bestSquare = e[i].best, e[i].bestSquare
	}
}

// shifts sets the masks of how far moves go, and returns the index of the constants
// of every lane: roll + 8 for Dark.
func (k *lanes) shifts(g *laneGroup, shift evenFar) (index VecVirtual) {
	VPTESTNMW(k.constant(constOne), g.roll, shift.even)
	VPCMPUW(Imm(6), k.constant(constTwo), g.roll, shift.far) // roll > 2
	index = ZMM()
	VMOVDQA64(g.roll, index)
	KMOVD(half(k.dark, g.number).As32(), kA)
	VPADDW(k.constant(constEight), index, kA, index)
	return index
}

// evaluateWide evaluates a group in 32 bits: lanes 0 to 15, and after that lanes 16 to
// 31 with the masks moved down.
func (k *lanes) evaluateWide(g *laneGroup) {
	shift := kShift[0]
	index := k.shifts(g, shift)
	var result [2]VecVirtual
	for upper := range result {
		if upper == 1 {
			KSHIFTRD(Imm(16), shift.even, shift.even)
			KSHIFTRD(Imm(16), shift.far, shift.far)
		}
		e := k.newEvaluation(g, wide{k, g.number, upper}, shift, widen(index, upper))
		for square := 1; square <= 15; square++ {
			Comment(fmt.Sprintf("Destination %d.", square))
			e.destination(square)
		}
		result[upper] = YMM()
		VPMOVDW(e.best, result[upper])
	}
	g.best = ZMM()
	VINSERTI64X4(Imm(1), result[1], result[0].AsZ(), g.best)
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
	row(number int) Mem // a row of accumulators
	blend(yes, no Op, mask, dst Op)
	add(ops ...Op)
	subtract(ops ...Op)
	maximum(ops ...Op)
	lookUp(ops ...Op)
	test(square int, set VecVirtual, mask OpmaskPhysical) // lanes whose set has the square
}

// narrow is arithmetic on the 32 lanes of a group in 16 bits.
type narrow struct {
	*lanes
	group int
}

func (k narrow) row(number int) Mem { return k.accumulator(number, k.group, 0) }

func (narrow) blend(yes, no Op, mask, dst Op) { VPBLENDMW(yes, no, mask, dst) }
func (narrow) add(ops ...Op)                  { VPADDW(ops...) }
func (narrow) subtract(ops ...Op)             { VPSUBW(ops...) }
func (narrow) maximum(ops ...Op)              { VPMAXSW(ops...) }
func (narrow) lookUp(ops ...Op)               { VPERMW(ops...) }
func (k narrow) test(square int, set VecVirtual, mask OpmaskPhysical) {
	VPTESTMW(k.table(tableSquare+64*square), set, mask)
}

// wide is arithmetic on 16 lanes of 32 bits, the lower or the upper half of a group.
type wide struct {
	*lanes
	group, half int
}

func (k wide) row(number int) Mem { return k.accumulator(number, k.group, k.half) }

func (wide) blend(yes, no Op, mask, dst Op) { VPBLENDMD(yes, no, mask, dst) }
func (wide) add(ops ...Op)                  { VPADDD(ops...) }
func (wide) subtract(ops ...Op)             { VPSUBD(ops...) }
func (wide) maximum(ops ...Op)              { VPMAXSD(ops...) }
func (wide) lookUp(ops ...Op)               { VPERMD(ops...) }
func (k wide) test(square int, set VecVirtual, mask OpmaskPhysical) {
	VPTESTMW(k.table(tableSquare+64*square), set, mask)
	if k.half == 1 {
		KSHIFTRD(Imm(16), mask, mask)
	}
}

// evaluation goes over the destinations of the lanes that one register of values
// holds. A candidate is worth g[to] - g[from] plus constants, with from = to - roll:
// the accumulators are shifted by a square and as far as the masks say.
type evaluation struct {
	arithmetic
	k                *lanes
	group            *laneGroup
	shift            evenFar
	index            VecVirtual   // of the constants
	start            VecVirtual   // accumulators of the opponent's hand
	g                VecVirtual   // accumulators of the last destination
	shifted          []VecVirtual // of square j, or of j-1 where the roll is even
	best, bestSquare VecVirtual
}

func (k *lanes) newEvaluation(group *laneGroup, a arithmetic, shift evenFar, index VecVirtual) *evaluation {
	e := &evaluation{arithmetic: a, k: k, group: group, shift: shift, index: index, start: ZMM(), g: ZMM(), best: ZMM()}
	VMOVDQU64(a.row(k.oppRow(0)), e.start)
	lowest := constLowest
	if k.width == wide32 {
		lowest = constLowestWide
	}
	VMOVDQU64(k.constant(lowest), e.best)
	if k.width == plain16 {
		e.bestSquare = ZMM()
		VPXORQ(e.bestSquare, e.bestSquare, e.bestSquare)
	}
	VMOVDQU64(a.row(k.ownRow(0)), e.g)
	e.shifted = []VecVirtual{e.g}
	return e
}

// destination compares the candidates that go to a square with the best before it.
func (e *evaluation) destination(square int) {
	value, constants := ZMM(), ZMM()
	from := e.from(square)
	e.subtract(from, e.g, value)
	e.lookUp(e.k.table(tableMove+64*square), e.index, constants)
	if isRosette(square) {
		e.subtract(e.row(e.k.turnRow()), value, value)
	}
	if isTakeable(square) {
		e.test(square, e.group.takeable, kB)
		e.lookUp(e.k.table(tableTake+64*square), e.index, kB, constants)
		kept := ZMM()
		e.subtract(e.row(e.k.oppRow(square)), e.start, kept)
		e.subtract(kept, value, kB, value)
	}
	e.add(constants, value, value)
	e.test(square, e.group.movable, kA)
	if e.k.width != plain16 {
		e.maximum(value, e.best, kA, e.best)
		return
	}
	VPCMPW(Imm(6), e.best, value, kA, kA) // value > best
	VMOVDQU16(value, kA, e.best)
	VMOVDQU16(e.k.table(tableNumber+64*square), kA, e.bestSquare)
}

// from loads the accumulators of a destination and returns those of the squares that
// pieces come from.
func (e *evaluation) from(square int) VecVirtual {
	from := e.shifted[square-1]
	if square >= 3 { // nearer to the start, rolls of 3 and 4 reach no square
		from = e.shifted[square-3] // its last use
		e.blend(from, e.shifted[square-1], e.shift.far, from)
	}
	before := e.g
	e.g = ZMM()
	VMOVDQU64(e.row(e.k.ownRow(square)), e.g)
	if square < 15 {
		s := before // its last use
		if square == 1 {
			s = ZMM()
			VMOVDQA64(before, s)
		}
		e.blend(s, e.g, e.shift.even, s)
		e.shifted = append(e.shifted, s)
	}
	return from
}

func isRosette(square int) bool  { return square == 4 || square == 8 || square == 14 }
func isTakeable(square int) bool { return 5 <= square && square <= 12 && square != 8 }

// apply makes the best move of every lane on the boards, counts it, and leaves
// where in the brain's rows the accumulators find what it changes.
func (k *lanes) apply(g *laneGroup, stays GPVirtual) {
	KMOVD(half(k.dark, g.number).As32(), kDark)
	VPTESTMW(g.movable, g.movable, kMoved)
	square := g.bestSquare
	if k.width != plain16 {
		Comment("The low four bits of the best are 15 - square; 0 stands for a pass.")
		square = ZMM()
		VPANDNQ(k.constant(constFifteen), g.best, square)
	}
	one, to, from := ZMM(), ZMM(), ZMM()
	VMOVDQU64(k.constant(constOne), one)
	VPSLLVW(square, one, to)
	VPSRLVW(g.roll, to, from)
	capture := kC
	VPTESTMW(to, g.takeable, capture)

	Comment("Indices into the brain's rows: the landing square, 32 higher with a capture, and the square left, 15 for none.")
	g.land, g.leave = ZMM(), ZMM()
	VMOVDQA64(square, g.land)
	VPADDW(k.constant(constSixteen), g.land, kDark, g.land)
	VMOVDQU64(k.constant(constFifteen), g.leave)
	VPSUBW(g.roll, g.land, kMoved, g.leave)
	VPADDW(k.constant(constThirtyTwo), g.land, capture, g.land)

	Comment("Counts: a piece leaves the hand, comes home, or sends one back to the other hand.")
	VPTESTMW(one, from, kMoved, K6)
	VPSUBW(one, g.count, K6, g.count)
	VPADDW(k.constant(constCapture), g.count, capture, g.count)
	VPTESTMW(k.constant(constFinish), to, K6)
	VPADDW(k.constant(constSixteen), g.count, K6, g.count)
	won := ZMM()
	VPANDQ(k.constant(constHomeField), g.count, won)
	VPCMPEQW(k.constant(constWon), won, K6, K6)
	k.merge(K6, k.finishedLanes(), g)

	Comment("Boards: two squares of the mover change, one of the opponent.")
	VPSUBW(to, g.opp, capture, g.opp)
	changed := ZMM()
	VMOVDQA64(from, changed)
	VPTERNLOGD(ternary(func(a, b, c bool) bool { return (a || b) && c }), k.constant(constPath), to, changed)
	VPXORQ(changed, g.own, g.own)

	Comment("Unless the move ended on a rosette, the other side is to move: exchange the boards and counts.")
	VPTESTMW(k.constant(constRosettes), to, kStay)
	swapped, swappedCount := ZMM(), ZMM()
	VMOVDQA64(g.own, swapped)
	VPBLENDMW(g.own, g.opp, kStay, g.own)
	VPBLENDMW(g.opp, swapped, kStay, g.opp)
	VPSHUFB(k.constant(constSwap), g.count, swappedCount)
	VPBLENDMW(g.count, swappedCount, kStay, g.count)
	k.merge(kStay, stays, g)

	Comment("Tally.")
	k.countLanes(capture, stateCaptures)
	k.countLanes(kStay, stateRosettes)
	idle := GP64()
	KMOVD(kMoved, idle.As32())
	NOTL(idle.As32())
	ANDL(half(k.active, g.number).As32(), idle.As32())
	POPCNTQ(idle, idle)
	ADDQ(idle, k.at(statePasses))
}

// merge adds the lanes of a group's mask to a set of 64 lanes.
func (k *lanes) merge(mask OpmaskPhysical, set Register, g *laneGroup) {
	lanes := GP64()
	KMOVD(mask, lanes.As32())
	if g.number == 1 {
		SHLQ(Imm(32), lanes)
	}
	ORQ(lanes, set)
}

// countLanes adds the number of lanes in a mask to a counter of the state.
func (k *lanes) countLanes(mask OpmaskPhysical, counter int) {
	n := GP64()
	KMOVD(mask, n.As32())
	POPCNTQ(n, n)
	ADDQ(n, k.at(counter))
}

// finishedLanes is the register that names the lanes whose games are over.
func (k *lanes) finishedLanes() GPPhysical { return RAX }

// updateAccumulators adds the columns of B + B^T that the moves touch to every row,
// and lets the rows of the two players change places where the turn passes.
func (k *lanes) updateAccumulators(stays GPVirtual) {
	Comment("Accumulators: in every row look up the landing square, with the turn and the capture, and the square left; then exchange the players' rows where the turn passes.")
	if k.width == wide32 {
		for i := range k.games {
			k.updateWide(&k.games[i], stays)
		}
		return
	}
	stay := [groups]OpmaskPhysical{kA, kB}
	for i, mask := range stay {
		KMOVD(half(stays, i).As32(), mask)
	}
	pairs, fixed := k.exchanged()
	for _, pair := range pairs {
		mine, theirs := k.loadRow(pair[0]), k.loadRow(pair[1])
		for i := range k.games {
			g := &k.games[i]
			a, b, copied := k.added(g, pair[0], mine), k.added(g, pair[1], theirs), ZMM()
			VMOVDQA64(a, copied)
			VPBLENDMW(a, b, stay[i], a)
			VPBLENDMW(b, copied, stay[i], b)
			VMOVDQU64(a, k.accumulator(pair[0], i, 0))
			VMOVDQU64(b, k.accumulator(pair[1], i, 0))
		}
	}
	for _, row := range fixed {
		changes := k.loadRow(row)
		for i := range k.games {
			VMOVDQU64(k.added(&k.games[i], row, changes), k.accumulator(row, i, 0))
		}
	}
}

// loadRow loads the parts of a row of the brain, for both groups.
func (k *lanes) loadRow(row int) (parts [3]VecVirtual) {
	for i := range parts {
		parts[i] = ZMM()
		VMOVDQU64(k.rowOfBrain(row, i), parts[i])
	}
	return parts
}

// added returns a row of accumulators with the changes of a group's moves.
func (k *lanes) added(g *laneGroup, row int, changes [3]VecVirtual) VecVirtual {
	sum, leave := ZMM(), ZMM()
	VMOVDQA64(g.land, sum)
	VPERMI2W(changes[1], changes[0], sum)
	VPERMW(changes[2], g.leave, leave)
	VPADDW(k.accumulator(row, g.number, 0), sum, sum)
	VPADDW(leave, sum, sum)
	return sum
}

// updateWide is updateAccumulators in 32 bits: a part of a row of the brain is two
// registers, and so is an accumulator of 32 games.
func (k *lanes) updateWide(g *laneGroup, stays GPVirtual) {
	pairs, fixed := k.exchanged()
	for upper := range 2 {
		land, leave, captured := widen(g.land, upper), widen(g.leave, upper), ZMM()
		VPSLLD(Imm(31-5), land, captured) // to the sign bit
		VPMOVD2M(captured, kA)
		KMOVD(half(stays, g.number).As32(), kB)
		if upper == 1 {
			KSHIFTRD(Imm(16), kB, kB)
		}
		for _, pair := range pairs {
			a, b := k.addedWide(g, pair[0], upper, land, leave), k.addedWide(g, pair[1], upper, land, leave)
			copied := ZMM()
			VMOVDQA64(a, copied)
			VPBLENDMD(a, b, kB, a)
			VPBLENDMD(b, copied, kB, b)
			VMOVDQU64(a, k.accumulator(pair[0], g.number, upper))
			VMOVDQU64(b, k.accumulator(pair[1], g.number, upper))
		}
		for _, row := range fixed {
			VMOVDQU64(k.addedWide(g, row, upper, land, leave), k.accumulator(row, g.number, upper))
		}
	}
}

// addedWide is added in 32 bits, with the lanes of a capture in kA.
func (k *lanes) addedWide(g *laneGroup, row, upper int, land, leave VecVirtual) VecVirtual {
	var entry [3]VecVirtual
	for part, index := range []VecVirtual{land, land, leave} {
		entry[part] = ZMM()
		low := k.rowOfBrain(row, part)
		VMOVDQU64(low, entry[part])
		VPERMT2D(low.Offset(64), index, entry[part])
	}
	sum := entry[0]
	VMOVDQA32(entry[1], kA, sum)
	VPADDD(k.accumulator(row, g.number, upper), sum, sum)
	VPADDD(entry[2], sum, sum)
	return sum
}

// refill starts new games in the lanes whose games are over.
func (k *lanes) refill() {
	finished := k.finishedLanes()
	Comment("The winner is the side that is not to move any more.")
	Label("won")
	light, dark := GP64(), GP64()
	MOVQ(k.dark, light)
	ANDQ(finished, light)
	MOVQ(finished, dark)
	XORQ(light, dark)
	POPCNTQ(light, light)
	POPCNTQ(dark, dark)
	ADDQ(light, k.at(stateWins))
	ADDQ(dark, k.at(stateWins+8))

	Comment("Put the lanes to the start: no piece on the path, all in hand, Light to move.")
	Label("refill")
	others := GP64()
	MOVQ(finished, others)
	NOTQ(others)
	ANDQ(others, k.dark)
	zero := ZMM()
	VPXORQ(zero, zero, zero)
	for i, g := range k.games {
		skip := fmt.Sprintf("group%dPlays", i)
		lanes := half(finished, i)
		TESTL(lanes.As32(), lanes.As32())
		JZ(LabelRef(skip))
		KMOVD(lanes.As32(), kA)
		VMOVDQU16(zero, kA, g.own)
		VMOVDQU16(zero, kA, g.opp)
		VPBROADCASTW(k.table(tableStartCount), kA, g.count)
		k.resetAccumulators(i)
		Label(skip)
	}

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
	Comment("Quadword of a lane: part lane%4 of its group, element lane%32/4.")
	MOVQ(lane, quad)
	ANDQ(U8(0x23), quad)
	MOVQ(lane, t)
	SHRQ(Imm(2), t)
	ANDQ(Imm(7), t)
	LEAQ(Mem{Base: t, Index: quad, Scale: 8}, t)
	Comment("Group 1 is 32 quadwords on, not 32*8.")
	MOVQ(lane, quad)
	ANDQ(U8(0x20), quad)
	IMUL3Q(Imm(7), quad, quad)
	SUBQ(quad, t)
	MOVQ(t, quad)
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
		MOVW(key.As16(), Mem{Base: k.state, Index: lane, Scale: 2, Disp: stateRolls + 128*j})
		if j < 3 {
			SHRQ(Imm(16), key)
		}
	}
	JMP(LabelRef("lane"))
}

// resetAccumulators puts the accumulators of the lanes of a group in kA to the start.
func (k *lanes) resetAccumulators(group int) {
	halves := []OpmaskPhysical{kA}
	if k.width == wide32 {
		KSHIFTRD(Imm(16), kA, kB)
		halves = append(halves, kB)
	}
	for row := range k.rows() {
		for half, mask := range halves {
			g, at := ZMM(), k.accumulator(row, group, half)
			VMOVDQU64(at, g)
			if k.width == wide32 {
				VPBROADCASTD(k.table(tableStart+4*row), mask, g)
			} else {
				VPBROADCASTW(k.table(tableStart+2*row), mask, g)
			}
			VMOVDQU64(g, at)
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
