package board

// Futures holds a move generator's result for one roll: the boards after each legal move,
// in ascending order of the moving piece's square. It lives in the caller's memory and is
// refilled for every roll, so generating moves never allocates. B is the board representation.
type Futures[B any] struct {
	// Boards[:N] are the futures. N is at least 1: with no legal move Boards[0]
	// is the board with the turn passed, and Pass is true.
	Boards [FinkelMoves]B
	N      int
	Pass   bool

	// Moves[i] leads to Boards[i], for i < N; not set on a pass.
	Moves [FinkelMoves]Move
}

// clearMoves forgets the last roll's futures. Representations call it first.
func (f *Futures[B]) clearMoves() {
	f.N = 0
	f.Pass = false
}

// addMove enters the next move and returns its board for the generator to fill.
func (f *Futures[B]) addMove(from, to int, capture bool) *B {
	i := f.N
	f.Moves[i] = Move{From: uint8(from), To: uint8(to), Capture: capture}
	f.N++
	return &f.Boards[i]
}

// addPass enters the passed turn as the only future and returns its board for
// the generator to fill.
func (f *Futures[B]) addPass() *B {
	f.N = 1
	f.Pass = true
	return &f.Boards[0]
}

// Layout is *B's method set for a board representation B. [Array16], [Array8], [Rows] and
// [Bits] are this package's layouts.
type Layout[B any] interface {
	*B

	// Set makes the board hold p, a legal position under Finkel's rules with at most FinkelPieces.
	Set(p Position)

	// Position converts back. The board must be legal.
	Position() Position

	// Futures fills f with the boards reachable by a roll from 0 to 4, as defined by
	// [Rules.Futures] for Finkel's rules. The game must not be over.
	Futures(f *Futures[B], roll int)
}
