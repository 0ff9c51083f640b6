// Package lanes holds the engines lanes/go, lanes/neon and lanes/avx512: they play many games in lockstep.
package lanes

import (
	"encoding/binary"
	"unsafe"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/engine/internal/incremental"
)

// Go is lanes/go.
var Go ur.Engine = goEngine{}

// goEngine plays four games in lockstep, with the accumulators from bits/incremental in half the
// memory: four 16-bit fields to a word (SIMD within a register). A move's change for both sides is
// added in 14 word additions, and the constant rows visited in play stay in the first-level cache.
//
// Hardly anything in a turn is predicted: three candidates are always computed, and one turn in
// seven has more. Turns in different games do not wait for one another, so a CPU with free
// units begins the next before the last has ended. Where one turn's instructions keep all
// units busy, and Go has no vectors to make them fewer, the lanes gain nothing over one game.
//
// Each lane follows its own game's dice, and begins the next game in the series when that
// is over. If a sum over some position could leave 16 bits, as the weights show when a brain is
// bound (see [form.Sum.Bounds]), Games and everything else is bits/incremental's.
type goEngine struct{}

func (goEngine) Name() string        { return "lanes/go" }
func (goEngine) Needs() []ur.Feature { return nil }

// Lanes is how long goGame.lanes is.
func (goEngine) Lanes() int { return len(goGame{}.lanes) }

func (goEngine) New(s ur.Setup) (ur.Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	single, err := incremental.Engine.New(s)
	if err != nil {
		return nil, err
	}
	g := &goGame{Game: single, setup: s}
	g.bind()
	return g, nil
}

// goGame is a goEngine bound to a pair of brains.
type goGame struct {
	ur.Game // bits/incremental's game

	setup  ur.Setup
	narrow bool           // whether all fields fit 16 bits
	tables [8]narrowTable // tables by side * 4 + (roll-1)%4: where the roll is 0, any will do
	start  narrowGame
	lanes  [4]goLane // more would only take cache

	winners []board.Side // winners in the series being played; kept here, not in the loop's registers
}

// goLane is a game in progress.
type goLane struct {
	narrowGame
	index int    // number of the game in its series
	key   uint64 // key to its dice
	rolls uint64 // the next in the lowest nibble, refilled every RollsPerWord turns
	turns int
}

// narrowGame is a game with 16-bit accumulators, four to a word, instead of the 32-bit ones in
// bits/incremental. Each is stored with its own bias, its lower bound, so it stays between 0
// and 65535 at every position in a game and no addition carries into a neighbour.
type narrowGame struct {
	position form.Packed
	counts   uint64
	fields   [2][2 * form.FieldCount]byte
}

const narrowWords = form.FieldCount / 4

// narrowTable holds a side's constants from a brain for one roll. Its keys, those of
// [form.Form.Keys], compensate for the biases.
type narrowTable struct {
	key [form.FieldCount]int32
	row [form.Codes]narrowRow
}

// narrowRow is how a code's step changes a game: 144 bytes.
type narrowRow struct {
	fields   [2][narrowWords]uint64
	position form.Packed
	counts   uint64
}

// bind fills the tables, or reports that the fields do not fit 16 bits.
func (g *goGame) bind() {
	forms := form.Both(g.setup)
	var fields [2]*form.Fields
	for side := range board.Side(2) {
		fields[side] = forms[side].Fields(side)
	}
	bias, fits := biases(fields, g.setup.Pieces)
	if !fits {
		return
	}
	for i := range g.tables {
		side := board.Side(i / 4)
		g.tables[i].set(side, i%4+1, forms[side], fields, &bias[side])
	}
	start := form.At(board.StartPosition(g.setup.Pieces))
	g.start.position = form.Pack(board.StartPosition(g.setup.Pieces))
	var sums, low [narrowWords]uint64
	for side := range fields {
		form.Words(sums[:], fields[side].At(&start))
		form.Words(low[:], bias[side])
		for i := range sums {
			binary.LittleEndian.PutUint64(g.start.fields[side][8*i:], sums[i]-low[i])
		}
	}
	g.narrow = true
}

// biases returns all fields' lower bounds, and whether they fit 16 bits.
func biases(fields [2]*form.Fields, pieces int) (low [2][form.FieldCount]int32, fit bool) {
	for side := range fields {
		for i := range fields[side] {
			least, most := fields[side][i].Bounds(pieces)
			if most-least >= 1<<16 {
				return low, false
			}
			low[side][i] = least
		}
	}
	return low, true
}

