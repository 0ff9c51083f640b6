package train

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// Target is the quantity minimized by a fit.
type Target string

// The targets of a fit.
const (
	// FitOrder minimizes the regret of the moves of highest value: only the order of a
	// decision's values matters.
	FitOrder Target = "order"

	// FitValue minimizes the squared error between the value of a position and Light's win
	// probability. It exists for comparison.
	FitValue Target = "value"
)

// FitConfig sets how a brain is fitted. A zero number means the default.
type FitConfig struct {
	// Target is by default [FitOrder].
	Target Target

	// Table is the exact solution, for as many pieces.
	Table solve.Table

	// Games are how many games of perfect play the fit will see in all. The steps
	// become smaller towards the end of them.
	Games int64

	BrainConfig // without Start, a fit of the order begins with one of the values
}

// fitMethod describes [fitLearner].
func fitMethod() Method {
	return Method{
		Name:  "fit",
		Games: defaultFitGames,
		New: func() Config {
			return &FitConfig{Target: FitOrder, Games: defaultFitGames, BrainConfig: newBrainConfig()}
		},
	}
}

// Learner returns a new fit.
func (c *FitConfig) Learner(context.Context) (Learner, error) { return newFitLearner(*c) }

// defaultFitGames is how many games of perfect play a fit sees by default.
const defaultFitGames = 400_000

// Constants of the fit of the order; see [fitLearner]. It begins with values in thousandths of the win
// probability: a move that loses a percentage point is then chosen once in 22,000 times, and
// still has a gradient. Among values from hundredths to 1/2000 and rates from 0.02 to 1, this
// learned fastest and ended best.
const (
	fitGames    = 512   // of a step
	fitParts    = 64    // in which they are played and added up, on any number of threads
	fitBatches  = 16    // of a step; the weights change after each
	fitRate     = 0.4   // of the first steps, of each coordinate
	fitLastRate = 1e-3  // of the last
	valueScale  = 1000  // from fitted values to the first values of the fit of the order
	brainScale  = 0.5   // the same from the values of a playing brain
	fitAverage  = 0.999 // how much of the mean stays in a batch

	// The step sizes of Adam, with the constants of its paper.
	adamFirst, adamSecond, adamFloor = 0.9, 0.999, 1e-8
)

// complete returns c with its defaults filled in, or a [*config.Error].
func (c FitConfig) complete() (FitConfig, error) {
	const name = "fit"
	var err error
	if c.BrainConfig, err = c.BrainConfig.complete(name); err != nil {
		return c, err
	}
	if err := play.CheckChoice(name, c.Pieces); err != nil {
		return c, err
	}
	c.Target = cmp.Or(c.Target, FitOrder)
	c.Games = cmp.Or(c.Games, defaultFitGames)
	switch {
	case c.Table == nil:
		return c, config.Fault(name, "Table", "of the exact solution is missing")
	case c.Table.Pieces() < c.Pieces:
		return c, config.Fault(name, "Table", "must be for %d pieces, is for %d at most", c.Pieces, c.Table.Pieces())
	case c.Target != FitOrder && c.Target != FitValue:
		return c, config.Fault(name, "Target", "must be %q or %q, got %q", FitOrder, FitValue, c.Target)
	case c.Games < 1:
		return c, config.Fault(name, "Games", "must be at least 1, got %d", c.Games)
	}
	return c, nil
}

// fitLearner is a [Learner] of the weights of a brain from the exact solution, on decisions from games
// of perfect play.
//
// For the order, a brain is treated as a player that chooses a move with a probability
// exponential in its value, and its mean regret is minimized. That regret is a smooth
// approximation of the regret of the highest-valued move, and converges to it as the weights
// grow (the policy gradient without chance; Sutton et al., "Policy gradient methods for
// reinforcement learning with function approximation", 1999). The weights follow the gradient
// by Adam (Kingma and Ba, 2015), on new positions in every step, and the brain is a mean over
// the latest steps.
//
// For the values, the weights are those of least squares.
//
// Both search the [space] of brains symmetric between the players.
type fitLearner struct {
	config FitConfig
	space  *space
	judge  judge
	state  fitState
	regret solve.RegretStats // of the last measured brain

	parts [fitParts]decisions
}

// fitState is the part changed by steps.
type fitState struct {
	Games int64 `json:"games"`

	// For the order: the point, which starts at that of least squares, the moments of its
	// gradient, the mean of the latest points, and the number of batches.
	Point   []float64 `json:"point,omitempty"`
	First   []float64 `json:"first,omitempty"`
	Second  []float64 `json:"second,omitempty"`
	Mean    []float64 `json:"mean,omitempty"`
	Batches int       `json:"batches,omitempty"`

	// By value: the sums of least squares, with a coordinate more for the constant;
	// the products by rows of the lower triangle.
	Products []float64 `json:"products,omitempty"`
	Targets  []float64 `json:"targets,omitempty"`
}

// newFitLearner returns a new fit.
func newFitLearner(c FitConfig) (*fitLearner, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	f := &fitLearner{config: c, space: newSpace(c.Pieces)}
	f.judge = c.BrainConfig.judge(defaultEvolveTurnLimit)
	n := f.space.dimension()
	f.state.Products = make([]float64, (n+1)*(n+2)/2)
	f.state.Targets = make([]float64, n+1)
	f.state.First, f.state.Second = make([]float64, n), make([]float64, n)
	f.state.Point, f.state.Mean = make([]float64, n), make([]float64, n)
	if c.Start != nil {
		f.start(f.space.point(c.Start), brainScale)
	}
	return f, nil
}

