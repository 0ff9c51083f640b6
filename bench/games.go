package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/internal/corpus"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// replayName names the engine that plays the games too slow for the oracle. It is plain Go and
// runs everywhere.
const replayName = "bits/incremental"

// games are whole games between two brains, with their results.
//
// The oracle plays the first games, and the engine of replayName all of them, turn by turn.
// NewWorkload fails where the two disagree. A test lets the oracle play all games of
// [DefaultSize] once.
type games struct {
	light, dark *ur.Brain
	all, first  ur.Tally // of Size.Games and of Size.FirstGames
	candidates  int64    // legal moves in all games, together
}

// newGames plays the games of a size.
func newGames(size Size, light, dark *ur.Brain) (*games, error) {
	g := &games{light: light, dark: dark}
	oracle, err := engine.Oracle().New(g.setup())
	if err != nil {
		return nil, err
	}
	if g.first, err = oracle.Games(nil, g.series(size.FirstGames)); err != nil {
		return nil, err
	}
	game, err := replayGame(g.setup())
	if err != nil {
		return nil, err
	}
	for number := range size.Games {
		g.all.Add(g.replay(game, uint64(number)))
		if number+1 == size.FirstGames && g.all != g.first {
			return nil, fmt.Errorf("%s: tally %+v (want %+v)", replayName, g.all, g.first)
		}
	}
	return g, nil
}

// series are the first n games of the seed.
func (g *games) series(n int) ur.Series { return ur.Series{Seed: corpus.Seed, N: n} }

func (g *games) setup() ur.Setup { return ur.Setup{Light: g.light, Dark: g.dark} }

// replay plays one game, counts its candidates and returns its tally.
func (g *games) replay(game ur.Game, number uint64) ur.Tally {
	tally := ur.Tally{Games: 1}
	winner := replay(game, corpus.Seed, number, func(t replayed) {
		g.candidates += int64(len(t.moves))
		tally.Turns++
		switch {
		case !t.moved:
			tally.Passes++
			return
		case t.move.Capture:
			tally.Captures++
		}
		tally.Moves++
		if board.IsRosette(int(t.move.To)) {
			tally.Rosettes++
		}
	})
	tally.Wins[winner]++
	return tally
}

// meanTurns is the mean length of all games.
func (g *games) meanTurns() float64 { return float64(g.all.Turns) / float64(g.all.Games) }

// answers are the answers covered by the signature of a workload. Those of the first games are
// among them.
func (g *games) answers() []int64 {
	t := g.all
	return []int64{t.Games, t.Wins[board.Light], t.Wins[board.Dark], t.Turns, t.Moves, t.Captures, t.Rosettes, t.Passes, g.candidates}
}

// replayGame returns a game of the engine that plays many games.
func replayGame(of ur.Setup) (ur.Game, error) {
	fast, err := engine.Lookup(replayName)
	if err != nil {
		return nil, err
	}
	return fast.New(of)
}

// replayed is one replayed turn of a game.
type replayed struct {
	played
	position board.Position
	roll     int
	moves    []board.Move // legal ones, valid during the call
}

// replay plays one game of a seed turn by turn, reports every turn, and returns the winner.
func replay(game ur.Game, seed, number uint64, turn func(replayed)) board.Side {
	var moves [board.FinkelPieces]board.Move
	dice := board.Finkel().Dice(seed, number)
	p := board.StartPosition(board.FinkelPieces)
	game.Set(p)
	for {
		if winner, over := p.Winner(); over {
			return winner
		}
		roll := dice.Roll()
		legal := board.Finkel().Moves(moves[:0], p, roll)
		move, moved := game.Play(roll)
		turn(replayed{played{move, moved}, p, roll, legal})
		if moved {
			p = board.Finkel().Apply(p, move)
		} else {
			p = p.Pass()
		}
	}
}

// variation returns a brain that differs from b by 1 in about one of eight weights, drawn by
// the seed: a different brain for every engine, with games of the same length. Weights of 0
// stay, since an engine may skip them.
func variation(b *ur.Brain, seed uint64) *ur.Brain {
	rng := rand.New(rand.NewPCG(seed, ur.Weights))
	other := *b
	for i, weight := range b {
		if weight != 0 && rng.IntN(8) == 0 {
			other[i] += int16(1 - 2*rng.IntN(2))
		}
	}
	return &other
}
