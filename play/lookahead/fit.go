package lookahead

import (
	"context"
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// FitOptions say from which positions a curve is fitted.
type FitOptions struct {
	Games    int    // of perfect play; 0 means 300
	Seed     uint64 // of their dice
	Progress func(done float64)
}

// Fit fits the curve of a brain to the exact solution, for choosing. What matters to a
// choice is not whether a probability is right but whether the differences between the
// leaves of one search are, so that is what is fitted: over decisions of perfect play,
// and the leaves two plies behind each, the squared error of a leaf's probability less
// the mean error of its decision. Good and bad moves count alike, rolls by how likely
// they are. The constants of numbers of pieces that few positions have lean on one line
// for all.
func Fit(ctx context.Context, b *ur.Brain, t solve.Table, o FitOptions) (*Curve, error) {
	if o.Games == 0 {
		o.Games = 300
	}
	f := &fitter{table: t, scorer: newScorer(b, board.MaxPieces)}
	for game := range o.Games {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.play(o.Seed, uint64(game))
		if o.Progress != nil {
			o.Progress(float64(game+1) / float64(o.Games))
		}
	}
	return f.tune(ctx, b, f.constants(), o)
}

// tune walks from what was fitted to where searches of 2 and 3 plies regret least
// together, in ever smaller steps of the two constants of the offset.
func (f *fitter) tune(ctx context.Context, b *ur.Brain, k [constants]float64, o FitOptions) (*Curve, error) {
	least, err := f.regret(ctx, b, k, o)
	if err != nil {
		return nil, err
	}
	for _, step := range [3]float64{4e-3, 2e-3, 1e-3} {
		for i, by := range [4]float64{-step, step, -step / 4, step / 4} {
			moved := k
			moved[1+i/2] += by
			regret, err := f.regret(ctx, b, moved, o)
			if err != nil {
				return nil, err
			}
			if regret < least {
				k, least = moved, regret
			}
		}
	}
	return curveOf(k), nil
}

// regret returns what searches of 2 and 3 plies regret in a decision, added up.
func (f *fitter) regret(ctx context.Context, b *ur.Brain, k [constants]float64, o FitOptions) (float64, error) {
	sum := 0.0
	for depth := 2; depth <= 3; depth++ {
		chooser := func() (solve.Chooser, error) {
			s, err := New(Config{Pieces: board.MaxPieces, Brain: b, Curve: curveOf(k), Options: search.Options{Static: true}})
			return &fitChooser{ctx, s, depth}, err
		}
		stats, err := solve.Regret(ctx, f.table, chooser, solve.RegretOptions{
			Pieces: board.MaxPieces, Decisions: 100 * o.Games, Seed: o.Seed + 1,
		})
		if err != nil {
			return 0, err
		}
		sum += stats.Mean
	}
	return sum, nil
}

// fitChooser makes decisions by search.
type fitChooser struct {
	ctx      context.Context
	searcher *Searcher
	depth    int
}

// Choose implements [solve.Chooser].
func (c *fitChooser) Choose(d *solve.Decision) (int, error) {
	r, err := c.searcher.Search(c.ctx, d.Position, d.Roll, search.Limits{Depth: c.depth})
	return max(0, r.Best), err
}

// fitter holds the leaves of many decisions.
type fitter struct {
	table  solve.Table
	scorer *scorer
	leaves []leafSample
	groups []int // where the leaves of each decision end
}

// leafSample is a leaf of a decision, seen by the side that decides.
type leafSample struct {
	line   uint8   // of the curve: pieces left of the side to move * 8 + of the other
	sign   float64 // 1 when the side that decides is to move in it, else -1
	score  float64 // of the side to move, in units of scoreScale
	win    float64 // of the side that decides
	weight float64
}

// scoreScale is the size of scores that a fit computes with.
const scoreScale = 1024

// play takes the decisions of a game of perfect play.
func (f *fitter) play(seed, game uint64) {
	p := board.StartPosition(board.MaxPieces)
	dice := board.NewDice(seed, game)
	var buf [board.MaxMoves]board.Move
	for {
		moves := p.Moves(buf[:0], dice.Roll())
		if len(moves) == 0 {
			p = p.Pass()
			continue
		}
		if len(moves) > 1 {
			f.take(p, moves)
		}
		best, _ := solve.BestMove(f.table, p, moves)
		p = p.Apply(moves[best])
		if _, over := p.Winner(); over {
			return
		}
	}
}

// take adds a decision: all that the next roll can lead to behind each of its moves.
func (f *fitter) take(p board.Position, moves []board.Move) {
	for _, m := range moves {
		next := p.Apply(m)
		if _, over := next.Winner(); over {
			continue
		}
		for roll, ways := range board.RollWays {
			replies := next.Moves(nil, roll)
			if len(replies) == 0 {
				f.add(next.Pass(), p.Turn(), float64(ways))
			}
			for _, reply := range replies {
				f.add(next.Apply(reply), p.Turn(), float64(ways)/float64(len(replies)))
			}
		}
	}
	if n := len(f.groups); len(f.leaves) > 0 && (n == 0 || f.groups[n-1] < len(f.leaves)) {
		f.groups = append(f.groups, len(f.leaves))
	}
}

// add adds a leaf, as the given side sees it.
func (f *fitter) add(p board.Position, side board.Side, weight float64) {
	w := wordOf(p)
	if w.over() {
		return
	}
	own, opp := w.left()
	leaf := leafSample{
		line: uint8(8*own + opp), sign: 1, win: f.table.Win(p), weight: weight,
		score: float64(f.scorer.score(w, board.MaxPieces)) / scoreScale,
	}
	if p.Turn() != side {
		leaf.sign, leaf.win = -1, 1-leaf.win
	}
	f.leaves = append(f.leaves, leaf)
}

// constants are the slope, the offset at the start of a game, and what each piece that
// has come home adds to the offset.
const constants = 3

// constants fits the constants that all numbers of pieces share. Constants of their own for
// each were tried: they are closer to the exact values, and choose worse, because a
// piece that comes home then changes the scale on which moves are compared.
func (f *fitter) constants() [constants]float64 {
	k := [constants]float64{0.5}
	for range 20 {
		k = f.step(k)
	}
	return k
}

// curveOf returns the curve of constants.
func curveOf(k [constants]float64) *Curve {
	c := new(Curve)
	for own := range c {
		for opp := range c[own] {
			l := lineOf(k, own, opp)
			c[own][opp] = Line{l.Slope / scoreScale, l.Offset}
		}
	}
	return c
}

// lineOf returns the line for numbers of pieces left.
func lineOf(k [constants]float64, own, opp int) Line {
	return Line{k[0], k[1] + float64(k[2]*float64(2*board.MaxPieces-own-opp))}
}

// slope is the derivative of a leaf's probability by the constants.
type slope struct {
	weight float64
	d      [constants]float64
	err    float64
}

// step is one of the method of Gauss and Newton.
func (f *fitter) step(k [constants]float64) [constants]float64 {
	var s system
	var group []slope
	begin := 0
	for _, end := range f.groups {
		group = group[:0]
		for i := begin; i < end; i++ {
			leaf := &f.leaves[i]
			own, opp := int(leaf.line/8), int(leaf.line%8)
			l := lineOf(k, own, opp)
			p := 1 / (1 + math.Exp(-leaf.sign*(l.Slope*leaf.score+l.Offset)))
			h := leaf.sign * p * (1 - p)
			group = append(group, slope{leaf.weight, [constants]float64{h * leaf.score, h, h * float64(2*board.MaxPieces-own-opp)}, p - leaf.win})
		}
		s.add(group)
		begin = end
	}
	change := s.solve()
	for i := range k {
		k[i] -= change[i]
	}
	return k
}

// system is a symmetric system of linear equations.
type system struct {
	a [constants][constants]float64
	b [constants]float64
}

// add adds the leaves of a decision, less their mean: the sum of w*(x-mean)*(y-mean) is
// that of w*x*y less the total of w times both means.
func (s *system) add(group []slope) {
	var mean [constants]float64
	total, err := 0.0, 0.0
	for _, g := range group {
		total += g.weight
		err += g.weight * g.err
		for i, di := range g.d {
			mean[i] += g.weight * di
			s.b[i] += g.weight * di * g.err
			for j, dj := range g.d {
				s.a[i][j] += g.weight * di * dj
			}
		}
	}
	for i := range mean {
		s.b[i] -= mean[i] * err / total
		for j := range mean {
			s.a[i][j] -= mean[i] * mean[j] / total
		}
	}
}

// solve solves the system by elimination. A constant that nothing depends on stays.
func (s *system) solve() (x [constants]float64) {
	const tiny = 1e-12
	for i := range s.a {
		for r := i + 1; r < constants && s.a[i][i] > tiny; r++ {
			by := s.a[r][i] / s.a[i][i]
			for c := range s.a[r] {
				s.a[r][c] -= by * s.a[i][c]
			}
			s.b[r] -= by * s.b[i]
		}
	}
	for i := constants - 1; i >= 0; i-- {
		if s.a[i][i] <= tiny {
			continue
		}
		x[i] = s.b[i]
		for c := i + 1; c < constants; c++ {
			x[i] -= s.a[i][c] * x[c]
		}
		x[i] /= s.a[i][i]
	}
	return x
}
