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

// squaresWinnersKernels writes those that also tell who won each game.
func squaresWinnersKernels() {
	(&squares{name: "squaresPackedWinners", packed: true, tells: true}).write()
	(&squares{name: "squaresPlainWinners", tells: true}).write()
}

// Layout of squaresState in squares_amd64.go, in bytes.
const (
	squaresNow      = 0   // uint64, as all up to the games
	squaresUntil    = 8   //
	squaresPhase    = 16  //
	squaresActive   = 24  //
	squaresKeyInput = 32  //
	squaresKeyStep  = 40  //
	squaresNext     = 48  //
	squaresEnd      = 56  //
	squaresCounts   = 64  //
	squaresTurns    = 72  //
	squaresWins     = 80  // [2]uint64
	squaresIdle     = 96  //
	squaresGames    = 128 // squaresGame after squaresGame
)

// Layout of squaresGame.
const (
	gameNextKey = 0   // uint64
	gameShift   = 8   // uint64
	gameBegan   = 16  // uint64
	gameNumber  = 24  // uint64
	gameSquares = 32  // [2][16]uint16
	gameExtra   = 96  // [2][8]uint16
	gameBoard   = 128 // [2]uint64
	gameRolls   = 144 // [32]byte
	gameSize    = 192

	// gameMiddle is where pointers to games point, so that one byte holds the
	// distance of every field.
	gameMiddle = 96
)

// Layout of squaresTables: blocks, and what follows them.
const (
	blockConstant = 0   // [16]uint16
	blockTake     = 32  // [16]uint16
	blockSource   = 64  // [16]uint16
	blockRows     = 128 // 32 rows; the pointer to the tables points here, as to games
	blockSize     = blockRows + 32*rowSize

	rowSums   = 0   // three registers
	rowBoard  = 96  // uint64
	rowCounts = 104 // uint64
	rowSize   = 128

	squaresExpand   = 13 * blockSize       // [16][2]uint8
	squaresTakes    = squaresExpand + 32   // [16]uint16
	squaresBlockers = squaresTakes + 32    // [16]uint16
	squaresFields   = squaresBlockers + 32 // [2][16][2]uint8
	squaresNibbles  = squaresFields + 64   // [16]uint8
	squaresFifteen  = squaresNibbles + 16  // [16]uint8
	squaresMix      = squaresFifteen + 16  // [4]uint64
	squaresStart    = squaresMix + 32      // a row
)

// gameOver has the bits of the board word that say that a player is home.
const gameOver = 1<<27 | 1<<31

// squares writes one kernel. Registers that last:
type squares struct {
	name   string
	packed bool // values carry their move in the low five bits
	tells  bool // who won each game

	state, tables  Register  // tables points to the rows of the first block
	game, previous GPVirtual // the game whose move is chosen, the one before whose move is made
	end            GPVirtual // where the games end
	row            GPVirtual // what the move of the previous game adds: distance from tables
	phase          GPVirtual // turns taken of the 16 whose dice are thrown
	counts         GPVirtual // captures, rosettes and passes, 21 bits each

	mover, other           VecVirtual // bytes of the mover's and the opponent's field
	blockers, takes, extra VecVirtual // lane constants, see squaresTables
	ones                   VecVirtual // all bits
}

func (k *squares) at(offset int) Mem    { return Mem{Base: k.state, Disp: offset} }
func (k *squares) table(offset int) Mem { return Mem{Base: k.tables, Disp: offset - blockRows} }

// inGame returns a field of the game whose move is chosen, inPrevious of the one
// whose move is made.
func (k *squares) inGame(offset int) Mem {
	return Mem{Base: k.game, Disp: offset - gameMiddle}
}

func (k *squares) inPrevious(offset int) Mem {
	return Mem{Base: k.previous, Disp: offset - gameMiddle}
}

// first puts the address of the first game into a register.
func (k *squares) first(ptr GPVirtual) { LEAQ(k.at(squaresGames+gameMiddle), ptr) }

