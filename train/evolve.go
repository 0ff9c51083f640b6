package train

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// EvolveConfig sets how brains evolve. A zero number means the default.
type EvolveConfig struct {
	// Pairs of perturbed brains in a generation, and games of each pair, an even number.
	Pairs int
	Games int

	// TurnLimit is when a game is given up, and all games of its brains are void. By
	// default it is twenty times the length of a game between sensible players.
	TurnLimit int

	// Spread is the size of the first perturbations, relative to that of the brain.
	Spread float64

	BrainConfig // without Start, evolution begins with no weights at all
}

// evolveMethod describes [evolveLearner].
func evolveMethod() Method {
	return Method{
		Name: "evolve",
		Time: time.Minute,
		New: func() Config {
			return &EvolveConfig{
				Pairs: defaultEvolvePairs, Games: defaultEvolveGames, Spread: defaultEvolveSpread, BrainConfig: newBrainConfig(),
			}
		},
	}
}

// Learner returns a new evolution.
func (c *EvolveConfig) Learner(context.Context) (Learner, error) { return newEvolveLearner(*c) }

// Defaults of an [EvolveConfig].
const (
	defaultEvolvePairs  = 16
	defaultEvolveGames  = 4096
	defaultEvolveSpread = 0.3

	defaultEvolveTurnLimit = 4000
)

// Bounds of an [EvolveConfig].
const (
	maxEvolvePairs = 1 << 12
	maxEvolveGames = 1 << 20
)

// complete returns c with its defaults filled in, or a [*config.Error].
func (c EvolveConfig) complete() (EvolveConfig, error) {
	const name = "evolve"
	var err error
	if c.BrainConfig, err = c.BrainConfig.complete(name); err != nil {
		return c, err
	}
	c.Pairs = cmp.Or(c.Pairs, defaultEvolvePairs)
	c.Games = cmp.Or(c.Games, defaultEvolveGames)
	c.TurnLimit = cmp.Or(c.TurnLimit, defaultEvolveTurnLimit)
	if c.Spread == 0 {
		c.Spread = defaultEvolveSpread
	}
	switch {
	case c.Pairs < 1 || c.Pairs > maxEvolvePairs:
		return c, config.Fault(name, "Pairs", "must be 1 to %d, got %d", maxEvolvePairs, c.Pairs)
	case c.Games < 2 || c.Games > maxEvolveGames || c.Games%2 != 0:
		return c, config.Fault(name, "Games", "must be an even number from 2 to %d, got %d", maxEvolveGames, c.Games)
	case c.TurnLimit < 1 || c.TurnLimit > ur.DefaultTurnLimit:
		return c, config.Fault(name, "TurnLimit", "must be 1 to %d, got %d", ur.DefaultTurnLimit, c.TurnLimit)
	case !(c.Spread > 0 && c.Spread <= 1):
		return c, config.Fault(name, "Spread", "must be above 0 and at most 1, got %g", c.Spread)
	}
	return c, nil
}

// evolveLearner is a [Learner] of the weights of a brain, by an evolution strategy. It uses only
// the rules and the winners of games.
//
// Every generation tries random changes. Each is added to the brain and subtracted from it, and
// the two resulting brains play each other, every game twice on the same dice with the sides
// exchanged. The brain then moves along the sum of all changes, each weighted by its brain's
// score: the gradient estimate of Spall ("Multivariate stochastic approximation using a
// simultaneous perturbation gradient approximation", 1992) with many perturbations at a time,
// as in Salimans et al. ("Evolution strategies as a scalable alternative to reinforcement
// learning", 2017). The measured and written brain is a mean over the latest generations
// (Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992).
//
// Two things make it fast. Changes are drawn in a [space] of brains symmetric between the
// players, of 242 dimensions instead of 561, and at first only in the 16 linear ones. And their
// length is measured by their effect on choices: see [metric].
//
// Every epoch the mean brain plays the champion, the last winner of such a test, in a
// sequential probability ratio test. Unless it is shown to be stronger, the steps become
// shorter and the perturbations smaller. When steps are too short to matter, the evolution is
// finished.
type evolveLearner struct {
	config EvolveConfig
	space  *space
	judge  judge
	state  evolveState
	metric *metric
}

