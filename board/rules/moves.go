package rules

import "github.com/seed-09dcdc84/ur/board"

// This file is the rules of the game, one after another. It follows package board's moves.go,
// with the constants of Finkel's rules replaced by the rule set.

// Moves appends to dst the legal moves of the side to move for a roll, in ascending order of
// the moving piece's square, and returns the result: at most [MaxMoves]. It appends nothing if
// there is no legal move: the turn passes. A finished game has no legal moves.
func (r *Rules) Moves(dst []board.Move, p Position, roll int) []board.Move {
	if _, over := p.Winner(); over || roll < 1 || roll > MaxRoll {
		return dst
	}
	me, you := p.turn, p.turn.Other()
	movers := p.squares[me]
	if p.Hand(me) > 0 {
		movers |= 1 << board.Start
	}
	theirs := r.cross(p.squares[you])                          // on the tiles of my path
	for from := board.Start; from+roll <= r.Finish(); from++ { // a piece comes home by an exact throw
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
		dst = append(dst, board.Move{From: uint8(from), To: uint8(to), Capture: taken})
	}
	return dst
}

// Apply returns the position after the legal move m.
func (r *Rules) Apply(p Position, m board.Move) Position {
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
func (r *Rules) RollsAgain(m board.Move) bool {
	return r.again>>m.To&1 != 0 || m.Capture && r.def.RollAfterCapture
}

// Pass returns p with the other side to move.
func (p Position) Pass() Position {
	p.turn = p.turn.Other()
	return p
}

// Futures appends to dst the positions reachable by a roll, in the order of [Rules.Moves].
// Without a legal move the only future is p with the turn passed; a finished game has none.
func (r *Rules) Futures(dst []Position, p Position, roll int) []Position {
	if _, over := p.Winner(); over {
		return dst
	}
	var buf [MaxMoves]board.Move
	moves := r.Moves(buf[:0], p, roll)
	if len(moves) == 0 {
		return append(dst, p.Pass())
	}
	for _, m := range moves {
		dst = append(dst, r.Apply(p, m))
	}
	return dst
}
