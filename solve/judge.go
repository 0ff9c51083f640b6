package solve

import "github.com/seed-09dcdc84/ur/board"

// After returns the value of a legal move for its side: the probability of winning under
// perfect play after the move.
func After(t Table, p board.Position, m board.Move) float64 {
	return seenBy(t, board.Finkel().Apply(p, m), p.Turn())
}

// seenBy returns the probability that a side wins from a position.
func seenBy(t Table, p board.Position, side board.Side) float64 {
	w := t.Win(p)
	if p.Turn() != side {
		w = 1 - w
	}
	return w
}

// BestMove returns the index of the best of some legal moves, the first on a tie, and its value
// for the side to move. There is at least one.
func BestMove(t Table, p board.Position, moves []board.Move) (best int, worth float64) {
	worth = -1
	for i, m := range moves {
		if w := After(t, p, m); w > worth {
			best, worth = i, w
		}
	}
	return best, worth
}

// Luck returns the change in the winning chances of the side to move due to a roll: the value
// after the best move, or after the pass if moves is empty, minus the value before the roll.
// Under perfect play, and before the dice are thrown, the luck of any roll is 0 on average.
func Luck(t Table, p board.Position, moves []board.Move) float64 {
	if len(moves) == 0 {
		return seenBy(t, p.Pass(), p.Turn()) - t.Win(p)
	}
	_, worth := BestMove(t, p, moves)
	return worth - t.Win(p)
}
