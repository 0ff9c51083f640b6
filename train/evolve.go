package train

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play"
)

// EvolveConfig sets how brains evolve. A zero number means the default.
type EvolveConfig struct {
	BrainConfig // without Start, evolution begins with no weights at all

	// Pairs of perturbed brains in a generation, and the games for each pair, an even number.
	Pairs int `flag:"pairs" help:"pairs of perturbed brains in a generation" default:"16" range:"[1,4096]" json:"pairs"`
	Games int `flag:"pair-games" help:"games that a pair plays, an even number" default:"4096" range:"[2,1048576]" json:"games"`

	// Spread is how large the first perturbations are, relative to the brain.
	Spread float64 `flag:"spread" help:"size of the first perturbations, relative to the brain" default:"0.3" range:"(0,1]" json:"spread"`
}

// evolveLearner is a [Learner] for a brain's weights, by an evolution strategy. It uses only
// the rules and the games' winners.
//
// Every generation tries random changes. Each is added to the brain and subtracted from it, and the two resulting
// brains play each other, every game twice on the same dice with the sides exchanged. The brain then moves along the
// sum of all changes, each weighted by its brain's score: the gradient estimate of Spall ("Multivariate stochastic
// approximation using a simultaneous perturbation gradient approximation", 1992) with many perturbations at a time, as
// in Salimans et al. ("Evolution strategies as a scalable alternative to reinforcement learning", 2017). The measured
// and written brain is a mean over the latest generations (Polyak and Juditsky, "Acceleration of stochastic
// approximation by averaging", 1992).
//
// Two things make it fast. Changes are drawn in a [space] of brains symmetric between the
// players, with 242 dimensions instead of 561, and at first only in the 16 linear ones. And their
// length is measured by their effect on choices: see [metric].
//
// Every epoch the mean brain plays the champion, the last winner of such a test, in a sequential probability ratio
// test. Unless it is shown to be stronger, the steps become shorter and the perturbations smaller. When steps are too
// short to matter, the evolution is finished.
type evolveLearner struct {
	config *EvolveConfig
	space  *space
	state  evolveState
	metric *metric
}

// Learner returns a new evolution, and fills in c's defaults.
func (c *EvolveConfig) Learner(context.Context) (Learner, error) {
	const name = "evolve"
	if _, err := c.completeBrain(name, c); err != nil {
		return nil, err
	}
	if c.Games%2 != 0 {
		return nil, config.Fault(name, "Games", "must be an even number, got %d", c.Games)
	}
	e := &evolveLearner{config: c, space: newSpace(c.Pieces)}
	point := make([]float64, e.space.dimension())
	e.state = evolveState{Velocity: slices.Clone(point), Spread: c.Spread, Rate: 1, Contest: epochGenerations}
	if c.Start != nil {
		point = e.space.pointOf(c.Start)
	}
	e.state.Point, e.state.Mean, e.state.Champion = point, slices.Clone(point), slices.Clone(point)
	return e, nil
}

// Brain returns the learned brain.
func (e *evolveLearner) Brain() *ur.Brain { return e.brainAt(e.state.Mean) }

// valueSpread is how widely a decision's values spread in playing brains: large enough to make rounding to whole
// weights irrelevant, and small enough to fit values in 16 bits for the fastest kernels.
const valueSpread = 60

// brainAt returns the brain at a point, scaled to play. Before the first generation
// there is only the one to start with.
func (e *evolveLearner) brainAt(point []float64) *ur.Brain {
	if e.metric == nil && e.config.Start != nil {
		return e.config.Start
	}
	scale := 0.0
	if e.metric != nil {
		if length := e.metric.changeLength(point); length > 0 {
			scale = valueSpread / length
		}
	}
	return e.space.brainAt(point, scale)
}

// Measure plays against the rival.
func (e *evolveLearner) Measure(ctx context.Context, before []Score) ([]Score, *float64, error) {
	scores, err := e.config.measureBrain(ctx, e.Brain(), uint64(e.state.Generation), before)
	return scores, nil, err
}

// Result returns the brain.
func (e *evolveLearner) Result() (player any, comment string) { return e.Brain(), "" }

// State returns where the evolution stands.
func (e *evolveLearner) State() any { return e.state }

