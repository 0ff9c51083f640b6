package train

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
)

// fitValue is the target when values are fitted, for comparison with the order.
const fitValue = "value"

// FitConfig sets how a brain is fitted. A zero number means the default.
type FitConfig struct {
	BrainConfig // without Start, a fit of the order begins with one of the values

	// Target is the quantity to minimize: the regret where the highest-valued move is made ("order", the
	// default), for which only the order among a decision's values matters, or the squared error
	// between a position's value and Light's probability to win ("value").
	Target string `flag:"target" help:"quantity to minimise: order (regret of the choices) or value (squared error)" default:"order" values:"order,value" json:"target"`

	// Table is the exact solution, for as many pieces; nil is that of [play.DefaultTables].
	Table *solve.Table `json:"table"`

	// Games are how many games between perfect players the fit will see in all. The steps
	// become smaller towards their end.
	Games int64 `flag:"games" help:"games of perfect play to learn from" default:"400000" range:"[1,)" json:"games"`
}

// Constants for fitting the order; see [fitLearner]. It begins with values in thousandths of the win probability: a
// move that loses a percentage point is then chosen once in 22,000 times, and still has a gradient. Among values from
// hundredths to 1/2000 and rates from 0.02 to 1, this learned fastest and ended best.
const (
	fitGames    = 512   // games in a step
	fitParts    = 64    // parts in which a step's games are played and added up, on any number of threads
	fitBatches  = 16    // batches in a step; the weights change after each
	fitRate     = 0.4   // first step size, by coordinate
	fitLastRate = 1e-3  // last step size
	valueScale  = 1000  // scale between fitted values and the first values when the order is fitted
	brainScale  = 0.5   // the same from the values of a playing brain
	fitAverage  = 0.999 // how much of the mean stays in a batch
)

// fitLearner is a [Learner] for a brain's weights, from the exact solution, on decisions from
// games between perfect players.
//
// For the order, a brain is treated as a player that chooses a move with a probability exponential in its value, and
// its mean regret is minimized. That regret is a smooth approximation of the regret of the highest-valued move, and
// converges to it as the weights grow: see [regretSlopes]. The weights follow the gradient by Adam (Kingma and Ba,
// 2015), on new positions in every step, and the brain is a mean over the latest steps.
//
// For the values, the weights are the least-squares solution.
//
// Both search the [space] of brains symmetric between the players.
type fitLearner struct {
	config *FitConfig
	space  *space
	state  fitState
	rules  *board.Rules
	regret play.RegretStats // regret when last measured

	parts [fitParts][]decision
}

// fitState is the part changed by steps.
type fitState struct {
	Games int64 `json:"games"`

	// For the order: the point, which starts at the least-squares solution, the mean over the latest
	// points, and the steps, one for each batch.
	Point []float64               `json:"point"`
	Mean  []float64               `json:"mean"`
	Adam  *gradient.Adam[float64] `json:"adam"`

	// By value: the least-squares sums, with a coordinate more for the constant;
	// the products by rows in the lower triangle.
	Products []float64 `json:"products"`
	Targets  []float64 `json:"targets"`
}

// Learner returns a new fit, and fills in c's defaults.
func (c *FitConfig) Learner(ctx context.Context) (Learner, error) {
	const name = "fit"
	rules, err := c.completeBrain(name, c)
	if err == nil {
		err = play.CheckChoice(name, c.Pieces)
	}
	if err == nil {
		err = findTable(ctx, name, &c.Table, rules)
	}
	if err != nil {
		return nil, err
	}
	f := &fitLearner{config: c, space: newSpace(c.Pieces), rules: rules}
	n := f.space.dimension()
	f.state = fitState{
		Point: make([]float64, n), Mean: make([]float64, n), Adam: gradient.NewAdam[float64](n),
		Products: samebits.NewTriangle(n + 1), Targets: make([]float64, n+1),
	}
	if c.Start != nil {
		f.startOrder(f.space.pointOf(c.Start), brainScale)
	}
	return f, nil
}

