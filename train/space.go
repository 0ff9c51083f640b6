package train

import (
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
)

// space is the space of brains symmetric between the players: exchanging the players and the side to move negates a
// position's value, up to a constant. Of the 561 directions of change, 242 keep that symmetry and affect choices. The
// others either prefer a player, or change nothing: the pieces in hand are the remainder from the other squares, so
// they need no weight.
//
// A coordinate of the space changes some weights. With x[i] Light's pieces on square i =
// 1..15, y[i] Dark's, and t the side to move, its feature is one of
//
//	x[i] - y[i]
//	1/2 - t
//	(2t - 1) * (x[i] + y[i])
//	x[i]*x[j] - y[i]*y[j]    for j < i, and for j = i = 15
//	x[i]*y[j] - x[j]*y[i]    for j < i
type space struct {
	pieces      int
	coordinates []coordinate
	linear      int // how many of them, the first, are linear in x, y, and t
}

// coordinate is a direction of a space: how much each weight changes.
type coordinate []weightTerm

type weightTerm struct {
	index int // index in a brain
	times float64
}

// newSpace returns the space for games with the given number of pieces.
func newSpace(pieces int) *space {
	s := &space{pieces: pieces}
	for i := 1; i <= board.Finish; i++ {
		s.addCoordinate(s.countCoordinate(board.LightNumbers, i, 1), s.countCoordinate(board.DarkNumbers, i, -1))
	}
	s.addCoordinate(coordinate{{ur.WeightIndex(board.TurnNumber, board.TurnNumber), -1}})
	s.linear = len(s.coordinates)
	for i := 1; i <= board.Finish; i++ {
		s.addCoordinate(productCoordinate(board.TurnNumber, board.LightNumbers+i, 2), productCoordinate(board.TurnNumber, board.DarkNumbers+i, 2),
			s.countCoordinate(board.LightNumbers, i, -1), s.countCoordinate(board.DarkNumbers, i, -1))
	}
	for i := 1; i <= board.Finish; i++ {
		for j := 1; j <= i; j++ {
			if j < i || i == board.Finish { // x*x = x where there is but one piece
				s.addCoordinate(productCoordinate(board.LightNumbers+i, board.LightNumbers+j, 1), productCoordinate(board.DarkNumbers+i, board.DarkNumbers+j, -1))
			}
			if j < i {
				s.addCoordinate(productCoordinate(board.LightNumbers+i, board.DarkNumbers+j, 1), productCoordinate(board.LightNumbers+j, board.DarkNumbers+i, -1))
			}
		}
	}
	return s
}

// addCoordinate adds a coordinate made from parts.
func (s *space) addCoordinate(parts ...coordinate) {
	s.coordinates = append(s.coordinates, slices.Concat(parts...))
}

// productCoordinate returns the coordinate for a product between two numbers on the board.
func productCoordinate(i, j int, times float64) coordinate {
	return coordinate{{ur.WeightIndex(max(i, j), min(i, j)), times}}
}

// countCoordinate returns the coordinate for how many pieces a player has on square i. A
// quadratic form has no linear terms; but the square of 0 or 1 is the number
// itself, and the pieces at home times all a player's pieces are linear too.
func (s *space) countCoordinate(player, i int, times float64) coordinate {
	if i < board.Finish {
		return productCoordinate(player+i, player+i, times)
	}
	var c coordinate
	for j := range board.Finish + 1 {
		c = append(c, productCoordinate(player+i, player+j, times/float64(s.pieces))...)
	}
	return c
}

// dimension returns the number of coordinates.
func (s *space) dimension() int { return len(s.coordinates) }

// brainAt returns a point's brain, multiplied by scale and rounded.
func (s *space) brainAt(point []float64, scale float64) *ur.Brain {
	b := new(ur.Brain)
	for i, w := range s.weightsAt(point) {
		b[i] = int16(math.Round(max(math.MinInt16, min(math.MaxInt16, scale*w))))
	}
	return b
}

