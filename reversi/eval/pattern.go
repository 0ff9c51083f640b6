package eval

import (
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// shapes are the patterns: sets of squares, each on every place where a symmetry of the
// board takes it. Corners three by three and two by five, edges with the squares aslant from
// their corners, and lines are Logistello's (Buro 1997); the edge with the block below it is
// Edax's. Every line has the squares beside it that helped most in trials: up to ten squares cost
// no more time than five. The order is that of Features' lanes, four places for a shape to a
// word.
var shapes = [...][]string{
	{"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"},
	{"d1", "e2", "f3", "g4", "h5", "e1", "f2", "g3", "h4", "e4"},
	{"c1", "d2", "e3", "f4", "g5", "h6", "d3", "f5", "f3", "e4"},
	{"b1", "c2", "d3", "e4", "f5", "g6", "h7", "a1", "h8", "g2"},
	{"a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "c2", "b3"},
	{"a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2", "a1", "h1"},
	{"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "d2", "e2"},
	{"a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4", "d3", "e3"},
	{"b2", "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "g2"},
	{"a1", "c1", "d1", "c2", "d2", "e2", "f2", "e1", "f1", "h1"},
	{"a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2", "e2"},
}

const (
	// places is how many patterns the board has, all symmetric ones counted.
	places = 48
	// lanesPerWord and words are how Features hold a place's index.
	lanesPerWord = 4
	words        = places / lanesPerWord

	// discsPerStage is how many disc counts share a set of weights.
	discsPerStage = 4
	// moveCounts bounds the legal moves: no position has more than 33.
	moveCounts = 34
	// WeightsPerStage counts the weights for all shapes: 3 to the power of its squares for each,
	// and those for the numbers of moves.
	WeightsPerStage = mobility + discsPerStage*moveCounts
	mobility        = nine + 10*ten
	nine, ten       = 19683, 59049 // indices of nine and ten squares

	// Stages is how many sets of weights there are.
	Stages = 60 / discsPerStage
)

// place is a pattern on the board: its squares, the first worth the most in the index,
// and where its shape's weights begin.
type place struct {
	squares []board.Square
	offset  int
}

// StageOf returns the stage for as many discs on the board.
func StageOf(discs int) int { return min((discs-4)/discsPerStage, Stages-1) }

// mobilityOf returns the weight's number for as many legal moves. Every number of discs
// has its own weights, because the side that moves last gains.
func mobilityOf(discs, moves int) int {
	return mobility + discs&(discsPerStage-1)*moveCounts + min(moves, moveCounts-1)
}

// layout is where patterns stand; it follows from shapes.
type layout struct {
	places []place

	// adds[s] has, in the lane for every place with s, what a 1 on s contributes to the index.
	// An index is below 3^10, so 16-bit lanes hold it, and sums and differences of whole
	// words are exact whatever is carried between lanes on the way.
	adds [64][words]uint64
}

// symmetry holds a stage's weights made equal by symmetries.
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
	if eachShape(l.place) != mobility || len(l.places) != places {
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

// eachShape calls a function with the squares of each shape and where its weights begin. It returns the end
// of all weights.
func eachShape(call func(base []board.Square, offset int)) (offset int) {
	for _, names := range shapes {
		base := make([]board.Square, len(names))
		for i, name := range names {
			var err error
			if base[i], err = board.ParseSquare(name); err != nil {
				panic(err) // a name above is wrong
			}
		}
		call(base, offset)
		offset += power3(len(base))
	}
	return offset
}

// folded returns the weights' symmetries. They take many times as long to find as the
// layout: programs that read no weights do not wait for them.
var folded = sync.OnceValue(func() *symmetry {
	s := &symmetry{twin: make([]int32, WeightsPerStage), swapped: make([]int32, WeightsPerStage), own: make([]int32, 0, WeightsPerStage)}
	eachShape(s.fold)
	for i := int32(mobility); i < WeightsPerStage; i++ {
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

// fold finds a shape's weights made equal by the shape's own symmetries.
func (s *symmetry) fold(base []board.Square, offset int) {
	_, set := image(base, 0)
	n := power3(len(base))
	twin, swapped := s.twin[offset:offset+n], s.swapped[offset:offset+n]
	for i := range twin {
		twin[i] = int32(offset + i)
	}
	for n := range board.Symmetries {
		squares, other := image(base, n)
		if other != set {
			continue
		}
		worth := make([]int32, len(base)) // worth in the symmetric board's index, by digit from the last
		for i, square := range squares {
			worth[len(base)-1-slices.Index(base, square)] = int32(power3(len(base) - 1 - i))
		}
		for i, j := range mapped(worth, [3]int32{0, 1, 2}) {
			twin[i] = min(twin[i], int32(offset)+j)
		}
	}
	worth := make([]int32, len(base))
	for i := range worth {
		worth[i] = int32(power3(i))
	}
	for i, j := range mapped(worth, [3]int32{0, 2, 1}) {
		swapped[i] = int32(offset) + j
	}
}

// mapped returns another index for every index: each digit d becomes digits[d], and counts as much
// as worth says, which lists the digits from the last on. digits[0] is 0.
func mapped(worth []int32, digits [3]int32) []int32 {
	sums := make([]int32, 1, power3(len(worth)))
	for _, w := range worth {
		n := len(sums)
		for _, d := range digits[1:] {
			for _, sum := range sums[:n] {
				sums = append(sums, sum+w*d)
			}
		}
	}
	return sums
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
