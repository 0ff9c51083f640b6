// Package incremental holds the engines bits/incremental, bits/incremental-avx2 and
// bits/incremental-neon. They update getValue's sums move by move.
package incremental

import (
	"encoding/binary"
	"unsafe"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/engine/internal/array"
)

// Engine is bits/incremental.
var Engine ur.Engine = engine{}

// engine keeps getValue's sums while a game goes on, instead of summing again for every
// candidate: NNUE's accumulators, for a quadratic form. A candidate then costs three
// loads, whatever the board, and no board is made for it. The chosen move adds one row with
// constants to accumulators, position and counts.
//
// Nothing in a turn is predicted but how many candidates there are. The choice between two
// is a conditional move, and a pass is a step like any other. A test for a single candidate
// would cost more than it saves.
//
// Each side has its own accumulators, by its own brain and from its own view, so two brains
// cost as much as one. They have 32 bits, enough for any brain, two to a word. The rows take 70
// KiB; the roughly 170 rows visited in play slightly exceed a first-level cache with 32 KiB.
type engine struct{}

func (engine) Name() string        { return "bits/incremental" }
func (engine) Needs() []ur.Feature { return nil }

func (engine) New(s ur.Setup) (ur.Game, error) {
	g, err := newGame(s)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// AVX2 is bits/incremental-avx2 and NEON bits/incremental-neon; nil in a build without them.
var AVX2, NEON ur.Engine

// vectorEngine is bits/incremental with a move's row added by vectors: eight additions with 32
// bytes, or sixteen with 16, instead of 28 with 8. Choosing stays in Go, and the call, which no
// compiler inlines, takes back part of the gain.
type vectorEngine struct {
	name string
	need ur.Feature
}

func (e vectorEngine) Name() string        { return e.name }
func (e vectorEngine) Needs() []ur.Feature { return []ur.Feature{e.need} }

func (vectorEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := newGame(s)
	if err != nil {
		return nil, err
	}
	g.vector = true
	return g, nil
}

// game is an engine bound to a pair of brains.
type game struct {
	ur.Game // on bits/scalar, for values requested by callers

	setup  ur.Setup
	fields [2]*form.Fields // fields by side
	tables [8]table        // tables by side * 4 + (roll-1)%4: where the roll is 0, any will do

	vector bool // add rows by addRow

	start  state // where Games begins
	now    state // the game in progress
	pieces int   // number of pieces now
}

// state is a game in progress with 32-bit accumulators.
type state struct {
	position form.Packed
	counts   uint64

	// fields[side] are the accumulators for side's choices, two in each word: 32-bit
	// little-endian numbers, each stored with an offset of 2^31.
	fields [2][4 * form.FieldCount]byte
}

// words is how many 64-bit words a side's fields take.
const words = form.FieldCount / 2

// table holds a side's constants from a brain for one roll.
type table struct {
	key [form.FieldCount]int32 // see [form.Form.Keys]
	row [form.Codes]row
}

// row is how a code's step changes a game: 272 bytes.
type row struct {
	fields   [2][words]uint64
	position form.Packed
	counts   uint64
}

func newGame(s ur.Setup) (*game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	direct, err := array.BitsScalar.New(s)
	if err != nil {
		return nil, err
	}
	g := &game{Game: direct, setup: s}
	forms := form.Both(s)
	for side := range board.Side(2) {
		g.fields[side] = forms[side].Fields(side)
	}
	for i := range g.tables {
		side := board.Side(i / 4)
		g.tables[i].set(side, i%4+1, forms[side], &g.fields)
	}
	g.Set(board.StartPosition(s.Pieces))
	g.start = g.now
	return g, nil
}

// set fills the table for a side and a roll. The side's brain gives the keys;
// both sides' fields follow every step.
func (t *table) set(side board.Side, roll int, f *form.Form, fields *[2]*form.Fields) {
	t.key = f.Keys(side, roll)
	for _, s := range form.Steps(side, roll) {
		row := &t.row[s.Code()]
		for side := range row.fields {
			form.Words(row.fields[side][:], fields[side].Step(s))
		}
		row.position, row.counts = s.Packed(), s.Counts()
	}
}

// bias is the offset on the two fields in a word. It keeps both above zero, so no addition
// carries from the low one into the high one. It drops out in every difference.
const bias = 1<<31 | 1<<63

// set puts the game at a position.
func (g *state) set(p board.Position, fields *[2]*form.Fields) {
	y := form.At(p)
	*g = state{position: form.Pack(p)}
	var sums [words]uint64
	for side := range g.fields {
		form.Words(sums[:], fields[side].At(&y))
		for i, word := range sums {
			binary.LittleEndian.PutUint64(g.fields[side][8*i:], word+bias)
		}
	}
}

// choose returns the code of the moving side's choice.
//
// It returns only the code: the compiler makes the choice a conditional move as long as no
// address in the same function depends on it.
func (g *state) choose(t *table, roll uint32) uint32 {
	best := int32(form.NoKey)
	sums := &g.fields[g.position.Turn()]
	for c := g.position.Candidates(roll); c != 0; c &= c - 1 {
		field := uint32(form.BitNumber[(c&-c)*form.BitFactor>>27])
		landing := binary.LittleEndian.Uint32(sums[4*(field&31):])
		leaving := binary.LittleEndian.Uint32(sums[4*((field-roll)&15):])
		best = max(best, int32(landing-leaving)<<form.KeyShift+t.key[field&31])
	}
	return uint32(best) % form.Codes
}

// add adds a row to the game, the words for fields 16..19 left out.
func (g *state) add(row *row) {
	g.position += row.position
	g.counts += row.counts
	for side := range g.fields {
		sums, words := g.fields[side][:], &row.fields[side]
		addWord(sums, 0, words)
		addWord(sums, 1, words)
		addWord(sums, 2, words)
		addWord(sums, 3, words)
		addWord(sums, 4, words)
		addWord(sums, 5, words)
		addWord(sums, 6, words)
		addWord(sums, 7, words)
		addWord(sums, 10, words)
		addWord(sums, 11, words)
		addWord(sums, 12, words)
		addWord(sums, 13, words)
		addWord(sums, 14, words)
		addWord(sums, 15, words)
	}
}

// addWord adds word i to the sums. Inlined with a constant i it is one load, one
// addition and one store on any machine with little-endian words.
func addWord(sums []byte, i int, words *[words]uint64) {
	at := sums[8*i:]
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+words[i])
}

