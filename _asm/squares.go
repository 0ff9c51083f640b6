package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// squaresKernels writes the kernels that play one game to a register with AVX2.
func squaresKernels() {
	(&squares{name: "squaresPacked", packed: true}).write()
	(&squares{name: "squaresPlain"}).write()
}

// Layout of squaresState in squares_amd64.go, in bytes.
const (
	squaresNow      = 0  // uint64, as all up to the games
	squaresUntil    = 8  //
	squaresPhase    = 16 //
	squaresActive   = 24 //
	squaresKeyInput = 32 //
	squaresKeyStep  = 40 //
	squaresNext     = 48 //
	squaresEnd      = 56 //
	squaresCounts   = 64 //
	squaresTurns    = 72 //
	squaresWins     = 80 // [2]uint64
	squaresGames    = 128
)

// Layout of squaresGame, one game of the state.
const (
	gameNextKey = 0   // uint64
	gameShift   = 8   // uint64
	gameBegan   = 16  // uint64
	gameNumber  = 24  // uint64
	gameSquares = 32  // [2][16]uint16: Light's and Dark's accumulators
	gameExtra   = 96  // [2][8]uint16
	gameBoard   = 128 // [2]uint64, the same twice
	gameRolls   = 144 // [32]byte
	gameSize    = 192
)

// Layout of squaresTables, and of a squaresBlock at its start.
const (
	blockConstant = 0   // [16]uint16
	blockTake     = 32  // [16]uint16
	blockSquares  = 64  // [16]uint16
	blockSource   = 96  // [16]uint16
	blockRows     = 128 // 32 rows of 128 bytes
	blockSize     = blockRows + 32*rowSize

	rowSquares = 0  // [2][16]uint16
	rowExtra   = 64 // [2][8]uint16
	rowBoard   = 96 // uint64
	rowCounts  = 104
	rowSize    = 128

	squaresExpand  = 13 * blockSize      // [32]byte
	squaresCapture = squaresExpand + 32  // [16]uint16
	squaresNibbles = squaresCapture + 32 // [16]byte
	squaresFifteen = squaresNibbles + 16 // [16]byte
	squaresMix     = squaresFifteen + 16 // [4]uint64: gamma, two factors, and padding
	squaresStart   = squaresMix + 32     // [2][16]uint16, [2][8]uint16, then the board
)

// squares writes one kernel.
type squares struct {
	name   string
	packed bool // values carry their move in the low five bits

	state, tables       Register
	game, end           GPVirtual // the game at work, and the end of the games
	phase               GPVirtual // turns taken of the 16 whose dice are thrown
	counts              GPVirtual // captures, rosettes and passes, 21 bits each
	expand, takes, ones VecVirtual
}

func (k *squares) at(offset int) Mem    { return Mem{Base: k.state, Disp: offset} }
func (k *squares) table(offset int) Mem { return Mem{Base: k.tables, Disp: offset} }
func (k *squares) of(offset int) Mem    { return Mem{Base: k.game, Disp: offset} }

func (k *squares) write() {
	TEXT(k.name, NOSPLIT, "func(state, tables *byte)")
	Doc(k.name+" plays the games of a squaresState turn by turn, until all are over or turn",
		"number until of the state is reached. It must equal turnGame.playTurn.")
	Pragma("noescape")
	k.state = Load(Param("state"), GP64())
	k.tables = Load(Param("tables"), GP64())
	k.enter()

	Label("turn")
	Comment("Every 16 turns the dice of all games are thrown together.")
	CMPQ(k.phase, Imm(16))
	JB(LabelRef("rolled"))
	k.throwDice()

	Label("rolled")
	LEAQ(k.at(squaresGames), k.game)
	Label("game")
	k.playTurn()
	Comment("A finished game is rare enough for a branch.")
	JNZ(LabelRef("won"))
	Label("advance")
	ADDQ(U32(gameSize), k.game)
	Label("check")
	CMPQ(k.game, k.end)
	JB(LabelRef("game"))

	Comment("Go on while games are running and the turn is not the last asked for.")
	INCQ(k.phase)
	now, first := GP64(), GP64()
	MOVQ(k.at(squaresNow), now)
	INCQ(now)
	MOVQ(now, k.at(squaresNow))
	LEAQ(k.at(squaresGames), first)
	CMPQ(first, k.end)
	JEQ(LabelRef("leave"))
	CMPQ(now, k.at(squaresUntil))
	JB(LabelRef("turn"))
	k.leave()
	k.finish()
}

// enter loads what lives in registers.
func (k *squares) enter() {
	Comment("Registers: the end of the games, turns taken of the 16 thrown, counts, constant vectors.")
	k.game, k.end, k.phase, k.counts = GP64(), GP64(), GP64(), GP64()
	MOVQ(k.at(squaresActive), k.end)
	IMUL3Q(U32(gameSize), k.end, k.end)
	LEAQ(Mem{Base: k.state, Index: k.end, Scale: 1, Disp: squaresGames}, k.end)
	MOVQ(k.at(squaresPhase), k.phase)
	MOVQ(k.at(squaresCounts), k.counts)
	k.expand, k.takes, k.ones = YMM(), YMM(), YMM()
	VMOVDQU(k.table(squaresExpand), k.expand)
	VMOVDQU(k.table(squaresCapture), k.takes)
	VPCMPEQW(k.takes, k.takes, k.ones)
}

