package play

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// A ply in a search is a roll and a move; a pass is a ply, and a move that grants another roll gives
// the same side the next one. Values are probabilities as integers, so every algorithm in package
// search returns the same bits.

// searchGame is a rule set's game as a [search.DiceGame]. All leaves in a position's last ply
// are valued together. It serves one goroutine.
type searchGame struct {
	rules   *board.Rules
	rolls   []int // rolls that the dice can show
	weights []search.Value
	total   search.Value // sum over the weights

	source Leaf
	leaf   LeafFunc // this goroutine's leaf evaluator

	last  []lastMove       // moves in LastRoll, in roll order
	batch []board.Position // positions for the leaf
	win   []float64
}

// lastMove is a move in the last ply.
type lastMove struct {
	value search.Value // value of the position behind it, where at is below zero
	at    int32        // its number in the batch
	again bool
}

func newSearchGame(r *board.Rules, source Leaf) *searchGame {
	g := &searchGame{rules: r, total: search.Value(r.WeightSum()), source: source, leaf: source.New()}
	for roll := range r.MaxRoll() + 1 {
		if w := r.Weight(roll); w > 0 {
			g.rolls, g.weights = append(g.rolls, roll), append(g.weights, search.Value(w))
		}
	}
	return g
}

// Fork implements [search.Forker].
func (g *searchGame) Fork() *searchGame {
	fork := *g
	fork.leaf, fork.last, fork.batch, fork.win = g.source.New(), nil, nil, nil
	return &fork
}

// Weights implements [search.DiceGame].
func (g *searchGame) Weights() []search.Value { return g.weights }

// rollIndex returns a roll's number among the rolls of the dice; [search.NoRoll] stays as it is.
func (g *searchGame) rollIndex(roll int) (int, error) {
	if roll == search.NoRoll {
		return roll, nil
	}
	index := slices.Index(g.rolls, roll)
	if index < 0 {
		return 0, fmt.Errorf("roll %d of the rule set %q (want one of %v)", roll, g.rules.Name(), g.rolls)
	}
	return index, nil
}

// damage returns the damage found so far in the leaves' source.
func (g *searchGame) damage() error {
	if g.source.Err == nil {
		return nil
	}
	return g.source.Err()
}

// Key implements [search.DiceGame].
func (g *searchGame) Key(p *board.Position) search.Key { return keyOf(p) }

// keyOf returns a position's key: for its mirror image too.
func keyOf(p *board.Position) search.Key {
	me, you := p.Turn(), p.Turn().Other()
	squares := uint64(p.Squares(me))<<32 | uint64(p.Squares(you))
	homes := uint64(p.Home(me))<<8 | uint64(p.Home(you))
	return search.Key{Index: mix.Mix(squares ^ mix.Mix(homes+1)),
		Check: mix.Mix(squares + mix.Mix(homes^0x5bd1e9955bd1e995))}
}

// Describe implements [search.Describer].
func (g *searchGame) Describe(p *board.Position) string { return g.rules.FormatPosition(*p) }

// result returns what a finished game is worth to the side to move.
func result(p *board.Position) (v search.Value, over bool) {
	winner, over := p.Winner()
	if winner == p.Turn() {
		return search.MaxValue, over
	}
	return -search.MaxValue, over
}

// Value implements [search.DiceGame].
func (g *searchGame) Value(p *board.Position) search.Value {
	if v, over := result(p); over {
		return v
	}
	g.batch = append(g.batch[:0], *p)
	return valueOf(g.valued()[0])
}

// valued calls the leaf with the batch.
func (g *searchGame) valued() []float64 {
	if len(g.win) < len(g.batch) {
		g.win = make([]float64, 2*len(g.batch))
	}
	win := g.win[:len(g.batch)]
	if len(win) > 0 {
		g.leaf(win, g.batch)
	}
	return win
}

// passID is a pass's ID.
const passID = search.NoMove - 1

// Moves implements [search.DiceGame]. The moves come in the same order as in [board.Rules.Moves], and
// their IDs are their starting squares; a pass has [passID]. It prefers captures, then moves that
// grant another roll, then pieces far ahead.
func (g *searchGame) Moves(p *board.Position, roll int, list *search.List[board.Position]) (over search.Value) {
	if v, over := result(p); over {
		return v
	}
	var buf [board.MaxMoves]board.Move
	moves := g.rules.Moves(buf[:0], *p, g.rolls[roll])
	if len(moves) == 0 {
		m := list.Add()
		m.ID, m.Next = passID, p.Pass()
		m.Key = keyOf(&m.Next)
		return 0
	}
	for _, move := range moves {
		m := list.Add()
		m.ID, m.Next, m.Order = move.From, g.rules.Apply(*p, move), int32(move.To)
		if m.Again = m.Next.Turn() == p.Turn(); m.Again {
			m.Order += 20
		}
		if move.Capture {
			m.Order += 40
		}
		m.Key = keyOf(&m.Next)
	}
	return 0
}

