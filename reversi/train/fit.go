package train

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"golang.org/x/sync/errgroup"
)

// sample is a position and its score for the side to move.
type sample struct {
	board board.Board
	score float32 // score in discs
	discs uint8
}

// Fit controls how weights are fitted to games.
type Fit struct {
	Epochs  int     // how often every position is seen
	Rate    float64 // part of an error removed by the weights of a position, at first
	Last    float64 // part of Rate left in the last epoch
	Ridge   float64 // pull towards 0 of a weight seen once, as part of the rate; it falls with the number of positions
	Trace   float64 // part of the score of the next position in the goal of one that was not solved
	Level   float64 // score in discs at which a position teaches half as much as at 0; 0: all teach alike
	Margin  int     // positions within this many discs of a stage teach it as well
	Threads int
}

// holdOut is the interval between games held out from training.
const holdOut = 16

// samples lists the positions in games that can teach something, those with passes as well.
func samples(games []Game, trace float64) []sample {
	var all []sample
	for _, g := range games {
		goals := g.goals(trace)
		for i, p := range g.record().Positions() {
			if i < g.From || i == len(g.Moves) {
				continue
			}
			score := float32(g.score(i))
			if i < g.Exact {
				score = float32(goals[i])
			}
			if p.Side == board.White {
				score = -score
			}
			all = append(all, sample{p.Board, score, uint8(64 - p.Empties())})
		}
	}
	return all
}

// split divides games into those that teach and those held out.
func split(games []Game) (teach, check []Game) {
	for i, g := range games {
		if i%holdOut == holdOut-1 {
			check = append(check, g)
		} else {
			teach = append(teach, g)
		}
	}
	return teach, check
}

// Result is a fit's result.
type Result struct {
	Weights *eval.Weights        `json:"-"`
	Errors  [eval.Stages]float64 `json:"rms_discs"`       // root mean squared error by stage, in the games held out
	Error   float64              `json:"rms_discs_all"`   // the same of all stages
	Curve   []Point              `json:"curve,omitempty"` // errors of fits to fewer games, where asked for
}

// Point is a point on a learning curve.
type Point struct {
	Games int     `json:"games"`     // games that teach
	Error float64 `json:"rms_discs"` // error in the games held out, the same for all points
}

// Weights fits weights to games by stochastic gradient descent on the squared error, stage by
// stage. Stages are distributed over threads, with the same result on any number of them. The
// errors are those in positions from games held out from training. They choose the epoch whose
// weights a stage keeps.
func (f Fit) Weights(ctx context.Context, games []Game) (Result, error) {
	teach, check := split(games)
	return f.fit(ctx, samples(teach, f.Trace), samples(check, f.Trace))
}

// Curve fits weights to a sixteenth and a quarter of the games.
func (f Fit) Curve(ctx context.Context, games []Game) ([]Point, error) {
	var curve []Point
	teach, check := split(games)
	held := samples(check, f.Trace)
	for _, part := range [...]int{16, 4} {
		var some []Game
		for i := 0; i < len(teach); i += part {
			some = append(some, teach[i])
		}
		r, err := f.fit(ctx, samples(some, f.Trace), held)
		if err != nil {
			return nil, err
		}
		curve = append(curve, Point{len(some), r.Error})
	}
	return curve, nil
}

// fit fits weights to samples.
func (f Fit) fit(ctx context.Context, all, held []sample) (Result, error) {
	var (
		stages  [eval.Stages][]float32
		fitting errgroup.Group
	)
	fitting.SetLimit(max(1, f.Threads))
	for s := range stages {
		fitting.Go(func() error {
			stages[s] = f.stage(ctx, s, all, held)
			return ctx.Err()
		})
	}
	if err := fitting.Wait(); err != nil {
		return Result{}, err
	}
	r := Result{Weights: eval.NewWeights(&stages)}
	r.Errors, r.Error = rootMeanSquares(r.Weights, held)
	return r, nil
}

// lesson is a stage's samples in their order of teaching.
type lesson struct {
	indices []int32 // each sample's weights, eval.Indices a row
	scores  []float32
}

const row = eval.Indices

// lessonOf lists the samples within margin discs around a stage.
func lessonOf(all []sample, s, margin int) *lesson {
	var near []sample
	for _, x := range all {
		if eval.StageOf(max(4, int(x.discs)-margin)) <= s && s <= eval.StageOf(int(x.discs)+margin) {
			near = append(near, x)
		}
	}
	random := rand.New(rand.NewPCG(uint64(s), 1997))
	random.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
	l := &lesson{make([]int32, 0, row*len(near)), make([]float32, 0, len(near))}
	for _, x := range near {
		features := eval.FeaturesOf(x.board)
		l.indices = features.Indices(l.indices, int(x.discs), bits.OnesCount64(x.board.Moves()))
		l.scores = append(l.scores, x.score*eval.Disc)
	}
	for i, w := range l.indices {
		l.indices[i] = eval.Twin(w)
	}
	return l
}

// meanSquare returns the weights' mean squared error.
func (l *lesson) meanSquare(weights []float32) float64 {
	sum := 0.0
	for i, score := range l.scores {
		e := score - value(weights, (*[row]int32)(l.indices[i*row:]))
		sum += float64(e) * float64(e)
	}
	return sum / float64(max(1, len(l.scores)))
}

func value(weights []float32, indices *[row]int32) float32 {
	v := float32(0)
	for _, i := range indices {
		v += weights[i]
	}
	return v
}

// stage fits one stage's weights.
func (f Fit) stage(ctx context.Context, s int, all, held []sample) []float32 {
	l, check := lessonOf(all, s, f.Margin), lessonOf(held, s, 0)
	weights := make([]float32, eval.WeightsPerStage)
	pull := f.pulls(l)
	best, least := weights, math.Inf(1)
	steps, step := float64(f.Epochs*len(l.scores)), 0.0
	for range f.Epochs {
		for i, score := range l.scores {
			if i&0xfff == 0 && ctx.Err() != nil {
				return weights
			}
			indices := (*[row]int32)(l.indices[i*row:])
			rate := float32(f.Rate * (1 - (1-f.Last)*step/steps) / row)
			step++
			e := score - value(weights, indices)
			if f.Level > 0 {
				far := score / float32(f.Level*eval.Disc)
				rate /= 1 + float32(far*far)
			}
			for _, w := range indices {
				weights[w] += float32(rate * (e - float32(pull[w]*weights[w])))
			}
		}
		if e := check.meanSquare(weights); e < least || len(check.scores) == 0 {
			best, least = append([]float32(nil), weights...), e
		}
	}
	return best
}

// pulls returns every weight's pull towards 0: Ridge by the number of positions that teach
// it.
func (f Fit) pulls(l *lesson) []float32 {
	pull := make([]float32, eval.WeightsPerStage)
	for _, w := range l.indices {
		pull[w]++
	}
	for w, n := range pull {
		pull[w] = float32(f.Ridge) / max(1, n)
	}
	return pull
}

// rootMeanSquares returns the weights' errors over each stage's samples and over all, in
// discs.
func rootMeanSquares(w *eval.Weights, held []sample) (stages [eval.Stages]float64, all float64) {
	var counts [eval.Stages]int
	for _, x := range held {
		s := eval.StageOf(int(x.discs))
		e := float64(w.Evaluate(x.board))/eval.Disc - float64(x.score)
		stages[s] += float64(e * e)
		counts[s]++
	}
	for s, n := range counts {
		all += stages[s]
		stages[s] = math.Sqrt(stages[s] / float64(max(1, n)))
	}
	return stages, math.Sqrt(all / float64(max(1, len(held))))
}
