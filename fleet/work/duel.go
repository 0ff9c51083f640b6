package work

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
)

// duelWork is a span of a match between two brains as sent: brains change during learning, so their
// weights travel with each span.
type duelWork struct {
	First     []byte     `json:"first"` // weights, little-endian, 2 bytes each
	Second    []byte     `json:"second"`
	Seed      uint64     `json:"seed"`
	Pieces    int        `json:"pieces"`
	TurnLimit int        `json:"turn_limit"`
	Span      match.Span `json:"span"`
}

// duelAnswer is a duel's result, with the SHA-256 of the duel.
type duelAnswer struct {
	Of    string     `json:"of"`
	Score play.Score `json:"score"`
	Limit uint64     `json:"limit,omitempty"` // number of the game that exceeds the turn limit, from 1
}

// GamesPlayed counts the duel's games.
func (a duelAnswer) GamesPlayed() int64 { return a.Score.FinishedGames() }

// hashDuel returns the SHA-256 of the duel, and its task's number: the first 64 bits.
func (w duelWork) hashDuel() (of string, task uint64, err error) {
	data, err := json.Marshal(w)
	if err != nil {
		return "", 0, err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), binary.BigEndian.Uint64(sum[:]), nil
}

// Duels is the [match.Backend] of an evolution: it plays matches of brains on a fleet, each span with
// the weights. Their result does not depend on the specs of the brains.
type Duels struct{ session *fleet.Session }

// NewDuels returns a backend.
func NewDuels(ctx context.Context, conn *fleet.Conn) (*Duels, error) {
	e := fleet.Experiment{Kind: duelKind{}.Name(), Code: CodeVersion(), Spec: json.RawMessage(`{}`)}
	session, err := conn.Open(ctx, e, checkDuel)
	if err != nil {
		return nil, err
	}
	return &Duels{session}, nil
}

// Verify makes this process compute a share of the duels, 0 to 1, a second time on an
// engine. It is called before the first duel.
func (d *Duels) Verify(share float64, e ur.Engine) {
	d.session.Verify(share, func() (fleet.Runner, error) { return duelRunner{e}, nil })
}

// Runner returns a runner of a match of brains.
func (d *Duels) Runner(_ context.Context, c play.MatchConfig) (match.SpanRunner[play.Score], error) {
	first, ok := c.Players[0].Source.(play.Brain)
	second, also := c.Players[1].Source.(play.Brain)
	if !ok || !also {
		return nil, fmt.Errorf("a duel of %s and %s (want brains)", c.Players[0].Spec, c.Players[1].Spec)
	}
	return remoteDuel{d.session, duelWork{
		First: packWeights(first.Weights), Second: packWeights(second.Weights), Seed: c.Seed,
		Pieces: c.Pieces, TurnLimit: c.TurnLimit,
	}}, nil
}

type remoteDuel struct {
	session *fleet.Session
	work    duelWork // without its span
}

// Play waits for a span's score.
func (r remoteDuel) Play(ctx context.Context, s match.Span) (score play.Score, err error) {
	r.work.Span = s
	of, task, err := r.work.hashDuel()
	if err != nil {
		return score, err
	}
	output, err := r.session.Do(ctx, task, r.work)
	if err != nil {
		return score, err
	}
	var answer duelAnswer
	if err := json.Unmarshal(output, &answer); err != nil {
		return score, err
	}
	switch {
	case answer.Of != of:
		err = fmt.Errorf("the fleet has another duel under number %d", task)
	case answer.Limit > 0:
		err = &ur.TurnLimitError{Seed: r.work.Seed, Game: answer.Limit - 1, Limit: r.work.TurnLimit}
	case answer.GamesPlayed() != int64(s.Games()):
		err = fmt.Errorf("the fleet counts %d games of a duel of %d", answer.GamesPlayed(), s.Games())
	}
	return answer.Score, err
}

func checkDuel(task uint64, output json.RawMessage) error {
	var a duelAnswer
	if err := json.Unmarshal(output, &a); err != nil {
		return err
	}
	sum, err := hex.DecodeString(a.Of)
	if err != nil || len(sum) != sha256.Size || binary.BigEndian.Uint64(sum) != task {
		return errors.New("result of another duel")
	}
	for i, n := range a.Score.Pairs {
		if n < 0 || n > 0 && i%2 == 1 {
			return errors.New("impossible pairs: games have no draws")
		}
	}
	return nil
}

func packWeights(b *ur.Brain) []byte {
	data, err := binary.Append(nil, binary.LittleEndian, b)
	if err != nil {
		panic(err) // a brain has a fixed size
	}
	return data
}

func unpackWeights(data []byte) (*ur.Brain, error) {
	b := new(ur.Brain)
	if len(data) != 2*len(b) {
		return nil, fmt.Errorf("brain of %d bytes (want %d)", len(data), 2*len(b))
	}
	_, err := binary.Decode(data, binary.LittleEndian, b)
	return b, err
}

type duelKind struct{ engine ur.Engine }

func (duelKind) Name() string { return "duel" }

func (k duelKind) Open(context.Context, json.RawMessage, func(string) (string, error)) (fleet.Runner, error) {
	return duelRunner(k), nil
}

type duelRunner struct{ engine ur.Engine }

// Run plays a duel.
func (r duelRunner) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	var w duelWork
	if err := json.Unmarshal(work, &w); err != nil {
		return nil, fleet.Failf("duel %d: %v", task, err)
	}
	first, err := unpackWeights(w.First)
	second, err2 := unpackWeights(w.Second)
	of, number, err3 := w.hashDuel()
	if err := errors.Join(err, err2, err3, board.CheckPieces(w.Pieces), checkSpan(w.Span)); err != nil {
		return nil, fleet.Failf("duel %d: %v", task, err)
	}
	if number != task || w.TurnLimit < 1 || w.TurnLimit > ur.DefaultTurnLimit {
		return nil, fleet.Failf("duel %d is asked for with a turn limit of %d and number %d", task, w.TurnLimit, number)
	}
	runner, err := play.NewRunner(ctx, play.MatchConfig{
		Players: []play.Player{play.Brain{Spec: "first", Weights: first}.Player(),
			play.Brain{Spec: "second", Weights: second}.Player()},
		Seed: w.Seed, Pieces: w.Pieces, TurnLimit: w.TurnLimit, Engine: r.engine,
	})
	if err != nil {
		return nil, err
	}
	score, err := runner.Play(ctx, w.Span)
	if limit, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		return duelAnswer{Of: of, Limit: limit.Game + 1}, nil
	}
	return duelAnswer{Of: of, Score: score}, err
}
