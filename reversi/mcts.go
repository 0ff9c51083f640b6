package reversi

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"time"

	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
)

// game is Reversi as a [search.Game] without values. The ID of a move is its square, or [board.Pass].
type game struct{}

// Key implements [search.Game].
func (game) Key(b *board.Board) search.Key {
	return search.Key{Index: mix.Mix(b.Own ^ mix.Mix(b.Opp)), Check: mix.Mix(b.Opp ^ mix.Mix(b.Own))}
}

// Value implements [search.Game].
func (game) Value(b *board.Board) search.Value { return search.Value(b.Score()) }

// Moves implements [search.Game].
func (g game) Moves(b *board.Board, list *search.List[board.Board]) search.Value {
	moves := b.Moves()
	if moves == 0 && b.Pass().Moves() == 0 {
		return g.Value(b)
	}
	if moves == 0 {
		m := list.Add()
		m.ID, m.Next, m.Key = uint8(board.Pass), b.Pass(), search.Key{}
	}
	for ; moves != 0; moves &= moves - 1 {
		s, m := board.First(moves), list.Add()
		m.ID, m.Next, m.Key = uint8(s), b.Play(s, board.Flips(b.Own, b.Opp, s)), search.Key{}
	}
	return 0
}

// RandomMove implements [search.RandomMover].
func (g game) RandomMove(b *board.Board, _ int, random uint64) (again, over bool, result search.Value) {
	moves := b.Moves()
	if moves == 0 {
		if *b = b.Pass(); b.Moves() != 0 {
			return false, false, 0
		}
		*b = b.Pass()
		return false, true, g.Value(b)
	}
	choice, _ := bits.Mul64(random, uint64(bits.OnesCount64(moves)))
	for range choice {
		moves &= moves - 1
	}
	s := board.First(moves)
	*b = b.Play(s, board.Flips(b.Own, b.Opp, s))
	return false, false, 0
}

// treeSearcher is a player that chooses by Monte Carlo tree search: see [search.UCT].
type treeSearcher struct {
	name   string
	limits search.UCTLimits
	tree   *search.UCT[board.Board, search.DiceGame[board.Board]]
	seed   uint64
}

func (t *treeSearcher) Name() string        { return t.name }
func (t *treeSearcher) NewGame(seed uint64) { t.seed = seed }

// Choose searches with random numbers that depend on the game's seed and the board.
func (t *treeSearcher) Choose(ctx context.Context, p board.Position, l Limits) (Choice, error) {
	if c, done, err := trivial(p); done {
		return c, err
	}
	begin, limits := time.Now(), t.limits
	if limit := shortest(limits.Time, l.Time, l.Clock.share(p.Empties())); limit != limits.Time {
		limits.Time = limit - min(limit/20, reserve)
	}
	r, err := t.tree.Search(ctx, p.Board, 0, mix.Mix(t.seed)^game{}.Key(&p.Board).Index, limits)
	return Choice{Square: board.Square(r.ID), Nodes: uint64(r.Nodes), Elapsed: time.Since(begin)}, err
}

// discSlope is how fast a lead in discs becomes a probability to win, by a logistic: fitted to the results
// of games of level:3 against itself, as estimated by the learned weights.
const discSlope = 0.14

// parseMCTS reads "mcts:games=1000" and the like.
func parseMCTS(env Env, name, rest string) (Player, error) {
	const want = "want mcts:games=N or mcts:time=DURATION, then, after commas, leaf= or c="
	t := &treeSearcher{name: name}
	var o search.UCTOptions[board.Board]
	err := match.ParseOptions(name, rest, want, func(key, value string) (err error) {
		switch key {
		case "games":
			t.limits.Games, err = parseNumber(value, 1, math.MaxInt)
		case "time":
			t.limits.Time, err = parseTime(value)
		case "c":
			if o.C, err = strconv.ParseFloat(value, 64); err != nil || !(o.C > 0) || math.IsInf(o.C, 0) {
				err = fmt.Errorf("is %q (want a number above 0)", value)
			}
		case "leaf":
			o.Leaf, err = parseLeaf(env, value)
		default:
			err = match.ErrSpec
		}
		return err
	})
	if err == nil && t.limits == (search.UCTLimits{}) {
		err = fmt.Errorf("player %q: no limit (%s)", name, want)
	}
	t.tree = search.NewUCT(game{}, o)
	return t, err
}

// parseLeaf returns the leaf of learned weights, of "hand", or of weights in a file.
func parseLeaf(env Env, weights string) (leaf func(b *board.Board) float64, err error) {
	var w *eval.Weights
	evaluate := eval.DefaultHand().Evaluate
	switch weights {
	case "hand":
	case "learned":
		w, err = eval.Learned()
	default:
		w, err = open(env.OpenWeights, weights)
	}
	if w != nil {
		evaluate = w.Evaluate
	}
	return func(b *board.Board) float64 {
		if b.Over() {
			return float64(min(1, max(-1, b.Score()))+1) / 2
		}
		return samebits.Logistic(float64(discSlope / eval.Disc * float64(evaluate(*b))))
	}, err
}
