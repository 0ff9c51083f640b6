package bench

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// played is one turn's answer.
type played struct {
	move  board.Move
	moved bool
}

// replayGame returns the choices made by the engine that plays many games.
func replayGame(of ur.Setup) (chooser, error) {
	fast, err := engine.Lookup(replayName)
	if err != nil {
		return nil, err
	}
	game, err := fast.New(of)
	return playing(game), err
}

// replayed is one replayed turn in a game.
type replayed struct {
	played
	position board.Position
	roll     int
	moves    []board.Move // legal ones, valid during the call
}

// chooser chooses one of a turn's legal moves, if there are any. The turns belong to games, one
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

// replay plays one game for a seed turn by turn, reports every turn, and returns the winner.
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
