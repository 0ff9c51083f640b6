package ur

import (
	"encoding/binary"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// BitsIncremental is bits/incremental.
var BitsIncremental Engine = incrementalEngine{}

// incrementalEngine keeps what getValue sums over the board while a game goes on,
// instead of summing again for every candidate: the accumulators of NNUE, for a
// quadratic form. A candidate then costs three loads, whatever stands on the board,
// and no board is made for it. The move chosen adds one row of constants, which
// holds everything that it changes: accumulators, position and counts.
//
// Nothing in a turn is predicted but the number of candidates. The choice between
// two of them is a conditional move, and a pass is a step like any other. Asking
// first whether there is a choice at all would cost more than it saves.
//
// Each side has accumulators of its own, by its own brain and as it sees them, so
// that two brains cost what one does. They have 32 bits, enough for any brain, two
// to a word. The rows take 70 KiB; those that play visits, some 170, are too many
// for a first-level cache of 32 KiB by a little.
type incrementalEngine struct{}

func (incrementalEngine) Name() string     { return "bits/incremental" }
func (incrementalEngine) Needs() []Feature { return nil }

func (incrementalEngine) New(s Setup) (Game, error) {
	g, err := newIncremental(s)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// incremental is an incrementalEngine bound to a pair of brains.
type incremental struct {
	Game // on bits/scalar, for the values that are asked from outside

	setup  Setup
	sums   [2]*fieldSums // by side
	tables [8]wideTable  // by side * 4 + (roll-1)%4: where the roll is 0, any will do

	vector bool // add rows by AVX2: see incremental_amd64.go

	start  wideGame // where Games begins
	game   wideGame // in progress
	pieces int      // of game
}

// wideGame is a game in progress with accumulators of 32 bits.
type wideGame struct {
	position packed
	counts   uint64

	// fields[side] are the accumulators for the choices of side, two in each word:
	// 32-bit little-endian numbers, each higher by 2^31 than what it stands for.
	fields [2][4 * fields]byte
}

// wideWords is how many words of 64 bits the fields of a side take.
const wideWords = fields / 2

// wideTable is what a side needs to know of a brain for one roll.
type wideTable struct {
	// key is what the move that lands on a field is worth beside the fields, in the
	// scale of keys; noKey where there is no such move.
	key [fields]int32

	row [codes]wideRow
}

// wideRow is what the step of a code adds to a game: 272 bytes.
type wideRow struct {
	fields   [2][wideWords]uint64
	position packed
	counts   uint64
}

func newIncremental(s Setup) (*incremental, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	direct, err := BitsScalar.New(s)
	if err != nil {
		return nil, err
	}
	g := &incremental{Game: direct, setup: s}
	var forms [2]*form
	for side := range forms {
		forms[side] = newForm(s.Brain(board.Side(side)))
		g.sums[side] = forms[side].sums(board.Side(side))
	}
	for i := range g.tables {
		side := board.Side(i / 4)
		g.tables[i].set(side, i%4+1, forms[side], g.sums)
	}
	g.Set(board.StartPosition(s.Pieces))
	g.start = g.game
	return g, nil
}

// set fills the table of a side and a roll. The brain of the side gives the keys;
// the fields of both sides follow every step.
func (t *wideTable) set(side board.Side, roll int, f *form, sums [2]*fieldSums) {
	for i := range t.key {
		t.key[i] = noKey
	}
	for _, s := range steps(side, roll) {
		row := &t.row[s.code()]
		change := s.change()
		for side := range row.fields {
			row.fields[side] = wideWordsOf(sums[side].at(&change))
		}
		row.position, row.counts = s.packed(), s.counts()
		if s.to != 0 {
			t.key[s.landing()] = s.gain(f)<<keyShift + s.code()
		}
	}
}

// wideWordsOf returns numbers of up to 32 bits, two to a word: the integer
// low + high * 2^32, in which a negative low one has borrowed from the high one.
func wideWordsOf(v [fields]int32) (words [wideWords]uint64) {
	for i, n := range v {
		words[i/2] += uint64(int64(n)) << (i % 2 * 32)
	}
	return words
}

// wideBias is what the two fields in a word are kept higher by, so that neither is
// ever below zero and no addition carries from the low one into the high one. It
// drops out of every difference.
const wideBias = 1<<31 | 1<<63

// set puts the game at a position.
func (w *wideGame) set(p board.Position, sums [2]*fieldSums) {
	y := formCoordinates(p)
	*w = wideGame{position: pack(p)}
	for side := range w.fields {
		for i, word := range wideWordsOf(sums[side].at(&y)) {
			binary.LittleEndian.PutUint64(w.fields[side][8*i:], word+wideBias)
		}
	}
}

// choose returns the code of the step that the side to move takes.
//
// It only returns the code: the compiler makes a conditional move of the choice as
// long as no address in the same function depends on it.
func (w *wideGame) choose(t *wideTable, roll uint32) uint32 {
	best := int32(noKey)
	sums := &w.fields[w.position.turn()]
	for c := w.position.candidates(roll); c != 0; c &= c - 1 {
		field := uint32(lowestBit[(c&-c)*lowestBitFactor>>27])
		landing := binary.LittleEndian.Uint32(sums[4*(field&31):])
		leaving := binary.LittleEndian.Uint32(sums[4*((field-roll)&15):])
		best = max(best, int32(landing-leaving)<<keyShift+t.key[field&31])
	}
	return uint32(best) % codes
}

// add adds a row to the game, the words of fields 16..19 left out.
func (w *wideGame) add(row *wideRow) {
	w.position += row.position
	w.counts += row.counts
	for side := range w.fields {
		sums, words := w.fields[side][:], &row.fields[side]
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
func addWord(sums []byte, i int, words *[wideWords]uint64) {
	at := sums[8*i:]
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+words[i])
}

// turn plays one turn of a game that is not over and returns the code of its step.
func (g *incremental) turn(w *wideGame, roll uint32) uint32 {
	t := &g.tables[uint32(w.position.turn())*4+(roll-1)&3]
	code := w.choose(t, roll)
	if g.vector {
		addRow(w, &t.row[code])
	} else {
		w.add(&t.row[code])
	}
	return code
}

func (g *incremental) Games(winners []board.Side, s Series) (Tally, error) {
	winners = s.Winners(winners)
	t := Tally{Games: int64(s.N)}
	var w wideGame
	for i := range s.N {
		w = g.start
		turns := g.playOut(&w, board.NewDice(s.Seed, s.Number(i)))
		if !w.position.over() {
			return Tally{}, &TurnLimitError{Seed: s.Seed, Game: s.Number(i), Limit: turns}
		}
		t.addGame(w.position, turns, w.counts)
		if winners != nil {
			winners[i] = w.position.winner()
		}
	}
	return t, nil
}

// playOut plays a game to its end or the turn limit and returns the turns it took.
func (g *incremental) playOut(w *wideGame, dice board.Dice) (turns int) {
	for turns < g.setup.TurnLimit && !w.position.over() {
		g.turn(w, uint32(dice.Roll()))
		turns++
	}
	return turns
}

func (g *incremental) Set(p board.Position) {
	g.game.set(p, g.sums)
	g.pieces = p.Pieces()
}

func (g *incremental) Play(roll int) (board.Move, bool) {
	if g.game.position.over() {
		return board.Move{}, false
	}
	code := g.turn(&g.game, uint32(roll))
	if code == passCode {
		return board.Move{}, false
	}
	return moveOf(code, uint32(roll)), true
}

// Futures makes the boards, which choosing does without, and sums their values
// directly.
func (g *incremental) Futures(dst []Future, roll int) []Future {
	g.Game.Set(g.game.position.unpack(g.pieces))
	return g.Game.Futures(dst, roll)
}

func (g *incremental) Bytes() int {
	return int(unsafe.Sizeof(*g)+2*unsafe.Sizeof(*g.sums[0])) + g.Game.Bytes()
}
