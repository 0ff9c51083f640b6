package work

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/reversi/book"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// reversiSpec are the settings of a Reversi match that determine its games.
type reversiSpec struct {
	Players  [2]string     `json:"players"`           // as they travel
	Weights  string        `json:"weights,omitempty"` // likewise; "" for the built-in ones
	Threads  int           `json:"threads"`           // of a player
	Seed     uint64        `json:"seed"`
	Discs    int           `json:"discs"`
	Openings []string      `json:"openings,omitempty"`
	Time     time.Duration `json:"time_ns,omitempty"`
	Clock    reversi.Clock `json:"clock_ns,omitzero"`
}

// Reversi plays matches and tournaments of Reversi on a fleet. It serves many goroutines.
type Reversi struct {
	Weights string  // file of the learned weights of the players; "" for the built-in ones
	Threads int     // of a player, at least 1
	Verify  float64 // share of tasks computed a second time by this process, 0 to 1

	conn *fleet.Conn
	sessions[reversiKey, reversiSpec]
}

// reversiKey identifies a match of a client; all its matches share the other settings.
type reversiKey struct {
	players [2]string
	seed    uint64
}

// NewReversi returns a backend.
func NewReversi(conn *fleet.Conn) *Reversi { return &Reversi{conn: conn, Threads: 1} }

// Runner returns a runner of a match: [reversi.Match.Backend].
func (b *Reversi) Runner(ctx context.Context, m reversi.Match) (match.SpanRunner[reversi.Score], error) {
	key := reversiKey{m.Players, m.Seed}
	s, err := b.get(key, func() (*fleet.Session, reversiSpec, error) { return b.open(ctx, m) })
	if err != nil {
		return nil, err
	}
	return reversiBackend{s.session}, nil
}

// maxOpenings is the most bytes of openings: the settings are one message of the fleet.
const maxOpenings = 1 << 20

// open sends the files of a match, and opens its session.
func (b *Reversi) open(ctx context.Context, m reversi.Match) (*fleet.Session, reversiSpec, error) {
	spec := reversiSpec{Threads: b.Threads, Seed: m.Seed, Discs: m.Discs, Time: m.Limits.Time, Clock: m.Limits.Clock}
	size := 0
	for _, r := range m.Openings {
		spec.Openings = append(spec.Openings, r.Text())
		size += len(r.Text())
	}
	if size > maxOpenings {
		return nil, spec, fmt.Errorf("openings: %d bytes are too many for a fleet (want at most %d)", size, maxOpenings)
	}
	var files []string
	send := func(name string) (string, error) {
		sum, err := b.conn.PutFile(ctx, name)
		files = append(files, sum)
		return fileMark + sum, err
	}
	for i, name := range m.Players {
		var err error
		if spec.Players[i], err = reversi.ReplaceFiles(name, send); err != nil {
			return nil, spec, fmt.Errorf("player %q: %w", name, err)
		}
	}
	if b.Weights != "" {
		var err error
		if spec.Weights, err = send(b.Weights); err != nil {
			return nil, spec, fmt.Errorf("weights: %w", err)
		}
	}
	session, err := openSession(ctx, b.conn, reversiKind{}.Name(), spec, files, func(task uint64, output json.RawMessage) error {
		return checkReversi(m, task, output)
	})
	if err != nil {
		return nil, spec, err
	}
	session.Verify(b.Verify, func() (fleet.Runner, error) {
		runner, err := m.Runner()
		return reversiRunner{runner}, err
	})
	return session, spec, nil
}

// reversiScore is the output of a task: the score, and its span.
type reversiScore struct {
	Span  match.Span    `json:"span"`
	Score reversi.Score `json:"score"`
}

// GamesPlayed counts the games of the span.
func (a reversiScore) GamesPlayed() int64 { return a.Score.FinishedGames() }

