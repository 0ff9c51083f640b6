package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/board"
)

// The suite pieces' work.
const (
	// piecesPositions is how many positions are evaluated for each number of pieces: too many
	// for a branch predictor to learn them by heart, as the pattern in one engine's branches over
	// them has tens of thousands of bits.
	piecesPositions = 1024

	// piecesGames are played to find the positions. A number of pieces with fewer than
	// piecesPositions positions in them is too rare to matter, and left out.
	piecesGames = 600
)

// selectPieces measures getValue on every engine by the number of pieces on the board, those that
// both players on squares 1 to 14. An engine that walks over pieces takes longer for more of
// them; one that walks over numbers or squares does not. The positions are drawn from the
// candidates in real games, which the classic brain plays on the dice of seed 1, like those in
// the corpus. The samples are many, and short ones suffice.
func selectPieces(of Selection) (Set, error) { return piecesOf(of, piecesGames, piecesPositions) }

// piecesOf binds the engines to each group with n positions from some games.
func piecesOf(of Selection, games, n int) (set Set, err error) {
	groups, err := positionsByPieces(games, n)
	if err != nil {
		return set, err
	}
	engines, skipped := of.engines()
	set.Skipped = skipped
	set.Work = []report.Setting{{Key: "positions", Value: fmt.Sprint(n)}}
	for _, e := range engines {
		for pieces, positions := range groups {
			if positions == nil {
				continue
			}
			b, err := valueWorkOf(positions).bind(e)
			if err != nil {
				return set, fmt.Errorf("%s: %w", e.Name(), err)
			}
			suffix := fmt.Sprintf("/pieces=%d", pieces)
			b.Name, b.Base = BenchmarkName(Value, e.Name())+suffix, BenchmarkName(Value, Baseline)+suffix
			b.Unit, b.Annotate = Value.Unit(), nil
			set.Benchmarks = append(set.Benchmarks, b)
		}
	}
	if len(set.Benchmarks) == 0 {
		return set, fmt.Errorf("%d games have fewer than %d positions of every number of pieces", games, n)
	}
	return set, nil
}

// onBoard is how many pieces stand on squares 1 to 14.
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
	game, err := replayGame(workloadSetup())
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(workloadSeed, uint64(n)))
	drawn := make([][]board.Position, 2*board.FinkelPieces+1)
	seen := make([]int, len(drawn))
	for number := range games {
		replay(game, workloadSeed, uint64(number), func(r replayed) {
			for _, move := range r.moves {
				candidate := board.Finkel().Apply(r.position, move)
				k := onBoard(candidate)
				if seen[k]++; len(drawn[k]) < n {
					drawn[k] = append(drawn[k], candidate)
				} else if at := rng.IntN(seen[k]); at < n {
					drawn[k][at] = candidate
				}
			}
		})
	}
	for k := range drawn {
		if len(drawn[k]) < n {
			drawn[k] = nil
		}
	}
	return drawn, nil
}