// valueGames returns the number of games for fitting the values: all games if that is the
// target, otherwise enough to give the order's fit a start.
func (f *fitLearner) valueGames() int64 {
	switch {
	case f.config.Target == fitValue:
		return f.config.Games
	case f.config.Start != nil:
		return 0
	}
	return min(maxStartGames, f.config.Games/8)
}

// maxStartGames is how many games it takes to fit values well enough.
const maxStartGames = 4096

// startOrder begins to fit the order at a point.
func (f *fitLearner) startOrder(point []float64, scale float64) {
	for i, x := range point {
		f.state.Point[i], f.state.Mean[i] = scale*x, scale*x
	}
}

// Step plays some games and learns from them.
func (f *fitLearner) Step(ctx context.Context) (games int64, err error) {
	if games = min(fitGames, f.config.Games-f.state.Games); games == 0 {
		return 0, Finished("all games were seen")
	}
	first := uint64(f.state.Games)
	seed := seedFor(f.config.Seed, seedOfFit)
	err = callEach(ctx, f.config.Parallel, fitParts, func(i int) error {
		f.parts[i] = f.parts[i][:0]
		for g := int64(i); g < games && ctx.Err() == nil; g += fitParts {
			f.playGame(i, seed, first+uint64(g))
		}
		return ctx.Err()
	})
	if err == nil {
		err = f.config.Table.Err()
	}
	if err != nil {
		return 0, err
	}
	if f.state.Games < f.valueGames() {
		f.addSquares()
		if f.state.Games += games; f.state.Games >= f.valueGames() {
			f.startOrder(f.leastSquares(), valueScale)
		}
		return games, nil
	}
	for batch := range fitBatches {
		f.takeStep(batch)
	}
	f.state.Games += games
	return games, nil
}

// playGame adds the decisions of a game between perfect players to a part.
func (f *fitLearner) playGame(part int, seed, game uint64) {
	var buf [board.MaxMoves]board.Move
	g := perfectGame{Number: game, position: f.rules.Start()}
	for moves := g.nextChoice(f.rules, seed, buf[:0]); moves != nil; moves = g.nextChoice(f.rules, seed, buf[:0]) {
		var d decision
		d.judgeMoves(f.config.Table, f.rules, g.position, moves)
		f.parts[part] = append(f.parts[part], d)
		g.position = d.after[d.best]
		if _, over := g.position.Winner(); over {
			return
		}
	}
}

// stepSize returns the step size: half a cosine from the first to the last.
func (f *fitLearner) stepSize() float64 {
	done := float64(f.state.Games) / float64(f.config.Games)
	return fitLastRate + (fitRate-fitLastRate)*(1+samebits.Cos(math.Pi*done))/2
}

// Brain returns the learned brain, with the largest weights the fastest kernels accept:
// rounding then has no measurable cost.
func (f *fitLearner) Brain() *ur.Brain {
	point := f.state.Mean
	if f.state.Games < f.valueGames() {
		point = f.leastSquares()
	}
	most := 0.0
	for _, w := range f.space.weightsAt(point) {
		most = max(most, math.Abs(w))
	}
	if most == 0 {
		return new(ur.Brain)
	}
	return f.space.brainAt(point, fitLargest/most)
}

// fitLargest is a fitted brain's largest weight.
const fitLargest = 500

// regretDecisions is over how many decisions a fit's regret is measured.
const regretDecisions = 200_000

// Measure plays against the rival, and measures the regret over decisions outside the fit.
func (f *fitLearner) Measure(ctx context.Context, before []Score) ([]Score, *float64, error) {
	brain := f.Brain()
	var err error
	f.regret, err = measureRegret(ctx, play.Brain{Spec: "fit", Weights: brain}.Player(), f.config.Table, f.config.Pieces,
		f.config.Parallel, regretDecisions, f.config.Seed)
	if err != nil {
		return nil, nil, err
	}
	scores, err := f.config.measureBrain(ctx, brain, uint64(f.state.Games), before)
	return scores, nil, err
}

