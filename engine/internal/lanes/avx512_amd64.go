//go:build !purego

//lint:file-ignore U1000 Fields that the kernels alone read or write look unused.

package lanes

import (
	"math/bits"
	"unsafe"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/engine/internal/incremental"
	"github.com/seed-09dcdc84/ur/internal/cpu"
)

//go:generate go -C ../../../_asm run . -out ../engine/internal/lanes/avx512_amd64.s -stubs ../engine/internal/lanes/avx512_stubs_amd64.go -pkg lanes lanes

func init() { AVX512 = avx512Engine{} }

// avx512Engine plays 64 games at once, in two groups of 32, one game in each 16-bit lane of an
// AVX-512 register. The same instructions compute dice, legal moves, every candidate's
// value, the choice, the boards and the accumulators in all lanes, so the only branch on
// the games' state checks whether any is over. An engine that plays one game
// spends much time on branches with outcomes as random as the dice.
//
// A loop over the 15 destinations replaces the loop over moves, with masks for the lanes with a
// legal destination. The accumulators are rows from the gradient in package form, as in
// bits/incremental, 32 games side by side. One VPERMW looks up a brain's row by each
// lane's squares, since a row with 32 16-bit weights is one register. The two groups share the
// loads for those rows.
type avx512Engine struct{}

func (avx512Engine) Name() string { return "lanes/avx512" }

func (avx512Engine) Needs() []ur.Feature {
	return []ur.Feature{ur.AVX2, ur.AVX512F, ur.AVX512BW, ur.AVX512DQ, ur.POPCNT}
}

func (avx512Engine) Lanes() int { return games }

// New returns the game on the narrowest kernel that is exact for these brains. Where values do
// not fit 16 bits, the game is the one from bits/incremental.
func (avx512Engine) New(s ur.Setup) (ur.Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	forms := form.Both(s)
	w, fits := narrowest(forms, s.Pieces)
	if !fits {
		return incremental.Engine.New(s)
	}
	g := newGame(s, forms, w)
	g.Game, err = ur.Array16AVX2.New(s)
	return g, err
}

// newGame returns a game that plays in the given width; s is complete.
func newGame(s ur.Setup, forms [2]*form.Form, w width) *game {
	one := *s.Light == *s.Dark
	g := &game{setup: s, kernel: kernels[0][w], state: cpu.NewAligned[state](), tables: cpu.NewAligned[tables]()}
	if !one {
		g.kernel = kernels[1][w]
	}
	g.tables.fill(forms, s.Pieces, w, one)
	return g
}

// width is how a kernel holds 16-bit values.
type width int

const (
	packed16 width = iota // the low four bits carry the move
	plain16               // the move apart
)

// narrowest returns the narrowest width in which none of these brains' candidates overflow, and
// whether there is one. Accumulators may overflow: they are kept modulo a power of two, and
// candidates computed from them are exact if they fit.
func narrowest(forms [2]*form.Form, pieces int) (w width, fits bool) {
	bound := form.CandidateBound(forms, pieces)
	if bound < 1<<11 {
		return packed16, true
	}
	return plain16, bound < 1<<15
}

// kernel plays a state's lanes until every lane is idle or the state reaches turn number
// until. If winners is not nil, it points to a byte for each game in the series, set to the
// winning side when the game ends.
type kernel func(s *state, t *tables, winners *uint8)

// kernels are for one brain that plays both sides and for two, by width.
var kernels = [2][2]kernel{
	{oneBrainPacked, oneBrainPlain},
	{twoBrainsPacked, twoBrainsPlain},
}

const (
	games   = 64 // two groups of 32, a register of 16-bit lanes each
	maxRows = 46 // accumulators of two brains
)