// valueGames returns the number of games for the fit of the values: all of them if that is the
// target, otherwise enough to give the fit of the order a start.
func (f *fitLearner) valueGames() int64 {
	switch {
	case f.config.Target == FitValue:
		return f.config.Games
	case f.config.Start != nil:
		return 0
	}
	return min(maxStartGames, f.config.Games/8)
}

// maxStartGames is how many games it takes to fit values well enough.
const maxStartGames = 4096

// start begins to fit the order at a point.
func (f *fitLearner) start(point []float64, scale float64) {
	for i, x := range point {
		f.state.Point[i], f.state.Mean[i] = scale*x, scale*x
	}
}

// Method returns "fit".
func (f *fitLearner) Method() string { return "fit" }

// fitSettings are the inputs that determine the result of a fit.
type fitSettings struct {
	Seed   uint64 `json:"seed"`
	Pieces int    `json:"pieces"`
	Target Target `json:"target"`
	Games  int64  `json:"games"`
	Start  string `json:"start,omitempty"` // hash of the brain
	Table  string `json:"table"`           // see [solve.Fingerprint]
}

// Settings returns the inputs that determine the result. They include the number of games,
// because the schedule of steps depends on it.
func (f *fitLearner) Settings() any {
	c := f.config
	s := fitSettings{Seed: c.Seed, Pieces: c.Pieces, Target: c.Target, Games: c.Games,
		Table: solve.Fingerprint(c.Table, c.Pieces)}
	if c.Start != nil {
		s.Start = c.Start.Hash()
	}
	return s
}

// Step plays some games and learns from them.
func (f *fitLearner) Step(ctx context.Context) (games int64, err error) {
	games = min(fitGames, f.config.Games-f.state.Games)
	first := uint64(f.state.Games)
	seed := seedFor(f.config.Seed, seedOfFit)
	err = each(ctx, f.config.Parallel, fitParts, func(i int) error {
		d := &f.parts[i]
		d.list, d.alternatives = d.list[:0], d.alternatives[:0]
		for g := int64(i); g < games && ctx.Err() == nil; g += fitParts {
			d.play(f.config.Table, f.config.Pieces, seed, first+uint64(g))
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
			f.start(f.leastSquares(), valueScale)
		}
		return games, nil
	}
	for batch := range fitBatches {
		f.descend(batch)
	}
	f.state.Games += games
	return games, nil
}

// Finished reports whether all games of the schedule were seen.
func (f *fitLearner) Finished() (reason string, finished bool) {
	return "all games were seen", f.state.Games >= f.config.Games
}

// rate returns the size of steps: half a cosine from the first to the last.
func (f *fitLearner) rate() float64 {
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
	for _, w := range f.space.weights(point) {
		most = max(most, math.Abs(w))
	}
	if most == 0 {
		return new(ur.Brain)
	}
	return f.space.brain(point, fitLargest/most)
}

// fitLargest is the largest weight of a fitted brain.
const fitLargest = 500

// regretDecisions is over how many decisions the regret of a fit is measured.
const regretDecisions = 200_000

// Measure plays against the rival, and measures the regret over decisions outside of the fit.
func (f *fitLearner) Measure(ctx context.Context, before []Score) ([]Score, error) {
	brain := f.Brain()
	var err error
	f.regret, err = play.Regret(ctx, play.Brain{Spec: "fit", Weights: brain}, f.config.Table, nil, solve.RegretOptions{
		Pieces: f.config.Pieces, Threads: f.config.Parallel, Decisions: regretDecisions, Seed: seedFor(f.config.Seed, seedOfRegret),
	})
	if err != nil {
		return nil, err
	}
	score, err := f.judge.measure(ctx, brain, f.config.Rival, f.config.Seed, uint64(f.state.Games), before)
	return []Score{score}, err
}

// WriteResult writes the brain, with its provenance as comments.
func (f *fitLearner) WriteResult(w io.Writer, p Provenance) error {
	_, err := fmt.Fprintf(w, "// Regret: %.4f points a decision of perfect play, mean of %d\n", f.regret.Mean, f.regret.Decisions)
	if err != nil {
		return err
	}
	return writeBrain(w, f.Brain(), p)
}

// State returns where the fit stands.
func (f *fitLearner) State() (json.RawMessage, error) { return json.Marshal(f.state) }

// SetState restores the state of a fit with equal settings.
func (f *fitLearner) SetState(text json.RawMessage) error {
	var s fitState
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	for _, pair := range [][2][]float64{
		{s.Point, f.state.Point}, {s.First, f.state.First}, {s.Second, f.state.Second}, {s.Mean, f.state.Mean},
		{s.Products, f.state.Products}, {s.Targets, f.state.Targets},
	} {
		if len(pair[0]) != len(pair[1]) {
			return fmt.Errorf("a list of the fit has %d numbers (want %d)", len(pair[0]), len(pair[1]))
		}
	}
	if s.Games < 0 || s.Games > f.config.Games {
		return fmt.Errorf("%d games of %d were seen", s.Games, f.config.Games)
	}
	f.state = s
	return nil
}
