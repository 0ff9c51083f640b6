package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// squaresKernels writes the AVX2 kernels of one game to a register.
func squaresKernels() {
	(&squares{name: "playPacked", packed: true}).write()
	(&squares{name: "playPlain"}).write()
}

// gameOver has the board word's bits set when a player is home.
const gameOver = 1<<27 | 1<<31

// squares writes one kernel. Long-lived registers:
type squares struct {
	name   string
	packed bool // values carry their move in the low five bits

	// Structs in package squares. The register for the tables points to the rows in the first
	// block, and the one for games to their middle, so one byte holds the distance to every field
	// read in a turn.
	state, tables  record
	gameAt, rowAt  record    // layouts of a game and a row, wherever they stand
	game, previous GPVirtual // the game whose move is chosen, the one before whose move is made
	end            GPVirtual // where the games end
	row            GPVirtual // row of the previous game's move: distance from tables
	phase          GPVirtual // turns taken of the 16 whose dice are thrown
	counts         GPVirtual // captures, rosettes and passes, 21 bits each

	mover, other           VecVirtual // bytes of the mover's and the opponent's field
	blockers, takes, extra VecVirtual // lane constants, see tables
	ones                   VecVirtual // all bits
}

// gameMiddle is where pointers to games point.
const gameMiddle = 96

// rows is where the tables' register points: the rows in the first block.
func (k *squares) rows() int { return k.tables.offset("block.0.rows") }

func (k *squares) blockSize() int { return record{typ: structOf("block")}.size() }

// table returns a field in the tables, inBlock in the block at a distance from the first,
// and inRow in a row at a distance from the first.
func (k *squares) table(path string) Mem { return k.tables.at(path).Offset(-k.rows()) }

func (k *squares) inBlock(block Register, field string) Mem {
	return Mem{Base: k.tables.base, Index: block, Scale: 1, Disp: k.tables.offset("block.0."+field) - k.rows()}
}

func (k *squares) inRow(field string) Mem {
	return Mem{Base: k.tables.base, Index: k.row, Scale: 1, Disp: k.rowAt.offset(field)}
}

// inGame returns a field in the game whose move is chosen, inPrevious in the one
// whose move is made; ofGame is a field's distance from where pointers point.
func (k *squares) inGame(field string) Mem {
	return Mem{Base: k.game, Disp: k.ofGame(field)}
}

func (k *squares) inPrevious(field string) Mem {
	return Mem{Base: k.previous, Disp: k.ofGame(field)}
}

func (k *squares) ofGame(field string) int { return k.gameAt.offset(field) - gameMiddle }

// first puts the first game's address into a register.
func (k *squares) first(ptr GPVirtual) { LEAQ(k.state.at("games").Offset(gameMiddle), ptr) }

func (k *squares) write() {
	kernel(k.name, "func(state *state, tables *tables, winners *uint8)",
		"is a [kernel]. It must equal the turns of array16/scalar.")
	k.state, k.tables = load("state", "state"), load("tables", "tables")
	k.gameAt, k.rowAt = record{typ: structOf("oneGame")}, record{typ: structOf("row")}
	ADDQ(U32(k.rows()), k.tables.base)
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
	ADDQ(U32(k.gameAt.size()), k.game)
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
	ADDQ(U32(k.gameAt.size()), k.game)
	CMPQ(k.game, k.end)
	JB(LabelRef("game"))

	Comment("The move of the last game.")
	Label("last")
	k.apply()
	JNZ(LabelRef("won"))
	Label("played")
	CMPQ(k.state.at("idle"), Imm(0))
	JNE(LabelRef("idle"))

	Label("next")
	Comment("Go on while games are running and the turn is not the last asked for.")
	INCQ(k.phase)
	now := wordOf(k.state.at("now"))
	INCQ(now)
	MOVQ(now, k.state.at("now"))
	first := GP64()
	k.first(first)
	CMPQ(first, k.end)
	JEQ(LabelRef("leave"))
	CMPQ(now, k.state.at("until"))
	JB(LabelRef("turn"))
	k.leave()
	k.finish()
	k.closeRanks()
}

// enter loads the values kept in registers.
func (k *squares) enter() {
	Comment("Registers: the end of the games, turns taken of the 16 thrown, counts, constant vectors.")
	k.game, k.end, k.phase, k.counts = GP64(), GP64(), GP64(), GP64()
	MOVQ(k.state.at("active"), k.end)
	IMUL3Q(U32(k.gameAt.size()), k.end, k.end)
	LEAQ(Mem{Base: k.state.base, Index: k.end, Scale: 1, Disp: k.state.offset("games") + gameMiddle}, k.end)
	MOVQ(k.state.at("phase"), k.phase)
	MOVQ(k.state.at("counts"), k.counts)
	k.mover, k.other = avx2.load(k.table("fields.0")), avx2.load(k.table("fields.1"))
	k.blockers, k.takes = avx2.load(k.table("blockers")), avx2.load(k.table("takes"))
	k.extra = avx2.load(k.table("expand"))
	k.ones = YMM()
	VPCMPEQW(k.takes, k.takes, k.ones)
}

