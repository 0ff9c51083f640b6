// Package squares holds the engines squares/avx2 and squares/neon: they play one game to a
// register.
package squares

//lint:file-ignore U1000 Fields that the kernels alone read or write look unused.

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/engine/internal/incremental"
)

// AVX2 is squares/avx2 and NEON squares/neon; nil in a build without them.
var AVX2, NEON ur.Engine

// engine plays one game to a register: a player's squares 0 to 15 lie in the 16 lanes of
// an AVX2 register, or of a pair of NEON registers, and all moves for a roll are evaluated at once: choosing takes 30
// instructions, making the move 16. Games side by side in the lanes, as in lanes/avx512, need
// mask registers and a lookup in 32 words by one instruction. AVX2 has neither; the squares in
// one game need neither.
//
// All candidates, except for constants and captures, are the moving side's accumulators, its own
// piece's value on each square, less the same accumulators moved up by the roll. VPHMINPOSUW finds
// the lowest among 16 unsigned words and its lane in one instruction; UMINV finds the lowest alone,
// which is enough where it carries its lane. The move made adds one row, computed when the brains
// were bound for every side, roll, destination and capture, to the accumulators, and one word to
// the board. Only a game's end, about once in 180 turns, is a branch.
//
// A turn is one long chain of dependent instructions, so 16 games take turns: the kernel chooses
// one game's move while it makes the move in the game before. Each side keeps the accumulators read
// by its own moves with its own brain, 24 words, so two brains cost no more than one.
//
// The accumulators are those in NNUE (Yu Nasu, "Efficiently Updatable Neural-Network based
// Evaluation Functions for Computer Shogi", 2018). For brains whose candidates could leave 16
// bits, the game is bits/incremental's.
type engine struct {
	name   string
	needs  []ur.Feature
	single ur.Engine // engine for single positions

	// kernels are the kernels by width. They play a state's games turn by turn, until all
	// are over or turn number until is reached. If winners is not nil, it points to a byte for
	// each game in the series, set to the winning side when the game ends.
	kernels [2]kernel
}

type kernel func(s *state, t *tables, winners *uint8)

func (e engine) Name() string        { return e.name }
func (e engine) Needs() []ur.Feature { return e.needs }

// Lanes is how many games take turns.
func (engine) Lanes() int { return slots }

// New returns the game on the narrowest kernel that is exact for these brains, or the one from
// bits/incremental if there is none.
func (e engine) New(s ur.Setup) (ur.Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	forms := form.Both(s)
	w := narrowest(forms, s.Pieces)
	if w == tooWide {
		return incremental.Engine.New(s)
	}
	g := newGames(s, forms, w, e.kernels[w])
	g.Game, err = e.single.New(s)
	return g, err
}

// width is how a kernel holds values in 16 bits.
type width int

const (
	packed  width = iota // the low five bits carry the move
	plain                // the move is found by comparing
	tooWide              // 16 bits do not hold the values
)

// narrowest returns the first width in which none of these brains' candidates can overflow or reach
// 0xffff, the mark on unreachable squares.
func narrowest(forms [2]*form.Form, pieces int) width {
	bound := form.CandidateBound(forms, pieces)
	switch {
	case bound < 1<<10:
		return packed
	case bound < 1<<15-1:
		return plain
	}
	return tooWide
}

// scale is the factor on values that makes room for the move.
func (w width) scale() int {
	if w == packed {
		return 32
	}
	return 1
}

// slots is how many games take turns. Any number from 8 to 24 is as fast.
const slots = 16

// state is the kernels' memory: the games under way, and counts. The kernels find the
// fields by their names.
type state struct {
	now      uint64 // turns offered to every game since the beginning
	until    uint64 // turn number at which to stop
	phase    uint64 // turns taken of the 16 whose dice are thrown
	active   uint64 // games under way, the first of games
	keyInput uint64 // input of the next game's key
	keyStep  uint64 // distance of two of them
	next     uint64 // index in the series of the next game
	end      uint64 // games in the series
	counts   uint64 // captures, rosettes and passes, 21 bits each
	turns    uint64 // turns in finished games
	wins     [2]uint64
	idle     uint64 // finished games without a next one
	_        [3]uint64
	games    [slots]oneGame
}

