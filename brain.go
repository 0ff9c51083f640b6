package ur

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur/board"
)

// Weights is how many weights a [Brain] has: the lower triangle of a 33 x 33
// matrix with its diagonal.
const Weights = board.Numbers * (board.Numbers + 1) / 2

// A Brain is the lower triangle of the matrix B in the quadratic form V, row by
// row: B[0][0], B[1][0], B[1][1], B[2][0], ... Entry (i, j) stands at
// [WeightIndex](i, j).
//
// Any 16-bit weights are allowed. No value overflows int32: on a legal board
// each side's numbers sum to at most 7 and the turn is at most 1, so x[i]*x[j], summed
// over i >= j, is at most 162, and |V| at most 162 * 32768 < 2^23.
type Brain [Weights]int16

// WeightIndex returns the index in a [Brain] for the weight in row i, column j,
// for 0 <= j <= i < 33.
func WeightIndex(i, j int) int { return i*(i+1)/2 + j }

// At returns the matrix entry in row i and column j, which is 0 above the
// diagonal.
func (b *Brain) At(i, j int) int16 {
	if j > i {
		return 0
	}
	return b[WeightIndex(i, j)]
}

// Pair returns the weight on x[i]*x[j], with i and j in either order.
func (b *Brain) Pair(i, j int) int16 {
	if j > i {
		i, j = j, i
	}
	return b[WeightIndex(i, j)]
}

// Value returns V at a position, by the definition's double loop. It is meant
// for a few positions; an [Engine] is the fast way to many.
func (b *Brain) Value(p board.Position) int32 {
	var x board.Array16
	x.Set(p)
	return ValueByDefinition(b, &x)
}

// Hash returns 16 hexadecimal digits that identify the brain: the first 8 bytes in a SHA-256
// sum over the weights, two bytes each, little-endian. It depends on nothing but the weights, and
// appears in saved brains' headers and in logs.
func (b *Brain) Hash() string {
	var text [2 * Weights]byte
	for i, w := range b {
		binary.LittleEndian.PutUint16(text[2*i:], uint16(w))
	}
	sum := sha256.Sum256(text[:])
	return hex.EncodeToString(sum[:8])
}

// Term is the product of a pair of a board's numbers in the sum of a value.
type Term struct {
	Row     int    `json:"row"`        // 0 to 32
	Column  int    `json:"column"`     // 0 to Row
	Weight  int16  `json:"weight"`     // entry of the brain in row and column
	X       [2]int `json:"x"`          // the numbers of row and column
	Y       [2]int `json:"y,omitzero"` // those of the other position in a comparison
	Product int32  `json:"product"`    // Weight * X[0] * X[1], minus the same product of Y
}

// Explain returns the terms of a position that are not 0, largest first without regard to sign. Their
// products sum to [Brain.Value].
func (b *Brain) Explain(p board.Position) []Term {
	return b.terms(p.Numbers(), [board.Numbers]int{})
}

// Compare returns the terms that differ between two positions, largest difference first. Their
// products sum to the value of p minus the value of q.
func (b *Brain) Compare(p, q board.Position) []Term {
	return b.terms(p.Numbers(), q.Numbers())
}