func (k *squares) write() {
	doc := []string{k.name + " plays the games of a squaresState turn by turn, until all are over or turn",
		"number until of the state is reached. It must equal turnGame.playTurn."}
	if k.tells {
		TEXT(k.name, NOSPLIT, "func(state, tables, winners *byte)")
		doc = append(doc, "Of every game that ends, the winner is written to winners, at its index in the series.")
	} else {
		TEXT(k.name, NOSPLIT, "func(state, tables *byte)")
	}
	Doc(doc...)
	Pragma("noescape")
	k.state = Load(Param("state"), GP64())
	k.tables = Load(Param("tables"), GP64())
	ADDQ(U32(blockRows), k.tables)
	k.enter()

	Label("turn")
	Comment("Every 16 turns the dice of all games are thrown together.")
	CMPQ(k.phase, Imm(16))
	JB(LabelRef("rolled"))
	k.throwDice()

	Comment("The move of the first game is chosen; then one is chosen while that of the game before is made.")
	Label("rolled")
	k.first(k.game)
	k.row, k.previous = GP64(), GP64()
	MOVQ(k.choose(), k.row)
	MOVQ(k.game, k.previous)
	ADDQ(U32(gameSize), k.game)
	CMPQ(k.game, k.end)
	JAE(LabelRef("last"))

	Label("game")
	next := k.choose()
	k.apply()
	Comment("A finished game is rare enough for a branch.")
	JNZ(LabelRef("won"))
	Label("advance")
	MOVQ(next, k.row)
	MOVQ(k.game, k.previous)
	ADDQ(U32(gameSize), k.game)
	CMPQ(k.game, k.end)
	JB(LabelRef("game"))

	Comment("The move of the last game.")
	Label("last")
	k.apply()
	JNZ(LabelRef("won"))
	Label("played")
	CMPQ(k.at(squaresIdle), Imm(0))
	JNE(LabelRef("idle"))

	Label("next")
	Comment("Go on while games are running and the turn is not the last asked for.")
	INCQ(k.phase)
	now, first := GP64(), GP64()
	MOVQ(k.at(squaresNow), now)
	INCQ(now)
	MOVQ(now, k.at(squaresNow))
	k.first(first)
	CMPQ(first, k.end)
	JEQ(LabelRef("leave"))
	CMPQ(now, k.at(squaresUntil))
	JB(LabelRef("turn"))
	k.leave()
	k.finish()
	k.closeRanks()
}

// enter loads what lives in registers.
func (k *squares) enter() {
	Comment("Registers: the end of the games, turns taken of the 16 thrown, counts, constant vectors.")
	k.game, k.end, k.phase, k.counts = GP64(), GP64(), GP64(), GP64()
	MOVQ(k.at(squaresActive), k.end)
	IMUL3Q(U32(gameSize), k.end, k.end)
	LEAQ(Mem{Base: k.state, Index: k.end, Scale: 1, Disp: squaresGames + gameMiddle}, k.end)
	MOVQ(k.at(squaresPhase), k.phase)
	MOVQ(k.at(squaresCounts), k.counts)
	load := func(offset int) VecVirtual {
		v := YMM()
		VMOVDQU(k.table(offset), v)
		return v
	}
	k.mover, k.other = load(squaresFields), load(squaresFields+32)
	k.blockers, k.takes, k.extra = load(squaresBlockers), load(squaresTakes), load(squaresExpand)
	k.ones = YMM()
	VPCMPEQW(k.takes, k.takes, k.ones)
}

// leave stores the registers again.
func (k *squares) leave() {
	Label("leave")
	MOVQ(k.phase, k.at(squaresPhase))
	MOVQ(k.counts, k.at(squaresCounts))
	VZEROUPPER()
	RET()
}