// oneGame is one game. Both sides' accumulators follow one another, with the cold words
// before them, because those for a roll lower are loaded from up to 8 bytes before a side's own.
// The words loaded there belong to no legal move.
type oneGame struct {
	nextKey uint64 // input of the next dice word
	shift   uint64 // turns of the current 16 before the game began
	began   uint64 // turn number at which it began
	number  uint64 // its index in the series
	sums    sums
	board   [2]uint64 // the same twice, so the mover's half can be loaded first
	rolls   [32]uint8 // 4 - roll; the first 16 are those of the turns under way
	_       [2]uint64
}

// sums are accumulators: values by each side's own brain, with the sign that makes its side
// look for the lowest candidate, in units of the kernel's scale. They are kept modulo 2^16; the
// candidates computed from them fit.
type sums struct {
	squares [2][16]uint16 // gains on a side's own squares, by side
	extra   [2][8]uint16  // the turn and the captures, by side; see extraLane
}

// row is how a move changes a game.
type row struct {
	sums   sums
	board  uint64
	counts uint64
	_      [2]uint64 // padding to two cache lines
}

// block holds a side's constants for a roll. Lanes are destinations.
type block struct {
	constant [16]uint16 // constants of the candidates
	take     [16]uint16 // their change by a capture
	source   [16]uint16 // 1 << source, or 0xffff where none leads there
	_        [16]uint16 // rows begin at a cache line
	rows     [32]row    // rows by 2 * destination, 1 more for a capture; 0 and 31 are a pass
}

// tables is a pair of brains as the kernels read it, and the constants they
// need. The kernels find the fields by their names.
type tables struct {
	block    [13]block       // blocks by 4 - roll + 8*side; three are empty
	expand   [16][2]uint8    // where each square finds its bytes among the extra accumulators
	takes    [16]uint16      // 1 << square where pieces are captured, 0 on rosettes
	blockers [16]uint16      // bits of the mover's field that close a destination
	fields   [2][16][2]uint8 // bytes of the mover's and of the opponent's field in the board
	nibbles  [16]uint8       // 4 - ones of a nibble
	fifteen  [16]uint8
	mix      [4]uint64 // gamma and two factors
	start    row
}

// The board is one word, and a move adds one number to it; see board.Bits. Each side has a half,
// with its pieces in hand plus 7 in bits 5 to 8: bit 8 is set if there are any, and
// stands for square 0. Squares 1 to 14 follow; bit 23 is set if the opponent stands on the safe
// square. Light's half has both sides' pieces home, Dark's the turn.
const (
	handBit = 5
	pathBit = 8 // square s is bit 8+s
	safeBit = 23
	homeBit = 24 // Light's, and 4 higher Dark's: 8 when all are home
	turnBit = 58 // byte 7 is 4 times the side to move
	darkBit = 32 // Dark's half
)

// Counting fields with 21 bits.
const (
	countCapture = 1
	countRosette = 1 << 21
	countPass    = 1 << 42
	countField   = 1<<21 - 1
)

const extraTurn = 0 // lane of the turn among the extra accumulators

// extraLane returns the extra accumulator's lane for captures on a square.
func extraLane(square int) int {
	if square < board.SafeSquare {
		return square - 4
	}
	return square - 5
}

// accumulators are both sides' sums, in the same order as [sums] and form's units.
type accumulators [2]struct {
	squares [16]form.Sum
	extra   [8]form.Sum
}

// accumulatorsOf returns the brains' accumulators: what the mover's piece is worth on each
// square, and the turn, and captures. The lowest candidate is chosen, so all is negated but
// the turn, which is subtracted from candidates that keep it.
func accumulatorsOf(forms [2]*form.Form) *accumulators {
	a := new(accumulators)
	for side, f := range forms {
		side := board.Side(side)
		for square := range 16 {
			a[side].squares[square] = form.Sum{}.Minus(f.Piece(side, square))
			if board.IsTakeable(square) {
				a[side].extra[extraLane(square)] = form.Sum{}.Minus(f.Piece(side.Other(), square))
			}
		}
		a[side].extra[extraTurn] = f.Passing()
	}
	return a
}

// each returns the sums of a measure over the accumulators, in a width's units.
func (a *accumulators) each(w width, measure func(*form.Sum) int32) (s sums) {
	for side := range a {
		for i := range a[side].squares {
			s.squares[side][i] = uint16(int32(w.scale()) * measure(&a[side].squares[i]))
		}
		for i := range a[side].extra {
			s.extra[side][i] = uint16(int32(w.scale()) * measure(&a[side].extra[i]))
		}
	}
	return s
}