// LastRoll implements [search.LastRoll]: the leaf is called once, with all positions after the
// rolls.
func (g *searchGame) LastRoll(p *board.Position, nodes *uint64) search.Value {
	if v, over := result(p); over {
		return v
	}
	g.last, g.batch = g.last[:0], g.batch[:0]
	var ends [board.MaxRoll + 1]int
	passes := search.Value(0) // weights of the rolls without a move
	for i, roll := range g.rolls {
		var buf [board.MaxMoves]board.Move
		moves := g.rules.Moves(buf[:0], *p, roll)
		if len(moves) == 0 {
			passes += g.weights[i]
		}
		for _, m := range moves {
			g.addLast(p, g.rules.Apply(*p, m))
		}
		ends[i] = len(g.last)
	}
	if passes > 0 {
		g.addLast(p, p.Pass())
	}
	*nodes += uint64(len(g.last))
	win := g.valued()
	sum, begin := search.Value(0), 0
	for i, weight := range g.weights {
		best := -search.MaxValue
		for _, m := range g.last[begin:ends[i]] {
			best = max(best, m.worth(win))
		}
		if begin < ends[i] {
			sum += weight * best
		}
		begin = ends[i]
	}
	if passes > 0 {
		sum += passes * g.last[begin].worth(win)
	}
	mean := sum / g.total
	if sum%g.total < 0 {
		mean-- // rounded down
	}
	return mean
}

// addLast adds the position after p's move to the last ply.
func (g *searchGame) addLast(p *board.Position, next board.Position) {
	m := lastMove{at: -1, again: next.Turn() == p.Turn()}
	var over bool
	if m.value, over = result(&next); !over {
		m.at = int32(len(g.batch))
		g.batch = append(g.batch, next)
	}
	g.last = append(g.last, m)
}

// worth returns the move's value for its side.
func (m *lastMove) worth(win []float64) search.Value {
	v := m.value
	if m.at >= 0 {
		v = valueOf(win[m.at])
	}
	if m.again {
		return v
	}
	return -v
}

// LeafFunc writes to win, for each of the positions, the probability, 0 to 1, that the side to move
// wins before it rolls. No game is over. The result must not depend on the sides'
// names, nor on the call's other positions. It serves one goroutine.
type LeafFunc func(win []float64, positions []board.Position)

// Leaf evaluates the leaves in searches by a player's values.
type Leaf struct {
	New func() LeafFunc // returns a function for a goroutine
	Err func() error    // damage found in the source of the values; nil for none
}

// leaf returns the exact solution's values.
func (p Perfect) leaf(ctx context.Context, r *board.Rules) (Leaf, error) {
	t, err := p.Table(ctx, r.Pieces())
	if err != nil {
		return Leaf{}, err
	}
	return Leaf{func() LeafFunc {
		return func(win []float64, positions []board.Position) {
			for i, p := range positions {
				win[i] = t.Win(p)
			}
		}
	}, t.Err}, nil
}

// leaf returns the net's values, which evaluates all positions in a call together.
func (n Net) leaf(_ context.Context, r *board.Rules) (Leaf, error) {
	q := n.Value
	return Leaf{New: func() LeafFunc {
		judge := valuenet.NewJudge(valuenet.Fastest(), q)
		var values []int32
		return func(win []float64, positions []board.Position) {
			if len(values) < len(positions) {
				values = make([]int32, 2*len(positions))
			}
			judge.Values(values[:len(positions)], positions)
			for i := range positions {
				win[i] = q.Chance(values[i])
			}
		}
	}}, q.CheckRules(r)
}

// The logistic in a brain's leaf, fitted by least squares to the built-in net's values for the
// positions in 300 of its games, for the built-in brain's scores.
const (
	brainSlope  = 0.00051
	brainOffset = -0.01
)

// leaf returns under Finkel's rules a logistic over the position's value by the brain minus the value
// of the mirror image, both from Light's point of view. The logistic fits the built-in brain.
func (b Brain) leaf(context.Context, *board.Rules) (Leaf, error) {
	return plainLeaf(func(at board.Position) float64 {
		if at.Turn() == board.Dark {
			at = at.Mirror()
		}
		score := b.Weights.Value(at) - b.Weights.Value(at.Mirror())
		return brainSlope*float64(score) + brainOffset
	}), nil
}

// progressLeaf compares how far both sides' pieces have walked.
func progressLeaf(_ context.Context, r *board.Rules) (Leaf, error) {
	return plainLeaf(func(p board.Position) float64 {
		return float64(r.Walked(p, p.Turn())-r.Walked(p, p.Turn().Other())) / float64(r.Finish())
	}), nil
}

// plainLeaf returns a leaf evaluator without state: the logistic of each position's score.
func plainLeaf(score func(board.Position) float64) Leaf {
	return Leaf{New: func() LeafFunc {
		return func(win []float64, positions []board.Position) {
			for i, p := range positions {
				win[i] = valuenet.Logistic(score(p))
			}
		}
	}}
}

// valueOf returns the value for a probability to win. Not-a-number, from a damaged table, counts
// as a draw; the table's Err reports the damage.
func valueOf(win float64) search.Value {
	if math.IsNaN(win) {
		return 0
	}
	return search.Value(math.RoundToEven(float64(2*win-1) * float64(search.MaxValue)))
}

// winOf returns the probability to win, 0 to 1, for a value in a [search.Result] for Ur.
func winOf(v search.Value) float64 {
	return 0.5 + float64(v)/float64(2*search.MaxValue)
}