// leave stores the registers again.
func (k *squares) leave() {
	Label("leave")
	MOVQ(k.phase, k.at(squaresPhase))
	MOVQ(k.counts, k.at(squaresCounts))
	active, remainder := RAX, RDX
	MOVQ(k.end, active)
	SUBQ(k.state, active)
	SUBQ(U32(squaresGames), active)
	XORL(remainder.As32(), remainder.As32())
	size := GP64()
	MOVQ(U32(gameSize), size)
	DIVQ(size)
	MOVQ(active, k.at(squaresActive))
	VZEROUPPER()
	RET()
}

// playTurn plays one turn of the game at work, and leaves the zero flag set unless
// the game is over.
func (k *squares) playTurn() {
	Comment("4 - roll, 4 * side to move, the block of the tables for both, and the mover's accumulators.")
	roll, side, block, squares := GP64(), GP64(), GP64(), GP64()
	MOVBQZX(Mem{Base: k.game, Index: k.phase, Scale: 1, Disp: gameRolls}, roll)
	MOVBQZX(k.of(gameBoard+7), side)
	LEAQ(Mem{Base: roll, Index: side, Scale: 2}, block)
	IMUL3Q(U32(blockSize), block, block)
	LEAQ(Mem{Base: k.game, Index: side, Scale: 8, Disp: gameSquares}, squares)
	of := func(offset int) Mem { return Mem{Base: k.tables, Index: block, Scale: 1, Disp: offset} }

	Comment("Legal destinations: a piece of the mover stands at the source, none at the destination.")
	legal := YMM()
	VPBROADCASTW(Mem{Base: k.game, Index: side, Scale: 1, Disp: gameBoard + 1}, legal)
	VPAND(of(blockSquares), legal, legal)
	VPCMPEQW(of(blockSource), legal, legal)

	Comment("Captures, where the opponent stands, and the turn on rosettes.")
	takes, extra := YMM(), YMM()
	VPBROADCASTW(Mem{Base: k.game, Index: side, Scale: 1, Disp: gameBoard + 5}, takes)
	VPAND(k.takes, takes, takes)
	VPCMPEQW(k.takes, takes, takes)
	VBROADCASTI128(Mem{Base: k.game, Index: side, Scale: 4, Disp: gameExtra}, extra)
	VPSHUFB(k.expand, extra, extra)
	VPADDW(of(blockTake), extra, extra)
	VPAND(takes, extra, extra)

	Comment("Candidates: accumulators of the destinations less those of the sources, roll lanes lower.")
	value := YMM()
	VMOVDQU(Mem{Base: squares}, value)
	VPSUBW(Mem{Base: squares, Index: roll, Scale: 2, Disp: -8}, value, value)
	VPADDW(of(blockConstant), value, value)
	VPADDW(extra, value, value)
	VPBLENDVB(legal, value, k.ones, value)

	row := k.best(value, takes)
	SHLL(Imm(7), row.As32())
	ADDQ(block, row)
	change := func(offset int) Mem {
		return Mem{Base: k.tables, Index: row, Scale: 1, Disp: blockRows + offset}
	}

	Comment("Board and counts: one addition each.")
	board := GP64()
	MOVQ(k.of(gameBoard), board)
	ADDQ(change(rowBoard), board)
	MOVQ(board, k.of(gameBoard))
	MOVQ(board, k.of(gameBoard+8))
	ADDQ(change(rowCounts), k.counts)

	Comment("Accumulators: one row for the whole move.")
	for part := range 3 {
		sum := YMM()
		VMOVDQU(change(rowSquares+32*part), sum)
		VPADDW(k.of(gameSquares+32*part), sum, sum)
		VMOVDQU(sum, k.of(gameSquares+32*part))
	}
	TESTL(U32(1<<27|1<<31), board.As32())
}

// best returns the number of the lowest value: twice its square, and one more for a
// capture.
func (k *squares) best(value, takes VecVirtual) GPVirtual {
	Comment("The lowest value, the lowest square on a tie.")
	high, index := XMM(), GP64()
	VEXTRACTI128(Imm(1), value, high)
	VPMINUW(high, value.AsX(), high)
	VPHMINPOSUW(high, high)
	if k.packed {
		VMOVD(high, index.As32())
		ANDL(Imm(31), index.As32())
		return index
	}
	Comment("Its square, 0 for a pass, and whether it captures.")
	equal, capture := YMM(), GP64()
	VPBROADCASTW(high, equal)
	VPCMPEQW(value, equal, equal)
	VPMOVMSKB(equal, index.As32())
	VPMOVMSKB(takes, capture.As32())
	TZCNTL(index.As32(), index.As32())
	SHRXL(index.As32(), capture.As32(), capture.As32())
	ANDL(Imm(1), capture.As32())
	ORL(capture.As32(), index.As32())
	return index
}

