// Package pairs is a small complete engine to copy, rename and make faster. It keeps a game as
// a [board.Position] and sums the weights of all pairs of numbers that are not 0.
//
// Its test compares it with the oracle, and the command urpairs measures it:
//
//	go test ./examples/pairs
//	go run ./examples/pairs/urpairs bench run --engine position/pairs
package pairs

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Engine makes games. It has no state.
type Engine struct{}

// Name is the board representation and the evaluator.
func (Engine) Name() string { return "position/pairs" }

// Needs lists no CPU feature: this engine runs everywhere.
func (Engine) Needs() []ur.Feature { return nil }

// New binds a pair of brains.
func (Engine) New(s ur.Setup) (ur.Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	g := &game{setup: s, brain: [2]ur.Brain{*s.Light, *s.Dark}}
	g.Set(board.StartPosition(s.Pieces))
	return g, nil
}

// game is an Engine bound to a pair of brains.
type game struct {
	setup ur.Setup
	brain [2]ur.Brain // one for each side

	loaded  []board.Position // boards for Values
	now     board.Position
	moves   []board.Move
	futures []ur.Future
}

// value is getValue: the sum of B[i][j] * x[i] * x[j] over i >= j, without the
// numbers that are 0.
func value(b *ur.Brain, p board.Position) int32 {
	x := p.Numbers()
	var v int
	for i, xi := range x {
		if xi == 0 {
			continue
		}
		for j, xj := range x[:i+1] {
			if xj != 0 {
				v += int(b[ur.WeightIndex(i, j)]) * xi * xj
			}
		}
	}
	return int32(v)
}

// Load holds positions for Values.
func (g *game) Load(positions []board.Position) { g.loaded = append(g.loaded[:0], positions...) }

// Values is the first level: many values.
func (g *game) Values(dst []int32, by board.Side) {
	for i := range dst {
		dst[i] = value(&g.brain[by], g.loaded[i])
	}
}

// Set puts the game at a position.
func (g *game) Set(p board.Position) { g.now = p }

// Futures lists the positions after a roll, in the order of the moving piece's square.
func (g *game) Futures(dst []ur.Future, roll int) []ur.Future {
	if _, over := g.now.Winner(); over {
		return dst
	}
	brain := &g.brain[g.now.Turn()]
	g.moves = board.Finkel().Moves(g.moves[:0], g.now, roll)
	for _, m := range g.moves {
		p := board.Finkel().Apply(g.now, m)
		dst = append(dst, ur.Future{Position: p, Value: value(brain, p), Move: m})
	}
	if len(g.moves) == 0 {
		p := g.now.Pass()
		dst = append(dst, ur.Future{Position: p, Value: value(brain, p), Pass: true})
	}
	return dst
}

// Play is the second level: one turn.
func (g *game) Play(roll int) (board.Move, bool) {
	g.futures = g.Futures(g.futures[:0], roll)
	if len(g.futures) == 0 {
		return board.Move{}, false // the game was over
	}
	chosen := g.futures[ur.Choose(g.futures, g.now.Turn())]
	g.now = chosen.Position
	return chosen.Move, !chosen.Pass
}

// Games is the third level: whole games on the shared dice.
func (g *game) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	winners = s.Winners(winners)
	var t ur.Tally
	for i := range s.N {
		winner, err := g.playOne(&t, s.Seed, s.Number(i))
		if err != nil {
			return ur.Tally{}, err
		}
		if winners != nil {
			winners[i] = winner
		}
	}
	return t, nil
}

// playOne plays one game to its end, counts its events, and returns the winner.
func (g *game) playOne(t *ur.Tally, seed, number uint64) (board.Side, error) {
	g.Set(board.StartPosition(g.setup.Pieces))
	dice := board.Finkel().Dice(seed, number)
	for range g.setup.TurnLimit {
		move, moved := g.Play(dice.Roll())
		t.Turns++
		if !moved {
			t.Passes++
			continue
		}
		t.AddMove(move)
		if winner, over := g.now.Winner(); over {
			t.Games++
			t.Wins[winner]++
			return winner, nil
		}
	}
	return 0, &ur.TurnLimitError{Seed: seed, Game: number, Limit: g.setup.TurnLimit}
}

// Bytes is the memory of the game for its brains.
func (g *game) Bytes() int { return 2 * ur.Weights * 2 }