// turn plays one turn in an unfinished game and returns its step's code.
func (g *game) turn(s *state, roll uint32) uint32 {
	t := &g.tables[uint32(s.position.Turn())*4+(roll-1)&3]
	code := s.choose(t, roll)
	if g.vector {
		addRow(s, &t.row[code])
	} else {
		s.add(&t.row[code])
	}
	return code
}

func (g *game) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	winners = s.Winners(winners)
	t := ur.Tally{Games: int64(s.N)}
	var now state
	for i := range s.N {
		now = g.start
		turns := g.playOut(&now, board.GameKey(s.Seed, s.Number(i)))
		if !now.position.Over() {
			return ur.Tally{}, &ur.TurnLimitError{Seed: s.Seed, Game: s.Number(i), Limit: turns}
		}
		form.AddGame(&t, now.position, turns, now.counts)
		if winners != nil {
			winners[i] = now.position.Winner()
		}
	}
	return t, nil
}

// playOut plays the game for a dice key to its end or the turn limit and returns the turns it took.
func (g *game) playOut(s *state, key uint64) (turns int) {
	rolls := uint64(0)
	for ; turns < g.setup.TurnLimit && !s.position.Over(); turns++ {
		if turns%board.RollsPerWord == 0 {
			rolls = form.Rolls(key, turns)
		}
		g.turn(s, uint32(rolls&7))
		rolls >>= 4
	}
	return turns
}

func (g *game) Set(p board.Position) {
	g.now.set(p, &g.fields)
	g.pieces = p.Pieces()
}

func (g *game) Play(roll int) (board.Move, bool) {
	if g.now.position.Over() {
		return board.Move{}, false
	}
	code := g.turn(&g.now, uint32(roll))
	if code == form.PassCode {
		return board.Move{}, false
	}
	return form.MoveOf(code, uint32(roll)), true
}

// Futures makes the boards, which choosing does without, and sums their values directly.
func (g *game) Futures(dst []ur.Future, roll int) []ur.Future {
	g.Game.Set(g.now.position.Position(g.pieces))
	return g.Game.Futures(dst, roll)
}

func (g *game) Bytes() int {
	return int(unsafe.Sizeof(*g)+2*unsafe.Sizeof(*g.fields[0])) + g.Game.Bytes()
}
