package board

// Squares of a player's path, and the sizes that follow from the rules.
const (
	Start      = 0  // pieces in hand
	Finish     = 15 // pieces home
	SafeSquare = 8  // the rosette in the combat zone: no captures there

	MaxPieces = 7  // pieces of each player; 1 to MaxPieces may be played
	MaxRoll   = 4  // four two-sided dice
	MaxMoves  = 7  // legal moves of one roll: at most one for each piece
	Numbers   = 33 // entries of the array form: 16 squares a side and the turn
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

// RollWays is how many of the 16 equally likely throws of four two-sided dice
// give each roll; roll r has probability RollWays[r]/16.
var RollWays = [MaxRoll + 1]int{1, 4, 6, 4, 1}

// Side is one of the two players. Light moves first.
type Side uint8

// The two players, with the values that entry 32 of the array form has when it
// is their turn.
const (
	Light Side = 0
	Dark  Side = 1
)

// Other returns the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

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