// SetState restores the state from an evolution with equal settings.
func (e *evolveLearner) SetState(state any) (err error) {
	s := state.(evolveState)
	if !(s.Spread > 0 && s.Spread <= 1 && s.Rate > 0 && s.Rate <= 1) {
		return fmt.Errorf("spread is %g and rate %g (want 0 to 1)", s.Spread, s.Rate)
	}
	var m *metric
	if s.MetricBrain != nil {
		if len(s.MetricBrain) != ur.Weights || s.MetricDimension < 1 || s.MetricDimension > e.space.dimension() {
			return fmt.Errorf("a metric of %d weights and %d dimensions", len(s.MetricBrain), s.MetricDimension)
		}
		brain := ur.Brain(s.MetricBrain)
		if m, err = newMetric(context.Background(), e.space, &brain, s.MetricSeed, s.MetricDimension, e.config.Parallel); err != nil {
			return err
		}
	}
	e.state, e.metric = s, m
	return nil
}

// evolveState holds all that steps change in an evolution. Points are in its space.
type evolveState struct {
	Generation int       `json:"generation"`
	Point      []float64 `json:"point"`    // where the next perturbations begin
	Velocity   []float64 `json:"velocity"` // change of the point in a generation
	Mean       []float64 `json:"mean"`     // mean of the latest points, each with length 1
	Champion   []float64 `json:"champion"` // the mean of the last won contest
	Spread     float64   `json:"spread"`   // size of perturbations, relative to the point
	Rate       float64   `json:"rate"`     // size of steps, relative to the perturbations
	Contest    int       `json:"contest"`  // generation of the next contest

	// The metric's inputs.
	MetricBrain     []int16 `json:"metric_brain,omitempty" length:"any"`
	MetricSeed      uint64  `json:"metric_seed"`
	MetricDimension int     `json:"metric_dimension"`
}

// An evolution's course, in generations.
const (
	linearGenerations = 32  // first generations, which learn only linear terms
	epochGenerations  = 64  // generations between two contests with the champion, at a rate of 1
	meanGenerations   = 48  // generations in the mean, at a rate of 1; or a quarter of all, if less
	momentum          = 0.8 // share of the velocity left a generation later
)

// After a contest without progress, steps become shorter, and epochs longer in exchange. Perturbations shrink, too, but
// less: small ones reveal little in a game. When steps are too short to matter, the evolution is finished.
const (
	decay       = 0.7
	leastRate   = 0.06
	leastSpread = 0.15
)

// contestTest decides whether the mean brain has become better than the champion.
var contestTest = rating.SPRT{Elo0: 0, Elo1: 4, Alpha: 0.05, Beta: 0.05}

// contestPairs is after how many game pairs a contest is given up.
const contestPairs = 100_000

// clone returns a deep copy.
func (s evolveState) clone() evolveState {
	s.Point, s.Velocity = slices.Clone(s.Point), slices.Clone(s.Velocity)
	s.Mean, s.Champion = slices.Clone(s.Mean), slices.Clone(s.Champion)
	return s
}

// Step lives through one generation.
func (e *evolveLearner) Step(ctx context.Context) (games int64, err error) {
	if e.state.Rate < leastRate {
		return 0, Finished("no more progress could be shown")
	}
	next := &evolveLearner{config: e.config, space: e.space, metric: e.metric, state: e.state.clone()}
	if err := next.runGeneration(ctx); err != nil {
		return 0, err
	}
	*e = *next
	return int64(e.config.Pairs) * int64(e.config.Games), nil
}

// runGeneration perturbs, plays, moves the point, and holds a contest when it is time.
func (e *evolveLearner) runGeneration(ctx context.Context) error {
	if err := e.measureChoices(ctx); err != nil {
		return err
	}
	length := e.metric.changeLength(e.state.Point)
	if length == 0 {
		length = 1 // all brains are yet to come
	}
	trials, err := e.playTrials(ctx, length)
	if err != nil {
		return err
	}
	e.movePoint(trials)
	e.state.Generation++
	if e.state.Generation < e.state.Contest {
		return nil
	}
	return e.holdContest(ctx)
}

// measureChoices makes a new metric when the old one belongs to an outdated brain: at the
// beginning, when all dimensions open, and then whenever the number of generations has doubled.
func (e *evolveLearner) measureChoices(ctx context.Context) (err error) {
	s := &e.state
	first, opening := linearGenerations, s.Generation == linearGenerations
	if e.config.Start != nil {
		first, opening = 0, false
	}
	doubled := s.Generation > first && bits.OnesCount(uint(s.Generation)) == 1
	if e.metric != nil && !opening && !doubled {
		return nil
	}
	s.MetricDimension = e.space.dimension()
	if s.Generation < first {
		s.MetricDimension = e.space.linear
	}
	brain := e.brainAt(s.Point)
	s.MetricBrain, s.MetricSeed = brain[:], seedFor(e.config.Seed, seedOfMetric, uint64(s.Generation))
	e.metric, err = newMetric(ctx, e.space, brain, s.MetricSeed, s.MetricDimension, e.config.Parallel)
	return err
}

