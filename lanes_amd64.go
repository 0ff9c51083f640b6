//go:build !purego

package ur

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

//go:generate go -C _asm run . -out ../lanes_amd64.s -stubs ../lanes_stubs_amd64.go -pkg ur lanes

// LanesAVX512 is lanes/avx512.
var LanesAVX512 Engine = lanesEngine{}

// lanesEngine plays 64 games at once, in two groups of 32, one game in each 16-bit
// lane of AVX-512 registers. Dice, legal moves, the value of every candidate, the
// choice, the boards and the accumulators are computed for all lanes by the same
// instructions, so the only branch on what happens in the games asks whether any of
// them is over. An engine that plays one game spends much of its time on branches
// whose outcome is as random as the dice.
//
// A loop over the 15 destinations stands for the loop over moves, with masks for
// the lanes where the destination is legal. The accumulators g = (B + B^T) x are
// those of bits/incremental, 32 games side by side; looking up a row of the brain
// by each lane's squares is one VPERMW, since a row of 32 16-bit weights is one
// register. The two groups share the loads of those rows.
type lanesEngine struct{}

func (lanesEngine) Name() string { return "lanes/avx512" }

func (lanesEngine) Needs() []Feature {
	return []Feature{AVX2, AVX512F, AVX512BW, AVX512DQ, POPCNT}
}

func (lanesEngine) Lanes() int { return lanesGames }

// New returns the game of the narrowest kernel that is exact for these brains.
func (lanesEngine) New(s Setup) (Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	single, err := Array16AVX2.New(s)
	if err != nil {
		return nil, err
	}
	g := newLanesGame(s, narrowestLanes(s))
	g.Game = single
	return g, nil
}

// newLanesGame returns a game that plays in the given width; s is complete.
func newLanesGame(s Setup, width lanesWidth) *lanesGame {
	g := &lanesGame{setup: s, width: width, kernel: lanesOneBrain[width], state: alignedNew[lanesState](), tables: alignedNew[lanesTables]()}
	one := *s.Light == *s.Dark
	if !one {
		g.kernel = lanesTwoBrains[width]
	}
	g.tables.fill(s, width, one)
	return g
}

// lanesWidth is how a kernel holds values.
type lanesWidth int

const (
	packed16 lanesWidth = iota // 16 bits, of which the low four carry the move
	plain16                    // 16 bits, the move apart
	wide32                     // 32 bits in two halves of 16 lanes, the low four with the move
)

// narrowestLanes returns the narrowest width in which no candidate of these brains
// can overflow. Accumulators may: they are kept modulo a power of two, and the
// candidates computed from them are exact when they fit.
func narrowestLanes(s Setup) lanesWidth {
	bound := max(candidateBound(s.Light, board.Light, s.Pieces), candidateBound(s.Dark, board.Dark, s.Pieces))
	switch {
	case bound < 1<<11:
		return packed16
	case bound < 1<<15:
		return plain16
	}
	return wide32
}

// lanesKernel plays the lanes of a state until every lane is idle or turn number
// until of the state is reached.
type lanesKernel func(state, tables *byte)

// The kernels by width, for one brain that plays both sides and for two.
var (
	lanesOneBrain  = [...]lanesKernel{lanes1BrainPacked, lanes1BrainPlain, lanes1BrainWide}
	lanesTwoBrains = [...]lanesKernel{lanes2BrainPacked, lanes2BrainPlain, lanes2BrainWide}
)

const (
	lanesGames   = 64 // two groups of 32, a register of 16-bit lanes each
	lanesMaxRows = 50 // accumulators of two brains
)

// lanesState is what the kernels read and write: everything about the games in the
// lanes. Its layout is known to the generator.
type lanesState struct {
	g       [lanesMaxRows * 256]byte // accumulators: rows of 64 uint16, or of 64 uint32 in the wide kernel
	own     [lanesGames]uint16       // squares 1..14 of the side to move
	opp     [lanesGames]uint16       // and of the other
	count   [lanesGames]uint16       // nibbles: the mover's hand and home, the other's hand and home
	rolls   [4][lanesGames]uint16    // 16 rolls a lane, one a nibble
	nextKey [8][8]uint64             // input of the dice word after the next; lane 32g+4e+p at [4g+p][e]
	word    [8][8]uint64             // the dice word that the next 16 turns begin with
	shift   [8][8]uint64             // bits of it used before
	began   [lanesGames]uint64       // turn number at which the lane's game began
	game    [lanesGames]uint64       // index in the series of the lane's game

	dark     uint64 // lanes with Dark to move
	active   uint64 // lanes that play
	refill   uint64 // lanes to start a game in before the first turn
	phase    uint64 // turns taken of the 16 in rolls
	now      uint64 // turns played since the beginning
	until    uint64 // turn number at which to stop
	keyInput uint64 // what the key of the next game is mixed from
	keyStep  uint64 // distance of two of them
	next     uint64 // index in the series of the next game
	end      uint64 // games in the series
	wins     [2]uint64
	turns    uint64
	captures uint64
	rosettes uint64
	passes   uint64
}

