package valuenet

import (
	"math"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// Judge values positions and moves by a net. It serves one goroutine, and allocates nothing
// after the first call with as many positions.
type Judge struct {
	kernel
	oracle bool

	sets   []uint64
	units  []int16
	result []int32

	one   [1]board.Position // for passed
	value [1]int32
}

// wonValue is the value of a move that wins the game, above that of any other.
const wonValue = math.MaxInt32

// NewJudge returns a judge by a net, on an available engine.
func NewJudge(e *Engine, q *Integer) *Judge {
	if e == Scalar {
		return &Judge{kernel: kernel{Engine: e, net: q}, oracle: true, result: make([]int32, board.MaxMoves)}
	}
	j := &Judge{kernel: newKernel(e, q), sets: make([]uint64, 0, board.MaxMoves)}
	j.reserve(board.MaxMoves)
	return j
}

// reserve makes room for n positions.
func (j *Judge) reserve(n int) {
	if n = roundUp(n, group); n > len(j.result) {
		j.units, j.result = aligned(n*j.net.width), make([]int32, n)
	}
}

// aligned returns a slice of numbers that begins at a cache line.
func aligned(n int) []int16 {
	const line = 64
	list := make([]int16, n+line/2)
	skip := -uintptr(unsafe.Pointer(&list[0])) % line / 2
	return list[skip:][:n:n]
}

// Values writes the values of positions, each for the side to move, to dst. No game may be
// over.
func (j *Judge) Values(dst []int32, positions []board.Position) {
	if j.oracle {
		for i, p := range positions {
			dst[i] = j.net.Value(p)
		}
		return
	}
	j.sets = j.sets[:0]
	for _, p := range positions {
		j.sets = append(j.sets, SquareSet(p))
	}
	j.valuesOf(j.sets)
	copy(dst, j.result)
}

// valuesOf writes the values of positions by their sets of inputs to j.result.
func (j *Judge) valuesOf(sets []uint64) {
	j.reserve(len(sets))
	j.unitsOf(j.units, sets)
	j.kernel.values(j.result, j.units, len(sets))
}

// Moves writes the value of each move for the moving side to dst: the value of the position
// after it, with the sign of the side to move then, or [wonValue].
func (j *Judge) Moves(dst []int32, p board.Position, moves []board.Move) {
	if j.oracle {
		for i, m := range moves {
			dst[i] = j.net.afterMove(p, m)
		}
		return
	}
	c, side := compactOf(p), p.Turn()
	j.sets = j.sets[:len(moves)]
	passing := 0 // moves after which the other side is to move, then those to rosettes
	staying := len(moves)
	for _, m := range moves {
		set := c.after(side, uint32(m.From), uint32(m.To))
		if board.IsRosette(int(m.To)) {
			staying--
			j.sets[staying] = set
		} else {
			j.sets[passing] = set
			passing++
		}
	}
	j.unitsOf(j.units, j.sets[:passing])
	j.unitsOf(j.units[passing*j.net.width:], j.sets[passing:])
	j.kernel.values(j.result, j.units, len(moves))
	passing, staying = 0, len(moves)
	for i, m := range moves {
		if board.IsRosette(int(m.To)) {
			staying--
			dst[i] = j.result[staying]
			continue
		}
		dst[i] = -j.result[passing]
		passing++
		if m.To == board.Finish && p.Home(side) == p.Pieces()-1 {
			dst[i] = wonValue
		}
	}
}

// afterMove is Moves for one move, from the definition.
func (q *Integer) afterMove(p board.Position, m board.Move) int32 {
	after := p.Apply(m)
	switch _, over := after.Winner(); {
	case over:
		return wonValue
	case after.Turn() == p.Turn():
		return q.Value(after)
	}
	return -q.Value(after)
}

// Choose returns the index of the move of highest value, the first on a tie. There is at least
// one.
func (j *Judge) Choose(p board.Position, moves []board.Move) int {
	if len(moves) == 1 {
		return 0
	}
	var worth [board.MaxMoves]int32
	j.Moves(worth[:], p, moves)
	return best(worth[:len(moves)])
}

// best returns the index of the highest number, the first on a tie.
func best[N int32 | int64](worth []N) int {
	choice := 0
	for i, w := range worth {
		if w > worth[choice] {
			choice = i
		}
	}
	return choice
}