// choose returns where the row of the best move of the game at work begins.
func (k *squares) choose() GPVirtual {
	Comment("Choose: 4 - roll, 4 * side to move, the block of the tables for both, the mover's accumulators.")
	roll, side, block, own := GP64(), GP64(), GP64(), GP64()
	MOVBQZX(Mem{Base: k.game, Index: k.phase, Scale: 1, Disp: gameRolls - gameMiddle}, roll)
	MOVBQZX(k.inGame(gameBoard+7), side)
	LEAQ(Mem{Base: roll, Index: side, Scale: 2}, block)
	IMUL3Q(U32(blockSize), block, block)
	LEAQ(Mem{Base: k.game, Index: side, Scale: 8, Disp: gameSquares - gameMiddle}, own)
	inBlock := func(offset int) Mem {
		return Mem{Base: k.tables, Index: block, Scale: 1, Disp: offset - blockRows}
	}

	Comment("Legal destinations: the mover's field has the bit of the source and none that closes it.")
	fields, legal, source, tested := YMM(), YMM(), YMM(), YMM()
	VPBROADCASTQ(Mem{Base: k.game, Index: side, Scale: 1, Disp: gameBoard - gameMiddle}, fields)
	VPSHUFB(k.mover, fields, legal)
	VMOVDQU(inBlock(blockSource), source)
	VPOR(k.blockers, source, tested)
	VPAND(tested, legal, legal)
	VPCMPEQW(source, legal, legal)

	Comment("Captures where the opponent stands, and the turn on rosettes.")
	takes, extra := YMM(), YMM()
	VPSHUFB(k.other, fields, takes)
	VPAND(k.takes, takes, takes)
	VPCMPEQW(k.takes, takes, takes)
	VBROADCASTI128(Mem{Base: k.game, Index: side, Scale: 4, Disp: gameExtra - gameMiddle}, extra)
	VPSHUFB(k.extra, extra, extra)
	VPADDW(inBlock(blockTake), extra, extra)
	VPAND(takes, extra, extra)

	Comment("Candidates: accumulators of the destinations less those of the sources, which lie roll words lower.")
	value := YMM()
	VMOVDQU(Mem{Base: own}, value)
	VPSUBW(Mem{Base: own, Index: roll, Scale: 2, Disp: -8}, value, value)
	VPADDW(inBlock(blockConstant), value, value)
	VPADDW(extra, value, value)
	VPBLENDVB(legal, value, k.ones, value)

	row := k.best(value, takes)
	SHLL(Imm(7), row.As32())
	ADDQ(block, row)
	return row
}

// apply makes the move of the previous game, and leaves the zero flag set unless
// the game is over.
func (k *squares) apply() {
	inRow := func(offset int) Mem {
		return Mem{Base: k.tables, Index: k.row, Scale: 1, Disp: offset}
	}
	Comment("Make the move of the game before: board and counts by one addition each,")
	board := GP64()
	MOVQ(k.inPrevious(gameBoard), board)
	ADDQ(inRow(rowBoard), board)
	MOVQ(board, k.inPrevious(gameBoard))
	MOVQ(board, k.inPrevious(gameBoard+8))
	ADDQ(inRow(rowCounts), k.counts)
	Comment("and the accumulators by one of three registers.")
	for part := 0; part < 96; part += 32 {
		sum := YMM()
		VMOVDQU(inRow(rowSums+part), sum)
		VPADDW(k.inPrevious(gameSquares+part), sum, sum)
		VMOVDQU(sum, k.inPrevious(gameSquares+part))
	}
	TESTL(U32(gameOver), board.As32())
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
	k.first(k.game)
	Label("throw")
	left := XMM()
	VMOVDQU(k.inGame(gameRolls+16), left)
	VMOVDQU(left, k.inGame(gameRolls))
	word := GP64()
	MOVQ(k.inGame(gameNextKey), word)
	mixScalar(word, GP64(), k.table(squaresMix+8), k.table(squaresMix+16))
	shift := GP64()
	MOVQ(k.inGame(gameShift), shift)
	k.writeRolls(k.game, word, shift, nibbles, fifteen)
	MOVQ(k.table(squaresMix), word)
	ADDQ(word, k.inGame(gameNextKey))
	ADDQ(U32(gameSize), k.game)
	CMPQ(k.game, k.end)
	JB(LabelRef("throw"))
	XORL(k.phase.As32(), k.phase.As32())
}

// writeRolls stores 4 - roll for the 16 nibbles of a dice word, the lowest first.
func (k *squares) writeRolls(game, word, shift GPVirtual, nibbles, fifteen VecVirtual) {
	low, high := XMM(), XMM()
	VMOVQ(word, low)
	VPSRLQ(Imm(4), low, high)
	VPUNPCKLBW(high, low, low)
	VPAND(fifteen, low, low)
	VPSHUFB(low, nibbles, low)
	VMOVDQU(low, Mem{Base: game, Index: shift, Scale: 1, Disp: gameRolls - gameMiddle})
}