// weightsAt returns a point's weights, in a brain's order.
func (s *space) weightsAt(point []float64) []float64 {
	weights := make([]float64, ur.Weights)
	for k, c := range s.coordinates {
		for _, t := range c {
			weights[t.index] += float64(point[k] * t.times)
		}
	}
	return weights
}

// writeFeatures writes a position's features: how a value changes when a coordinate grows by 1, up to a constant.
func (s *space) writeFeatures(p board.Position, dst []float64) {
	var products [ur.Weights]float64
	b := sparseOf(p)
	b.addGradient(products[:], 1)
	s.projectGradient(dst, products[:])
}

// projectGradient writes a gradient by weights as one by coordinates.
func (s *space) projectGradient(dst, gradient []float64) {
	for k, c := range s.coordinates {
		sum := 0.0
		for _, t := range c {
			sum += float64(t.times * gradient[t.index])
		}
		dst[k] = sum
	}
}

// pointOf returns the given brain's point, without preferences for a player and parts that change no choice.
func (s *space) pointOf(b *ur.Brain) []float64 {
	f := form.Of(b)
	of := func(i, j int) float64 { return float64(f[i][j]) }
	// linear is a piece's value on a square of an otherwise empty board; the square of 0 or 1 counts as linear.
	linear := func(side board.Side, square int) float64 {
		i := side.Number(square)
		worth := float64(s.pieces) * of(form.Pieces, i)
		if square < board.Finish {
			worth += of(i, i) / 2
		}
		return worth
	}
	light, dark := board.Light.Number, board.Dark.Number
	var point []float64
	for i := 1; i <= board.Finish; i++ {
		point = append(point, (linear(board.Light, i)-linear(board.Dark, i))/2)
	}
	point = append(point, -(of(form.Turn, form.Turn)/2 + float64(s.pieces)*of(form.Pieces, form.Turn)))
	for i := 1; i <= board.Finish; i++ {
		point = append(point, (of(form.Turn, light(i))+of(form.Turn, dark(i)))/4)
	}
	for i := 1; i <= board.Finish; i++ {
		for j := 1; j <= i; j++ {
			if j < i {
				point = append(point,
					(of(light(i), light(j))-of(dark(i), dark(j)))/2,
					(of(light(i), dark(j))-of(light(j), dark(i)))/2)
			} else if i == board.Finish {
				point = append(point, (of(light(i), light(i))-of(dark(i), dark(i)))/4)
			}
		}
	}
	return point
}

// sparseBoard is a board's nonzero numbers.
type sparseBoard struct {
	n      int
	number [maxNumbers]uint8
	count  [maxNumbers]uint8
}

// maxNumbers bounds a board's nonzero numbers: the squares of 14 pieces, and the side to
// move; hands and homes take pieces from there.
const maxNumbers = 2*board.FinkelPieces + 1

// sparseOf notes the numbers on a position's board.
func sparseOf(p board.Position) (b sparseBoard) {
	for i, x := range p.Numbers() {
		if x != 0 {
			b.number[b.n], b.count[b.n] = uint8(i), uint8(x)
			b.n++
		}
	}
	return b
}

// value returns the board's value by real weights, as getValue has it for a brain's.
func (b *sparseBoard) value(weights []float64) (sum float64) {
	for i := range b.n {
		row := weights[int(b.number[i])*(int(b.number[i])+1)/2:]
		part := 0.0
		for j := range i + 1 {
			part += float64(row[b.number[j]] * float64(b.count[j]))
		}
		sum += float64(part * float64(b.count[i]))
	}
	return sum
}

// addGradient adds the value's gradient to a gradient by weights, times a factor.
func (b *sparseBoard) addGradient(gradient []float64, times float64) {
	for i := range b.n {
		row := gradient[int(b.number[i])*(int(b.number[i])+1)/2:]
		part := times * float64(b.count[i])
		for j := range i + 1 {
			row[b.number[j]] += float64(part * float64(b.count[j]))
		}
	}
}