// newEvolveLearner returns a new evolution.
func newEvolveLearner(c EvolveConfig) (*evolveLearner, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	e := &evolveLearner{config: c, space: newSpace(c.Pieces)}
	e.judge = c.BrainConfig.judge(c.TurnLimit)
	e.state = e.begin()
	return e, nil
}

// Method returns "evolve".
func (e *evolveLearner) Method() string { return "evolve" }

// evolveSettings are the inputs that determine the result of an evolution.
type evolveSettings struct {
	Seed   uint64  `json:"seed"`
	Pieces int     `json:"pieces"`
	Pairs  int     `json:"pairs"`
	Games  int     `json:"games"`
	Limit  int     `json:"turn_limit"`
	Spread float64 `json:"spread"`
	Start  string  `json:"start,omitempty"` // hash of the brain
	Rival  string  `json:"rival"`
	Hash   string  `json:"rival_hash"`
}

// Settings returns the inputs that determine the result.
func (e *evolveLearner) Settings() any {
	c := e.config
	s := evolveSettings{Seed: c.Seed, Pieces: c.Pieces, Pairs: c.Pairs, Games: c.Games, Limit: c.TurnLimit, Spread: c.Spread,
		Rival: c.Rival.Spec, Hash: c.Rival.Weights.Hash()}
	if c.Start != nil {
		s.Start = c.Start.Hash()
	}
	return s
}

// Brain returns the learned brain.
func (e *evolveLearner) Brain() *ur.Brain { return e.brain(e.state.Mean) }

// valueSpread is the spread of the values of a decision's moves in playing brains: large enough
// to make rounding to whole weights irrelevant, and small enough to fit values in 16 bits for
// the fastest kernels.
const valueSpread = 60

// brain returns the brain of a point, scaled to play. Before the first generation
// there is only the one to start with.
func (e *evolveLearner) brain(point []float64) *ur.Brain {
	if e.metric == nil && e.config.Start != nil {
		return e.config.Start
	}
	scale := 0.0
	if e.metric != nil {
		if length := e.metric.length(point); length > 0 {
			scale = valueSpread / length
		}
	}
	return e.space.brain(point, scale)
}

// Purposes of seeds.
const (
	seedOfSigns = iota
	seedOfDice
	seedOfMetric
	seedOfMeasure
	seedOfBeaten
	seedOfContest
	seedOfFit
	seedOfRegret
)

// Measure plays against the rival.
func (e *evolveLearner) Measure(ctx context.Context, before []Score) ([]Score, error) {
	score, err := e.judge.measure(ctx, e.Brain(), e.config.Rival, e.config.Seed, uint64(e.state.Generation), before)
	return []Score{score}, err
}

// Finished reports whether steps have become too short to matter.
func (e *evolveLearner) Finished() (reason string, finished bool) {
	return "no more progress could be shown", e.state.Rate < leastRate
}

// WriteResult writes the brain, with its provenance as comments.
func (e *evolveLearner) WriteResult(w io.Writer, p Provenance) error {
	return writeBrain(w, e.Brain(), p)
}

// writeBrain writes a brain, with its provenance as comments.
func writeBrain(w io.Writer, b *ur.Brain, p Provenance) error {
	if err := p.writeComments(w, "// "); err != nil {
		return err
	}
	text, err := b.MarshalText()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, b.HashComment()+string(text))
	return err
}

// State returns where the evolution stands.
func (e *evolveLearner) State() (json.RawMessage, error) { return json.Marshal(e.state) }

// SetState restores the state of an evolution with equal settings.
func (e *evolveLearner) SetState(text json.RawMessage) error {
	var s evolveState
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if err := s.check(e.space.dimension()); err != nil {
		return err
	}
	var m *metric
	if s.MetricBrain != nil {
		brain := new(ur.Brain)
		if copy(brain[:], s.MetricBrain) != len(brain) {
			return errors.New("a brain has too few weights")
		}
		var err error
		m, err = newMetric(context.Background(), e.space, brain, s.MetricSeed, s.MetricDimension, e.config.Parallel)
		if err != nil {
			return err
		}
	}
	e.state, e.metric = s, m
	return nil
}
