package board

// The oracle of all representations' generators: the rules, one after another.

import "math/bits"

// Move is one piece moving forward by the roll. Passing is not a Move.
type Move struct {
	From, To uint8 // squares of the mover's path: From is Start or more, To at most Finish
	Capture  bool  // an opposing piece on To goes back to its owner's hand
}

// Moves appends to dst the moving side's legal moves for a roll, in ascending order by
// the moving piece's square, and returns the result: at most [MaxMoves]. It appends nothing if
// there is no legal move: the turn passes. A finished game has no legal moves.
func (r *Rules) Moves(dst []Move, p Position, roll int) []Move {
	if _, over := p.Winner(); over || roll < 1 || roll > MaxRoll {
		return dst
	}
	me, you := p.turn, p.turn.Other()
	movers := p.squares[me]
	if p.Hand(me) > 0 {
		movers |= 1 << Start
	}
	theirs := r.crossPath(p.squares[you])                // on the tiles of my path
	for from := Start; from+roll <= r.Finish(); from++ { // a piece comes home by an exact throw
		to := from + roll
		if movers>>from&1 == 0 {
			continue
		}
		if to != r.Finish() && p.squares[me]>>to&1 != 0 {
			continue
		}
		taken := theirs>>to&1 != 0
		if taken && r.safe>>to&1 != 0 {
			continue
		}
		dst = append(dst, Move{From: uint8(from), To: uint8(to), Capture: taken})
	}
	return dst
}

// Apply returns the position after the legal move m.
func (r *Rules) Apply(p Position, m Move) Position {
	me, you := p.turn, p.turn.Other()
	p.squares[me] &^= 1 << m.From // no effect when the piece comes from the hand
	if int(m.To) == r.Finish() {
		p.home[me]++
	} else {
		p.squares[me] |= 1 << m.To
	}
	if m.Capture {
		p.squares[you] &^= 1 << r.across[m.To] // back to the hand, computed as the remainder
	}
	if !r.RollsAgain(m) {
		p.turn = you
	}
	return p
}

// RollsAgain reports whether a legal move grants its side another roll.
func (r *Rules) RollsAgain(m Move) bool {
	return r.again>>m.To&1 != 0 || m.Capture && r.def.RollAfterCapture
}

// Pass returns p with the other side to move.
func (p Position) Pass() Position {
	p.turn = p.turn.Other()
	return p
}

// Futures appends to dst the positions reachable by a roll, ordered as in [Rules.Moves].
// Without a legal move the only future is p with the turn passed; a finished game has none.
func (r *Rules) Futures(dst []Position, p Position, roll int) []Position {
	if _, over := p.Winner(); over {
		return dst
	}
	var buf [MaxMoves]Move
	moves := r.Moves(buf[:0], p, roll)
	if len(moves) == 0 {
		return append(dst, p.Pass())
	}
	for _, m := range moves {
		dst = append(dst, r.Apply(p, m))
	}
	return dst
}

// RandomFuture returns one of the positions of [Rules.Futures], number n*random/2^64 of n: each with the
// same probability if random has 64 random bits. The game must not be over. It is fast, for games of
// random moves: a roll leads each piece to another square, so a set of squares holds all moves.
func (r *Rules) RandomFuture(p Position, roll int, random uint64) Position {
	me, you := p.turn&1, p.turn&1^1
	own := p.squares[me]
	movers := own
	if p.Hand(me) > 0 {
		movers |= 1 << Start
	}
	to := movers << (roll & 31) &^ own & (1<<(r.squares+2) - 1)
	if safe := p.squares[you] & r.safe; safe != 0 {
		to &^= r.crossPath(safe)
	}
	if to == 0 || roll == 0 {
		return p.Pass()
	}
	choice, _ := bits.Mul64(random, uint64(bits.OnesCount32(to)))
	for range choice {
		to &= to - 1
	}
	square := bits.TrailingZeros32(to)
	taken := p.squares[you] >> (r.across[square] & 31) & 1 << (r.across[square] & 31) // square 0 is empty
	return r.Apply(p, Move{From: uint8(square - roll), To: uint8(square), Capture: taken != 0})
}

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

// addPass enters the passed turn as the only future and returns its board.
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
