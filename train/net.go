package train

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/gameconfig"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// NetConfig holds the settings shared by all learners of value networks. A zero number or empty
// string means the default.
type NetConfig struct {
	Seed   uint64
	Rules  *rules.Rules // nil for Finkel's
	Pieces int          // by default 7, or those of the rule set

	// Features, Hidden and Activation are the shape of the net, unless Start names one to
	// begin with: see [valuenet.ParseFeatures], [valuenet.ParseHidden] and [valuenet.ParseActivation].
	Features   string
	Hidden     string
	Activation string
	Start      string // file of a net, or ""

	// Parallel does not change the result: 0 is one thread for each processor.
	Parallel int
}

// newNetConfig returns a configuration with its defaults.
func newNetConfig(hidden string) NetConfig {
	return NetConfig{Seed: 1, Pieces: board.MaxPieces, Features: valuenet.Squares.String(), Hidden: hidden, Activation: valuenet.ReLU.String()}
}

// completeNet returns a net as a configuration of a name wants it to begin, or a
// [*config.Error]. It fills in the defaults.
func (c *NetConfig) completeNet(name, hidden string) (*valuenet.Net, error) {
	common, err := gameconfig.Common{Rules: play.OtherRules(c.Rules), Pieces: c.Pieces, Parallel: c.Parallel}.Complete(name)
	if err != nil {
		return nil, err
	}
	c.Rules, c.Pieces, c.Parallel = common.Rules, common.Pieces, common.Parallel
	if err := play.CheckChoice(name, min(c.Pieces, board.MaxPieces)); err != nil {
		return nil, err
	}
	if c.Start != "" {
		start, err := valuenet.Open(c.Start)
		if err != nil {
			return nil, &config.Error{Config: name, Field: "Start", Err: err}
		}
		if err := start.CheckRules(c.Rules); err != nil {
			return nil, &config.Error{Config: name, Field: "Start", Err: err}
		}
		c.Features, c.Activation = start.Features.String(), start.Activation.String()
		c.Hidden = strings.Trim(strings.ReplaceAll(fmt.Sprint(start.Hidden), " ", ","), "[]")
		return start, nil
	}
	setDefault(&c.Features, valuenet.Squares.String())
	setDefault(&c.Hidden, hidden)
	setDefault(&c.Activation, valuenet.ReLU.String())
	shape := valuenet.Shape{Rules: c.netRules()}
	if shape.Features, err = valuenet.ParseFeatures(c.Features); err != nil {
		return nil, &config.Error{Config: name, Field: "Features", Err: err}
	}
	if shape.Activation, err = valuenet.ParseActivation(c.Activation); err != nil {
		return nil, &config.Error{Config: name, Field: "Activation", Err: err}
	}
	if shape.Hidden, err = valuenet.ParseHidden(c.Hidden); err != nil {
		return nil, &config.Error{Config: name, Field: "Hidden", Err: err}
	}
	start, err := valuenet.NewNet(shape)
	if err != nil { // units are checked above
		return nil, &config.Error{Config: name, Field: "Rules", Err: err}
	}
	start.Randomise(c.Seed)
	return start, nil
}

// netRules returns the rule set of the net, nil for Finkel's: with no fewer pieces than usual, so
// that a net of fewer plays all games.
func (c *NetConfig) netRules() *rules.Rules {
	if c.Rules == nil {
		return nil
	}
	if b, err := rules.Lookup(c.Rules.Name()); err == nil && b.Equal(c.Rules) && b.Pieces() > c.Rules.Pieces() {
		return b
	}
	return c.Rules
}

// game returns the rule set of the games, with their number of pieces.
func (c *NetConfig) game() *rules.Rules {
	r := cmp.Or(c.Rules, rules.Finkel())
	r, err := r.WithPieces(c.Pieces)
	if err != nil {
		panic(fmt.Sprintf("train: the number of pieces was checked: %v", err))
	}
	return r
}

// setDefault replaces a zero value by its default.
func setDefault[T comparable](x *T, value T) {
	if *x == *new(T) {
		*x = value
	}
}

