//go:build !purego

package ur

import (
	"math/bits"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

//go:generate go -C _asm run . -out ../squares_amd64.s -stubs ../squares_stubs_amd64.go -pkg ur squares

func init() {
	Register(squaresEngine{})
}

// squaresEngine plays one game to a register: the squares 0 to 15 of a player lie
// in the 16 lanes of an AVX2 register, and all moves of a roll are evaluated at
// once.
type squaresEngine struct{}

func (squaresEngine) Name() string { return "squares/avx2" }

func (squaresEngine) Needs() []Feature { return []Feature{AVX2, BMI1, BMI2} }

// New returns the game of the narrowest kernel that is exact for these brains.
func (squaresEngine) New(s Setup) (Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	single, err := turnEngine[board.Array16, *board.Array16]{
		bind: func(b *Brain) evaluator[board.Array16] { return (*array16AVX2)(newAVX2Weights(b)) },
	}.New(s)
	if err != nil {
		return nil, err
	}
	width := narrowestSquares(s)
	if width == tooWide {
		return single, nil
	}
	g := newSquaresGame(s, width)
	g.Game = single
	return g, nil
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

const squaresSlots = 16

// squaresState is what the kernels read and write.
type squaresState struct {
	now      uint64
	until    uint64
	phase    uint64
	active   uint64
	keyInput uint64
	keyStep  uint64
	next     uint64
	end      uint64
	counts   uint64
	turns    uint64
	wins     [2]uint64
	_        [4]uint64
	games    [squaresSlots]squaresGame
}

// squaresGame is one game.
type squaresGame struct {
	nextKey uint64
	shift   uint64
	began   uint64
	number  uint64
	sums    squaresSums
	board   [2]uint64
	rolls   [32]uint8
	_       [2]uint64
}

// squaresSums are the accumulators of a game, of either side's brain.
type squaresSums struct {
	squares [2][16]uint16
	extra   [2][8]uint16
}

type squaresRow struct {
	sums   squaresSums
	board  uint64
	counts uint64
	_      [2]uint64
}

type squaresBlock struct {
	constant [16]uint16
	take     [16]uint16
	squares  [16]uint16
	source   [16]uint16
	rows     [32]squaresRow
}

type squaresTables struct {
	block   [13]squaresBlock // by 4 - roll + 8*side
	expand  [32]uint8
	takes   [16]uint16
	nibbles [16]uint8
	fifteen [16]uint8
	mix     [4]uint64
	start   squaresRow
}

// Fields of the board word.
const (
	squaresHand = 5 // pieces in hand, and 7
	squaresPath = 8
	squaresSafe = 23
	squaresDark = 32
	squaresHome = 24
	squaresTurn = 58
)

const extraTurn = 0 // lane of the turn among the extra accumulators

// extraLane returns the lane of the accumulator that a takeable square reads.
func extraLane(square int) int {
	if square < board.SafeSquare {
		return square - 4
	}
	return square - 5
}

func (t *squaresTables) fill(s Setup, w squaresWidth) {
	forms := [2][board.Numbers][board.Numbers]int{}
	for side := range forms {
		for i := range board.Numbers {
			for j := range board.Numbers {
				forms[side][i][j] = doubled(s.brain(board.Side(side)), i, j)
			}
		}
	}
	sums := func(d change) squaresSums { return squaresSumsOf(&forms, d, w) }

	t.fillConstants()
	for side := range board.Side(2) {
		for roll := range board.MaxRoll + 1 {
			block := &t.block[board.MaxRoll-roll+8*int(side)]
			pass := squaresRow{sums: sums(passChange(side)), board: turnDelta(side), counts: 1 << 42}
			for i := range block.rows {
				block.rows[i] = pass
			}
			for i := range block.source {
				block.source[i] = 1
			}
			if roll == 0 {
				continue
			}
			for to := roll; to <= board.Finish; to++ {
				block.fillMove(s.brain(side), w, side, to-roll, to, sums)
			}
		}
	}
	var start change
	start[lightOffset], start[darkOffset] = s.Pieces, s.Pieces
	t.start.sums = sums(start)
	hand := uint64(s.Pieces+7) << squaresHand
	home := uint64(board.MaxPieces + 1 - s.Pieces)
	t.start.board = hand | hand<<squaresDark | home<<squaresHome | home<<(squaresHome+4)
}

func passChange(side board.Side) change {
	var d change
	d[turnNumber] = turnChange(side)
	return d
}

func turnDelta(side board.Side) uint64 {
	return uint64(turnChange(side)) << squaresTurn
}

func (b *squaresBlock) fillMove(brain *Brain, w squaresWidth, side board.Side, from, to int, sums func(change) squaresSums) {
	b.source[to] = 1 << from
	b.squares[to] = 1 << from
	if to != board.Finish {
		b.squares[to] |= 1 << to
	}
	if to == board.SafeSquare {
		b.squares[to] |= 1 << 15
	}
	rank := 0
	if w == packedSquares {
		rank = 2 * to
	}
	d := moveChange(side, from, to, false)
	move := -w.scale() * candidateConstant(brain, side, d)
	b.constant[to] = uint16(move + rank + 1<<15)
	row := squaresRow{sums: sums(d), board: boardDelta(side, from, to, false)}
	if board.IsRosette(to) {
		row.counts = 1 << 21
	}
	b.rows[2*to] = row
	switch {
	case isTakeable(to):
		d := moveChange(side, from, to, true)
		take := -w.scale()*candidateConstant(brain, side, d) - move
		if w == packedSquares {
			take++
		}
		b.take[to] = uint16(take)
		b.rows[2*to+1] = squaresRow{sums: sums(d), board: boardDelta(side, from, to, true), counts: 1}
	case to != board.Finish:
		b.rows[2*to+1] = row
	}
}

// boardDelta returns what a move adds to the board word.
func boardDelta(side board.Side, from, to int, capture bool) uint64 {
	own, opp := squaresDark*int(side), squaresDark*int(side.Other())
	delta := uint64(0)
	if from == board.Start {
		delta -= 1 << (own + squaresHand)
	} else {
		delta -= 1 << (own + squaresPath + from)
	}
	if from == board.SafeSquare {
		delta -= 1 << (opp + squaresSafe)
	}
	if to == board.Finish {
		delta += 1 << (squaresHome + 4*int(side))
	} else {
		delta += 1 << (own + squaresPath + to)
	}
	if to == board.SafeSquare {
		delta += 1 << (opp + squaresSafe)
	}
	if capture {
		delta -= 1 << (opp + squaresPath + to)
		delta += 1 << (opp + squaresHand)
	}
	if !board.IsRosette(to) {
		delta += turnDelta(side)
	}
	return delta
}

// squaresSumsOf returns the accumulators of a change.
func squaresSumsOf(forms *[2][board.Numbers][board.Numbers]int, d change, w squaresWidth) squaresSums {
	var sums squaresSums
	for side := range board.Side(2) {
		var g [board.Numbers]int
		for j, x := range d {
			if x == 0 {
				continue
			}
			for i := range g {
				g[i] += forms[side][i][j] * x
			}
		}
		sign := -turnChange(side) * w.scale()
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

func (t *squaresTables) fillConstants() {
	for square := range 16 {
		const none = 0x80
		lane := [2]uint8{none, none}
		t.takes[square] = 0xffff // no player has a piece everywhere
		switch {
		case isTakeable(square):
			t.takes[square] = 1 << square
			lane[0] = uint8(2 * extraLane(square))
			lane[1] = lane[0] + 1
		case board.IsRosette(square):
			t.takes[square] = 0
			lane = [2]uint8{2 * extraTurn, 2*extraTurn + 1}
		}
		t.expand[2*square], t.expand[2*square+1] = lane[0], lane[1]
		t.nibbles[square] = uint8(board.MaxRoll - bits.OnesCount(uint(square)))
		t.fifteen[square] = 15
	}
	t.mix = [4]uint64{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb}
}

// squaresBatch is a squaresEngine bound to a pair of brains.
type squaresBatch struct {
	Game
	setup  Setup
	state  *squaresState
	tables *squaresTables
	kernel func(state, tables *byte)
}

func newSquaresGame(s Setup, w squaresWidth) *squaresBatch {
	g := &squaresBatch{setup: s, kernel: squaresKernels[w], state: alignedNew[squaresState](), tables: alignedNew[squaresTables]()}
	g.tables.fill(s, w)
	return g
}

func (g *squaresBatch) Bytes() int {
	return g.Game.Bytes() + int(unsafe.Sizeof(*g)+unsafe.Sizeof(*g.state)+unsafe.Sizeof(*g.tables))
}

// maxRounds keeps the counts within their 21 bits.
const squaresMaxTurns = 1<<21/squaresSlots - 1

func (g *squaresBatch) begin(s Series) {
	var gamma uint64 = 0x9e3779b97f4a7c15
	st := g.state
	*st = squaresState{keyStep: gamma * s.step(), end: uint64(s.N)}
	for st.active < min(uint64(s.N), squaresSlots) {
		game := &st.games[st.active]
		key := board.GameKey(s.Seed, s.First+st.active*s.step())
		*game = squaresGame{number: st.active, nextKey: key + gamma + gamma, sums: g.tables.start.sums}
		game.board = [2]uint64{g.tables.start.board, g.tables.start.board}
		word := board.DiceWord(key, 0)
		for i := range board.RollsPerWord {
			game.rolls[i] = g.tables.nibbles[word>>(4*i)&15]
		}
		st.active++
	}
	st.next = st.active
	st.keyInput = s.Seed + gamma*(s.First+st.next*s.step()+1)
}

func (g *squaresBatch) Games(s Series) (Tally, error) {
	g.begin(s)
	st := g.state
	t := Tally{Games: int64(s.N)}
	limit := uint64(g.setup.TurnLimit)
	for st.active > 0 {
		st.until = st.now + squaresMaxTurns
		for _, game := range st.games[:st.active] {
			if st.now-game.began >= limit {
				return Tally{}, &TurnLimitError{Seed: s.Seed, Game: s.First + game.number*s.step(), Limit: g.setup.TurnLimit}
			}
			st.until = min(st.until, game.began+limit)
		}
		g.kernel((*byte)(unsafe.Pointer(st)), (*byte)(unsafe.Pointer(g.tables)))
		const field = 1<<21 - 1
		t.Captures += int64(st.counts & field)
		t.Rosettes += int64(st.counts >> 21 & field)
		t.Passes += int64(st.counts >> 42)
		st.counts = 0
	}
	t.Wins = [2]int64{int64(st.wins[board.Light]), int64(st.wins[board.Dark])}
	t.Turns = int64(st.turns)
	t.Moves = t.Turns - t.Passes
	return t, nil
}