// terms returns the terms that differ between two boards.
func (b *Brain) terms(x, y [board.Numbers]int) []Term {
	list := []Term{}
	for i := range board.Numbers {
		for j := range i + 1 {
			t := Term{Row: i, Column: j, Weight: b.At(i, j), X: [2]int{x[i], x[j]}, Y: [2]int{y[i], y[j]}}
			if t.Product = int32(t.Weight) * int32(x[i]*x[j]-y[i]*y[j]); t.Product != 0 {
				list = append(list, t)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Term) int {
		return cmp.Compare(max(b.Product, -b.Product), max(a.Product, -a.Product))
	})
	return list
}

// brain_default.txt is the best brain learned so far. Its comments name the command that
// learned it and its strength. To install a better one, replace the file.
//
//go:embed brain_default.txt
var defaultBrainText []byte

var defaultBrain = sync.OnceValue(func() *Brain {
	b, _, err := ReadBrain(bytes.NewReader(defaultBrainText))
	if err != nil {
		panic(fmt.Sprintf("brain_default.txt: %v", err)) // a test reads it
	}
	return b
})

// DefaultBrain returns a copy of the player "brain"'s built-in brain. It was fitted to the
// exact solution's choices and loses 0.07 percentage points of win probability per
// decision in a perfect game; [ClassicBrain] loses 0.39.
func DefaultBrain() *Brain {
	b := *defaultBrain()
	return &b
}

// The classic brain is set by hand from players' experience. A quadratic form cannot hold a
// constant or, for the counts on squares 0 and 15, a plain linear term. One side's numbers
// always sum to its pieces, so a row with equal weights across a side acts as a linear term times
// the number of pieces.
const (
	classicStep     = 12 // worth of one square of progress
	classicRosette  = 6  // a piece on a rosette is safe there
	classicCentral  = 46 // more on square 8: it also bars the way
	classicPrivate  = 6  // squares 13 and 14 are past all danger
	classicHome     = 30 // a piece home is worth more than its 15 squares
	classicLeader   = 6  // home together: each brings the win nearer
	classicTempo    = 34 // worth of having the turn
	classicExposure = 14 // share, in sixteenths, of a threatened piece's progress
)

// ClassicBrain returns the built-in hand-set brain. It counts progress, rosettes, the safe
// square in the middle, tempo, and how each piece in the combat zone is exposed to the
// opponents behind it, weighted by the capturing roll's probability. Captures need no
// own term: they remove the opponent's progress. The brain is antisymmetric between the
// players, and its values fit in 16 bits.
func ClassicBrain() *Brain {
	b := new(Brain)
	for square := board.Start + 1; square < board.Finish; square++ {
		b.classicPair(square, square, classicSquare(square))
	}
	for square := board.Start; square <= board.Finish; square++ {
		// A finished piece times all pieces: linear in the number home.
		b.classicPair(board.Finish, square, (15*classicStep+classicHome)/board.FinkelPieces)
	}
	b.classicPair(board.Finish, board.Finish, classicLeader)
	b.classicExposure()
	b[WeightIndex(board.TurnNumber, board.TurnNumber)] -= classicTempo // Dark to move
	return b
}

// classicSquare is the worth of one piece on square 1..14.
func classicSquare(square int) int {
	worth := classicStep * square
	if board.IsRosette(square) {
		worth += classicRosette
	}
	switch {
	case square == board.SafeSquare:
		worth += classicCentral
	case !board.IsShared(square) && square > board.SafeSquare:
		worth += classicPrivate
	}
	return worth
}

// classicPair adds a weight to a pair of Light's numbers and its negative to Dark's
// same pair.
func (b *Brain) classicPair(i, j, weight int) {
	b[WeightIndex(i+board.LightNumbers, j+board.LightNumbers)] += int16(weight)
	b[WeightIndex(i+board.DarkNumbers, j+board.DarkNumbers)] -= int16(weight)
}

// classicExposure takes from every piece in the combat zone a share of its
// progress for each opponent that one roll would bring onto it.
func (b *Brain) classicExposure() {
	for square := range board.Finish {
		if !board.IsShared(square) || square == board.SafeSquare {
			continue
		}
		for roll := 1; roll <= board.FinkelRoll && square-roll >= 0; roll++ {
			risk := classicStep * square * board.Finkel().Weight(roll) * classicExposure / 256
			b[WeightIndex(board.DarkNumbers+square-roll, board.LightNumbers+square)] -= int16(risk)
			b[WeightIndex(board.DarkNumbers+square, board.LightNumbers+square-roll)] += int16(risk)
		}
	}
}
