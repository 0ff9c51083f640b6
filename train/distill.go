package train

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/gradient"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// DistillConfig sets how a net learns from the exact solution. A zero number means the default.
type DistillConfig struct {
	// Table is the exact solution, for as many pieces.
	Table solve.Ranked

	// Positions is how many positions to learn from: steps become smaller towards the end of
	// them.
	Positions int64

	// Rate is the size of Adam's steps at the beginning. It falls along half a cosine.
	Rate float64

	// Order is the final share of the positions that also teach the order of moves.
	Order float64

	// Sharpness is that of the choice with minimized regret, and Weight that of this regret
	// beside the cross-entropy; see [distillLearner].
	Sharpness float64
	Weight    float64

	NetConfig
}

// distillMethod describes [distillLearner].
func distillMethod() Method {
	return Method{
		Name:   "distill",
		Unit:   "positions",
		Growth: netMeasureGrowth,
		Games:  defaultDistillPositions,
		New: func() Config {
			return &DistillConfig{
				Positions: defaultDistillPositions, Rate: defaultDistillRate, Order: defaultDistillOrder,
				Sharpness: defaultDistillSharpness, Weight: defaultDistillWeight, NetConfig: newNetConfig(defaultDistillHidden),
			}
		},
	}
}

// Learner returns a learner before its first step.
func (c *DistillConfig) Learner(context.Context) (Learner, error) { return newDistillLearner(*c) }

// Defaults of a [DistillConfig]. Of rates from 0.002 to 0.02 this was among the best for nets
// of 4,000 and of 24,000 weights, of sharpness 30 to 100 the greatest, and of weights 0.03 to
// 1 hardly any mattered.
const (
	defaultDistillPositions = 300_000_000
	defaultDistillRate      = 1e-2
	defaultDistillOrder     = 0.9
	defaultDistillSharpness = 100
	defaultDistillWeight    = 0.3
	defaultDistillHidden    = "256,32"
)

// distillLearner is a [Learner] of a value network from the exact solution.
//
// Positions are those after the moves of a decision, with decisions from games of perfect
// players and of erring ones. The net first learns the win probability of the side to move, by
// cross-entropy. Later it also learns the order of the moves: it is treated as a player that
// chooses with a probability proportional to exp(sharpness * logarithm of the odds), and the
// expected regret of that choice falls along its gradient, as in [fitLearner].
//
// A batch consists of distillShards parts, each with its own games and memory. Their gradients
// are added in the order of the parts, so the result does not depend on threads.
type distillLearner struct {
	config   DistillConfig
	model    *gradient.Model
	adam     *gradient.Adam
	shards   []distillShard
	gradient []float32
	seen     int64 // positions
	netMeter
}

// Sizes of a batch. It is small: batches of 4,096 left more regret after as many positions, at
// their best rate.
const (
	distillShards            = 4
	distillPositionsPerShard = 128 // and up to a decision more
)

// newDistillLearner returns a learner before its first step.
func newDistillLearner(c DistillConfig) (*distillLearner, error) {
	c, start, err := c.complete()
	if err != nil {
		return nil, err
	}
	model, err := gradient.NewModel(start)
	if err != nil {
		return nil, err
	}
	d := &distillLearner{config: c, model: model, adam: gradient.NewAdam(model), gradient: make([]float32, len(model.Params))}
	d.netMeter = netMeter{config: c.NetConfig, table: c.Table}
	d.shards = make([]distillShard, distillShards)
	for i := range d.shards {
		d.shards[i].begin(c, uint64(i), model)
	}
	return d, nil
}

// complete returns c with its defaults filled in and the net to begin with, or a
// [*config.Error].
func (c DistillConfig) complete() (DistillConfig, *valuenet.Net, error) {
	const name = "distill"
	start, err := c.completeNet(name, defaultDistillHidden)
	if err != nil {
		return c, nil, err
	}
	setDefault(&c.Positions, defaultDistillPositions)
	setDefault(&c.Rate, defaultDistillRate)
	setDefault(&c.Order, defaultDistillOrder)
	setDefault(&c.Sharpness, defaultDistillSharpness)
	setDefault(&c.Weight, defaultDistillWeight)
	switch {
	case c.Table == nil:
		return c, nil, config.Fault(name, "Table", "of the exact solution is missing")
	case !c.Table.Index().Rules().Equal(c.game()):
		return c, nil, config.Fault(name, "Table", "must be for the rule set %q, is for %q", c.game().Name(), c.Table.Index().Rules().Name())
	case c.Table.Pieces() < c.Pieces:
		return c, nil, config.Fault(name, "Table", "must be for %d pieces, is for %d at most", c.Pieces, c.Table.Pieces())
	case c.Positions < 1:
		return c, nil, config.Fault(name, "Positions", "must be at least 1, got %d", c.Positions)
	case !(c.Rate > 0 && c.Rate <= 1):
		return c, nil, config.Fault(name, "Rate", "must be above 0 and at most 1, got %g", c.Rate)
	case !(c.Order > 0 && c.Order <= 1):
		return c, nil, config.Fault(name, "Order", "must be above 0 and at most 1, got %g", c.Order)
	case !(c.Sharpness > 0 && c.Sharpness <= 1e6):
		return c, nil, config.Fault(name, "Sharpness", "must be above 0 and at most 1,000,000, got %g", c.Sharpness)
	case !(c.Weight > 0 && c.Weight <= 1e6):
		return c, nil, config.Fault(name, "Weight", "must be above 0 and at most 1,000,000, got %g", c.Weight)
	}
	return c, start, nil
}

