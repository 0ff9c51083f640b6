package ursearch

import (
	"cmp"
	"context"
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// FitOptions select the positions for fitting a curve.
type FitOptions struct {
	Games    int    // of perfect play, in each round; 0 means 160
	Rounds   int    // 0 means 6
	Plain    bool   // without [Squares]: of the score and the pieces left alone
	Seed     uint64 // of their dice
	Progress func(done float64)
}

// Fit fits the curve of a brain for choosing moves to the exact solution, in games of the
// solution's number of pieces.
//
// Exact probabilities do not make good choices: a curve closer to them was found to choose
// worse, since it spends its constants on differences shared by all moves of a decision. So Fit
// minimises regret itself. Each round plays games perfectly, searches 3 plies deep from every
// decision, and 2 from every other, by the curve of the round before, and keeps the leaves of
// best play after every move with their probabilities: the value of a move is the weighted sum
// of its leaves. The regret of a player choosing moves with probabilities proportional to
// exp(worth/temperature) is differentiable in the constants, and steps of the natural gradient
// (Amari, "Natural gradient works efficiently in learning", 1998) lower it.
func Fit(ctx context.Context, b *ur.Brain, t solve.Table, o FitOptions) (*Curve, error) {
	o.Games = cmp.Or(o.Games, 160)
	if o.Rounds == 0 {
		o.Rounds = 6
	}
	f := &fitter{table: t, game: NewGame(b, &Curve{}, t.Pieces(), nil, 0), free: constants}
	if o.Plain {
		f.free = plainConstants
	}
	f.k[slopes] = 0.5 * size(ur.DefaultBrain()) / size(b)
	for round := range o.Rounds {
		f.decisions = f.decisions[:0]
		if f.heat = warm; round >= o.Rounds/2 {
			f.heat = cold
		}
		for game := range o.Games {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			f.play(o.Seed, uint64(round*o.Games+game))
			if o.Progress != nil {
				o.Progress((float64(round) + float64(game+1)/float64(o.Games)/2) / float64(o.Rounds))
			}
		}
		for range stepsOfRound {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			f.step()
		}
		if o.Progress != nil {
			o.Progress(float64(round+1) / float64(o.Rounds))
		}
	}
	return f.k.curve(), nil
}

const (
	// stepsOfRound is how often a round moves the constants: leaves of best play change with
	// them, and are looked up again in the next.
	stepsOfRound = 3

	// A player hardly distinguishes moves that differ by less than the temperature, a
	// probability to win. It falls when half of the rounds are done.
	warm, cold = 0.002, 0.001

	// shortest and longest step, in units of the natural gradient.
	shortest, longest = 50, 1e5
)

// fitter holds the decisions of a round.
type fitter struct {
	table     solve.Table
	game      *Game // without a curve: for moves and scores
	k         model
	heat      float64
	free      int // number of fitted constants, the first ones
	decisions []fitDecision

	lists  [3][board.MaxRoll + 1]search.List[Position]
	leaves []fitLeaf
}

// fitDecision is a position with a roll, looked ahead from.
type fitDecision []fitMove

// fitMove is a move: its regret, as a probability, and the leaves behind it.
type fitMove struct {
	regret float64
	base   float64 // sum of the weights of leaves with the other side to move
	leaves []fitLeaf
}

// fitLeaf is a leaf of best play. Its weight is how likely it comes up, below zero when the other
// side is to move.
type fitLeaf struct {
	word   word
	score  int32
	weight float64
}

// play takes the decisions of a game of perfect play.
func (f *fitter) play(seed, game uint64) {
	p := board.StartPosition(f.table.Pieces())
	dice := board.NewDice(seed, game)
	var buf [board.MaxMoves]board.Move
	for decision := 0; ; {
		roll := dice.Roll()
		moves := p.Moves(buf[:0], roll)
		if len(moves) == 0 {
			p = p.Pass()
			continue
		}
		best, worth := solve.BestMove(f.table, p, moves)
		if len(moves) > 1 {
			f.take(p, roll, moves, worth, 3)
			if decision++; decision%2 == 0 {
				f.take(p, roll, moves, worth, 2)
			}
		}
		p = p.Apply(moves[best])
		if _, over := p.Winner(); over {
			return
		}
	}
}

// take searches from a decision, to a depth.
func (f *fitter) take(p board.Position, roll int, moves []board.Move, best float64, depth int) {
	root := f.game.Position(p)
	var list search.List[Position]
	f.game.Moves(&root, roll, &list)
	d := make(fitDecision, len(moves))
	for i, m := range list.All() {
		f.leaves = f.leaves[:0]
		f.worth(&m, depth-1, 0, 1)
		d[i] = fitMove{regret: best - solve.After(f.table, p, moves[i]), leaves: append([]fitLeaf(nil), f.leaves...)}
		for _, leaf := range f.leaves {
			d[i].base -= min(0, leaf.weight)
		}
	}
	f.decisions = append(f.decisions, d)
}

// worth returns the value of a move for its side, and adds the leaves of best play.
func (f *fitter) worth(m *search.Move[Position], depth, ply int, weight float64) float64 {
	if m.Again {
		return f.look(&m.Next, depth, ply, weight)
	}
	return 1 - f.look(&m.Next, depth, ply, -weight)
}

// look is expectiminimax that keeps the leaves of the best moves.
func (f *fitter) look(p *Position, depth, ply int, weight float64) (sum float64) {
	if depth == 0 || p.word.over() {
		f.leaves = append(f.leaves, fitLeaf{p.word, p.score, weight})
		return f.k.chance(p.word, p.score)
	}
	for roll, ways := range board.RollWays {
		share := float64(ways) / 16
		list := &f.lists[ply][roll]
		list.Clear()
		f.game.Moves(p, roll, list)
		best, begin := -1.0, len(f.leaves)
		for i := range list.All() {
			mark := len(f.leaves)
			v := f.worth(&list.All()[i], depth-1, ply+1, weight*share)
			if v > best {
				best = v
				n := copy(f.leaves[begin:], f.leaves[mark:])
				mark = begin + n
			}
			f.leaves = f.leaves[:mark]
		}
		sum += float64(share * best)
	}
	return sum
}

// choice is a decision of a player with a temperature: the probability of each move, and the
// mean regret.
func (d fitDecision) choice(worth, taken []float64, heat float64) (regret float64) {
	top := math.Inf(-1)
	for i := range d {
		top = max(top, worth[i])
	}
	total := 0.0
	for i := range d {
		taken[i] = math.Exp((worth[i] - top) / heat)
		total += taken[i]
	}
	for i := range d {
		taken[i] /= total
		regret += float64(taken[i] * d[i].regret)
	}
	return regret
}

// regret returns the total regret of all decisions.
func (f *fitter) regret(k *model) (sum float64) {
	var worth, taken [board.MaxMoves]float64
	for _, d := range f.decisions {
		for i := range d {
			worth[i] = d[i].base
			for _, leaf := range d[i].leaves {
				worth[i] += float64(leaf.weight * k.chance(leaf.word, leaf.score))
			}
		}
		sum += d.choice(worth[:], taken[:], f.heat)
	}
	return sum
}

// step goes along the natural gradient as far as it helps.
func (f *fitter) step() {
	s := newSystem(f.free)
	for _, d := range f.decisions {
		f.differentiate(s, d)
	}
	change := s.solve()
	best, least := f.k, f.regret(&f.k)
	for length := float64(shortest); length < longest; length *= 2 {
		k := f.k
		for i, by := range change {
			k[i] -= float64(length * by)
		}
		if regret := f.regret(&k); regret < least {
			best, least = k, regret
		} else if best != f.k {
			break
		}
	}
	f.k = best
}

// differentiate adds a decision: the derivative of its regret is the covariance of regret and of
// the derivative of worth over the temperature, and the metric of the natural gradient is the
// covariance of the latter with itself.
func (f *fitter) differentiate(s *system, d fitDecision) {
	var worth, taken [board.MaxMoves]float64
	var slopes [board.MaxMoves][constants]float64
	for i := range d {
		worth[i] = d[i].base
		for _, leaf := range d[i].leaves {
			worth[i] += float64(leaf.weight * f.k.gradient(slopes[i][:f.free], leaf.word, leaf.score, leaf.weight/f.heat))
		}
	}
	regret := d.choice(worth[:], taken[:], f.heat)
	var mean [constants]float64
	for i := range d {
		for c := range f.free {
			mean[c] += float64(taken[i] * slopes[i][c])
		}
	}
	for i := range d {
		for c := range f.free {
			slopes[i][c] -= mean[c]
		}
		s.add(slopes[i][:f.free], taken[i], d[i].regret-regret)
	}
}
