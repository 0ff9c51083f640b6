package lookahead

import (
	"context"
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
)

// FitOptions say from which positions a curve is fitted.
type FitOptions struct {
	Games    int    // of perfect play; 0 means 4000
	Seed     uint64 // of their dice
	Progress func(done float64)
}

// Fit fits the curve of a brain to the exact solution: so that over the positions behind
// every legal move of games of perfect play, good and bad moves alike, the cross entropy
// of its probabilities is least. The constants of numbers of pieces that few positions
// have lean on those of all.
func Fit(ctx context.Context, b *ur.Brain, t solve.Table, o FitOptions) (*Curve, error) {
	if o.Games == 0 {
		o.Games = 4000
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
	return f.fit(), nil
}

// fitter counts positions by what a fit needs to know of them.
type fitter struct {
	table   solve.Table
	scorer  *scorer
	samples [8 * 8][]sample // by the pieces left
}

// sample is a score, scaled, and the probability that it should be.
type sample struct{ score, win float64 }

// scoreScale is the size of scores that a fit computes with.
const scoreScale = 1024

// play takes the samples of a game.
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
		for _, m := range moves {
			f.take(p.Apply(m))
		}
		best, _ := solve.BestMove(f.table, p, moves)
		p = p.Apply(moves[best])
		if _, over := p.Winner(); over {
			return
		}
	}
}

func (f *fitter) take(p board.Position) {
	w := wordOf(p)
	if w.over() {
		return
	}
	own, opp := w.left()
	score := float64(f.scorer.score(w, board.MaxPieces)) / scoreScale
	f.samples[8*own+opp] = append(f.samples[8*own+opp], sample{score, f.table.Win(p)})
}

// fit fits one line to all samples, and from there one to those of each number of
// pieces left.
func (f *fitter) fit() *Curve {
	var all []sample
	for _, s := range f.samples {
		all = append(all, s...)
	}
	base := fitLine(all, Line{}, 1e-9)
	c := new(Curve)
	for own := range c {
		for opp := range c[own] {
			l := fitLine(f.samples[8*own+opp], base, leaning)
			c[own][opp] = Line{l.Slope / scoreScale, l.Offset}
		}
	}
	return c
}

// leaning is how many samples what is known of all positions counts for.
const leaning = 100

// fitLine returns the line of least cross entropy by Newton's method; it leans on a line
// as if that many more samples lay there.
func fitLine(samples []sample, on Line, weight float64) Line {
	l := on
	for range 50 {
		// Gradient and Hessian of the penalty, then of the samples.
		ga, gb := weight*(l.Slope-on.Slope), weight*(l.Offset-on.Offset)
		haa, hab, hbb := weight, 0.0, weight
		for _, s := range samples {
			p := 1 / (1 + math.Exp(-(l.Slope*s.score + l.Offset)))
			e, h := p-s.win, p*(1-p)
			ga += e * s.score
			gb += e
			haa += h * s.score * s.score
			hab += h * s.score
			hbb += h
		}
		det := haa*hbb - hab*hab
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		l.Slope -= da
		l.Offset -= db
		if math.Abs(da)+math.Abs(db) < 1e-12 {
			break
		}
	}
	return l
}
