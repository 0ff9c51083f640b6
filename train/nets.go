package train

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// NetConfig holds the settings shared by all learners of value networks. A zero number or empty
// string means the default.
type NetConfig struct {
	Seed   uint64       `flag:"seed" help:"seed of all random choices" default:"1" json:"seed"`
	Rules  *board.Rules `flag:"rules" json:"rules"` // nil for Finkel's, the default
	Pieces int          `flag:"pieces" help:"pieces of each player (default those of the rules)" range:"[1,10]" json:"pieces"`

	// Hidden is the net's shape, unless Start names the file of one to begin with: see [valuenet.ParseHidden].
	Hidden string `flag:"hidden" help:"units of the one or two hidden layers, as in 80 or 256,32" json:"hidden"`
	Start  string `flag:"start" help:"FILE of a net to begin with (default: nothing learned)" json:"start"`

	// Parallel does not change the result: 0 is one thread for each processor.
	Parallel int `flag:"parallel" help:"threads (default one per processor)"`
}

// completeNet returns a net's model as the named configuration with c wants it to begin, or a
// [*config.Error]. It fills in the defaults.
func (c *NetConfig) completeNet(name string, all Config, hidden string) (*gradient.Model, error) {
	if err := completeConfig(name, all); err != nil {
		return nil, err
	}
	common, err := play.MatchConfig{Rules: c.Rules, Pieces: c.Pieces, Parallel: c.Parallel}.CompleteGames(name)
	if err != nil {
		return nil, err
	}
	c.Rules, c.Pieces, c.Parallel = common.Rules, common.Pieces, common.Parallel
	if err := play.CheckChoice(name, min(c.Pieces, board.FinkelPieces)); err != nil {
		return nil, err
	}
	fault := func(field string, err error) error { return &config.Error{Config: name, Field: field, Err: err} }
	if c.Start != "" {
		start, err := valuenet.Open(c.Start)
		if err == nil {
			err = start.CheckRules(c.Rules)
		}
		if err != nil {
			return nil, fault("Start", err)
		}
		c.Hidden = strings.Trim(strings.ReplaceAll(fmt.Sprint(start.Hidden), " ", ","), "[]")
		return gradient.NewModel(start)
	}
	shape := valuenet.Shape{Rules: c.netRules()}
	c.Hidden = cmp.Or(c.Hidden, hidden)
	if shape.Hidden, err = valuenet.ParseHidden(c.Hidden); err != nil {
		return nil, fault("Hidden", err)
	}
	start, err := valuenet.NewNet(shape)
	if err != nil { // units are checked above
		return nil, fault("Rules", err)
	}
	start.Randomise(c.Seed)
	return gradient.NewModel(start)
}

// netRules returns the net's rule set: with no fewer pieces than usual, so that a net with fewer plays all games.
func (c *NetConfig) netRules() *board.Rules {
	if b, err := board.Lookup(c.Rules.Name()); err == nil && b.Equal(c.Rules) && b.Pieces() > c.Rules.Pieces() {
		return b
	}
	return c.Rules
}

// How nets are measured: regret over decisions outside all training, if a table is available,
// and a match against the built-in brain, or greedy under other rules than Finkel's.
const (
	netRegretDecisions = 50_000
	netMatchGames      = 400
	netProofGames      = 1000 // enough to show that a rival is beaten, once
	netAhead           = 0.6  // the least share of games won of which that number can show it
	netMeasureGrowth   = 1.5  // it takes about half a second
)

// netLearner is common to all net learners: measurements and results.
type netLearner struct {
	config *NetConfig
	table  *solve.Table // nil: there is none
	net    func() *valuenet.Net
}

// measuringTable returns the table that measures regret: an available one, or with few pieces, whose solution
// takes less than a second, a new one. Without one it returns nil: measurements then have no regret.
func measuringTable(ctx context.Context, r *board.Rules) (*solve.Table, error) {
	const quick = 3
	if r.Pieces() <= quick && solve.Quick(r) {
		return play.DefaultTables().Table(ctx, r)
	}
	table, _ := play.DefaultTables().Find(r)
	return table, nil
}

// measureRegret measures a player's regret over decisions outside all training.
func measureRegret(ctx context.Context, p play.Player, t *solve.Table, pieces, parallel, decisions int, seed uint64) (play.RegretStats, error) {
	return play.Regret(ctx, p, t, nil, solve.DecisionOptions{
		Pieces: pieces, Threads: parallel, Decisions: decisions, Seed: seedFor(seed, seedOfRegret),
	})
}

// BrainRegret returns the regret of a learned brain, or of square values, in points a decision of perfect play; nil
// for other learners, and where no table of as many pieces is at hand.
func BrainRegret(ctx context.Context, l Learner, pieces int, seed uint64) (*float64, error) {
	player, _ := l.Result()
	if values, ok := player.(play.SquareValues); ok {
		player = values.Brain()
	}
	brain, ok := player.(*ur.Brain)
	rules, err := board.Finkel().WithPieces(pieces)
	if !ok || err != nil || pieces == 1 { // a single piece leaves no choice
		return nil, err
	}
	table, err := measuringTable(ctx, rules)
	if table == nil {
		return nil, err
	}
	stats, err := measureRegret(ctx, play.Brain{Spec: "brain", Weights: brain}.Player(), table, pieces, 0, regretDecisions, seed)
	return &stats.Mean, err
}

// Measure measures the net. Nothing is learned from it.
func (l *netLearner) Measure(ctx context.Context, before []Score) (scores []Score, regret *float64, err error) {
	q, err := valuenet.Quantise(l.net())
	if err != nil {
		return nil, nil, err
	}
	player, c := play.Net{Spec: "net", Value: q}.Player(), l.config
	if l.table != nil {
		stats, err := measureRegret(ctx, player, l.table, c.Pieces, c.Parallel, netRegretDecisions, c.Seed)
		if err != nil {
			return nil, nil, err
		}
		regret = &stats.Mean
	}
	opponent := "brain"
	if !c.Rules.IsFinkel() {
		opponent = "greedy"
	}
	rival, err := play.ParsePlayerFor(c.Rules, opponent)
	if err != nil {
		return nil, nil, err
	}
	match := play.MatchConfig{
		Players: []play.Player{player, rival}, Seed: seedFor(c.Seed, seedOfMeasure),
		Games: netMatchGames, Rules: c.Rules, Pieces: c.Pieces, Parallel: c.Parallel,
	}
	scores, err = appendScore(ctx, nil, before, match)
	if err != nil || scores[0].Beaten || scores[0].Rate() < netAhead {
		return scores, regret, err
	}
	match.Games = netProofGames
	proof, err := appendScore(ctx, nil, nil, match)
	if err == nil {
		scores[0].Beaten = proof[0].Beaten
	}
	return scores, regret, err
}

// Result returns the net.
func (l *netLearner) Result() (player any, comment string) { return l.net(), "" }
