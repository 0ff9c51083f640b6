package bench

import (
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/bench/corpus"
)

// onBoard is the number of pieces on squares 1 to 14.
func onBoard(p board.Position) int {
	n := 2 * p.Pieces()
	for _, side := range []board.Side{board.Light, board.Dark} {
		n -= p.Hand(side) + p.Home(side)
	}
	return n
}

// positionsByPieces plays games and draws n of the candidates with each number of pieces on the
// board, all with the same chance (reservoir sampling: Vitter, "Random Sampling with a
// Reservoir", 1985, algorithm R). A number of pieces with fewer than n candidates gets none.
func positionsByPieces(games, n int) ([][]board.Position, error) {
	engine, err := engine.Lookup(replayName)
	if err != nil {
		return nil, err
	}
	game, err := engine.New(ur.Setup{Light: workloadBrain(), Dark: workloadBrain()})
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(corpus.Seed, uint64(n)))
	drawn := make([][]board.Position, 2*board.MaxPieces+1)
	seen := make([]int, len(drawn))
	var moves []board.Move
	for number := range games {
		p := board.StartPosition(board.MaxPieces)
		dice := board.NewDice(corpus.Seed, uint64(number))
		game.Set(p)
		for _, over := p.Winner(); !over; _, over = p.Winner() {
			roll := dice.Roll()
			moves = p.Moves(moves[:0], roll)
			for _, move := range moves {
				candidate := p.Apply(move)
				k := onBoard(candidate)
				if seen[k]++; len(drawn[k]) < n {
					drawn[k] = append(drawn[k], candidate)
				} else if at := rng.IntN(seen[k]); at < n {
					drawn[k][at] = candidate
				}
			}
			if move, moved := game.Play(roll); moved {
				p = p.Apply(move)
			} else {
				p = p.Pass()
			}
		}
	}
	for k := range drawn {
		if len(drawn[k]) < n {
			drawn[k] = nil
		}
	}
	return drawn, nil
}
