package work

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
)

// duelWork is a span of a match between two brains as sent: brains change during learning, so the
// settings of the match and the weights travel with each span.
type duelWork struct {
	matchSpec            // settings without specs of players
	Weights   [2][]int16 `json:"weights"`
	Span      match.Span `json:"span"`
}

// Duels is the [match.Backend] of an evolution: it plays matches of brains on a fleet, each span with
// the weights. Their result does not depend on the specs of the brains.
type Duels struct{ session *fleet.Session }

// NewDuels returns a backend.
func NewDuels(ctx context.Context, conn *fleet.Conn) (*Duels, error) {
	e := fleet.Experiment{Kind: duelKind{}.Name(), Code: CodeVersion(), Spec: json.RawMessage(`{}`)}
	session, err := conn.Open(ctx, e, checkWith(func(w duelWork, s play.Score) error { return w.check(w.Span, s) }))
	if err != nil {
		return nil, err
	}
	return &Duels{session}, nil
}

// Verify makes this process compute a share of the duels, 0 to 1, a second time on an
// engine. It is called before the first duel.
func (d *Duels) Verify(share float64, e ur.Engine) {
	d.session.Verify(share, func() (fleet.Runner, error) { return duelKind{e}, nil })
}

// Runner returns a runner of a match of brains.
func (d *Duels) Runner(_ context.Context, c play.MatchConfig) (match.SpanRunner[play.Score], error) {
	r := remoteDuel{d.session, duelWork{matchSpec: matchSpec{Seed: c.Seed, Pieces: c.Pieces, TurnLimit: c.TurnLimit}}}
	for i, p := range c.Players {
		brain, ok := p.Source.(play.Brain)
		if !ok {
			return nil, fmt.Errorf("a duel with %s (want brains)", p.Spec)
		}
		r.work.Weights[i] = brain.Weights[:]
	}
	return r, nil
}

type remoteDuel struct {
	session *fleet.Session
	work    duelWork // without its span
}

// Play waits for a span's score.
func (r remoteDuel) Play(ctx context.Context, s match.Span) (play.Score, error) {
	r.work.Span = s
	return playRemote(ctx, r.session, r.work, r.work.checkPartial)
}

// duelKind is also its runner: every duel brings its settings.
type duelKind struct{ engine ur.Engine }

func (duelKind) Name() string { return "duel" }

func (k duelKind) Open(context.Context, json.RawMessage, func(string) (string, error)) (fleet.Runner, error) {
	return k, nil
}

// Run plays a duel.
func (k duelKind) Run(ctx context.Context, work json.RawMessage) (any, error) {
	var w duelWork
	if err := json.Unmarshal(work, &w); err != nil {
		return nil, fleet.Failf("duel: %v", err)
	}
	c := play.MatchConfig{Seed: w.Seed, Pieces: w.Pieces, TurnLimit: w.TurnLimit, Engine: k.engine}
	for _, weights := range w.Weights {
		if len(weights) != ur.Weights || w.TurnLimit < 1 {
			return nil, fleet.Failf("duel: %d weights (want %d), turn limit %d", len(weights), ur.Weights, w.TurnLimit)
		}
		brain := ur.Brain(weights)
		c.Players = append(c.Players, play.Brain{Spec: "brain", Weights: &brain}.Player())
	}
	runner, err := play.NewRunner(ctx, c)
	if err != nil {
		return nil, fleet.Failf("duel: %v", err)
	}
	return spanRunner[play.Score]{runner}.playSpan(ctx, w.Span)
}