// leave stores the registers again.
func (k *squares) leave() {
	Label("leave")
	MOVQ(k.phase, k.state.at("phase"))
	MOVQ(k.counts, k.state.at("counts"))
	end()
}

// choose returns where the row for the best move in the game at work begins.
func (k *squares) choose() GPVirtual {
	Comment("Choose: 4 - roll, 4 * side to move, the block of the tables for both, the mover's accumulators.")
	roll, side, block, own := GP64(), GP64(), GP64(), GP64()
	MOVBQZX(Mem{Base: k.game, Index: k.phase, Scale: 1, Disp: k.ofGame("rolls")}, roll)
	MOVBQZX(k.inGame("board").Offset(7), side)
	LEAQ(Mem{Base: roll, Index: side, Scale: 2}, block)
	IMUL3Q(U32(k.blockSize()), block, block)
	LEAQ(Mem{Base: k.game, Index: side, Scale: 8, Disp: k.ofGame("sums")}, own)

	Comment("Legal destinations: the mover's field has the bit of the source and none that closes it.")
	fields, legal, source, tested := YMM(), YMM(), YMM(), YMM()
	VPBROADCASTQ(Mem{Base: k.game, Index: side, Scale: 1, Disp: k.ofGame("board")}, fields)
	VPSHUFB(k.mover, fields, legal)
	VMOVDQU(k.inBlock(block, "source"), source)
	VPOR(k.blockers, source, tested)
	VPAND(tested, legal, legal)
	VPCMPEQW(source, legal, legal)

	Comment("Captures where the opponent stands, and the turn on rosettes.")
	takes, extra := YMM(), YMM()
	VPSHUFB(k.other, fields, takes)
	VPAND(k.takes, takes, takes)
	VPCMPEQW(k.takes, takes, takes)
	VBROADCASTI128(Mem{Base: k.game, Index: side, Scale: 4, Disp: k.ofGame("sums.extra")}, extra)
	VPSHUFB(k.extra, extra, extra)
	VPADDW(k.inBlock(block, "take"), extra, extra)
	VPAND(takes, extra, extra)

	Comment("Candidates: accumulators of the destinations less those of the sources, which lie roll words lower.")
	value := avx2.load(Mem{Base: own})
	VPSUBW(Mem{Base: own, Index: roll, Scale: 2, Disp: -8}, value, value)
	VPADDW(k.inBlock(block, "constant"), value, value)
	VPADDW(extra, value, value)
	VPBLENDVB(legal, value, k.ones, value)

	row := k.best(value, takes)
	SHLL(Imm(7), row.As32())
	ADDQ(block, row)
	return row
}

