package work

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/book"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// reversiSpec are the settings of a Reversi match that determine its games.
type reversiSpec struct {
	Players  [2]string     `json:"players"` // players as they travel
	Seed     uint64        `json:"seed"`
	Discs    int           `json:"discs"`
	Openings []string      `json:"openings,omitempty"`
	Time     time.Duration `json:"time_ns,omitempty"`
	Clock    reversi.Clock `json:"clock_ns,omitzero"`
}

// NewReversi returns a backend of Reversi.
func NewReversi(conn *fleet.Conn) *Matches[reversi.Match, reversi.Score] {
	return &Matches[reversi.Match, reversi.Score]{conn: conn, send: sendReversi,
		keyOf: func(m reversi.Match) matchKey { return matchKey{[2]string(m.Players), m.Seed} }}
}

// maxOpenings is the most bytes of openings: the settings are one message of the fleet, of at
// most a megabyte.
const maxOpenings = 1 << 19

// sendReversi sends a match's files, and describes it.
func sendReversi(ctx context.Context, conn *fleet.Conn, m reversi.Match) (r request[reversi.Score], err error) {
	spec := reversiSpec{Seed: m.Seed, Discs: m.Discs, Time: m.Limits.Time, Clock: m.Limits.Clock}
	size := 0
	for _, opening := range m.Openings {
		spec.Openings = append(spec.Openings, opening.Text())
		size += len(opening.Text())
	}
	if size > maxOpenings {
		return r, fmt.Errorf("openings: %d bytes are too many for a fleet (want at most %d)", size, maxOpenings)
	}
	for i, name := range m.Players {
		if spec.Players[i], err = reversi.Kinds().ReplaceFiles(name, sender(ctx, conn, &r.files)); err != nil {
			return r, fmt.Errorf("player %q: %w", name, err)
		}
	}
	r.kind, r.spec = reversiKind{}.Name(), spec
	r.check, r.here = m.Check, m.Runner // reading a score replays its games, so their moves are legal
	return r, nil
}

type reversiKind struct{}

func (reversiKind) Name() string { return "reversi-match" }

// Open makes the players, with files of the fleet's store. No error quotes a file.
func (reversiKind) Open(_ context.Context, data json.RawMessage,
	file func(sum string) (string, error)) (fleet.Runner, error) {
	var spec reversiSpec
	if err := json.Unmarshal(data, &spec); err != nil {
		return nil, fmt.Errorf("match of Reversi: %w", err)
	}
	m, err := spec.newMatch(func(mark string) (string, error) { return findSent("match of Reversi", mark, file) })
	if err != nil {
		return nil, err
	}
	runner, err := m.Runner()
	if err != nil {
		return nil, &fleet.Failure{Message: err.Error()}
	}
	return spanRunner[reversi.Score]{runner}, nil
}

// newMatch returns the match of the settings; file returns the path of a received file.
func (s reversiSpec) newMatch(file func(mark string) (string, error)) (reversi.Match, error) {
	m := reversi.Match{Players: s.Players[:], Pairs: 1, Seed: s.Seed, Discs: s.Discs,
		Limits: reversi.Limits{Time: s.Time, Clock: s.Clock}}
	for _, text := range s.Openings {
		r, err := board.ParseRecord(board.StartPosition(), text)
		if err != nil {
			return m, fleet.Failf("opening: %v", err)
		}
		m.Openings = append(m.Openings, r)
	}
	env := reversi.Env{Shipped: func() (reversi.Book, error) { return book.Shipped() },
		OpenBook:    openReceived(file, func(path string) (reversi.Book, error) { return book.Open(path) }),
		OpenWeights: openReceived(file, eval.Open)}
	m.New = func(name string) (reversi.Player, error) { return reversi.ParsePlayer(name, env) }
	return m, nil
}

func openReceived[T any](file func(mark string) (string, error),
	open func(path string) (T, error)) func(mark string) (T, error) {
	return func(mark string) (none T, err error) {
		path, err := file(mark)
		if err != nil {
			return none, err
		}
		return open(path)
	}
}
