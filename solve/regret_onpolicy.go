package solve

import (
	"context"

	"github.com/seed-09dcdc84/ur/board"
)

// Games of perfect play are played in batches, and all games of a batch count, so every part of
// a game has the same weight.
const (
	batchParts   = 64 // of a batch, shared out to the threads
	gamesPerPart = 4
)

// onPolicy measures the regret over the decisions of perfect play against itself. play plays a
// game and returns the number of its decisions.
func (m *regretMeter) onPolicy(ctx context.Context, play func(j *judge, game uint64) (int, error)) error {
	taken := 0
	for first := uint64(0); taken < m.options.Decisions; first += batchParts * gamesPerPart {
		counts := make([]int, batchParts)
		err := m.run(ctx, batchParts, func(j *judge, part int) error {
			for game := range uint64(gamesPerPart) {
				n, err := play(j, first+uint64(part)*gamesPerPart+game)
				if err != nil {
					return err
				}
				counts[part] += n
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, n := range counts {
			taken += n
		}
		m.report(min(1, float64(taken)/float64(m.options.Decisions)))
	}
	return nil
}

// playGame plays a game perfectly on both sides, asks the player at every decision,
// and returns how many there were.
func (m *regretMeter) playGame(j *judge, game uint64) (decisions int, err error) {
	var buf [board.FinkelMoves]board.Move
	d := &j.decision
	d.Position = board.StartPosition(m.options.Pieces)
	dice := board.Finkel().Dice(m.options.Seed, game)
	for turn := uint64(0); ; turn++ {
		d.Roll = dice.Roll()
		d.Moves = board.Finkel().Moves(buf[:0], d.Position, d.Roll)
		d.Number = board.GameKey(m.options.Seed, game) + turn
		if len(d.Moves) == 0 {
			d.Position = d.Position.Pass()
			continue
		}
		best := 0
		for i, move := range d.Moves {
			j.worth[i] = After(m.table, d.Position, move)
			if j.worth[i] > j.worth[best] {
				best = i
			}
		}
		if len(d.Moves) > 1 {
			decisions++
			if err := j.decide(); err != nil {
				return decisions, err
			}
		}
		if d.Position = board.Finkel().Apply(d.Position, d.Moves[best]); over(d.Position) {
			return decisions, nil
		}
	}
}

func over(p board.Position) bool {
	_, over := p.Winner()
	return over
}
