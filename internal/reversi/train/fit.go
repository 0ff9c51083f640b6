package train

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// sample is a position and the score of its game for the side to move.
type sample struct {
	board board.Board
	score int8
}

// Fit controls the fitting of weights to games.
type Fit struct {
	Epochs  int     // how often every position is seen
	Rate    float64 // part of an error removed by the weights of a position, at first; it falls to a tenth
	Margin  int     // positions within this many discs of a stage teach it as well
	Threads int
}

// DefaultFit fitted the built-in weights.
var DefaultFit = Fit{Epochs: 14, Rate: 0.25, Margin: 2}

// samples lists the positions of games that can teach something.
func samples(games []Game) []sample {
	var all []sample
	for _, g := range games {
		p := board.StartPosition()
		for i, s := range g.Moves {
			if i >= g.From && s != board.Pass {
				score := g.Score
				if p.Side == board.White {
					score = -score
				}
				all = append(all, sample{p.Board, int8(score)})
			}
			next, err := p.Play(s)
			if err != nil {
				break
			}
			p = next
		}
	}
	return all
}

// Weights fits weights to games by stochastic gradient descent on the squared error, stage by
// stage. Stages are distributed over threads, with the same result on any number of them. It
// also returns the root of the mean squared error of each stage, in discs, over positions of
// every 16th game, held out of training.
func (f Fit) Weights(ctx context.Context, games []Game) (*eval.Weights, [eval.Stages]float64, error) {
	var teach, check []Game
	for i, g := range games {
		if i%16 == 15 {
			check = append(check, g)
		} else {
			teach = append(teach, g)
		}
	}
	all, held := samples(teach), samples(check)
	var (
		stages [eval.Stages][]float32
		errs   [eval.Stages]float64
		wait   sync.WaitGroup
	)
	limit := make(chan struct{}, max(1, f.Threads))
	for s := range stages {
		wait.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			stages[s] = f.stage(ctx, s, all)
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, errs, err
	}
	w := eval.NewWeights(&stages)
	for s := range errs {
		errs[s] = rootMeanSquare(w, s, held)
	}
	return w, errs, nil
}

// stage fits the weights of one stage.
func (f Fit) stage(ctx context.Context, s int, all []sample) []float32 {
	weights := make([]float32, eval.WeightsPerStage)
	var near []sample
	for _, x := range all {
		discs := bits.OnesCount64(x.board.Own | x.board.Opp)
		if eval.StageOf(max(4, discs-f.Margin)) <= s && s <= eval.StageOf(discs+f.Margin) {
			near = append(near, x)
		}
	}
	random := rand.New(rand.NewPCG(uint64(s), 1997))
	indices := make([]int32, 0, 64)
	steps := float64(f.Epochs * len(near))
	step := 0.0
	for range f.Epochs {
		random.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
		for i, x := range near {
			if i&0xfff == 0 && ctx.Err() != nil {
				return weights
			}
			features := eval.FeaturesOf(x.board)
			indices = features.Indices(indices[:0])
			sum := float32(0)
			for j, w := range indices {
				indices[j] = eval.Twin(w)
				sum += weights[indices[j]]
			}
			rate := f.Rate * (1 - 0.9*step/steps) / float64(len(indices))
			step++
			change := float32(rate) * (float32(x.score)*eval.Disc - sum)
			for _, w := range indices {
				weights[w] += change
			}
		}
	}
	return weights
}

// rootMeanSquare returns the error of weights over the samples of a stage, in discs.
func rootMeanSquare(w *eval.Weights, s int, held []sample) float64 {
	sum, n := 0.0, 0
	for _, x := range held {
		if eval.StageOf(bits.OnesCount64(x.board.Own|x.board.Opp)) == s {
			e := float64(w.Evaluate(x.board))/eval.Disc - float64(x.score)
			sum += float64(e * e)
			n++
		}
	}
	return math.Sqrt(sum / float64(max(1, n)))
}
