package ur

import (
	"encoding/binary"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// LanesGo is lanes/go.
var LanesGo Engine = goLanesEngine{}

// goLanesEngine plays four games in lockstep, with the accumulators of
// bits/incremental in half the memory: four 16-bit fields to a word (SIMD within a
// register), so that what a move changes for both sides is added in 14 additions
// of words, and the rows of constants that play visits stay in the first-level
// cache.
//
// Hardly anything in a turn is predicted: three candidates are worked out whether
// or not there are as many, and one turn in seven has more. Nor do the turns of
// different games wait for one another, so that a CPU with units to spare begins
// the next before it is through with the last. Where the instructions of one turn
// keep all units busy, and Go has no vectors to make them fewer, the lanes gain no
// more than one game would.
//
// Each lane follows the dice of its own game, and begins the next game of the
// series when that is over. Where a sum over some position could leave 16 bits,
// which the weights tell when a brain is bound (see [sum.bounds]), Games is that
// of bits/incremental, as is everything else that a game is asked.
type goLanesEngine struct{}

func (goLanesEngine) Name() string     { return "lanes/go" }
func (goLanesEngine) Needs() []Feature { return nil }

// Lanes is the length of goLanes.lanes.
func (goLanesEngine) Lanes() int { return len(goLanes{}.lanes) }

func (goLanesEngine) New(s Setup) (Game, error) {
	single, err := newIncremental(s)
	if err != nil {
		return nil, err
	}
	g := &goLanes{incremental: single}
	g.bind()
	return g, nil
}

// goLanes is a goLanesEngine bound to a pair of brains.
type goLanes struct {
	*incremental
	narrow bool           // whether all fields fit 16 bits
	tables [8]narrowTable // as in incremental
	start  narrowGame
	lanes  [4]goLane // more than the turns that overlap would only take cache

	winners []board.Side // of Games; kept here, not in registers of the loop
}

// goLane is a game in progress.
type goLane struct {
	narrowGame
	index int    // of the game in its series
	key   uint64 // of its dice
	rolls uint64 // the next in the lowest nibble, refilled every RollsPerWord turns
	turns int
}

// narrowGame is a [wideGame] with accumulators of 16 bits, four to a word. Each is
// kept higher by a bias of its own, its lower bound, so that it is between 0 and
// 65535 at every position of a game and no addition carries from one into another.
type narrowGame struct {
	position packed
	counts   uint64
	fields   [2][2 * fields]byte
}

const narrowWords = fields / 4

// narrowTable is a [wideTable] for 16 bits. Its keys make good the biases.
type narrowTable struct {
	key [fields]int32
	row [codes]narrowRow
}

// narrowRow is what the step of a code adds to a game: 144 bytes.
type narrowRow struct {
	fields   [2][narrowWords]uint64
	position packed
	counts   uint64
}

// bind fills the tables, or finds that the fields do not fit 16 bits.
func (g *goLanes) bind() {
	bias, fits := g.biases()
	if !fits {
		return
	}
	for i := range g.tables {
		side, roll := board.Side(i/4), i%4+1
		g.tables[i].set(&g.incremental.tables[i], steps(side, roll), g.sums, &bias[side])
	}
	start := formCoordinates(board.StartPosition(g.setup.Pieces))
	g.start.position = g.incremental.start.position
	for side, sums := range g.sums {
		high := narrowWordsOf(bias[side])
		for i, word := range narrowWordsOf(sums.at(&start)) {
			binary.LittleEndian.PutUint64(g.start.fields[side][8*i:], word-high[i])
		}
	}
	g.narrow = true
}

// biases returns the lower bounds of all fields, and whether they fit 16 bits.
func (g *goLanes) biases() (low [2][fields]int32, fit bool) {
	for side, sums := range g.sums {
		for i := range sums {
			least, most := sums[i].bounds(g.setup.Pieces)
			if most-least >= 1<<16 {
				return low, false
			}
			low[side][i] = least
		}
	}
	return low, true
}

// set fills the table of a side and a roll from that of bits/incremental.
func (t *narrowTable) set(wide *wideTable, steps []step, sums [2]*fieldSums, bias *[fields]int32) {
	t.key = wide.key
	for _, s := range steps {
		row, change := &t.row[s.code()], s.change()
		row.position, row.counts = s.packed(), s.counts()
		for side := range row.fields {
			row.fields[side] = narrowWordsOf(sums[side].at(&change))
		}
		if s.to != 0 {
			t.key[s.landing()] += (bias[s.landing()] - bias[s.leaving()]) << keyShift
		}
	}
}

// narrowWordsOf is [wideWordsOf] with four numbers to a word.
func narrowWordsOf(v [fields]int32) (words [narrowWords]uint64) {
	for i, n := range v {
		words[i/4] += uint64(int64(n)) << (i % 4 * 16)
	}
	return words
}

// choose returns the code of the step that the side to move takes, as the choice of
// [wideGame] does.
func (w *narrowGame) choose(t *narrowTable, roll uint32) uint32 {
	sums := &w.fields[w.position.turn()]
	c := w.position.candidates(roll)
	best := t.keyOf(sums, c, roll)
	c &= c - 1
	best = max(best, t.keyOf(sums, c, roll))
	c &= c - 1
	best = max(best, t.keyOf(sums, c, roll))
	for c &= c - 1; c != 0; c &= c - 1 {
		best = max(best, t.keyOf(sums, c, roll))
	}
	return uint32(best) % codes
}

// keyOf returns the key of the first candidate of c, or less than any where there
// is none: no move lands on field 0.
func (t *narrowTable) keyOf(sums *[2 * fields]byte, c, roll uint32) int32 {
	field := uint32(lowestBit[(c&-c)*lowestBitFactor>>27])
	landing := binary.LittleEndian.Uint16(sums[2*(field&31):])
	leaving := binary.LittleEndian.Uint16(sums[2*((field-roll)&15):])
	return (int32(landing)-int32(leaving))<<keyShift + t.key[field&31]
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

// addNarrow is [addWord] for 16 bits.
func addNarrow(sums []byte, i int, words *[narrowWords]uint64) {
	at := sums[8*i:]
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+words[i])
}

// turn plays one turn of a lane.
func (g *goLanes) turn(l *goLane) {
	if l.turns%board.RollsPerWord == 0 {
		l.rolls = rollsOf(board.DiceWord(l.key, uint64(l.turns/board.RollsPerWord)))
	}
	roll := uint32(l.rolls & 7)
	l.rolls >>= 4
	t := &g.tables[uint32(l.position.turn())*4+(roll-1)&3]
	l.add(&t.row[l.choose(t, roll)])
	l.turns++
}

func (g *goLanes) Games(winners []board.Side, s Series) (Tally, error) {
	if !g.narrow {
		return g.incremental.Games(winners, s)
	}
	g.winners = s.Winners(winners)
	defer func() { g.winners = nil }()
	t := Tally{Games: int64(s.N)}
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
			case l.position.over():
				t.addGame(l.position, l.turns, l.counts)
				if g.winners != nil {
					g.winners[l.index] = l.position.winner()
				}
				if begun < s.N {
					g.begin(l, s, begun)
					begun++
				} else {
					*l = lanes[len(lanes)-1]
					lanes = lanes[:len(lanes)-1]
				}
			case l.turns == g.setup.TurnLimit:
				return Tally{}, &TurnLimitError{Seed: s.Seed, Game: s.Number(l.index), Limit: l.turns}
			}
		}
	}
	return t, nil
}

// begin puts a lane at the start of game i of a series.
func (g *goLanes) begin(l *goLane, s Series, i int) {
	*l = goLane{narrowGame: g.start, key: board.GameKey(s.Seed, s.Number(i)), index: i}
}

func (g *goLanes) Bytes() int { return int(unsafe.Sizeof(*g)) + g.incremental.Bytes() }

// rollsOf returns the number of ones of each nibble of a dice word in its place.
func rollsOf(word uint64) uint64 {
	word -= word >> 1 & 0x5555555555555555
	return word&0x3333333333333333 + word>>2&0x3333333333333333
}