// trial is a change to the brain, and how well it did.
type trial struct {
	change []float64
	score  float64 // share of the games won with the change, less 1/2
}

// playTrials lets the brain with each of some changes play the brain with the opposite change. All trials in a
// generation play on the same dice. A trial with an endless game is a draw.
func (e *evolveLearner) playTrials(ctx context.Context, length float64) ([]trial, error) {
	trials, duels := make([]trial, e.config.Pairs), make([]duel, e.config.Pairs)
	err := callEach(ctx, e.config.Parallel, len(trials), func(i int) error {
		trials[i].change, duels[i] = e.drawChange(i, length)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out, err := e.config.playDuels(ctx, match.Plan[play.Score]{Games: e.config.Games, Unit: func(int) int { return e.config.Games }}, 2, duels...)
	for i, score := range out.Scores {
		trials[i].score = score.Pairs.Score() - 0.5
	}
	return trials, err
}

// drawChange draws a generation's change by its number, and returns the match between the two changed brains.
func (e *evolveLearner) drawChange(i int, length float64) (change []float64, d duel) {
	s := &e.state
	generation := uint64(s.Generation)
	signs := randomSigns(seedFor(e.config.Seed, seedOfSigns, generation, uint64(i)), e.metric.dimension)
	change = e.metric.perturbBy(signs, s.Spread*length)
	scale := valueSpread / length
	with, without := slices.Clone(s.Point), slices.Clone(s.Point)
	for k, c := range change {
		with[k] += c
		without[k] -= c
	}
	return change, duel{e.space.brainAt(with, scale), e.space.brainAt(without, scale), seedFor(e.config.Seed, seedOfDice, generation)}
}

// randomSigns returns n times +1 or -1, as in Spall's simultaneous perturbation.
func randomSigns(seed uint64, n int) []float64 {
	signs := make([]float64, n)
	for i := range signs {
		word := board.DiceWord(seed, uint64(i/64))
		signs[i] = float64(int(word>>(i%64)&1)*2 - 1)
	}
	return signs
}

// movePoint takes a step along the winning changes, and away from the losing ones. The scores are divided by their own
// spread, so the step has the size of the perturbations whether the brains or the dice decide the games.
func (e *evolveLearner) movePoint(trials []trial) {
	s := &e.state
	var squares float64
	for _, t := range trials {
		squares += float64(t.score * t.score)
	}
	deviation := math.Sqrt(squares / float64(len(trials)))
	for k := range s.Point {
		var gradient float64
		if deviation > 0 {
			for _, t := range trials {
				gradient += t.score / deviation * t.change[k] / float64(len(trials))
			}
		}
		s.Velocity[k] = float64(momentum*s.Velocity[k]) + float64((1-momentum)*s.Rate*gradient)
		s.Point[k] += s.Velocity[k]
	}
	e.averagePoint()
}

// averagePoint moves the mean towards the point, both taken to length 1.
func (e *evolveLearner) averagePoint() {
	s := &e.state
	length := e.metric.changeLength(s.Point)
	if length == 0 {
		return
	}
	if old := e.metric.changeLength(s.Mean); old > 0 {
		for k := range s.Mean {
			s.Mean[k] /= old
		}
	}
	share := max(s.Rate/meanGenerations, 1/(1+float64(s.Generation)/4))
	for k := range s.Mean {
		s.Mean[k] += float64(share * (s.Point[k]/length - s.Mean[k]))
	}
}

// holdContest lets the mean brain challenge the champion. Without proof of strength, steps become shorter.
func (e *evolveLearner) holdContest(ctx context.Context) error {
	s := &e.state
	contest := duel{e.brainAt(s.Mean), e.brainAt(s.Champion), seedFor(e.config.Seed, seedOfContest, uint64(s.Generation))}
	_, decision, err := e.config.playMatch(ctx, contest, contestPairs, &contestTest)
	if err != nil {
		return err
	}
	if decision == rating.AcceptedH1 {
		s.Champion = slices.Clone(s.Mean)
	} else {
		s.Rate *= decay
		s.Spread = max(s.Spread*decay, min(s.Spread, leastSpread))
	}
	s.Contest = s.Generation + int(epochGenerations/s.Rate)
	return nil
}
