package ursearch

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
)

// Follow returns the game after a first move if every later roll is the same: at most a number of
// moves, the first one included, each as name writes it, or "pass". The function choose returns
// the number of the next move, given the moves made so far, or -1 to end the line.
func Follow(r *rules.Rules, p rules.Position, first board.Move, roll, most int, name func(board.Move, board.Side) string,
	choose func(p rules.Position, moves []board.Move, made int) (int, error)) ([]string, error) {
	line := []string{name(first, p.Turn())}
	p = r.Apply(p, first)
	for len(line) < most {
		if _, over := p.Winner(); over {
			break
		}
		moves := r.Moves(nil, p, roll)
		if len(moves) == 0 {
			line = append(line, "pass")
			p = p.Pass()
			continue
		}
		best, err := choose(p, moves, len(line))
		if err != nil || best < 0 {
			return line, err
		}
		line = append(line, name(moves[best], p.Turn()))
		p = r.Apply(p, moves[best])
	}
	return line, nil
}