// finish counts a game that is over, and begins the next one of the series in its
// place.
func (k *squares) finish() {
	Comment("The top bit of the low half of the board says that Dark has won.")
	Label("won")
	winner, turns, length := GP64(), GP64(), GP64()
	MOVLQZX(k.inPrevious(gameBoard), winner)
	SHRQ(Imm(31), winner)
	INCQ(Mem{Base: k.state, Index: winner, Scale: 8, Disp: squaresWins})
	MOVQ(k.at(squaresNow), turns)
	INCQ(turns)
	MOVQ(turns, length)
	SUBQ(k.inPrevious(gameBegan), length)
	ADDQ(length, k.at(squaresTurns))
	if k.tells {
		k.tellWinner(winner)
	}

	number := GP64()
	MOVQ(k.at(squaresNext), number)
	CMPQ(number, k.at(squaresEnd))
	JAE(LabelRef("over"))
	Comment("The next game, from the next turn on.")
	MOVQ(number, k.inPrevious(gameNumber))
	INCQ(number)
	MOVQ(number, k.at(squaresNext))
	MOVQ(turns, k.inPrevious(gameBegan))
	for part := 0; part < 96; part += 32 {
		start := YMM()
		VMOVDQU(k.table(squaresStart+part), start)
		VMOVDQU(start, k.inPrevious(gameSquares+part))
	}
	board := GP64()
	MOVQ(k.table(squaresStart+rowBoard), board)
	MOVQ(board, k.inPrevious(gameBoard))
	MOVQ(board, k.inPrevious(gameBoard+8))

	Comment("Its dice: key, word 0, and the input of word 1.")
	key, t, shift := GP64(), GP64(), GP64()
	MOVQ(k.at(squaresKeyInput), key)
	MOVQ(key, t)
	ADDQ(k.at(squaresKeyStep), t)
	MOVQ(t, k.at(squaresKeyInput))
	mixScalar(key, t, k.table(squaresMix+8), k.table(squaresMix+16))
	ADDQ(k.table(squaresMix), key)
	MOVQ(key, t)
	ADDQ(k.table(squaresMix), t)
	MOVQ(t, k.inPrevious(gameNextKey))
	mixScalar(key, t, k.table(squaresMix+8), k.table(squaresMix+16))
	LEAQ(Mem{Base: k.phase, Disp: 1}, shift)
	MOVQ(shift, k.inPrevious(gameShift))
	nibbles, fifteen := XMM(), XMM()
	VMOVDQU(k.table(squaresNibbles), nibbles)
	VMOVDQU(k.table(squaresFifteen), fifteen)
	k.writeRolls(k.previous, key, shift, nibbles, fifteen)

	Comment("Back to where the game was played: the last of a round, or another.")
	Label("counted")
	CMPQ(k.game, k.end)
	JB(LabelRef("advance"))
	JMP(LabelRef("played"))
	Label("over")
	INCQ(k.at(squaresIdle))
	JMP(LabelRef("counted"))
}

// tellWinner writes who won the previous game, which is over.
func (k *squares) tellWinner(winner GPVirtual) {
	Comment("Tell who has won.")
	winners := Load(Param("winners"), GP64())
	number := GP64()
	MOVQ(k.inPrevious(gameNumber), number)
	MOVB(winner.As8(), Mem{Base: winners, Index: number, Scale: 1})
}

// closeRanks lets running games take the places of those that are over and have no
// next one, so that the first ones are those under way.
func (k *squares) closeRanks() {
	Comment("From the last game down: where one is over, the last of all moves to its place.")
	Label("idle")
	MOVQ(U32(0), k.at(squaresIdle))
	MOVQ(k.end, k.game)
	Label("seek")
	SUBQ(U32(gameSize), k.game)
	TESTL(U32(gameOver), k.inGame(gameBoard))
	JZ(LabelRef("runs"))
	DECQ(k.at(squaresActive))
	SUBQ(U32(gameSize), k.end)
	for part := 0; part < gameSize; part += 32 {
		moved := YMM()
		VMOVDQU(Mem{Base: k.end, Disp: part - gameMiddle}, moved)
		VMOVDQU(moved, k.inGame(part))
	}
	Label("runs")
	first := GP64()
	k.first(first)
	CMPQ(k.game, first)
	JA(LabelRef("seek"))
	JMP(LabelRef("next"))
}
