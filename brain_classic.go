package ur

import "github.com/seed-09dcdc84/ur/board"

// The classic brain is set by hand from players' experience. A quadratic form cannot hold a
// constant or, for the counts of squares 0 and 15, a plain linear term. The numbers of one side
// always sum to its pieces, so a row of equal weights across a side acts as a linear term times
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
// square in the middle, tempo, and the exposure of each piece in the combat zone to the
// opponents behind it, weighted by the probability of the capturing roll. Captures need no term
// of their own: they remove the opponent's progress. The brain is antisymmetric between the
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

// classicPair adds a weight to a pair of Light's numbers and its negative to the
// same pair of Dark's.
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
