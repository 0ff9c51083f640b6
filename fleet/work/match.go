package work

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
)

// matchSpec are the settings of a match that determine its games.
type matchSpec struct {
	Players   [2]string `json:"players"` // sent specs
	Seed      uint64    `json:"seed"`
	Pieces    int       `json:"pieces"`
	Rules     *ruleSet  `json:"rules,omitempty"` // nil for Finkel's
	TurnLimit int       `json:"turn_limit"`
	Luck      string    `json:"luck,omitempty"` // the table for measuring luck, likewise
}

// ruleSet is a rule set as it travels: its definition, which is checked on arrival.
type ruleSet struct{ *board.Rules }

// UnmarshalJSON reads and checks a definition.
func (r *ruleSet) UnmarshalJSON(text []byte) (err error) {
	r.Rules, err = board.Parse(text)
	return err
}

func (m *matchSpec) ruleSet() *board.Rules {
	if m.Rules == nil {
		return board.Finkel()
	}
	return m.Rules.Rules
}

// NewUr returns a backend of Ur. The table of [play.MatchConfig.Luck] must be the cached one, or nil.
func NewUr(conn *fleet.Conn) *Matches[play.MatchConfig, play.Score] {
	return &Matches[play.MatchConfig, play.Score]{conn: conn, send: sendUr, keyOf: func(c play.MatchConfig) matchKey {
		return matchKey{[2]string{c.Players[0].Spec, c.Players[1].Spec}, c.Seed}
	}}
}

// sendUr sends a match's files, and describes it.
func sendUr(ctx context.Context, conn *fleet.Conn, c play.MatchConfig) (r request[play.Score], err error) {
	spec := matchSpec{Seed: c.Seed, Pieces: c.Pieces, TurnLimit: c.TurnLimit}
	if !c.Rules.IsFinkel() {
		spec.Rules = &ruleSet{c.Rules}
	}
	send := sender(ctx, conn, &r.files)
	for i, p := range c.Players {
		if spec.Players[i], err = shipPlayer(send, c.Rules, p.Spec, c.Pieces); err != nil {
			return r, err
		}
	}
	if c.Luck != nil {
		if spec.Luck, err = shipPlayer(send, c.Rules, library, c.Pieces); err != nil {
			return r, err
		}
	}
	r.kind, r.spec, r.check, r.partial = matchKind{}.Name(), spec, spec.check, spec.checkPartial
	r.here = func() (match.SpanRunner[play.Score], error) { return play.NewRunner(ctx, c) }
	return r, nil
}

type matchKind struct{ engine ur.Engine }

func (matchKind) Name() string { return "match" }

// Open makes the players.
func (k matchKind) Open(ctx context.Context, spec json.RawMessage,
	file func(sum string) (string, error)) (fleet.Runner, error) {
	var m matchSpec
	if err := json.Unmarshal(spec, &m); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	c := play.MatchConfig{Seed: m.Seed, Rules: m.ruleSet(), Pieces: m.Pieces, TurnLimit: m.TurnLimit,
		Parallel: 1, Engine: k.engine}
	for _, spec := range m.Players {
		p, err := sentPlayer(m.ruleSet(), spec, file)
		if err != nil {
			return nil, err
		}
		c.Players = append(c.Players, p)
	}
	if m.Luck != "" {
		var err error
		if c.Luck, err = sentTable(ctx, m.ruleSet(), m.Luck, m.Pieces, file); err != nil {
			return nil, err
		}
	}
	runner, err := play.NewRunner(ctx, c)
	if err != nil {
		return nil, err
	}
	return spanRunner[play.Score]{runner}, nil
}
