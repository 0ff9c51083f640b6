package board

// This file is the oracle of the game: the rules, one after another, with no
// regard for speed. Every representation's own generator is compared with it.

// Moves appends to dst the legal moves of the side to move for a roll, in ascending order of
// the moving piece's square, and returns the result. It appends nothing if there is no legal
// move: the turn passes. A finished game has no legal moves.
func (p Position) Moves(dst []Move, roll int) []Move {
	if _, over := p.Winner(); over || roll < 1 || roll > MaxRoll {
		return dst
	}
	me, you := p.turn, p.turn.Other()
	for from := Start; from+roll <= Finish; from++ { // a piece comes home by an exact throw
		to := from + roll
		if p.Count(me, from) == 0 {
			continue
		}
		if to != Finish && p.Count(me, to) > 0 {
			continue
		}
		taken := IsShared(to) && p.Count(you, to) > 0
		if taken && to == SafeSquare {
			continue
		}
		dst = append(dst, Move{From: uint8(from), To: uint8(to), Capture: taken})
	}
	return dst
}

// Apply returns the position after the legal move m.
func (p Position) Apply(m Move) Position {
	me, you := p.turn, p.turn.Other()
	p.squares[me] &^= 1 << m.From // no effect when the piece comes from the hand
	if m.To == Finish {
		p.home[me]++
	} else {
		p.squares[me] |= 1 << m.To
	}
	if m.Capture {
		p.squares[you] &^= 1 << m.To // back to the hand, computed as the remainder
	}
	if !IsRosette(int(m.To)) {
		p.turn = you
	}
	return p
}

// Pass returns p with the other side to move.
func (p Position) Pass() Position {
	p.turn = p.turn.Other()
	return p
}

// Futures appends to dst the positions reachable by a roll, in the order of [Position.Moves].
// Without a legal move the only future is p with the turn passed; a finished game has none.
func (p Position) Futures(dst []Position, roll int) []Position {
	if _, over := p.Winner(); over {
		return dst
	}
	var buf [MaxMoves]Move
	moves := p.Moves(buf[:0], roll)
	if len(moves) == 0 {
		return append(dst, p.Pass())
	}
	for _, m := range moves {
		dst = append(dst, p.Apply(m))
	}
	return dst
}