// netSettings are the shared inputs that determine the result of a learner of nets.
type netSettings struct {
	Seed   uint64 `json:"seed"`
	Rules  string `json:"rules,omitempty"` // name of the rule set; none is Finkel's
	Pieces int    `json:"pieces"`
	Shape  string `json:"shape"`
	Start  string `json:"start,omitempty"` // the file of the net
}

func (c *NetConfig) settings() netSettings {
	name := ""
	if c.Rules != nil {
		name = c.Rules.Name()
	}
	return netSettings{c.Seed, name, c.Pieces, fmt.Sprintf("%s-%s-%s", c.Features, c.Hidden, c.Activation), c.Start}
}

// Measurements of nets: regret over decisions outside of all training, if a table is available,
// and a match against the built-in brain.
const (
	netRegretDecisions = 50_000
	netMatchGames      = 400
	netMeasureGrowth   = 1.5 // it takes about half a second
)

// netMeter measures nets.
type netMeter struct {
	config NetConfig
	table  solve.Ranked // nil: there is none
	regret float64      // of the last measurement
}

// measure measures a net. Nothing is learned from it.
func (m *netMeter) measure(ctx context.Context, n *valuenet.Net) ([]Score, error) {
	q, err := valuenet.Quantise(n)
	if err != nil {
		return nil, err
	}
	player := play.Net{Spec: "net", Value: q, Plies: 1}
	opponent := "brain"
	if m.config.Rules != nil {
		opponent = "greedy"
	}
	if m.table != nil {
		stats, err := m.measureRegret(ctx, player, solve.RegretOptions{
			Pieces: m.config.Pieces, Threads: m.config.Parallel, Decisions: netRegretDecisions, Seed: seedFor(m.config.Seed, seedOfRegret),
		})
		if err != nil {
			return nil, err
		}
		m.regret = stats.Mean
	}
	rival, err := play.ParsePlayerFor(m.config.Rules, opponent)
	if err != nil {
		return nil, err
	}
	result, err := play.Match(ctx, play.MatchConfig{
		Players: [2]play.Player{player, rival}, Seed: seedFor(m.config.Seed, seedOfMeasure),
		Games: netMatchGames, Rules: m.config.Rules, Pieces: m.config.Pieces, Parallel: m.config.Parallel,
	})
	if err != nil {
		return nil, err
	}
	return []Score{{Rival: rival.Name(), Games: result.Tally.Games, Wins: result.Wins[0]}}, nil
}

// measureRegret measures regret by the table.
func (m *netMeter) measureRegret(ctx context.Context, p play.Player, o solve.RegretOptions) (solve.RegretStats, error) {
	if t, ok := m.table.(solve.Table); ok && m.config.Rules == nil {
		return play.Regret(ctx, p, t, nil, o)
	}
	return play.RulesRegret(ctx, p, m.table, o)
}

// Regret returns the regret of the last measurement, in points, and whether there was a
// table to measure it by.
func (m *netMeter) Regret() (points float64, measured bool) { return m.regret, m.table != nil }

// writeNet writes a net with its provenance.
func writeNet(w io.Writer, n *valuenet.Net, p Provenance, unit string) error {
	n.Meta["learned by"] = p.Command
	n.Meta["learned from"] = fmt.Sprintf("%d %s of seed %d", p.Games, unit, p.Seed)
	if p.Commit != "" {
		n.Meta["commit"] = p.Commit
	}
	return n.Write(w)
}

// netTable returns the exact solution of the cache, or nil where there is none: it is
// needed for a measurement alone.
func netTable(c NetConfig) solve.Ranked {
	if c.Rules != nil {
		table, err := play.RulesTable(c.Rules, "")
		if err != nil {
			return nil
		}
		return table
	}
	pieces := c.Pieces
	table, err := play.DefaultTables().Find(pieces)
	if err != nil || table.Pieces() < board.MaxPieces && table.Pieces() < pieces {
		return nil
	}
	return table
}
