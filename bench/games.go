package bench

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// replayName names the engine that plays the games too slow for the oracle. It is plain Go and
// runs everywhere.
const replayName = "bits/incremental"

// gamesWork are whole games of a brain against itself, with their results.
//
// The oracle plays the first games, and the engine of replayName all of them, turn by turn.
// NewWorkload fails where the two disagree. A test lets the oracle play all games of
// [DefaultSize] once.
type gamesWork struct {
	brain      *ur.Brain
	all, first ur.Tally // of Size.Games and of Size.FirstGames
	candidates int64    // legal moves in all games, together
}

// newGames plays the games of a size.
func newGames(size Size, brain *ur.Brain) (*gamesWork, error) {
	g := &gamesWork{brain: brain}
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
func (g *gamesWork) series(n int) ur.Series { return ur.Series{Seed: workloadSeed, N: n} }

func (g *gamesWork) setup() ur.Setup { return ur.Setup{Light: g.brain, Dark: g.brain} }

// replay plays one game, counts its candidates and returns its tally.
func (g *gamesWork) replay(choose chooser, number uint64) ur.Tally {
	tally := ur.Tally{Games: 1}
	winner := replay(choose, workloadSeed, number, func(t replayed) {
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
func (g *gamesWork) meanTurns() float64 { return float64(g.all.Turns) / float64(g.all.Games) }

// answers are the answers covered by the signature of a workload. Those of the first games are
// among them.
func (g *gamesWork) answers() []any {
	t := g.all
	return []any{[]int64{t.Games, t.Wins[board.Light], t.Wins[board.Dark], t.Turns, t.Moves, t.Captures, t.Rosettes, t.Passes, g.candidates}}
}

// replayGame returns the choices of the engine that plays many games.
func replayGame(of ur.Setup) (chooser, error) {
	fast, err := engine.Lookup(replayName)
	if err != nil {
		return nil, err
	}
	game, err := fast.New(of)
	return playing(game), err
}

// replayed is one replayed turn of a game.
type replayed struct {
	played
	position board.Position
	roll     int
	moves    []board.Move // legal ones, valid during the call
}

// chooser chooses one of the legal moves of a turn, if there are any. The turns are those of games, one
// after the other.
type chooser func(replayed) (move board.Move, moved bool)

// playing lets an engine choose.
func playing(game ur.Game) chooser {
	return func(t replayed) (board.Move, bool) {
		if start := board.StartPosition(board.FinkelPieces); t.position == start {
			game.Set(start)
		}
		return game.Play(t.roll)
	}
}

// replay plays one game of a seed turn by turn, reports every turn, and returns the winner.
func replay(choose chooser, seed, number uint64, turn func(replayed)) board.Side {
	var moves [board.FinkelPieces]board.Move
	dice := board.Finkel().Dice(seed, number)
	p := board.StartPosition(board.FinkelPieces)
	for {
		if winner, over := p.Winner(); over {
			return winner
		}
		t := replayed{position: p, roll: dice.Roll()}
		t.moves = board.Finkel().Moves(moves[:0], p, t.roll)
		t.move, t.moved = choose(t)
		turn(t)
		if t.moved {
			p = board.Finkel().Apply(p, t.move)
		} else {
			p = p.Pass()
		}
	}
}
