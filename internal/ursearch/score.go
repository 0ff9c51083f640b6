package ursearch

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// A score is a brain's value of a position as seen by the side to move, with the sides treated
// alike:
//
//	F(own, opp) = V(own is Light and to move) - V(own is Dark and to move)
//
// This is twice the value of a brain that sees both sides alike, plus the curve's correction
// for squares. Like V it is a quadratic form, below 2^24 in size.
//
// A node needs the score after every move of every roll. For each of them the other side moves
// next and the score is A = -F(opp, own), or after a rosette the same side and it is B = F(own,
// opp). With z the squares of both sides, a move adds d to it and
//
//	A(z+d) = A(z) + d·Mz + A(d),    M the matrix of A
//
// where d is not zero at the squares of the move and of a captured piece. So a node computes
// the fields below, sums over its pieces, and each move is the difference of two of them plus a
// constant. They are sums of five rows of tables, one for each group of squares that depend on
// each other: the private squares of both sides, the halves of the shared ones, and the pieces
// home. A child's score comes with its move, so no quadratic form is ever computed below the
// root. The idea is that of NNUE's accumulators (Yu Nasu, 2018), computed afresh where a search
// jumps about.
//
// Fields:
//
//	 0..15   a piece of the mover's on that square, 0 for the hand
//	16       B(z) - A(z), the value of moving again: linear in z
//	17..31   landing on square 1..15 with an effect beyond the move: a rosette, where
//	         the same side moves next, or a capture
const (
	fields     = 32
	again      = 16
	special    = 16 // from a square to its field with a rosette or a capture
	fieldWords = fields / 2

	// fieldBias is added to the two fields in a word, so neither is below zero and no addition
	// carries from one into the other. Differences are free of it.
	fieldBias = 1<<31 | 1<<63
)

// row is the contribution of a group of squares to the fields: two of 32 bits to a word, the
// integer low + high * 2^32.
type row [fieldWords]uint64

// scorer is a brain bound for games of a number of pieces: 53 KiB.
type scorer struct {
	form    form
	private [2][64]row // by side, own first: squares 1..4, 13, 14
	shared  [2][81]row // by half: squares 5..8, 9..12, three states each
	home    [8 * 8]row // by the pieces left of own * 8 + opp, with everything constant
	gain    [board.MaxRoll + 1][fields]int32
}

// form is a symmetric bilinear form over coordinates: the mover's pieces on squares 1..15 at
// 1..15, the other side's at 17..31, and the constant at 0. F(z) is half of form(z, z), where z
// is 1 at 0.
type form [32]vector

type vector [32]int32

// coordinate is a coordinate of a form in numbers of the board.
func coordinate(i, pieces int) (x [board.Numbers]int32) {
	switch i {
	case 0:
		x[0], x[16] = int32(pieces), int32(pieces)
	case 16:
	default:
		x[i], x[i&^15] = 1, -1
	}
	return x
}

// newForm returns the form of F.
func newForm(b *ur.Brain, squares *Squares, pieces int) (f form) {
	for i := range f {
		for j := range f {
			x, y := coordinate(i, pieces), coordinate(j, pieces)
			f[i][j] = polar(b, &x, &y)
			x, y = mirrored(x), mirrored(y)
			if i == 0 {
				x[board.Numbers-1] = 1
			}
			if j == 0 {
				y[board.Numbers-1] = 1
			}
			f[i][j] -= polar(b, &x, &y)
		}
	}
	f.addSquares(squares, pieces)
	return f
}

// addSquares adds the values of squares. In a game of fewer than 7 pieces the missing ones
// count as home.
func (f *form) addSquares(s *Squares, pieces int) {
	const own, opp = 0, 16
	pair := func(i, j int, by int32) {
		f[i][j] += by
		f[j][i] += by
	}
	missing := int32(board.MaxPieces - pieces)
	for square := 1; square < board.Finish; square++ {
		home, other := s.Home[square], s.Other[square]
		pair(0, own+square, s.Own[square]+missing*(home+other))
		pair(0, opp+square, s.Opp[square]-missing*(home+other))
		pair(own+square, own+board.Finish, home)
		pair(own+square, opp+board.Finish, other)
		pair(opp+square, opp+board.Finish, -home)
		pair(opp+square, own+board.Finish, -other)
	}
}

func mirrored(x [board.Numbers]int32) (y [board.Numbers]int32) {
	copy(y[:16], x[16:32])
	copy(y[16:], x[:16])
	return y
}

// polar returns V(x+y) - V(x) - V(y).
func polar(b *ur.Brain, x, y *[board.Numbers]int32) (sum int32) {
	for i := range x {
		for j := range y {
			if x[i] == 0 || y[j] == 0 {
				continue
			}
			w := int32(b.Pair(i, j))
			if i == j {
				w *= 2
			}
			sum += w * x[i] * y[j]
		}
	}
	return sum
}

// of returns form(z, z)/2.
func (f *form) of(z *vector) (sum int32) {
	for i := range f {
		sum += z[i] * f[i].dot(z)
	}
	return sum / 2
}

func (v *vector) dot(z *vector) (sum int32) {
	for i := range v {
		sum += v[i] * z[i]
	}
	return sum
}

// other returns the form of A: minus F with the sides exchanged.
func (f *form) other() (a form) {
	for i := range a {
		for j := range a {
			a[i][j] = -f[exchanged(i)][exchanged(j)]
		}
	}
	return a
}

func exchanged(i int) int {
	if i == 0 {
		return 0
	}
	return i ^ 16
}