// lanesTables is a pair of brains in the order in which the kernels look it up, and
// the constants they need. Its layout is known to the generator. A row of byte
// arrays holds entries of the kernel's width.
type lanesTables struct {
	// move[t] and take[t] are the constants of a candidate that goes to t, without
	// and with a capture there, at index roll + 8*side.
	move, take [16][64]byte

	square     [16][32]uint16 // 1<<t
	number     [16][32]uint16 // t
	constant   [18][32]uint16
	mix        [8]uint64
	startCount [32]uint16
	start      [64 * 4]byte // accumulators of a new game

	// rows holds for every accumulator what landing, landing with a capture, and
	// leaving add to it, 32 entries each, at index square + 16*side of the mover.
	rows [lanesMaxRows * 3 * 32 * 4]byte
}

// put writes an entry of a row of the kernel's width.
func (w lanesWidth) put(row []byte, index int, value int) {
	if w == wide32 {
		binary.LittleEndian.PutUint32(row[4*index:], uint32(value))
	} else {
		binary.LittleEndian.PutUint16(row[2*index:], uint16(value))
	}
}

// scale is what values are multiplied by to make room for the move.
func (w lanesWidth) scale() int {
	if w == plain16 {
		return 1
	}
	return 16
}

// alignedNew returns a zero T that starts at a cache line, so that no register's
// worth of it crosses one. T must not hold pointers.
func alignedNew[T any]() *T {
	const line = 64
	var zero T
	buffer := make([]byte, unsafe.Sizeof(zero)+line)
	offset := -uintptr(unsafe.Pointer(&buffer[0])) % line
	return (*T)(unsafe.Pointer(&buffer[offset]))
}

// fill builds the tables, for kernels of one brain or of two.
func (t *lanesTables) fill(s Setup, w lanesWidth, one bool) {
	t.fillConstants(s.Pieces)
	for side := range board.Side(2) {
		for roll := 1; roll <= board.MaxRoll; roll++ {
			for to := roll; to <= board.Finish; to++ {
				t.fillCandidate(s.Brain(side), w, side, roll, to)
			}
		}
	}
	for i, row := range lanesRows(one) {
		t.fillRow(s, w, i, row)
	}
}

// fillCandidate enters the constants of one move by side. The low four bits of a
// packed value rank equal values by their square, the lowest first.
func (t *lanesTables) fillCandidate(b *Brain, w lanesWidth, side board.Side, roll, to int) {
	index := roll + 8*int(side)
	move := candidateConstant(b, side, moveChange(side, to-roll, to, false))
	rank := 0
	if w != plain16 {
		rank = board.Finish - to
	}
	w.put(t.move[to][:], index, w.scale()*move+rank)
	if isTakeable(to) {
		take := candidateConstant(b, side, moveChange(side, to-roll, to, true))
		w.put(t.take[to][:], index, w.scale()*take+rank)
	}
}

// fillRow enters what moves change in a row of accumulators, and how a game starts
// with it. A move by either side changes what the row is when that side moves; where
// the turn passes, the kernel exchanges the rows afterwards.
func (t *lanesTables) fillRow(s Setup, w lanesWidth, i int, row lanesRow) {
	for side, a := range row {
		b, sign := s.Brain(a.brain), w.scale()
		if a.negated {
			sign = -sign
		}
		for square := range 16 {
			index := square + 16*side
			land, leave, take := rowChanges(b, a.number, board.Side(side), square)
			for part, value := range [3]int{land, land + take, leave} {
				w.put(t.rows[:], 32*(3*i+part)+index, sign*value)
			}
		}
		if board.Side(side) == board.Light { // who begins
			hands := doubled(b, a.number, lightOffset) + doubled(b, a.number, darkOffset)
			w.put(t.start[:], i, sign*s.Pieces*hands)
		}
	}
}

// fillConstants fills in what does not depend on the brains. The order of the
// constants is the generator's.
func (t *lanesTables) fillConstants(pieces int) {
	const lowest, lowestPacked = 0x8000, 0x800f // no candidate is as low
	rosettes := 0
	for square := range 16 {
		if board.IsRosette(square) {
			rosettes |= 1 << square
		}
	}
	constants := [18]int{1, 2, 8, 15, 16, 7, 0x100, 0x7ffe, 0x100, 0x1ee0, 0x8000,
		rosettes, 0xf0, 0, pieces << 4, lowestPacked, 0, 32}
	for lane := range 32 {
		for i, c := range constants {
			t.constant[i][lane] = uint16(c)
		}
		// Exchange the two bytes of every lane.
		t.constant[13][lane] = uint16(2*(lane%8)+1) | uint16(2*(lane%8))<<8
		// 0x8000000f, as two 16-bit halves.
		t.constant[16][lane] = [2]uint16{15, lowest}[lane%2]
		for square := range 16 {
			t.square[square][lane] = 1 << square
			t.number[square][lane] = uint16(square)
		}
		t.startCount[lane] = uint16(pieces | pieces<<8)
	}
	t.mix = [8]uint64{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb,
		0x3333333333333333, 0x5555555555555555, 64}
}

