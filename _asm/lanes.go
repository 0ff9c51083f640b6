package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/seed-09dcdc84/ur/board"
)

// lanesKernels writes the AVX-512 kernels for 64 games at once.
func lanesKernels() {
	for _, brains := range []int{1, 2} {
		for _, packed := range []bool{true, false} {
			(&lanes{brains: brains, packed: packed}).write()
		}
	}
}

// A kernel plays two groups with 32 games each. They take turns in the vector registers,
// but share every load of the brain's rows.
const groups = 2

// constant is a row with one 16-bit number in every lane.
type constant int

const (
	constOne       constant = iota // 1
	constTwo                       // 2
	constEight                     // 8
	constFifteen                   // 15
	constSixteen                   // 16
	constSeven                     // 7
	constCapture                   // 0x100: one more in the opponent's hand
	constPath                      // 0x7ffe: squares 1 to 14
	constSafe                      // 0x0100: square 8
	constTakeable                  // 0x1ee0: squares 5 to 12 without 8
	constFinish                    // 0x8000: square 15
	constRosettes                  // squares 4, 8 and 14
	constHomeField                 // 0x00f0: the mover's pieces home
	constSwap                      // bytes 1 0 3 2 ...: exchange the players' counts
	constWon                       // pieces << 4
	constLowest                    // best value of a lane without a legal move
	constThirtyTwo                 // 32
)

// Mask registers. The first four last while both groups are evaluated.
var (
	kShift = [groups]evenFar{{K1, K2}, {K3, K4}}
	kDark  = K1 // while moves are made: lanes with Dark to move
	kMoved = K2 // and lanes with a legal move
	kStay  = K3 // and lanes whose mover has landed on a rosette
	kA     = K5
	kB     = K6
	kC     = K7
)

// evenFar is how far a lane's piece is from its destination: one square, one more for an
// even roll, and two more for 3 or 4.
type evenFar struct{ even, far OpmaskPhysical }

// lanes writes one kernel.
type lanes struct {
	brains int
	packed bool // the low four bits of values carry the move

	state, tables record    // package lanes' records
	phase         GPVirtual // turns taken of the 16 whose dice are thrown
	active, dark  GPVirtual // active lanes; lanes with Dark to move
	games         [groups]laneGroup
}

// laneGroup is 32 games. The boards last from turn to turn, the rest for one.
type laneGroup struct {
	number            int
	own, opp, count   VecVirtual // boards as the mover sees them
	roll              VecVirtual
	movable, takeable VecVirtual // destinations of legal moves, and of captures
	best, bestSquare  VecVirtual // the best candidates; the square where the value does not carry it
	land, leave       VecVirtual // where in the rows of the brain the move looks
}

func (k *lanes) name() string {
	return map[int]string{1: "oneBrain", 2: "twoBrains"}[k.brains] + map[bool]string{true: "Packed", false: "Plain"}[k.packed]
}

func (k *lanes) rows() int { return map[int]int{1: 31, 2: 46}[k.brains] }

// Accumulator rows are in the moving side's view. One brain has its own squares 1 to
// 15, the opponent's squares and the turn. Two brains have the rows read by the mover's brain
// and, 23 rows on, those for the opponent's in the same order. See rowsOf in package lanes.
func (k *lanes) ownRow(square int) int { return square - 1 }

func (k *lanes) oppRow(square int) int {
	if k.brains == 1 {
		return 15 + square - 1
	}
	row := 15
	for s := range square {
		if board.IsTakeable(s) {
			row++
		}
	}
	return row
}

func (k *lanes) turnRow() int {
	if k.brains == 1 {
		return 30
	}
	return 22
}

// exchanged returns the pairs among the rows that swap places when the turn passes, and the rows that
// stay.
func (k *lanes) exchanged() (pairs [][2]int, fixed []int) {
	distance := 15
	if k.brains == 2 {
		distance = 23
	}
	for row := range distance {
		pairs = append(pairs, [2]int{row, row + distance})
	}
	if k.brains == 1 {
		fixed = []int{k.turnRow()}
	}
	return pairs, fixed
}

func (k *lanes) constant(c constant) Mem { return k.tables.at("constant").Offset(64 * int(c)) }

// accumulator returns a group's row of accumulators.
func (k *lanes) accumulator(row, group int) Mem {
	return k.state.at("g").Offset(128*row + 64*group)
}

// rowOfBrain returns a part by which moves change a row of accumulators: 0 landing, 1
// landing with a capture, 2 leaving.
func (k *lanes) rowOfBrain(row, part int) Mem {
	return k.tables.at("rows").Offset(64 * (3*row + part))
}

// ternary returns VPTERNLOG's immediate for a function on the bits in its
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
	kernel(k.name(), "func(state *state, tables *tables, winners *uint8)",
		"is a [kernel]. It must equal the turns of array16/scalar.")
	Comment("Registers. General: the state, the tables, the phase of the dice, the lanes that play, the lanes with Dark to move; RAX the lanes whose games are over.",
		"Z, of each group, from turn to turn: own squares, the opponent's, counts. Within a turn: roll, legal destinations, captures, best candidate, then the indices of its rows.",
		"Z, while candidates are compared: four accumulators back from the destination, the index of constants; in updates: three parts of a row of the brain for each of two rows.",
		"K1 to K4: how far each group's pieces move; then Dark to move, has a legal move, stays on turn. K5 to K7: for a few instructions.")
	k.state, k.tables = load("state", "state"), load("tables", "tables")
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
	INCQ(k.state.at("now"))
	turns := GP64()
	POPCNTQ(k.active, turns)
	ADDQ(turns, k.state.at("turns"))
	Comment("A finished game is rare enough for a branch.")
	TESTQ(k.finishedLanes(), k.finishedLanes())
	JNZ(LabelRef("won"))

	Comment("Go on while games are running and the turn is not the last asked for.")
	Label("next")
	CMPQ(wordOf(k.state.at("now")), k.state.at("until"))
	JAE(LabelRef("leave"))
	TESTQ(k.active, k.active)
	JNZ(LabelRef("turn"))
	k.leave()
	k.refill()
}

// enter loads the values kept in registers, and starts the first games.
func (k *lanes) enter() {
	Comment("Registers: the boards of both groups as the movers see them, their counts, whose turn it is.")
	for i := range k.games {
		g := &k.games[i]
		g.number = i
		g.own = avx512.load(k.state.at("own").Offset(64 * i))
		g.opp = avx512.load(k.state.at("opp").Offset(64 * i))
		g.count = avx512.load(k.state.at("count").Offset(64 * i))
	}
	MOVQ(k.state.at("dark"), k.dark)
	MOVQ(k.state.at("phase"), k.phase)
	MOVQ(k.state.at("active"), k.active)
	finished := k.finishedLanes()
	MOVQ(k.state.at("refill"), finished)
	MOVQ(U32(0), k.state.at("refill"))
	TESTQ(finished, finished)
	JNZ(LabelRef("refill"))
}

// leave stores the registers again.
func (k *lanes) leave() {
	Label("leave")
	for i, g := range k.games {
		VMOVDQU64(g.own, k.state.at("own").Offset(64*i))
		VMOVDQU64(g.opp, k.state.at("opp").Offset(64*i))
		VMOVDQU64(g.count, k.state.at("count").Offset(64*i))
	}
	MOVQ(k.dark, k.state.at("dark"))
	MOVQ(k.phase, k.state.at("phase"))
	MOVQ(k.active, k.state.at("active"))
	end()
}