// set fills the table for a side and a roll. The side's brain gives the keys; both
// sides' fields follow every step.
func (t *narrowTable) set(side board.Side, roll int, f *form.Form, fields [2]*form.Fields, bias *[form.FieldCount]int32) {
	t.key = f.Keys(side, roll)
	for _, s := range form.Steps(side, roll) {
		row := &t.row[s.Code()]
		row.position, row.counts = s.Packed(), s.Counts()
		for side := range row.fields {
			form.Words(row.fields[side][:], fields[side].Step(s))
		}
		if s.To != 0 {
			t.key[s.Landing()] += (bias[s.Landing()] - bias[s.Leaving()]) << form.KeyShift
		}
	}
}

// choose returns the code of the moving side's choice.
func (w *narrowGame) choose(t *narrowTable, roll uint32) uint32 {
	sums := &w.fields[w.position.Turn()]
	c := w.position.Candidates(roll)
	best := t.keyOf(sums, c, roll)
	c &= c - 1
	best = max(best, t.keyOf(sums, c, roll))
	c &= c - 1
	best = max(best, t.keyOf(sums, c, roll))
	for c &= c - 1; c != 0; c &= c - 1 {
		best = max(best, t.keyOf(sums, c, roll))
	}
	return uint32(best) % form.Codes
}

// keyOf returns the key of the first candidate in c, or less than any where there
// is none: no move lands on field 0.
func (t *narrowTable) keyOf(sums *[2 * form.FieldCount]byte, c, roll uint32) int32 {
	field := uint32(form.BitNumber[(c&-c)*form.BitFactor>>27])
	landing := binary.LittleEndian.Uint16(sums[2*(field&31):])
	leaving := binary.LittleEndian.Uint16(sums[2*((field-roll)&15):])
	return (int32(landing)-int32(leaving))<<form.KeyShift + t.key[field&31]
}

// add adds a row to the game.
func (w *narrowGame) add(row *narrowRow) {
	w.position += row.position
	w.counts += row.counts
	for side := range w.fields {
		sums, words := w.fields[side][:], &row.fields[side]
		addNarrow(sums, 0, words)
		addNarrow(sums, 1, words)
		addNarrow(sums, 2, words)
		addNarrow(sums, 3, words)
		addNarrow(sums, 5, words)
		addNarrow(sums, 6, words)
		addNarrow(sums, 7, words)
	}
}

// addNarrow adds word i to the sums. Inlined with a constant i it is one load, one
// addition and one store on any machine with little-endian words.
func addNarrow(sums []byte, i int, words *[narrowWords]uint64) {
	at := sums[8*i:]
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+words[i])
}

// turn plays one turn in a lane.
func (g *goGame) turn(l *goLane) {
	if l.turns%board.RollsPerWord == 0 {
		l.rolls = form.Rolls(l.key, l.turns)
	}
	roll := uint32(l.rolls & 7)
	l.rolls >>= 4
	t := &g.tables[uint32(l.position.Turn())*4+(roll-1)&3]
	l.add(&t.row[l.choose(t, roll)])
	l.turns++
}

func (g *goGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	if !g.narrow {
		return g.Game.Games(winners, s)
	}
	g.winners = s.Winners(winners)
	defer func() { g.winners = nil }()
	t := ur.Tally{Games: int64(s.N)}
	begun := min(s.N, len(g.lanes))
	lanes := g.lanes[:begun]
	for i := range lanes {
		g.begin(&lanes[i], s, i)
	}
	for len(lanes) > 0 {
		for i := 0; i < len(lanes); i++ {
			l := &lanes[i]
			g.turn(l)
			switch {
			case l.position.Over():
				form.AddGame(&t, l.position, l.turns, l.counts)
				if g.winners != nil {
					g.winners[l.index] = l.position.Winner()
				}
				if begun < s.N {
					g.begin(l, s, begun)
					begun++
				} else {
					*l = lanes[len(lanes)-1]
					lanes = lanes[:len(lanes)-1]
				}
			case l.turns == g.setup.TurnLimit:
				return ur.Tally{}, &ur.TurnLimitError{Seed: s.Seed, Game: s.Number(l.index), Limit: l.turns}
			}
		}
	}
	return t, nil
}

// begin puts a lane at the start of game i in a series.
func (g *goGame) begin(l *goLane, s ur.Series, i int) {
	*l = goLane{narrowGame: g.start, key: board.GameKey(s.Seed, s.Number(i)), index: i}
}

func (g *goGame) Bytes() int { return int(unsafe.Sizeof(*g)) + g.Game.Bytes() }

// Engines that not every build has; nil elsewhere.
var (
	NEON   ur.Engine // lanes/neon
	AVX512 ur.Engine // lanes/avx512
)