// throwDice computes the next 16 rolls of every game. A game's stream is shifted
// against its dice words, because it began at any turn of the 16: the word is
// written so much later, and what stood there before moves to the front.
func (k *squares) throwDice() {
	nibbles, fifteen := XMM(), XMM()
	VMOVDQU(k.table(squaresNibbles), nibbles)
	VMOVDQU(k.table(squaresFifteen), fifteen)
	LEAQ(k.at(squaresGames), k.game)
	Label("throw")
	left := XMM()
	VMOVDQU(k.of(gameRolls+16), left)
	VMOVDQU(left, k.of(gameRolls))
	word := GP64()
	MOVQ(k.of(gameNextKey), word)
	k.mix(word, GP64())
	shift := GP64()
	MOVQ(k.of(gameShift), shift)
	k.writeRolls(word, shift, nibbles, fifteen)
	MOVQ(k.table(squaresMix), word)
	ADDQ(word, k.of(gameNextKey))
	ADDQ(U32(gameSize), k.game)
	CMPQ(k.game, k.end)
	JB(LabelRef("throw"))
	XORL(k.phase.As32(), k.phase.As32())
}

// writeRolls stores 4 - roll for the 16 nibbles of a dice word.
func (k *squares) writeRolls(word, shift GPVirtual, nibbles, fifteen Op) {
	low, high := XMM(), XMM()
	VMOVQ(word, low)
	VPSRLQ(Imm(4), low, high)
	VPUNPCKLBW(high, low, low)
	VPAND(fifteen, low, low)
	if _, ok := nibbles.(Mem); ok {
		t := XMM()
		VMOVDQU(nibbles, t)
		nibbles = t
	}
	VPSHUFB(low, nibbles, low)
	VMOVDQU(low, Mem{Base: k.game, Index: shift, Scale: 1, Disp: gameRolls})
}

// mix is SplitMix64's finalizer on one word.
func (k *squares) mix(z, t GPVirtual) {
	MOVQ(z, t)
	SHRQ(Imm(30), t)
	XORQ(t, z)
	IMULQ(k.table(squaresMix+8), z)
	MOVQ(z, t)
	SHRQ(Imm(27), t)
	XORQ(t, z)
	IMULQ(k.table(squaresMix+16), z)
	MOVQ(z, t)
	SHRQ(Imm(31), t)
	XORQ(t, z)
}

// finish counts a game that is over, and begins the next one of the series in its
// place.
func (k *squares) finish() {
	Label("won")
	winner, turns := GP64(), GP64()
	MOVLQZX(k.of(gameBoard), winner)
	SHRQ(Imm(31), winner)
	INCQ(Mem{Base: k.state, Index: winner, Scale: 8, Disp: squaresWins})
	MOVQ(k.at(squaresNow), turns)
	INCQ(turns)
	MOVQ(turns, winner)
	SUBQ(k.of(gameBegan), winner)
	ADDQ(winner, k.at(squaresTurns))

	number := GP64()
	MOVQ(k.at(squaresNext), number)
	CMPQ(number, k.at(squaresEnd))
	JAE(LabelRef("idle"))
	Comment("The next game, from the next turn on.")
	MOVQ(number, k.of(gameNumber))
	INCQ(number)
	MOVQ(number, k.at(squaresNext))
	MOVQ(turns, k.of(gameBegan))
	for part := range 3 {
		start := YMM()
		VMOVDQU(k.table(squaresStart+32*part), start)
		VMOVDQU(start, k.of(gameSquares+32*part))
	}
	board := GP64()
	MOVQ(k.table(squaresStart+96), board)
	MOVQ(board, k.of(gameBoard))
	MOVQ(board, k.of(gameBoard+8))

	Comment("Its dice: key, word 0, and the input of word 1.")
	key, t, shift := GP64(), GP64(), GP64()
	MOVQ(k.at(squaresKeyInput), key)
	MOVQ(key, t)
	ADDQ(k.at(squaresKeyStep), t)
	MOVQ(t, k.at(squaresKeyInput))
	k.mix(key, t)
	ADDQ(k.table(squaresMix), key)
	MOVQ(key, t)
	ADDQ(k.table(squaresMix), t)
	MOVQ(t, k.of(gameNextKey))
	k.mix(key, t)
	LEAQ(Mem{Base: k.phase, Disp: 1}, shift)
	MOVQ(shift, k.of(gameShift))
	fifteen := XMM()
	VMOVDQU(k.table(squaresFifteen), fifteen)
	k.writeRolls(key, shift, k.table(squaresNibbles), fifteen)
	JMP(LabelRef("advance"))

	Comment("No game is left to begin: the last one moves here, and has its turn.")
	Label("idle")
	SUBQ(U32(gameSize), k.end)
	for part := range gameSize / 32 {
		moved := YMM()
		VMOVDQU(Mem{Base: k.end, Disp: 32 * part}, moved)
		VMOVDQU(moved, k.of(32*part))
	}
	JMP(LabelRef("check"))
}
