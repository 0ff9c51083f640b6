package eval

import (
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// shapes are the patterns: sets of squares, each on every place where a symmetry of the
// board takes it. Corners of three by three and of two by five, edges with the squares aslant of
// their corners, and lines are Logistello's (Buro 1997); the edge with the block below it is
// Edax's. The order is that of the lanes of Features, four places of a shape to a word.
var shapes = [...][]string{
	{"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"},
	{"d1", "e2", "f3", "g4", "h5"},
	{"c1", "d2", "e3", "f4", "g5", "h6"},
	{"b1", "c2", "d3", "e4", "f5", "g6", "h7"},
	{"a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"},
	{"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"},
	{"a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"},
	{"b2", "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "g2"},
	{"a1", "c1", "d1", "c2", "d2", "e2", "f2", "e1", "f1", "h1"},
	{"a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2", "e2"},
	{"a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"},
}

const (
	// places is the number of patterns on the board, all symmetric ones counted.
	places = 46
	// lane and word are where the index of a place stands in Features.
	lanesPerWord = 4
	words        = 12

	// discsPerStage is the number of disc counts that share a set of weights. Each has a constant
	// of its own, because the side that moves last gains.
	discsPerStage = 4
	// weightsPerStage counts the weights of all shapes: 3 to the power of its squares for each,
	// and the constants.
	weightsPerStage = constant + discsPerStage
	constant        = 19683 + 243 + 729 + 2187 + 3*6561 + 3*59049 + 6561

	// Stages is the number of sets of weights.
	Stages = 60 / discsPerStage
)

// place is a pattern on the board: its squares, the first worth the most in the index,
// and where the weights of its shape begin.
type place struct {
	squares []board.Square
	offset  int
}

// stage returns the set of weights for a number of discs on the board.
func stage(discs int) int { return min((discs-4)/discsPerStage, Stages-1) }

// constantOf returns the number of the constant for a number of discs on the board.
func constantOf(discs int) int { return constant + discs&(discsPerStage-1) }

// layout is where patterns stand; it follows from shapes.
type layout struct {
	places []place

	// adds[s] has, in the lane of every place of s, the contribution of a 1 on s to the index.
	// An index is below 3^10, so lanes of 16 bits hold it, and sums and differences of whole
	// words are exact whatever is carried between lanes on the way.
	adds [64][words]uint64
}

// symmetry holds the weights of a stage made equal by symmetries.
type symmetry struct {
	// own lists the weights that are their own twins: those a file holds.
	own []int32
	// twin[i] is the least weight equal to weight i by symmetry.
	twin []int32
	// swapped[i] is weight i with the sides exchanged.
	swapped []int32
}

var patterns = newLayout()

func newLayout() *layout {
	l := new(layout)
	offset := 0
	for _, names := range shapes {
		base := squaresOf(names)
		l.place(base, offset)
		offset += power3(len(base))
	}
	if offset != constant || len(l.places) != places {
		panic("the shapes do not make up the patterns")
	}
	for i, p := range l.places {
		worth := uint64(1)
		for _, s := range slices.Backward(p.squares) {
			l.adds[s][i/lanesPerWord] += worth << (16 * (i % lanesPerWord))
			worth *= 3
		}
	}
	return l
}

// squaresOf returns the squares of a shape.
func squaresOf(names []string) []board.Square {
	base := make([]board.Square, len(names))
	for i, name := range names {
		s, err := board.ParseSquare(name)
		if err != nil {
			panic(err) // a name above is wrong
		}
		base[i] = s
	}
	return base
}

// folded returns the symmetries of the weights. They take many times as long to find as the
// layout: programs that read no weights do not wait for them.
var folded = sync.OnceValue(func() *symmetry {
	s := &symmetry{twin: make([]int32, weightsPerStage), swapped: make([]int32, weightsPerStage)}
	offset := 0
	for _, names := range shapes {
		base := squaresOf(names)
		s.fold(base, offset)
		offset += power3(len(base))
	}
	for i := int32(constant); i < weightsPerStage; i++ {
		s.twin[i], s.swapped[i] = i, i
	}
	for i, twin := range s.twin {
		if int(twin) == i {
			s.own = append(s.own, twin)
		}
	}
	return s
})

// place adds a shape on all the places where symmetries take it.
func (l *layout) place(base []board.Square, offset int) {
	var seen []uint64
	for n := range board.Symmetries {
		squares, set := image(base, n)
		if !slices.Contains(seen, set) {
			seen = append(seen, set)
			l.places = append(l.places, place{squares, offset})
		}
	}
}

// fold finds the weights of a shape made equal by symmetries of the shape itself.
func (s *symmetry) fold(base []board.Square, offset int) {
	_, set := image(base, 0)
	var orders [][]int // the squares of a symmetric image, as indices of base
	for n := range board.Symmetries {
		squares, other := image(base, n)
		if other != set {
			continue
		}
		order := make([]int, len(base))
		for i, square := range squares {
			order[i] = slices.Index(base, square)
		}
		orders = append(orders, order)
	}
	digits := make([]int, len(base))
	for index := range power3(len(base)) {
		for i, rest := len(base)-1, index; i >= 0; i, rest = i-1, rest/3 {
			digits[i] = rest % 3
		}
		least, swap := index, 0
		for _, order := range orders {
			other := 0
			for _, at := range order {
				other = 3*other + digits[at]
			}
			least = min(least, other)
		}
		for _, d := range digits {
			swap = 3*swap + (3-d)%3
		}
		s.twin[offset+index], s.swapped[offset+index] = int32(offset+least), int32(offset+swap)
	}
}

func image(base []board.Square, n int) (squares []board.Square, set uint64) {
	for _, s := range base {
		squares = append(squares, s.Symmetric(n))
		set |= s.Symmetric(n).Bit()
	}
	return squares, set
}

func power3(n int) int {
	p := 1
	for range n {
		p *= 3
	}
	return p
}