// accumulator is one number of g = (B + B^T) x: of which brain, for which number of
// the board, and whether it is kept with its sign changed.
type accumulator struct {
	brain   board.Side
	number  int
	negated bool
}

// lanesRow is a row of accumulators of many games: what it holds where Light is to
// move, and where Dark is. Rows stand as the side to move sees them, so that reading
// one does not depend on the side.
type lanesRow [2]accumulator

// lanesRows returns the rows in order. One brain needs all 33: the mover's own
// squares, the opponent's, and the turn. Of two, each evaluates only the moves of its
// own side, which read 25 accumulators: the side's own squares, the seven on which
// it can capture, the opponent's hand, and the turn. The first 25 rows are those of
// the mover's brain.
//
// Dark looks for the lowest value. So that all lanes can look for the highest, the
// accumulators of Dark's own squares are negated; and those of Light's opponent, so
// that with one brain both uses of an accumulator agree in sign.
func lanesRows(one bool) []lanesRow {
	var rows []lanesRow
	add := func(as func(side board.Side) accumulator) {
		rows = append(rows, lanesRow{as(board.Light), as(board.Dark)})
	}
	addSquare := func(owner func(side board.Side) board.Side, brain func(side board.Side) board.Side, square int) {
		add(func(side board.Side) accumulator {
			player := owner(side)
			return accumulator{brain(side), 16*int(player) + square, player == board.Dark}
		})
	}
	mover := func(side board.Side) board.Side { return side }
	opponent := board.Side.Other
	if one {
		for square := range 16 {
			addSquare(mover, mover, square)
		}
		for square := range 16 {
			addSquare(opponent, mover, square)
		}
		add(func(board.Side) accumulator { return accumulator{board.Light, turnNumber, false} })
		return rows
	}
	for _, reader := range []func(side board.Side) board.Side{mover, opponent} {
		other := func(side board.Side) board.Side { return reader(side).Other() }
		for square := range 16 {
			addSquare(reader, reader, square)
		}
		for square := range 16 {
			if isTakeable(square) {
				addSquare(other, reader, square)
			}
		}
		addSquare(other, reader, board.Start)
		add(func(side board.Side) accumulator { return accumulator{reader(side), turnNumber, false} })
	}
	return rows
}

// lanesGame is a lanesEngine bound to a pair of brains. At the levels of values and
// turns it is the embedded game, which plays one.
type lanesGame struct {
	Game
	setup  Setup
	width  lanesWidth
	state  *lanesState
	tables *lanesTables
	kernel lanesKernel

	// two are the tables of the kernels that tell winners, which are for two brains;
	// nil until winners are asked for.
	two *lanesTables
}

func (g *lanesGame) Bytes() int {
	bytes := g.Game.Bytes() + int(unsafe.Sizeof(*g)+unsafe.Sizeof(*g.state)+unsafe.Sizeof(*g.tables))
	if g.two != nil && g.two != g.tables {
		bytes += int(unsafe.Sizeof(*g.two))
	}
	return bytes
}

func (g *lanesGame) Games(winners []board.Side, s Series) (Tally, error) {
	if winners = s.Winners(winners); len(winners) > 0 {
		return g.tell(winners, s)
	}
	return g.play(s, func(st *byte) { g.kernel(st, (*byte)(unsafe.Pointer(g.tables))) })
}

// play plays a series by calls of a kernel.
func (g *lanesGame) play(s Series, kernel func(state *byte)) (Tally, error) {
	const gamma = 0x9e3779b97f4a7c15
	st := g.state
	*st = lanesState{
		refill:   1<<min(s.N, lanesGames) - 1,
		phase:    board.RollsPerWord,
		keyInput: s.Seed + gamma*(s.First+1),
		keyStep:  gamma * s.Stride(),
		end:      uint64(s.N),
	}
	limit := uint64(g.setup.TurnLimit)
	for st.until = limit; ; {
		kernel((*byte)(unsafe.Pointer(st)))
		if st.active == 0 {
			break
		}
		// The kernel stopped at the turn at which the oldest game reached the limit.
		st.until = st.now + limit
		for lanes := st.active; lanes != 0; lanes &= lanes - 1 {
			lane := bits.TrailingZeros64(lanes)
			if st.now-st.began[lane] >= limit {
				return Tally{}, &TurnLimitError{Seed: s.Seed, Game: s.First + st.game[lane]*s.Stride(), Limit: g.setup.TurnLimit}
			}
			st.until = min(st.until, st.began[lane]+limit)
		}
	}
	return Tally{
		Games:    int64(s.N),
		Wins:     [2]int64{int64(st.wins[board.Light]), int64(st.wins[board.Dark])},
		Turns:    int64(st.turns),
		Moves:    int64(st.turns - st.passes),
		Captures: int64(st.captures),
		Rosettes: int64(st.rosettes),
		Passes:   int64(st.passes),
	}, nil
}