// squaresOf returns the coordinates of a word.
func squaresOf(w word) (z vector) {
	z[0] = 1
	for side, h := range [2]uint32{w.own(), w.opp()} {
		for square := 1; square < board.Finish; square++ {
			z[16*side+square] = int32(h >> (square + startBit) & 1)
		}
		z[16*side+board.Finish] = int32(h >> homeShift & 15)
	}
	return z
}

// newScorer binds a brain and a curve's corrections of its scores.
func newScorer(b *ur.Brain, squares *Squares, pieces int) *scorer {
	s := &scorer{form: newForm(b, squares, pieces)}
	fieldsOf := s.linear(pieces)
	square := func(side, square int) (r row) { return packed(fieldsOf(16*side + square)) }
	privateSquares := [6]int{1, 2, 3, 4, 13, 14}
	for side := range s.private {
		for set := range s.private[side] {
			for i, at := range privateSquares {
				if set>>i&1 != 0 {
					s.private[side][set].add(square(side, at))
				}
			}
		}
	}
	for half := range s.shared {
		for own := range 16 {
			for opp := range 16 {
				if own&opp != 0 {
					continue
				}
				r := &s.shared[half][ternary[own]+2*ternary[opp]]
				for i := range 4 {
					if own>>i&1 != 0 {
						r.add(square(0, 5+4*half+i))
					}
					if opp>>i&1 != 0 {
						r.add(square(1, 5+4*half+i))
					}
				}
			}
		}
	}
	s.setHome(pieces, fieldsOf)
	s.setGains()
	return s
}

func (s *scorer) setHome(pieces int, fieldsOf func(int) vector) {
	constant := packed(fieldsOf(0))
	for own := 1; own <= pieces; own++ {
		for opp := 1; opp <= pieces; opp++ {
			r := &s.home[8*own+opp]
			r.add(constant)
			for range pieces - own {
				r.add(packed(fieldsOf(board.Finish)))
			}
			for range pieces - opp {
				r.add(packed(fieldsOf(16 + board.Finish)))
			}
			for i := range r {
				r[i] += fieldBias
			}
		}
	}
}

// linear returns the fields as functions of the coordinates: the contribution of a coordinate
// to all of them.
func (s *scorer) linear(pieces int) func(i int) vector {
	b := &s.form
	a := b.other()
	var tempo vector // B(z) - A(z) is linear: the pairs without the constant cancel
	for i := range tempo {
		tempo[i] = b[0][i] - a[0][i]
	}
	tempo[0] /= 2
	return func(i int) (v vector) {
		for square := 1; square <= board.Finish; square++ {
			v[square] = a[square][i]
			switch {
			case board.IsRosette(square):
				v[special+square] = b[square][i] + tempo[i]
			case board.IsShared(square):
				v[special+square] = a[square][i] - a[16+square][i]
			}
		}
		v[again] = tempo[i]
		return v
	}
}

// setGains fills in the values of the moves of a roll apart from the fields.
func (s *scorer) setGains() {
	b := &s.form
	a := b.other()
	for roll := 1; roll <= board.MaxRoll; roll++ {
		for to := roll; to <= board.Finish; to++ {
			from := to - roll
			var d vector
			d[to]++
			if from != board.Start {
				d[from]--
			}
			s.gain[roll][to] = a.of(&d)
			switch {
			case board.IsRosette(to):
				s.gain[roll][special+to] = b.of(&d)
				if from != board.Start {
					s.gain[roll][special+to] -= b[0][from] - a[0][from] // the field left is that of A
				}
			case board.IsShared(to):
				d[16+to]--
				s.gain[roll][special+to] = a.of(&d)
			}
		}
	}
}

// packed puts fields two to a word.
func packed(v vector) (r row) {
	for i, n := range v {
		r[i/2] += uint64(int64(n)) << (i % 2 * 32)
	}
	return r
}

func (r *row) add(other row) {
	for i := range r {
		r[i] += other[i]
	}
}

// ternary reads four binary digits as ternary ones.
var ternary = [16]uint8{0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40}

// sums are the fields at a position, each higher by 2^31.
type sums struct {
	at [fieldWords]uint64
}

// field returns a field. Differences of fields are free of fieldBias.
func (s *sums) field(i uint32) uint32 {
	return uint32(s.at[i>>1&(fieldWords-1)] >> (i & 1 * 32))
}

// set computes the fields at a position.
func (s *sums) set(t *scorer, w word) {
	own, opp := w.own()>>startBit, w.opp()>>startBit
	a := &t.private[0][(own>>1&15|own>>9&0x30)&63]
	b := &t.private[1][(opp>>1&15|opp>>9&0x30)&63]
	c := &t.shared[0][ternary[own>>5&15]+2*ternary[opp>>5&15]]
	d := &t.shared[1][ternary[own>>9&15]+2*ternary[opp>>9&15]]
	left, oppLeft := w.left()
	e := &t.home[(8*left+oppLeft)&63]
	for i := range s.at {
		s.at[i] = a[i] + b[i] + c[i] + d[i] + e[i]
	}
}

// score computes F from its definition: for the root.
func (t *scorer) score(w word, pieces int) int32 {
	z := squaresOf(w)
	z[board.Finish] -= int32(8 - pieces)
	z[16+board.Finish] -= int32(8 - pieces)
	return t.form.of(&z)
}

// lowest returns the number of the lowest bit of a set.
func lowest(set uint32) uint32 { return uint32(bits.TrailingZeros32(set)) }
