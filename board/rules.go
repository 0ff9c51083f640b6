package board

// Squares of a player's path, and the sizes derived from the rules.
const (
	Start      = 0  // pieces in hand
	Finish     = 15 // pieces home
	SafeSquare = 8  // the rosette in the combat zone: no captures there

	MaxPieces = 7  // pieces of each player; 1 to MaxPieces may be played
	MaxRoll   = 4  // four two-sided dice
	MaxMoves  = 7  // legal moves of one roll: at most one for each piece
	Numbers   = 33 // entries of the array form: 16 squares a side and the turn
)

// Where the array form has its numbers: the pieces of each side on squares 0 to 15, one
// number for each square, and the side to move. See [Position.Numbers].
const (
	LightNumbers = 0
	DarkNumbers  = 16
	TurnNumber   = 32
)

// Bit sets of squares: bit s stands for square s of a player's path.
const (
	rosetteSet = 1<<4 | 1<<8 | 1<<14
	sharedSet  = 0x1fe0 // squares 5 to 12
	pathSet    = 0x7ffe // squares 1 to 14
)

// IsRosette reports whether landing on square grants another turn.
func IsRosette(square int) bool {
	return 0 <= square && square <= Finish && rosetteSet>>square&1 != 0
}

// IsShared reports whether square lies in the combat zone, where both players
// walk and pieces can be captured.
func IsShared(square int) bool {
	return 0 <= square && square <= Finish && sharedSet>>square&1 != 0
}

// IsTakeable reports whether a piece on square can be captured: in the combat zone, but
// for the safe square.
func IsTakeable(square int) bool { return IsShared(square) && square != SafeSquare }

// RollWays is how many of the 16 equally likely throws of four two-sided dice
// give each roll; roll r has probability RollWays[r]/16.
var RollWays = [MaxRoll + 1]int{1, 4, 6, 4, 1}

// Side is one of the two players. Light moves first.
type Side uint8

// The two players, with their values in entry 32 of the array form.
const (
	Light Side = 0
	Dark  Side = 1
)

// Other returns the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

// Sign is 1 for Light, the maximizing side, and -1 for Dark, the minimizing side. It is also
// the change in the turn number at the end of the side's turn.
func (s Side) Sign() int { return 1 - 2*int(s) }

// Number returns where the array form has the pieces of s on a square of 0 to 15.
func (s Side) Number(square int) int { return DarkNumbers*int(s) + square }

// String returns "light" or "dark".
func (s Side) String() string {
	if s == Light {
		return "light"
	}
	return "dark"
}

// Move is one piece moving forward by the roll. Passing is not a Move.
type Move struct {
	From, To uint8 // squares of the mover's path: From 0..14, To 1..15
	Capture  bool  // an opposing piece on To goes back to its owner's hand
}