// step returns how a step changes the accumulators.
func (a *accumulators) step(w width, s form.Step) sums {
	return a.each(w, func(sum *form.Sum) int32 { return sum.Step(s) })
}

// fill builds the tables.
func (t *tables) fill(forms [2]*form.Form, pieces int, w width) {
	all := accumulatorsOf(forms)
	t.fillConstants()
	for side := range board.Side(2) {
		for roll := range board.FinkelRoll + 1 {
			block := &t.block[board.FinkelRoll-roll+8*int(side)]
			block.fillPass(all, w, side)
			if roll == 0 {
				continue
			}
			for _, s := range form.Steps(side, roll)[1:] {
				block.fillMove(forms[side], all, w, s)
			}
		}
	}
	start := form.At(board.StartPosition(pieces))
	t.start.sums = all.each(w, func(sum *form.Sum) int32 { return sum.At(&start) })
	hand := uint64(pieces+7) << handBit
	home := uint64(8 - pieces)
	t.start.board = hand | hand<<darkBit | home<<homeBit | home<<(homeBit+4)
}

// fillPass makes every row a pass, and every destination unreachable.
func (b *block) fillPass(all *accumulators, w width, side board.Side) {
	pass := row{sums: all.step(w, form.Step{Side: side}), board: turnDelta(side), counts: countPass}
	for i := range b.rows {
		b.rows[i] = pass
	}
	for i := range b.source {
		b.source[i] = 0xffff // no field of the board has all bits: a player has seven pieces
	}
}

// fillMove enters a move; a capture comes after the move without. A destination without captures
// has one row for both, but the finish, whose second row is a pass in the packed kernel.
func (b *block) fillMove(f *form.Form, all *accumulators, w width, s form.Step) {
	value := uint16(-int32(w.scale()) * f.Constant(s))
	row := row{sums: all.step(w, s), board: boardDelta(s.Side, s.From(), s.To, s.Capture())}
	if s.Capture() {
		row.counts = countCapture
		if w == packed {
			value++
		}
		value += b.rank(w, s.To) + 1<<15
		b.take[s.To] = value - b.constant[s.To]
		b.rows[2*s.To+1] = row
		return
	}
	b.source[s.To] = 1 << s.From()
	b.constant[s.To] = value + b.rank(w, s.To) + 1<<15
	if s.Rosette() {
		row.counts = countRosette
	}
	b.rows[2*s.To] = row
	if s.To != board.Finish {
		b.rows[2*s.To+1] = row
	}
}

// rank returns the term that ranks equal values by their square in the packed kernel.
func (*block) rank(w width, to int) uint16 {
	if w == packed {
		return uint16(2 * to)
	}
	return 0
}

// turnDelta returns how the board word changes when side's turn ends.
func turnDelta(side board.Side) uint64 { return uint64(side.Sign()) << turnBit }

// boardDelta returns how the board word changes by a move.
func boardDelta(side board.Side, from, to int, capture bool) uint64 {
	own, opp := darkBit*int(side), darkBit*int(side.Other())
	delta := uint64(0)
	switch from {
	case board.Start:
		delta -= 1 << (own + handBit)
	case board.SafeSquare:
		delta -= 1 << (opp + safeBit)
		fallthrough
	default:
		delta -= 1 << (own + pathBit + from)
	}
	switch to {
	case board.Finish:
		delta += 1 << (homeBit + 4*int(side))
	case board.SafeSquare:
		delta += 1 << (opp + safeBit)
		fallthrough
	default:
		delta += 1 << (own + pathBit + to)
	}
	if capture {
		delta += 1<<(opp+handBit) - 1<<(opp+pathBit+to)
	}
	if !board.IsRosette(to) {
		delta += turnDelta(side)
	}
	return delta
}

// fillConstants fills in the constants that no brain changes.
func (t *tables) fillConstants() {
	const none = 0x80 // VPSHUFB and TBL make it 0
	for square := range 16 {
		extra := -1
		switch {
		case board.IsTakeable(square):
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
		t.nibbles[square] = uint8(board.FinkelRoll - bits.OnesCount(uint(square)))
		t.fifteen[square] = 15
	}
	t.blockers[board.SafeSquare] |= 1 << (safeBit - pathBit)
	t.mix = [4]uint64{board.Gamma, board.MixFactor1, board.MixFactor2}
}