// apply makes the previous game's move, and leaves the zero flag set unless
// the game is over.
func (k *squares) apply() {
	Comment("Make the move of the game before: board and counts by one addition each,")
	board := wordOf(k.inPrevious("board"))
	ADDQ(k.inRow("board"), board)
	MOVQ(board, k.inPrevious("board"))
	MOVQ(board, k.inPrevious("board").Offset(8))
	ADDQ(k.inRow("counts"), k.counts)
	Comment("and the accumulators by one of three registers.")
	for part := 0; part < 96; part += 32 {
		sum := avx2.load(k.inRow("sums").Offset(part))
		VPADDW(k.inPrevious("sums").Offset(part), sum, sum)
		VMOVDQU(sum, k.inPrevious("sums").Offset(part))
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

// throwDice computes the next 16 rolls in every game. A game's stream is shifted against its
// dice words, because it began at any of the 16 turns: the word is written with that offset, and
// the previous word's rest moves to the front.
func (k *squares) throwDice() {
	nibbles, fifteen := XMM(), XMM()
	VMOVDQU(k.table("nibbles"), nibbles)
	VMOVDQU(k.table("fifteen"), fifteen)
	k.first(k.game)
	Label("throw")
	left := XMM()
	VMOVDQU(k.inGame("rolls").Offset(16), left)
	VMOVDQU(left, k.inGame("rolls"))
	key := wordOf(k.inGame("nextKey"))
	mixScalar(key, GP64(), k.table("mix"))
	k.writeRolls(k.game, key, wordOf(k.inGame("shift")), nibbles, fifteen)
	MOVQ(k.table("mix"), key)
	ADDQ(key, k.inGame("nextKey"))
	ADDQ(U32(k.gameAt.size()), k.game)
	CMPQ(k.game, k.end)
	JB(LabelRef("throw"))
	XORL(k.phase.As32(), k.phase.As32())
}

// writeRolls stores 4 - roll for the 16 nibbles in a dice word, the lowest first.
func (k *squares) writeRolls(game, word, shift GPVirtual, nibbles, fifteen VecVirtual) {
	low, high := XMM(), XMM()
	VMOVQ(word, low)
	VPSRLQ(Imm(4), low, high)
	VPUNPCKLBW(high, low, low)
	VPAND(fifteen, low, low)
	VPSHUFB(low, nibbles, low)
	VMOVDQU(low, Mem{Base: game, Index: shift, Scale: 1, Disp: k.ofGame("rolls")})
}

// finish counts a finished game, and begins the next one in the series in its place.
func (k *squares) finish() {
	Comment("The top bit of the low half of the board says that Dark has won.")
	Label("won")
	winner, turns, length := GP64(), GP64(), GP64()
	MOVLQZX(k.inPrevious("board"), winner)
	SHRQ(Imm(31), winner)
	INCQ(Mem{Base: k.state.base, Index: winner, Scale: 8, Disp: k.state.offset("wins")})
	MOVQ(k.state.at("now"), turns)
	INCQ(turns)
	MOVQ(turns, length)
	SUBQ(k.inPrevious("began"), length)
	ADDQ(length, k.state.at("turns"))
	k.tellWinner(winner)

	number := wordOf(k.state.at("next"))
	CMPQ(number, k.state.at("end"))
	JAE(LabelRef("over"))
	Comment("The next game, from the next turn on.")
	MOVQ(number, k.inPrevious("number"))
	INCQ(number)
	MOVQ(number, k.state.at("next"))
	MOVQ(turns, k.inPrevious("began"))
	for part := 0; part < 96; part += 32 {
		VMOVDQU(avx2.load(k.table("start.sums").Offset(part)), k.inPrevious("sums").Offset(part))
	}
	board := wordOf(k.table("start.board"))
	MOVQ(board, k.inPrevious("board"))
	MOVQ(board, k.inPrevious("board").Offset(8))

	Comment("Its dice: key, word 0, and the input of word 1.")
	key, t, shift := GP64(), GP64(), GP64()
	nextKey(k.state, key, t, t, k.table("mix"))
	MOVQ(key, t)
	ADDQ(k.table("mix"), t)
	MOVQ(t, k.inPrevious("nextKey"))
	mixScalar(key, t, k.table("mix"))
	LEAQ(Mem{Base: k.phase, Disp: 1}, shift)
	MOVQ(shift, k.inPrevious("shift"))
	nibbles, fifteen := XMM(), XMM()
	VMOVDQU(k.table("nibbles"), nibbles)
	VMOVDQU(k.table("fifteen"), fifteen)
	k.writeRolls(k.previous, key, shift, nibbles, fifteen)

	Comment("Back to where the game was played: the last of a round, or another.")
	Label("counted")
	CMPQ(k.game, k.end)
	JB(LabelRef("advance"))
	JMP(LabelRef("played"))
	Label("over")
	INCQ(k.state.at("idle"))
	JMP(LabelRef("counted"))
}

// tellWinner writes who won the previous, finished game, if the caller wants winners.
func (k *squares) tellWinner(winner GPVirtual) {
	Comment("Tell who has won.")
	winners := arg("winners")
	TESTQ(winners, winners)
	JZ(LabelRef("told"))
	MOVB(winner.As8(), Mem{Base: winners, Index: wordOf(k.inPrevious("number")), Scale: 1})
	Label("told")
}

// closeRanks moves running games to the places where others finished without a successor, so the
// first places are those under way.
func (k *squares) closeRanks() {
	Comment("From the last game down: where one is over, the last of all moves to its place.")
	Label("idle")
	MOVQ(U32(0), k.state.at("idle"))
	MOVQ(k.end, k.game)
	Label("seek")
	SUBQ(U32(k.gameAt.size()), k.game)
	TESTL(U32(gameOver), k.inGame("board"))
	JZ(LabelRef("runs"))
	DECQ(k.state.at("active"))
	SUBQ(U32(k.gameAt.size()), k.end)
	for part := 0; part < k.gameAt.size(); part += 32 {
		VMOVDQU(avx2.load(Mem{Base: k.end, Disp: part - gameMiddle}), Mem{Base: k.game, Disp: part - gameMiddle})
	}
	Label("runs")
	first := GP64()
	k.first(first)
	CMPQ(k.game, first)
	JA(LabelRef("seek"))
	JMP(LabelRef("next"))
}
