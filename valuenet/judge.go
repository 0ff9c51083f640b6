package valuenet

import (
	"math"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// Judge values positions and moves by a net, under the net's rules. It serves one goroutine,
// and allocates nothing after the first call with as many positions.
type Judge struct {
	engine *Engine
	net    *Integer
	rules  *board.Rules
	at     layout

	sets   []uint64
	units  []int16
	result []int32

	// Of engines other than the oracle.
	width  uint32   // row width in bytes
	last   []int16  // outputs of a net with one hidden layer, whose weights fit 16 bits
	pairs  []uint32 // room for the list of hidden
	base   []int16  // and for the common initial sums of several positions
	common uint64   // inputs shared by several positions, kept here to avoid allocation
}

// wonValue is the value for a winning move, above any other.
const wonValue = math.MaxInt32

// NewJudge returns a judge by a net, on an available engine.
func NewJudge(e *Engine, q *Integer) *Judge {
	j := &Judge{
		engine: e, net: q, rules: q.Rules, at: layoutOf(q.Rules), sets: make([]uint64, 0, board.MaxMoves),
		width: uint32(2 * q.width), pairs: make([]uint32, q.width/2+16), base: makeAligned(q.width),
	}
	if q.columns == 0 {
		for _, w := range q.last {
			j.last = append(j.last, int16(w))
		}
	}
	j.reserveRoom(board.MaxMoves)
	return j
}

// reserveRoom makes room for n positions.
func (j *Judge) reserveRoom(n int) {
	if n = roundUp(n, group); n > len(j.result) {
		j.units, j.result = makeAligned(n*j.net.width), make([]int32, n)
	}
}

// makeAligned returns a slice whose numbers begin at a cache line.
func makeAligned(n int) []int16 {
	const line = 64
	list := make([]int16, n+line/2)
	skip := -uintptr(unsafe.Pointer(&list[0])) % line / 2
	return list[skip:][:n:n]
}

// Values writes positions' values, each for the side to move, to dst. No game may be over.
func (j *Judge) Values(dst []int32, positions []board.Position) {
	j.sets = j.sets[:0]
	for i := range positions {
		j.sets = append(j.sets, j.at.inputSet(&positions[i]))
	}
	j.reserveRoom(len(j.sets))
	j.valuesOf(len(j.sets))
	copy(dst, j.result[:len(positions)])
}

// valuesOf writes values for the positions whose inputs are j.sets to j.result. The inputs
// common to the first n, and those common to the others, are added up once.
func (j *Judge) valuesOf(n int) {
	if j.engine.sets == nil {
		for i, set := range j.sets {
			j.result[i] = j.net.valueOfSet(set)
		}
		return
	}
	j.unitsOf(j.units, j.sets[:n])
	j.unitsOf(j.units[n*j.net.width:], j.sets[n:])
	j.valuesOfUnits(j.result, j.units, len(j.sets))
}

// valueMoves writes each move's value for the moving side to dst: the value of the position
// after it, with the sign of the side to move then, or [wonValue].
func (j *Judge) valueMoves(dst []int32, p board.Position, moves []board.Move) {
	j.sets = j.sets[:len(moves)]
	passing, staying, again := 0, len(moves), uint32(0) // moves after which the other side is to move, and others
	for i, m := range moves {
		after := j.rules.Apply(p, m)
		if after.Turn() == p.Turn() {
			staying--
			j.sets[staying] = j.at.inputSet(&after)
			again |= 1 << i
		} else {
			j.sets[passing] = j.at.inputSet(&after)
			passing++
		}
	}
	j.valuesOf(passing)
	passing, staying = 0, len(moves)
	for i, m := range moves {
		switch {
		case again>>i&1 != 0:
			staying--
			dst[i] = j.result[staying]
			continue
		case j.rules.Finish() == int(m.To) && p.Home(p.Turn()) == p.Pieces()-1:
			dst[i] = wonValue
		default:
			dst[i] = -j.result[passing]
		}
		passing++
	}
}

// Choose returns the index of the highest-valued move, the first on a tie. There is at least one.
func (j *Judge) Choose(p board.Position, moves []board.Move) int {
	if len(moves) == 1 {
		return 0
	}
	var worth [board.MaxMoves]int32
	j.valueMoves(worth[:], p, moves)
	choice := 0
	for i, w := range worth[:len(moves)] {
		if w > worth[choice] {
			choice = i
		}
	}
	return choice
}

// chanceUnit is 1 in integer chances. The chances in a player's draws depend on them.
const chanceUnit = 1 << 28

// Win writes to dst the probability, 0 to 1, that the side to move wins after each move, in steps of 2^-28.
func (j *Judge) Win(dst []float64, p board.Position, moves []board.Move) {
	var worth [board.MaxMoves]int32
	j.valueMoves(worth[:], p, moves)
	for i, w := range worth[:len(moves)] {
		switch {
		case w == wonValue:
			dst[i] = 1
		case j.rules.RollsAgain(moves[i]):
			dst[i] = j.net.chance(w)
		default:
			dst[i] = 1 - j.net.chance(-w)
		}
	}
}

// chance returns the probability for a value in steps of 1/chanceUnit.
func (q *Integer) chance(value int32) float64 {
	return math.Round(q.Chance(value)*chanceUnit) / chanceUnit
}