// Result returns the brain, and its regret.
func (f *fitLearner) Result() (player any, comment string) {
	return f.Brain(), fmt.Sprintf("// Regret: %.4f points a decision of perfect play, mean of %d\n", f.regret.Mean, f.regret.Decisions)
}

// State returns where the fit stands.
func (f *fitLearner) State() any { return f.state }

// SetState restores the state from a fit with equal settings.
func (f *fitLearner) SetState(state any) error {
	s := state.(fitState)
	if s.Games > f.config.Games {
		return fmt.Errorf("%d games of %d were seen", s.Games, f.config.Games)
	}
	f.state = s
	return nil
}

// takeStep takes one Adam step by a part of the decisions.
func (f *fitLearner) takeStep(batch int) {
	s := &f.state
	slopes := make([]float64, len(s.Point))
	f.space.projectGradient(slopes, f.regretGradient(batch, f.space.weightsAt(s.Point)))
	s.Adam.Step(s.Point, slopes, f.stepSize())
	keep := min(fitAverage, float64(s.Adam.Steps)/float64(s.Adam.Steps+10))
	for k := range s.Mean {
		s.Mean[k] = float64(keep*s.Mean[k]) + float64((1-keep)*s.Point[k])
	}
}

// addParts adds to lists, in the parts' order, what a function adds up for each.
func (f *fitLearner) addParts(add func(list []decision, sums [][]float64), to ...[]float64) {
	var parts [fitParts][][]float64
	callAll(f.config.Parallel, fitParts, func(i int) {
		for _, list := range to {
			parts[i] = append(parts[i], make([]float64, len(list)))
		}
		add(f.parts[i], parts[i])
	})
	for _, sums := range parts {
		for l, sum := range sums {
			for k, x := range sum {
				to[l][k] += x
			}
		}
	}
}

// regretGradient returns a batch's mean regret, derived by weights.
func (f *fitLearner) regretGradient(batch int, weights []float64) []float64 {
	total, n := make([]float64, ur.Weights), []float64{0}
	f.addParts(func(list []decision, sums [][]float64) {
		for k := batch; k < len(list); k += fitBatches {
			list[k].addRegretGradient(sums[0], weights)
			sums[1][0]++
		}
	}, total, n)
	for k := range total {
		total[k] /= max(1, n[0])
	}
	return total
}

// addRegretGradient adds a decision's expected regret, derived by weights. Light chooses the highest
// value, Dark the lowest.
func (d *decision) addRegretGradient(gradient, weights []float64) {
	var boards [board.MaxMoves]sparseBoard
	var value [board.MaxMoves]float64
	regret, sign := d.regret, float64(d.mover.Sign())
	for i := range d.n {
		boards[i] = sparseOf(d.after[i])
		value[i] = float64(sign * boards[i].value(weights))
	}
	regretSlopes(value[:d.n], regret[:d.n])
	for i := range d.n {
		if times := sign * value[i]; times != 0 {
			boards[i].addGradient(gradient, times)
		}
	}
}

// addSquares adds a step's positions, and Light's probability to win behind each, to the least-squares sums.
func (f *fitLearner) addSquares() {
	n := f.space.dimension() + 1
	f.addParts(func(list []decision, sums [][]float64) {
		feature := make([]float64, n)
		for _, d := range list {
			for i := range d.n {
				f.space.writeFeatures(d.after[i], feature)
				feature[n-1] = 1
				samebits.Triangle(sums[0]).AddSquare(feature)
				win := lightWin(d.worth[i], d.mover)
				for k, x := range feature {
					sums[1][k] += float64(x * win)
				}
			}
		}
	}, f.state.Products, f.state.Targets)
}

// leastSquares solves the equations, with a small ridge for inputs that never occur.
func (f *fitLearner) leastSquares() []float64 {
	a := slices.Clone(samebits.Triangle(f.state.Products))
	n := a.Rows()
	for i := range n {
		row := a.Row(i)
		row[i] = float64(row[i]*(1+1e-9)) + 1e-6
	}
	factor, positive := a.Factor()
	if !positive {
		return make([]float64, n-1) // nothing to fit yet
	}
	return factor.Solve(f.state.Targets)[:n-1]
}
