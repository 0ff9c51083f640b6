package board

import "fmt"

// Finkel's rules as constants, for brains and engines: they play no others. Squares are
// numbered along a player's path.
const (
	Finish     = 15 // pieces home
	SafeSquare = 8  // the rosette in the combat zone: no captures there

	FinkelPieces = 7 // pieces of each side; 1 to FinkelPieces may be played
	FinkelRoll   = 4 // four two-sided dice
	FinkelMoves  = 7 // legal moves of one roll: at most one for each piece
)

// Bit sets of squares: bit s stands for square s on a player's path.
const (
	rosetteSet = 1<<4 | 1<<8 | 1<<14
	sharedSet  = 0x1fe0 // squares 5 to 12
	pathSet    = 0x7ffe // squares 1 to 14
)

// IsRosette reports whether landing on a square grants another turn under Finkel's rules.
func IsRosette(square int) bool { return hasSquare(rosetteSet, square) }

// IsShared reports whether both players walk a square under Finkel's rules: the combat zone.
func IsShared(square int) bool { return hasSquare(sharedSet, square) }

// IsTakeable reports whether a piece on a square can be captured: on a shared one but the safe one.
func IsTakeable(square int) bool { return IsShared(square) && square != SafeSquare }

// CheckPieces returns an error unless 1 <= pieces <= FinkelPieces.
func CheckPieces(pieces int) error {
	if pieces < 1 || pieces > FinkelPieces {
		return fmt.Errorf("number of pieces must be 1 to %d, got %d", FinkelPieces, pieces)
	}
	return nil
}

// A position's array form under Finkel's rules is 33 numbers: entries 0..15 count Light's pieces on
// squares 0..15, entries 16..31 Dark's, and entry 32 is the side to move.
const (
	Numbers      = 33
	LightNumbers = 0
	DarkNumbers  = 16
	TurnNumber   = 32
)

// Number returns where the array form has s's pieces on a square from 0 to 15.
func (s Side) Number(square int) int { return DarkNumbers*int(s) + square }

// NumberName names an entry of the array form, as in "Light hand", "Dark A4" and "Dark to move".
func NumberName(i int) string {
	if i == TurnNumber {
		return "Dark to move"
	}
	side, square := Side(i/DarkNumbers), i%DarkNumbers
	place := map[int]string{Start: "hand", Finish: "home"}[square] + finkel.Tile(side, square) // one is ""
	return [2]string{"Light ", "Dark "}[side] + place
}

// FromNumbers converts a position from its array form (see [Numbers]). The error names the first entry
// that breaks Finkel's rules.
func FromNumbers(x [Numbers]int) (Position, error) {
	for i, n := range x[:TurnNumber] {
		switch square := i % DarkNumbers; {
		case n < 0:
			return Position{}, fmt.Errorf("entry %d is %d (want a count of pieces, 0 or more)", i, n)
		case n > FinkelPieces:
			return Position{}, fmt.Errorf("entry %d is %d (want at most %d pieces)", i, n, FinkelPieces)
		case n > 1 && square != Start && square != Finish:
			return Position{}, fmt.Errorf("entry %d is %d (want at most one piece on square %d)", i, n, square)
		}
	}
	p := fromCounts(&x)
	light, dark := x[LightNumbers]+p.squaresWalked(Light), x[DarkNumbers]+p.squaresWalked(Dark)
	err := CheckPieces(light)
	switch turn := x[TurnNumber]; {
	case light != dark:
		err = fmt.Errorf("light has %d pieces, dark has %d (want equal numbers)", light, dark)
	case turn != 0 && turn != 1:
		err = fmt.Errorf("entry %d is %d (want the side to move, 0 for light or 1 for dark)", TurnNumber, turn)
	case err == nil:
		err = finkel.Check(p)
	}
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

// fromCounts converts a legal position from its array form.
func fromCounts(x *[Numbers]int) Position {
	p := Position{turn: Side(x[TurnNumber])}
	for i, n := range x[:TurnNumber] {
		switch side, square := i/DarkNumbers, i%DarkNumbers; square {
		case Start:
		case Finish:
			p.home[side] = uint8(n)
		default:
			p.squares[side] |= uint32(n) << square
		}
	}
	p.pieces = uint8(x[LightNumbers] + p.squaresWalked(Light))
	return p
}

// Numbers returns a position's array form under Finkel's rules, the inverse to [FromNumbers].
func (p Position) Numbers() [Numbers]int {
	var x [Numbers]int
	for i := range TurnNumber {
		x[i] = finkel.Count(p, Side(i/DarkNumbers), i%DarkNumbers)
	}
	x[TurnNumber] = int(p.turn)
	return x
}
