package ursearch

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// RulesLeaf returns the probability, 0 to 1, that the side to move wins before it rolls. The
// game is not over. The result must not depend on the names of the sides. It serves one
// goroutine.
type RulesLeaf func(p rules.Position) float64

// RulesTableLeaf returns the leaf of the exact solution of a rule set.
func RulesTableLeaf(t solve.Ranked) func() RulesLeaf {
	return func() RulesLeaf { return func(p rules.Position) float64 { return solve.Win(t, p) } }
}

// RulesNetLeaf returns the leaf of a net of a rule set.
func RulesNetLeaf(q *valuenet.Integer) func() RulesLeaf {
	return func() RulesLeaf {
		judge := valuenet.NewRulesJudge(valuenet.Fastest(), q)
		var value [1]int32
		var one [1]rules.Position
		return func(p rules.Position) float64 {
			one[0] = p
			judge.Values(value[:], one[:])
			return q.Chance(value[0])
		}
	}
}

// ProgressLeaf returns a leaf that compares how far the pieces of both sides have walked.
func ProgressLeaf(r *rules.Rules) func() RulesLeaf {
	walked := func(p rules.Position, side board.Side) float64 {
		sum := p.Home(side) * r.Finish()
		for square := 1; square < r.Finish(); square++ {
			sum += r.Count(p, side, square) * square
		}
		return float64(sum)
	}
	return func() RulesLeaf {
		return func(p rules.Position) float64 {
			lead := walked(p, p.Turn()) - walked(p, p.Turn().Other())
			return valuenet.Logistic(lead / float64(r.Finish()))
		}
	}
}

// RulesGame is the game of a rule set as a [search.DiceGame]. It serves one goroutine.
type RulesGame struct {
	rules   *rules.Rules
	leaf    RulesLeaf
	newLeaf func() RulesLeaf
	rolls   []int // those of the dice
	weights []search.Value
}

// maxWeights is the largest sum of weights of a [search.DiceGame].
const maxWeights = 1 << 14

// newRulesGame returns a game with leaves of a kind.
func newRulesGame(r *rules.Rules, leaf func() RulesLeaf) (*RulesGame, error) {
	if r.WeightSum() > maxWeights {
		return nil, fmt.Errorf("search: dice of the rule set %q with a sum of weights of %d (want at most %d)", r.Name(), r.WeightSum(), maxWeights)
	}
	g := &RulesGame{rules: r, leaf: leaf(), newLeaf: leaf}
	for roll := range r.MaxRoll() + 1 {
		if w := r.Weight(roll); w > 0 {
			g.rolls, g.weights = append(g.rolls, roll), append(g.weights, search.Value(w))
		}
	}
	return g, nil
}

// Fork implements [search.Forker].
func (g *RulesGame) Fork() *RulesGame {
	fork := *g
	fork.leaf = g.newLeaf()
	return &fork
}

// Weights implements [search.DiceGame].
func (g *RulesGame) Weights() []search.Value { return g.weights }

// Key implements [search.DiceGame]: positions that are mirror images have the same key.
func (g *RulesGame) Key(p *rules.Position) search.Key {
	me, you := p.Turn(), p.Turn().Other()
	squares := uint64(p.Squares(me))<<32 | uint64(p.Squares(you))
	homes := uint64(p.Home(me))<<8 | uint64(p.Home(you))
	return search.Key{Index: mix.Mix(squares ^ mix.Mix(homes+1)), Check: mix.Mix(squares + mix.Mix(homes^0x5bd1e9955bd1e995))}
}

// resultOf returns the value of a finished game to the side to move.
func resultOf(p *rules.Position) (v search.Value, over bool) {
	winner, over := p.Winner()
	if winner == p.Turn() {
		return search.MaxValue, over
	}
	return -search.MaxValue, over
}

// Value implements [search.DiceGame].
func (g *RulesGame) Value(p *rules.Position) search.Value {
	if v, over := resultOf(p); over {
		return v
	}
	return ValueOf(g.leaf(*p))
}

// Moves implements [search.DiceGame]. The order of moves is that of [rules.Rules.Moves], and their
// IDs are their numbers there; a pass has [RulesPassID].
func (g *RulesGame) Moves(p *rules.Position, roll int, list *search.List[rules.Position]) (over search.Value) {
	if v, over := resultOf(p); over {
		return v
	}
	var buf [rules.MaxMoves]board.Move
	moves := g.rules.Moves(buf[:0], *p, g.rolls[roll])
	if len(moves) == 0 {
		m := list.Add()
		m.ID, m.Next = RulesPassID, p.Pass()
		m.Key = g.Key(&m.Next)
		return 0
	}
	for i, move := range moves {
		m := list.Add()
		m.ID, m.Next, m.Order = uint8(i), g.rules.Apply(*p, move), int32(move.To)
		if m.Again = m.Next.Turn() == p.Turn(); m.Again {
			m.Order += 20
		}
		if move.Capture {
			m.Order += 40
		}
		m.Key = g.Key(&m.Next)
	}
	return 0
}

// RulesPassID is the ID of a pass.
const RulesPassID = rules.MaxMoves

// RulesSearcher searches positions of a rule set. It serves one goroutine.
type RulesSearcher struct {
	game     *RulesGame
	searcher *search.DiceSearcher[rules.Position, *RulesGame]
}

// NewRules returns a searcher for games of a rule set with its number of pieces.
func NewRules(r *rules.Rules, leaf func() RulesLeaf, o search.Options) (*RulesSearcher, error) {
	g, err := newRulesGame(r, leaf)
	if err != nil {
		return nil, err
	}
	s, err := search.NewDice(g, o)
	return &RulesSearcher{g, s}, err
}

// Rules returns the rule set.
func (s *RulesSearcher) Rules() *rules.Rules { return s.game.rules }

// Line is [Searcher.Line] with the likeliest roll of the rule set.
func (s *RulesSearcher) Line(ctx context.Context, p rules.Position, best board.Move, depth, most int) ([]string, error) {
	r, roll := s.game.rules, s.game.likelyRoll()
	name := func(m board.Move, side board.Side) string { return r.Notation(side, m) }
	return Follow(r, p, best, roll, min(depth, most), name, func(p rules.Position, _ []board.Move, made int) (int, error) {
		return next(s.Search(ctx, p, roll, search.Limits{Depth: depth - made, First: depth - made}))
	})
}

// likelyRoll returns the likeliest roll, the lowest of several.
func (g *RulesGame) likelyRoll() int {
	best := 0
	for i, w := range g.weights {
		if w > g.weights[best] {
			best = i
		}
	}
	return g.rolls[best]
}

// Search searches a position before its roll, [search.NoRoll], or after, until a limit is
// reached. The number of the best move in the result is that of [rules.Rules.Moves]. A pass has
// none and gives -1.
func (s *RulesSearcher) Search(ctx context.Context, p rules.Position, roll int, l search.Limits) (search.Result, error) {
	if winner, over := p.Winner(); over {
		return search.Result{}, fmt.Errorf("the game is over, %s has won", winner)
	}
	index := search.NoRoll
	for i, r := range s.game.rolls {
		if r == roll {
			index = i
		}
	}
	if roll != search.NoRoll && index == search.NoRoll {
		return search.Result{}, fmt.Errorf("roll %d of the rule set %q (want one of %v)", roll, s.game.rules.Name(), s.game.rolls)
	}
	r, err := s.searcher.Search(ctx, p, index, l)
	if r.ID == RulesPassID {
		r.Best = -1
	}
	return r, err
}
