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
	"github.com/seed-09dcdc84/ur/train"
)

// duelWork is a duel as sent: brains change during learning, so their weights travel with each
// duel.
type duelWork struct {
	First     []byte `json:"first"` // weights, little-endian, 2 bytes each
	Second    []byte `json:"second"`
	Seed      uint64 `json:"seed"`
	From      uint64 `json:"from"`
	Step      uint64 `json:"step"`
	N         int    `json:"n"`
	Pieces    int    `json:"pieces"`
	TurnLimit int    `json:"turn_limit"`
}

// duelAnswer is the result of a duel, with the SHA-256 of the duel.
type duelAnswer struct {
	Of string `json:"of"`
	train.DuelResult
}

// GamesPlayed counts the games of the duel.
func (a duelAnswer) GamesPlayed() (games int64) {
	for _, pairs := range a.Pairs {
		games += 2 * pairs
	}
	return games
}

// sum returns the SHA-256 of the duel, and the number of its task: the first 64 bits.
func (w duelWork) sum() (of string, task uint64, err error) {
	data, err := json.Marshal(w)
	if err != nil {
		return "", 0, err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), binary.BigEndian.Uint64(sum[:]), nil
}

// Duels fights duels on a fleet, for an evolution.
type Duels struct{ session *fleet.Session }

// NewDuels returns an arena.
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
func (a *Duels) Verify(share float64, e ur.Engine) {
	a.session.Verify(share, func() (fleet.Runner, error) { return duelRunner{e}, nil })
}

// Duel waits for the result of the duel.
func (a *Duels) Duel(ctx context.Context, d train.Duel) (train.DuelResult, error) {
	w := duelWork{
		First: packWeights(d.First), Second: packWeights(d.Second),
		Seed: d.Series.Seed, From: d.Series.First, Step: d.Series.Step, N: d.Series.N,
		Pieces: d.Pieces, TurnLimit: d.TurnLimit,
	}
	of, task, err := w.sum()
	if err != nil {
		return train.DuelResult{}, err
	}
	output, err := a.session.Do(ctx, task, w)
	if err != nil {
		return train.DuelResult{}, err
	}
	var answer duelAnswer
	if err := json.Unmarshal(output, &answer); err != nil {
		return train.DuelResult{}, err
	}
	if answer.Of != of {
		return train.DuelResult{}, fmt.Errorf("the fleet has another duel under number %d", task)
	}
	games := int64(0)
	for _, n := range answer.Pairs {
		games += n
	}
	if answer.Ended && games != int64(d.Series.N) {
		return train.DuelResult{}, fmt.Errorf("the fleet counts %d pairs of a duel of %d", games, d.Series.N)
	}
	return answer.DuelResult, nil
}

// checkDuel returns an error for an impossible answer.
func checkDuel(task uint64, output json.RawMessage) error {
	var a duelAnswer
	if err := json.Unmarshal(output, &a); err != nil {
		return err
	}
	sum, err := hex.DecodeString(a.Of)
	if err != nil || len(sum) != sha256.Size || binary.BigEndian.Uint64(sum) != task {
		return errors.New("result of another duel")
	}
	for i, n := range a.Pairs {
		if n < 0 || n > 0 && i%2 == 1 {
			return errors.New("impossible pairs: games have no draws")
		}
	}
	return nil
}

// packWeights returns the weights of a brain as bytes.
func packWeights(b *ur.Brain) []byte {
	data, err := binary.Append(nil, binary.LittleEndian, b)
	if err != nil {
		panic(err) // a brain has a fixed size
	}
	return data
}

// unpackWeights returns the brain of such bytes.
func unpackWeights(data []byte) (*ur.Brain, error) {
	b := new(ur.Brain)
	if len(data) != 2*len(b) {
		return nil, fmt.Errorf("brain of %d bytes (want %d)", len(data), 2*len(b))
	}
	_, err := binary.Decode(data, binary.LittleEndian, b)
	return b, err
}

// duelKind fights duels.
type duelKind struct{ engine ur.Engine }

func (duelKind) Name() string { return "duel" }

func (k duelKind) Open(context.Context, json.RawMessage, func(string) (string, error)) (fleet.Runner, error) {
	return duelRunner(k), nil
}

type duelRunner struct{ engine ur.Engine }

// maxDuel is the most pairs of a duel.
const maxDuel = 1 << 24

func (r duelRunner) Run(_ context.Context, task uint64, work json.RawMessage) (any, error) {
	var w duelWork
	if err := json.Unmarshal(work, &w); err != nil {
		return nil, &fleet.Failure{Message: fmt.Sprintf("duel %d: %v", task, err)}
	}
	first, err := unpackWeights(w.First)
	second, err2 := unpackWeights(w.Second)
	of, number, err3 := w.sum()
	if err := errors.Join(err, err2, err3, board.CheckPieces(w.Pieces)); err != nil {
		return nil, &fleet.Failure{Message: fmt.Sprintf("duel %d: %v", task, err)}
	}
	if number != task || w.N < 0 || w.N > maxDuel || w.TurnLimit < 1 || w.TurnLimit > ur.DefaultTurnLimit {
		return nil, &fleet.Failure{Message: fmt.Sprintf("duel %d is asked for with %d pairs, a turn limit of %d and number %d", task, w.N, w.TurnLimit, number)}
	}
	result, err := train.Fight(r.engine, train.Duel{
		First: first, Second: second, Pieces: w.Pieces, TurnLimit: w.TurnLimit,
		Series: ur.Series{Seed: w.Seed, First: w.From, Step: w.Step, N: w.N},
	})
	return duelAnswer{of, result}, err
}