// state is the kernels' memory: everything about the games in the lanes. The kernels find
// the fields by their names.
type state struct {
	g       [maxRows][games]uint16 // accumulators
	own     [games]uint16          // squares 1..14 of the side to move
	opp     [games]uint16          // and of the other
	count   [games]uint16          // nibbles: the mover's hand and home, the other's hand and home
	rolls   [4][games]uint16       // 16 rolls a lane, one a nibble
	nextKey [8][8]uint64           // input of the dice word after the next; lane 32g+4e+p at [4g+p][e]
	word    [8][8]uint64           // dice word for the next 16 turns
	shift   [8][8]uint64           // bits of it used before
	began   [games]uint64          // turn number at which the lane's game began
	game    [games]uint64          // index in the series of the lane's game

	dark     uint64 // lanes with Dark to move
	active   uint64 // active lanes
	refill   uint64 // lanes to start a game in before the first turn
	phase    uint64 // turns taken of the 16 in rolls
	now      uint64 // turns played since the beginning
	until    uint64 // turn number at which to stop
	keyInput uint64 // input of the next game's key
	keyStep  uint64 // distance of two of them
	next     uint64 // index in the series of the next game
	end      uint64 // games in the series
	wins     [2]uint64
	turns    uint64
	captures uint64
	rosettes uint64
	passes   uint64
}

// tables is a pair of brains in the kernels' lookup order, with their constants. The
// kernels find the fields by their names.
type tables struct {
	// move[t] and take[t] are the constants for a candidate with destination t, without and with
	// a capture there, at index roll + 8*side.
	move, take [16][32]uint16

	square     [16][32]uint16 // 1<<t
	number     [16][32]uint16 // t
	constant   [17][32]uint16
	mix        [8]uint64
	startCount [32]uint16
	start      [64]uint16 // accumulators of a new game

	// rows holds the changes to every accumulator by landing, landing with a capture, and
	// leaving, 32 entries each, at index square + 16*side for the mover.
	rows [maxRows][3][32]uint16
}

// scale is the factor on values that makes room for the move.
func (w width) scale() int {
	if w == plain16 {
		return 1
	}
	return 16
}

// fill builds the tables, for kernels with one brain or with two.
func (t *tables) fill(forms [2]*form.Form, pieces int, w width, one bool) {
	t.fillConstants(pieces)
	for side := range board.Side(2) {
		for roll := 1; roll <= board.FinkelRoll; roll++ {
			for _, s := range form.Steps(side, roll)[1:] {
				t.fillCandidate(forms[side], w, s)
			}
		}
	}
	start := form.At(board.StartPosition(pieces))
	for i, row := range rowsOf(forms, one) {
		t.fillRow(w, i, row, &start)
	}
}

// fillCandidate enters one move's constant. The low four bits in a packed value rank
// equal values by their square, the lowest first.
func (t *tables) fillCandidate(f *form.Form, w width, s form.Step) {
	row := &t.move[s.To]
	if s.Capture() {
		row = &t.take[s.To]
	}
	value := w.scale() * int(f.Constant(s))
	if w != plain16 {
		value += board.Finish - s.To
	}
	row[s.Roll+8*int(s.Side)] = uint16(value)
}

// fillRow enters the changes to a row of accumulators by moves, and its start value. A move by
// either side changes the row in that side's view; where the turn passes, the kernel exchanges
// the rows afterwards.
func (t *tables) fillRow(w width, i int, r row, start *form.Point) {
	for side := range board.Side(2) {
		sum := &r[side]
		for square := range 16 {
			land, take, leave := sum.Land(side, square), int32(0), sum.Leave(side, square)
			if board.IsTakeable(square) {
				take = sum.Leave(side.Other(), square)
			}
			if square == board.Finish {
				leave = 0 // zero for a piece from the hand
			}
			for part, value := range [3]int32{land, land + take, leave} {
				t.rows[i][part][square+16*int(side)] = uint16(w.scale() * int(value))
			}
		}
	}
	t.start[i] = uint16(w.scale() * int(r[board.Light].At(start)))
}

// fillConstants fills in the constants that no brain changes, in the generator's order.
func (t *tables) fillConstants(pieces int) {
	const lowest = 0x800f // no candidate is as low
	rosettes, takeable := 0, 0
	for square := range 16 {
		if board.IsRosette(square) {
			rosettes |= 1 << square
		}
		if board.IsTakeable(square) {
			takeable |= 1 << square
		}
	}
	constants := [17]int{1, 2, 8, 15, 16, 7, 0x100, 0x7ffe, 1 << board.SafeSquare, takeable, 1 << board.Finish,
		rosettes, 0xf0, 0, pieces << 4, lowest, 32}
	for lane := range 32 {
		for i, c := range constants {
			t.constant[i][lane] = uint16(c)
		}
		// Exchange the two bytes in every lane.
		t.constant[13][lane] = uint16(2*(lane%8)+1) | uint16(2*(lane%8))<<8
		for square := range 16 {
			t.square[square][lane] = 1 << square
			t.number[square][lane] = uint16(square)
		}
		t.startCount[lane] = uint16(pieces | pieces<<8)
	}
	t.mix = [8]uint64{board.Gamma, board.MixFactor1, board.MixFactor2, 0x3333333333333333, 0x5555555555555555, 64}
}