// Method returns "distill".
func (d *distillLearner) Method() string { return distillMethod().Name }

// distillSettings are the inputs that determine the result.
type distillSettings struct {
	netSettings
	Positions int64   `json:"positions"`
	Rate      float64 `json:"rate"`
	Order     float64 `json:"order"`
	Sharpness float64 `json:"sharpness"`
	Weight    float64 `json:"weight"`
	Table     string  `json:"table"` // value of the first turn
}

// Settings returns the inputs that determine the result. They include the number of positions,
// because the schedule of steps depends on it.
func (d *distillLearner) Settings() any {
	c := d.config
	return distillSettings{c.NetConfig.settings(), c.Positions, c.Rate, c.Order, c.Sharpness, c.Weight, tableOf(c.Table, c.game())}
}

// Finished reports whether all positions of the schedule were seen.
func (d *distillLearner) Finished() (reason string, finished bool) {
	return "all positions were seen", d.seen >= d.config.Positions
}

// Measure plays against the built-in brain, and measures the regret.
func (d *distillLearner) Measure(ctx context.Context, _ []Score) ([]Score, error) {
	return d.measure(ctx, d.Net())
}

// WriteResult writes the net, with its provenance.
func (d *distillLearner) WriteResult(w io.Writer, p Provenance) error {
	return writeNet(w, d.Net(), p, distillMethod().Unit)
}

// Step learns from a batch and returns the number of its positions.
func (d *distillLearner) Step(ctx context.Context) (positions int64, err error) {
	part := float64(d.seen) / float64(d.config.Positions)
	order := part >= 1-d.config.Order
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	// A batch takes milliseconds. It is not interrupted, since its games cannot be taken back.
	err = each(context.WithoutCancel(ctx), d.config.Parallel, len(d.shards), func(i int) error {
		d.shards[i].learn(d.config, order)
		return nil
	})
	if err != nil {
		return 0, err
	}
	clear(d.gradient)
	for i := range d.shards {
		d.shards[i].batch.AddGradient(d.gradient)
		positions += int64(d.shards[i].batch.Len())
	}
	d.adam.Step(d.model, d.gradient, 1/float32(positions), d.rate(part))
	d.seen += positions
	return positions, nil
}

// rate returns the size of steps when a part of the positions was seen: it grows for a
// hundredth of them, and then falls along half a cosine.
func (d *distillLearner) rate(part float64) float64 {
	const last = 0.005
	part = min(1, part)
	return d.config.Rate * min(1, part*100+0.01) * (last + (1-last)*(1+math.Cos(math.Pi*part))/2)
}

// Net returns the net as it is.
func (d *distillLearner) Net() *valuenet.Net { return d.model.Net() }

// distillState is a distillLearner between two steps.
type distillState struct {
	Params []float32       `json:"params"`
	Adam   *gradient.Adam  `json:"adam"`
	Seen   int64           `json:"seen"`
	Shards []distillCursor `json:"shards"`
}

// State returns everything changed by steps.
func (d *distillLearner) State() (json.RawMessage, error) {
	s := distillState{Params: d.model.Params, Adam: d.adam, Seen: d.seen}
	for i := range d.shards {
		s.Shards = append(s.Shards, d.shards[i].saved())
	}
	return json.Marshal(s)
}

// SetState restores the state of a learner with equal settings.
func (d *distillLearner) SetState(text json.RawMessage) error {
	var s distillState
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	n := len(d.model.Params)
	if len(s.Params) != n || !s.Adam.Fits(d.model) {
		return fmt.Errorf("the state does not fit a net of %d numbers", n)
	}
	if len(s.Shards) != len(d.shards) || s.Seen < 0 {
		return fmt.Errorf("the state has %d parts of a batch (want %d)", len(s.Shards), len(d.shards))
	}
	for i := range s.Shards {
		if err := s.Shards[i].check(d.config.game()); err != nil {
			return fmt.Errorf("part %d of a batch: %w", i, err)
		}
	}
	copy(d.model.Params, s.Params)
	d.model.Changed()
	d.adam, d.seen = s.Adam, s.Seen
	for i, c := range s.Shards {
		d.shards[i].distillCursor = c
	}
	return nil
}
