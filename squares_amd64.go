//go:build !purego

package ur

import (
	"math/bits"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

//go:generate go -C _asm run . -out ../squares_amd64.s -stubs ../squares_stubs_amd64.go -pkg ur squares

// SquaresAVX2 is squares/avx2.
var SquaresAVX2 Engine = squaresEngine{}

// squaresEngine plays one game to a register: the squares 0 to 15 of a player lie
// in the 16 lanes of an AVX2 register, and all moves of a roll are evaluated at
// once: choosing takes 30 instructions, making the move 16. AVX2 has neither the mask
// registers nor the look-up of 32 words in one instruction on which games side by
// side in the lanes rely, as in lanes/avx512; the squares of one game need neither.
//
// The accumulators g = (B + B^T) x of the side to move, less the same accumulators
// moved up by the roll, are all candidates but for constants and captures. The
// lowest of 16 unsigned words and its lane is one instruction, VPHMINPOSUW. The move
// made adds one row, computed when the brains were bound for every side, roll,
// destination and capture, to the accumulators, and one word to the board. No
// branch depends on a game but the one that ends it, about once in 180 turns.
//
// A turn is one long chain of dependent instructions, so 16 games take turns: the
// kernel chooses the move of one while it makes that of the game before.
// Each side keeps the accumulators that its own moves read by its own brain, 24
// words, so two brains cost no more than one.
//
// The accumulators are those of NNUE (Yu Nasu, "Efficiently Updatable Neural-Network
// based Evaluation Functions for Computer Shogi", 2018). For brains whose candidates
// could leave 16 bits, the game is that of bits/incremental.
type squaresEngine struct{}

func (squaresEngine) Name() string { return "squares/avx2" }

func (squaresEngine) Needs() []Feature { return []Feature{AVX2, BMI1, BMI2} }

// Lanes is how many games take turns.
func (squaresEngine) Lanes() int { return squaresSlots }

// New returns the game of the narrowest kernel that is exact for these brains, or
// that of bits/incremental where none is.
func (squaresEngine) New(s Setup) (Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	width := narrowestSquares(s)
	if width == tooWide {
		return incrementalEngine{}.New(s)
	}
	g := newSquaresGames(s, width)
	g.Game, err = Array16AVX2.New(s)
	return g, err
}

// squaresWidth is how a kernel holds values in 16 bits.
type squaresWidth int

const (
	packedSquares squaresWidth = iota // the low five bits carry the move
	plainSquares                      // the move is found by comparing
	tooWide                           // 16 bits do not hold the values
)

// narrowestSquares returns the first width in which no candidate of these brains can
// overflow or reach 0xffff, which marks squares that cannot be reached.
func narrowestSquares(s Setup) squaresWidth {
	bound := max(candidateBound(s.Light, board.Light, s.Pieces), candidateBound(s.Dark, board.Dark, s.Pieces))
	switch {
	case bound < 1<<10:
		return packedSquares
	case bound < 1<<15-1:
		return plainSquares
	}
	return tooWide
}

// scale is what values are multiplied by to make room for the move.
func (w squaresWidth) scale() int {
	if w == packedSquares {
		return 32
	}
	return 1
}

// squaresKernels are the kernels by width.
var squaresKernels = [...]func(state, tables *byte){squaresPacked, squaresPlain}

// squaresSlots is how many games take turns. Any number from 8 to 24 is as fast.
const squaresSlots = 16

// squaresState is what the kernels read and write: the games under way, and counts.
// Its layout is known to the generator.
type squaresState struct {
	now      uint64 // turns that every game has been offered since the beginning
	until    uint64 // turn number at which to stop
	phase    uint64 // turns taken of the 16 whose dice are thrown
	active   uint64 // games under way, the first of games
	keyInput uint64 // what the key of the next game is mixed from
	keyStep  uint64 // distance of two of them
	next     uint64 // index in the series of the next game
	end      uint64 // games in the series
	counts   uint64 // captures, rosettes and passes, 21 bits each
	turns    uint64 // of finished games
	wins     [2]uint64
	idle     uint64 // games that are over and have no next one
	_        [3]uint64
	games    [squaresSlots]squaresGame
}

// squaresGame is one game. The accumulators of both sides follow one another, with
// the cold words before them, because those of a roll lower are loaded from up to 8
// bytes before a side's own. What is loaded there belongs to no legal move.
type squaresGame struct {
	nextKey uint64 // input of the next dice word
	shift   uint64 // turns of the 16 that had passed when the game began
	began   uint64 // turn number at which it began
	number  uint64 // its index in the series
	sums    squaresSums
	board   [2]uint64 // the same twice, so that the mover's half can be loaded first
	rolls   [32]uint8 // 4 - roll; the first 16 are those of the turns under way
	_       [2]uint64
}

// squaresSums are accumulators: what each side's own brain says, with the sign with
// which that side looks for the lowest candidate, in units of the kernel's scale.
// They are kept modulo 2^16; the candidates computed from them fit.
type squaresSums struct {
	squares [2][16]uint16 // by side: g of its own squares
	extra   [2][8]uint16  // by side: the turn, and the captures; see extraLane
}

// squaresRow is what a move adds.
type squaresRow struct {
	sums   squaresSums
	board  uint64
	counts uint64
	_      [2]uint64 // to two cache lines
}

// squaresBlock holds what a side needs for a roll. Lanes are destinations.
type squaresBlock struct {
	constant [16]uint16     // constants of the candidates
	take     [16]uint16     // what they change by with a capture
	source   [16]uint16     // 1 << source, or 0xffff where none leads there
	_        [16]uint16     // rows begin at a cache line
	rows     [32]squaresRow // by 2 * destination, 1 more for a capture; 0 and 31 are a pass
}

// squaresTables is a pair of brains as the kernels read it, and the constants they
// need. Its layout is known to the generator.
type squaresTables struct {
	block    [13]squaresBlock // by 4 - roll + 8*side; three are empty
	expand   [16][2]uint8     // where each square finds its bytes among the extra accumulators
	takes    [16]uint16       // 1 << square where pieces are captured, 0 on rosettes
	blockers [16]uint16       // bits of the mover's field that close a destination
	fields   [2][16][2]uint8  // bytes of the mover's and of the opponent's field in the board
	nibbles  [16]uint8        // 4 - ones of a nibble
	fifteen  [16]uint8
	mix      [4]uint64 // gamma and two factors
	start    squaresRow
}

// The board is one word, to which a move adds one number; see board.Bits. Each side
// has a half of it, with its pieces in hand, and 7, in bits 5 to 8: bit 8 tells
// whether there are any, and stands for square 0. Squares 1 to 14 follow, and in bit
// 23 whether the opponent stands on the safe square. Light's half has the pieces
// home of both, Dark's the turn.
const (
	squaresHand = 5
	squaresPath = 8 // square s is bit 8+s
	squaresSafe = 23
	squaresHome = 24 // of Light, and 4 higher of Dark: 8 when all are home
	squaresTurn = 58 // byte 7 is 4 times the side to move
	squaresDark = 32 // Dark's half
)

// Fields of 21 bits that count.
const (
	squaresCapture = 1
	squaresRosette = 1 << 21
	squaresPass    = 1 << 42
	squaresField   = 1<<21 - 1
)

const extraTurn = 0 // lane of the turn among the extra accumulators

// extraLane returns the lane of the extra accumulator of captures on a square.
func extraLane(square int) int {
	if square < board.SafeSquare {
		return square - 4
	}
	return square - 5
}

// squaresForms are B + B^T of both sides' brains.
type squaresForms [2][board.Numbers][board.Numbers]int

func newSquaresForms(s Setup) *squaresForms {
	f := new(squaresForms)
	for side := range f {
		for i := range board.Numbers {
			for j := range board.Numbers {
				f[side][i][j] = doubled(s.Brain(board.Side(side)), i, j)
			}
		}
	}
	return f
}

// sums returns what a change of the board adds to the accumulators.
func (f *squaresForms) sums(d change, w squaresWidth) squaresSums {
	var sums squaresSums
	for side := range board.Side(2) {
		g := f.gain(side, d)
		sign := -turnChange(side) * w.scale() // Light's best has the highest value
		own, opp := g[16*int(side):][:16], g[16*int(side.Other()):][:16]
		for square := range 16 {
			sums.squares[side][square] = uint16(sign * own[square])
			if isTakeable(square) {
				sums.extra[side][extraLane(square)] = uint16(sign * (opp[board.Start] - opp[square]))
			}
		}
		sums.extra[side][extraTurn] = uint16(-sign * turnChange(side) * g[turnNumber])
	}
	return sums
}

// gain returns (B + B^T) d by the brain of side.
func (f *squaresForms) gain(side board.Side, d change) change {
	var g change
	for j, x := range d {
		if x == 0 {
			continue
		}
		for i := range g {
			g[i] += f[side][i][j] * x
		}
	}
	return g
}

// fill builds the tables.
func (t *squaresTables) fill(s Setup, w squaresWidth) {
	forms := newSquaresForms(s)
	t.fillConstants()
	for side := range board.Side(2) {
		for roll := range board.MaxRoll + 1 {
			block := &t.block[board.MaxRoll-roll+8*int(side)]
			block.fillPass(forms, w, side)
			for to := roll; roll > 0 && to <= board.Finish; to++ {
				block.fillMove(s.Brain(side), forms, w, side, to-roll, to)
			}
		}
	}
	var start change
	start[lightOffset], start[darkOffset] = s.Pieces, s.Pieces
	t.start.sums = forms.sums(start, w)
	hand := uint64(s.Pieces+7) << squaresHand
	home := uint64(8 - s.Pieces)
	t.start.board = hand | hand<<squaresDark | home<<squaresHome | home<<(squaresHome+4)
}

// fillPass makes every row a pass, and every destination one that cannot be reached.
func (b *squaresBlock) fillPass(forms *squaresForms, w squaresWidth, side board.Side) {
	var d change
	d[turnNumber] = turnChange(side)
	pass := squaresRow{sums: forms.sums(d, w), board: turnDelta(side), counts: squaresPass}
	for i := range b.rows {
		b.rows[i] = pass
	}
	for i := range b.source {
		b.source[i] = 0xffff // no field of the board has all bits: a player has seven pieces
	}
}

// fillMove enters a move. A destination without captures has one row for both, but
// the finish, whose second row is a pass in the packed kernel.
func (b *squaresBlock) fillMove(brain *Brain, forms *squaresForms, w squaresWidth, side board.Side, from, to int) {
	b.source[to] = 1 << from
	rank, capture := 0, 0
	if w == packedSquares {
		rank, capture = 2*to, 1
	}
	d := moveChange(side, from, to, false)
	move := -w.scale() * candidateConstant(brain, side, d)
	b.constant[to] = uint16(move + rank + 1<<15)
	row := squaresRow{sums: forms.sums(d, w), board: boardDelta(side, from, to, false)}
	if board.IsRosette(to) {
		row.counts = squaresRosette
	}
	b.rows[2*to] = row
	switch {
	case isTakeable(to):
		d := moveChange(side, from, to, true)
		take := -w.scale() * candidateConstant(brain, side, d)
		b.take[to] = uint16(take - move + capture)
		b.rows[2*to+1] = squaresRow{sums: forms.sums(d, w), board: boardDelta(side, from, to, true), counts: squaresCapture}
	case to != board.Finish:
		b.rows[2*to+1] = row
	}
}

// turnDelta returns what the end of side's turn adds to the board word.
func turnDelta(side board.Side) uint64 { return uint64(turnChange(side)) << squaresTurn }

// boardDelta returns what a move adds to the board word.
func boardDelta(side board.Side, from, to int, capture bool) uint64 {
	own, opp := squaresDark*int(side), squaresDark*int(side.Other())
	delta := uint64(0)
	switch from {
	case board.Start:
		delta -= 1 << (own + squaresHand)
	case board.SafeSquare:
		delta -= 1 << (opp + squaresSafe)
		fallthrough
	default:
		delta -= 1 << (own + squaresPath + from)
	}
	switch to {
	case board.Finish:
		delta += 1 << (squaresHome + 4*int(side))
	case board.SafeSquare:
		delta += 1 << (opp + squaresSafe)
		fallthrough
	default:
		delta += 1 << (own + squaresPath + to)
	}
	if capture {
		delta += 1<<(opp+squaresHand) - 1<<(opp+squaresPath+to)
	}
	if !board.IsRosette(to) {
		delta += turnDelta(side)
	}
	return delta
}

// fillConstants fills in what does not depend on the brains.
func (t *squaresTables) fillConstants() {
	const none = 0x80 // VPSHUFB makes it 0
	for square := range 16 {
		extra := -1
		switch {
		case isTakeable(square):
			t.takes[square] = 1 << square
			extra = extraLane(square)
		case board.IsRosette(square):
			extra = extraTurn
		default:
			t.takes[square] = 0xffff // never all there, so never a capture
		}
		t.expand[square] = [2]uint8{none, none}
		if extra >= 0 {
			t.expand[square] = [2]uint8{uint8(2 * extra), uint8(2*extra + 1)}
		}
		if square != board.Finish {
			t.blockers[square] = 1 << square
		}
		t.fields[0][square] = [2]uint8{1, 2}
		t.fields[1][square] = [2]uint8{5, 6}
		t.nibbles[square] = uint8(board.MaxRoll - bits.OnesCount(uint(square)))
		t.fifteen[square] = 15
	}
	t.blockers[board.SafeSquare] |= 1 << (squaresSafe - squaresPath)
	t.mix = [4]uint64{squaresGamma, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb}
}

// squaresGamma is the distance of two dice words' inputs; see [board.DiceWord].
const squaresGamma uint64 = 0x9e3779b97f4a7c15

// squaresGames is a squaresEngine bound to a pair of brains. At the levels of values
// and turns it is the embedded game, which plays one.
type squaresGames struct {
	Game
	setup  Setup
	width  squaresWidth
	state  *squaresState
	tables *squaresTables
}

// newSquaresGames returns games that play in the given width; s is complete.
func newSquaresGames(s Setup, w squaresWidth) *squaresGames {
	g := &squaresGames{setup: s, width: w, state: alignedNew[squaresState](), tables: alignedNew[squaresTables]()}
	g.tables.fill(s, w)
	return g
}

func (g *squaresGames) Bytes() int {
	return g.Game.Bytes() + int(unsafe.Sizeof(*g)+unsafe.Sizeof(*g.state)+unsafe.Sizeof(*g.tables))
}

// squaresMaxTurns is how many turns a call of a kernel may play: no count then
// leaves its field.
const squaresMaxTurns = squaresField / squaresSlots

func (g *squaresGames) Games(winners []board.Side, s Series) (Tally, error) {
	if winners = s.Winners(winners); len(winners) > 0 {
		return g.tell(winners, s)
	}
	return g.play(s, squaresKernels[g.width])
}

// play plays a series by calls of a kernel.
func (g *squaresGames) play(s Series, kernel func(state, tables *byte)) (Tally, error) {
	g.begin(s)
	st := g.state
	t := Tally{Games: int64(s.N)}
	for st.active > 0 {
		if late := g.setUntil(); late != nil {
			return Tally{}, &TurnLimitError{Seed: s.Seed, Game: s.First + late.number*s.Stride(), Limit: g.setup.TurnLimit}
		}
		kernel((*byte)(unsafe.Pointer(st)), (*byte)(unsafe.Pointer(g.tables)))
		t.Captures += int64(st.counts & squaresField)
		t.Rosettes += int64(st.counts / squaresRosette & squaresField)
		t.Passes += int64(st.counts / squaresPass)
		st.counts = 0
	}
	t.Wins = [2]int64{int64(st.wins[board.Light]), int64(st.wins[board.Dark])}
	t.Turns = int64(st.turns)
	t.Moves = t.Turns - t.Passes
	return t, nil
}

// begin starts the first games of a series.
func (g *squaresGames) begin(s Series) {
	st := g.state
	*st = squaresState{keyStep: squaresGamma * s.Stride(), end: uint64(max(0, s.N))}
	for ; st.next < min(st.end, squaresSlots); st.next++ {
		key := board.GameKey(s.Seed, s.First+st.next*s.Stride())
		game := &st.games[st.next]
		game.number, game.nextKey = st.next, key+squaresGamma+squaresGamma
		game.sums = g.tables.start.sums
		game.board = [2]uint64{g.tables.start.board, g.tables.start.board}
		word := board.DiceWord(key, 0)
		for turn := range board.RollsPerWord {
			game.rolls[turn] = g.tables.nibbles[word>>(4*turn)&0xf]
		}
	}
	st.active = st.next
	st.keyInput = s.Seed + squaresGamma*(s.First+st.next*s.Stride()+1)
}

// setUntil sets the turn at which the kernel is to stop, and returns a game that has
// reached the turn limit, if there is one.
func (g *squaresGames) setUntil() *squaresGame {
	st, limit := g.state, uint64(g.setup.TurnLimit)
	st.until = st.now + squaresMaxTurns
	for i := range st.active {
		game := &st.games[i]
		if st.now-game.began >= limit {
			return game
		}
		st.until = min(st.until, game.began+limit)
	}
	return nil
}