// row is a row of accumulators for many games: its sum with Light to move, and with Dark to
// move. Rows are in the moving side's view, so reading one does not depend on the side.
type row [2]form.Sum

// rowsOf returns the rows in order. One brain has the mover's pieces on squares 1 to 15, the
// opponent's, and the turn. With two brains, each evaluates only its own side's moves, which
// read 23 sums: its own pieces on 1 to 15, the seven it can capture, and the turn. The first 23
// rows belong to the mover's brain, the others to the opponent's, in the same order.
//
// A row for the opponent's pieces is in the opponent's view, equal to the mover's gain by
// capturing. So with one brain both uses for a row are the same.
func rowsOf(forms [2]*form.Form, one bool) []row {
	var rows []row
	// add adds a player's piece on a square by the reader's brain; the side to move names both.
	add := func(reader, player func(mover board.Side) board.Side, square int) {
		var r row
		for mover := range board.Side(2) {
			r[mover] = forms[reader(mover)].Piece(player(mover), square)
		}
		rows = append(rows, r)
	}
	addTurn := func(reader func(board.Side) board.Side) {
		rows = append(rows, row{forms[reader(board.Light)].Passing(), forms[reader(board.Dark)].Passing()})
	}
	mover, opponent := func(side board.Side) board.Side { return side }, board.Side.Other
	if one {
		for _, player := range []func(board.Side) board.Side{mover, opponent} {
			for square := 1; square <= board.Finish; square++ {
				add(mover, player, square)
			}
		}
		addTurn(mover)
		return rows
	}
	for _, reader := range []func(board.Side) board.Side{mover, opponent} {
		other := func(side board.Side) board.Side { return reader(side).Other() }
		for square := 1; square <= board.Finish; square++ {
			add(reader, reader, square)
		}
		for square := range board.Finish {
			if board.IsTakeable(square) {
				add(reader, other, square)
			}
		}
		addTurn(reader)
	}
	return rows
}

// game is an avx512Engine bound to a pair of brains. The embedded game, which plays a single
// game, answers at the levels of values and turns.
type game struct {
	ur.Game
	setup  ur.Setup
	state  *state
	tables *tables
	kernel kernel
}

func (g *game) Bytes() int {
	return g.Game.Bytes() + int(unsafe.Sizeof(*g)+unsafe.Sizeof(*g.state)+unsafe.Sizeof(*g.tables))
}

// Games plays a series by calls to the kernel.
func (g *game) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	told := (*uint8)(unsafe.SliceData(s.Winners(winners)))
	st := g.state
	*st = state{
		refill:   1<<min(s.N, games) - 1,
		phase:    board.RollsPerWord,
		keyInput: s.Seed + board.Gamma*(s.First+1),
		keyStep:  board.Gamma * s.Stride(),
		end:      uint64(s.N),
	}
	limit := uint64(g.setup.TurnLimit)
	for st.until = limit; ; {
		g.kernel(st, g.tables, told)
		if st.active == 0 {
			break
		}
		// The kernel stopped at the turn at which the oldest game reached the limit.
		st.until = st.now + limit
		for lanes := st.active; lanes != 0; lanes &= lanes - 1 {
			lane := bits.TrailingZeros64(lanes)
			if st.now-st.began[lane] >= limit {
				return ur.Tally{}, &ur.TurnLimitError{Seed: s.Seed, Game: s.Number(int(st.game[lane])), Limit: g.setup.TurnLimit}
			}
			st.until = min(st.until, st.began[lane]+limit)
		}
	}
	return ur.Tally{
		Games:    int64(s.N),
		Wins:     [2]int64{int64(st.wins[board.Light]), int64(st.wins[board.Dark])},
		Turns:    int64(st.turns),
		Moves:    int64(st.turns - st.passes),
		Captures: int64(st.captures),
		Rosettes: int64(st.rosettes),
		Passes:   int64(st.passes),
	}, nil
}