// checkReversi returns an error if no span of the match can have such an output. Reading the
// score replays its games, so their moves are legal and their counts are right.
func checkReversi(m reversi.Match, task uint64, output json.RawMessage) error {
	var a reversiScore
	if err := json.Unmarshal(output, &a); err != nil {
		return err
	}
	if checkSpan(a.Span) != nil || taskOf(a.Span) != task {
		return fmt.Errorf("result of another task: %d pairs from pair %d", a.Span.Pairs, a.Span.First)
	}
	return m.Check(a.Span, a.Score)
}

// reversiBackend plays spans of one match on a fleet.
type reversiBackend struct{ session *fleet.Session }

// Play waits until a worker has played the span.
func (t reversiBackend) Play(ctx context.Context, s match.Span) (reversi.Score, error) {
	if err := checkSpan(s); err != nil {
		return reversi.Score{}, err
	}
	output, err := t.session.Do(ctx, taskOf(s), s)
	if err != nil {
		return reversi.Score{}, err
	}
	var a reversiScore
	err = json.Unmarshal(output, &a)
	return a.Score, err
}

// reversiKind computes spans of matches of Reversi.
type reversiKind struct{}

func (reversiKind) Name() string { return "reversi-match" }

// Open makes the players, with files of the fleet's store. No error quotes a file.
func (reversiKind) Open(_ context.Context, data json.RawMessage, file func(sum string) (string, error)) (fleet.Runner, error) {
	var spec reversiSpec
	if err := json.Unmarshal(data, &spec); err != nil {
		return nil, fmt.Errorf("match of Reversi: %w", err)
	}
	m, err := spec.match(func(name string) (string, error) {
		sum, ok := strings.CutPrefix(name, fileMark)
		if !ok {
			return "", &fleet.Failure{Message: fmt.Sprintf("match of Reversi: a file by its name (want %sSUM)", fileMark)}
		}
		return file(sum)
	})
	if err != nil {
		return nil, err
	}
	runner, err := m.Runner()
	if err != nil {
		return nil, &fleet.Failure{Message: err.Error()}
	}
	return reversiRunner{runner}, nil
}

// match returns the match of the settings; file returns the path of a received file.
func (s reversiSpec) match(file func(mark string) (string, error)) (reversi.Match, error) {
	m := reversi.Match{Players: s.Players, Pairs: 1, Seed: s.Seed, Discs: s.Discs, Limits: reversi.Limits{Time: s.Time, Clock: s.Clock}}
	for _, text := range s.Openings {
		r, err := board.ParseRecord(board.StartPosition(), text)
		if err != nil {
			return m, &fleet.Failure{Message: fmt.Sprintf("opening: %v", err)}
		}
		m.Openings = append(m.Openings, r)
	}
	env := reversi.Env{Threads: s.Threads, OpenBook: func(mark string) (reversi.Book, error) {
		path, err := file(mark)
		if err != nil {
			return nil, err
		}
		return book.Open(path)
	}}
	if s.Weights != "" {
		path, err := file(s.Weights)
		if err != nil {
			return m, err
		}
		if env.Weights, err = readWeights(path); err != nil {
			return m, &fleet.Failure{Message: fmt.Sprintf("weights: %v", err)}
		}
	}
	m.New = func(name string) (reversi.Player, error) { return reversi.ParsePlayer(name, env) }
	return m, nil
}

// readWeights reads a file of weights.
func readWeights(name string) (*eval.Weights, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return eval.ReadWeights(f)
}

// reversiRunner plays spans in this process.
type reversiRunner struct {
	runner match.SpanRunner[reversi.Score]
}

func (r reversiRunner) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	var s match.Span
	if err := json.Unmarshal(work, &s); err != nil {
		return nil, &fleet.Failure{Message: fmt.Sprintf("task %d of a match of Reversi: %v", task, err)}
	}
	if checkSpan(s) != nil || s.Odd || taskOf(s) != task {
		return nil, &fleet.Failure{Message: fmt.Sprintf("task %d of a match of Reversi: span %+v is another task", task, s)}
	}
	score, err := r.runner.Play(ctx, s)
	return reversiScore{s, score}, err
}
