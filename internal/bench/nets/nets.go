// Package nets has the benchmarks of the suite nets: decisions and whole games of value
// networks on every engine of package valuenet, checked against the scalar engine, and the
// regret of players with weights.
package nets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// baseline is the reference engine, which defines the values.
var baseline = valuenet.Scalar.Name()

// Units of the subjects.
const (
	decisionUnit = "ns/decision"
	gameUnit     = "us/game"
)

// Subject is a net on an engine at a piece of work.
type Subject struct {
	level  string // NetDecision or NetGame
	net    string
	engine *valuenet.Engine
	unit   string
	check  func() error
	pass   func() (float64, error)
}

var _ experiment.Subject = (*Subject)(nil)

// Name is the name of the benchmark: "NetDecision/net=built-in/eval=avx512".
func (s *Subject) Name() string { return name(s.level, s.net, s.engine.Name()) }

func name(level, of, engine string) string {
	return fmt.Sprintf("%s/net=%s/eval=%s", level, of, engine)
}

// Describe compares with the scalar engine.
func (s *Subject) Describe(b *experiment.Benchmark) { b.Base = name(s.level, s.net, baseline) }

// Unit is ns/decision or us/game.
func (s *Subject) Unit() string { return s.unit }

// Check compares with the scalar engine.
func (s *Subject) Check() error { return s.check() }

// Pass does the work once.
func (s *Subject) Pass() (float64, error) { return s.pass() }

// Net is a net and its name in benchmarks.
type Net struct {
	Name  string
	Value *valuenet.Integer
	Meta  map[string]string // of the file
}

// Nets returns the nets of every measurement: the built-in one, and an untrained one of 32
// units, which are nonzero as often as possible. Its games have twice as many turns as those of
// a trained net.
func Nets() ([]Net, error) {
	builtin, err := valuenet.BuiltinNet()
	if err != nil {
		return nil, err
	}
	plain, err := valuenet.NewNet(valuenet.Shape{Features: valuenet.Squares, Hidden: []int{32}})
	if err != nil {
		return nil, err
	}
	plain.Randomise(1)
	return quantised([]string{"built-in", "squares-32"}, []*valuenet.Net{builtin, plain})
}

// Open returns the nets of files, each named by its file without folder and ending.
func Open(files []string) ([]Net, error) {
	var names []string
	var list []*valuenet.Net
	for _, file := range files {
		n, err := valuenet.Open(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("%s: another net has the name %s", file, name)
		}
		names, list = append(names, strings.ReplaceAll(name, " ", "-")), append(list, n)
	}
	return quantised(names, list)
}

func quantised(names []string, nets []*valuenet.Net) (list []Net, err error) {
	for i, n := range nets {
		q, err := valuenet.Quantise(n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
		list = append(list, Net{names[i], q, n.Meta})
	}
	return list, nil
}

// Subjects returns the subjects of all nets on all available engines.
func Subjects(nets []Net) ([]*Subject, error) {
	var list []*Subject
	for _, n := range nets {
		decisions := decisionsOf(n.Value)
		for _, e := range valuenet.Engines() {
			if e.Available() == nil {
				list = append(list, newDecision(n, e, decisions))
			}
		}
		for _, e := range valuenet.Engines() {
			if e.Available() != nil {
				continue
			}
			s, err := newGames(n, e)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// decision is a choice as it comes up in play.
type decision struct {
	position board.Position
	moves    []board.Move
}

// decisionsOf returns the decisions of some games of a net against itself.
func decisionsOf(q *valuenet.Integer) (list []decision) {
	const games, seed = 10, 1
	judge := valuenet.NewJudge(valuenet.Fastest(), q)
	for game := range uint64(games) {
		dice, p := board.NewDice(seed, game), board.StartPosition(board.MaxPieces)
		for {
			if _, over := p.Winner(); over {
				break
			}
			moves := p.Moves(nil, dice.Roll())
			if len(moves) == 0 {
				p = p.Pass()
				continue
			}
			if len(moves) > 1 {
				list = append(list, decision{p, moves})
			}
			p = p.Apply(moves[judge.Choose(p, moves)])
		}
	}
	return list
}

// newDecision returns the subject of decisions, a pass over all of them.
func newDecision(n Net, e *valuenet.Engine, decisions []decision) *Subject {
	judge := valuenet.NewJudge(e, n.Value)
	return &Subject{
		level: "NetDecision", net: n.Name, engine: e, unit: decisionUnit,
		check: func() error {
			if err := chooseAlike(judge, valuenet.NewJudge(valuenet.Scalar, n.Value), decisions); err != nil {
				return fmt.Errorf("net engine %s %w", e.Name(), err)
			}
			return nil
		},
		pass: func() (float64, error) {
			for i := range decisions {
				judge.Choose(decisions[i].position, decisions[i].moves)
			}
			return float64(len(decisions)), nil
		},
	}
}

// chooseAlike reports the first decision in which a judge differs from the oracle.
func chooseAlike(judge, oracle *valuenet.Judge, decisions []decision) error {
	for _, d := range decisions {
		if got, want := judge.Choose(d.position, d.moves), oracle.Choose(d.position, d.moves); got != want {
			return fmt.Errorf("chooses move %d of %v (want %d)", got, d.position.Numbers(), want)
		}
	}
	return nil
}

// newGames returns the subject of whole games of a net against itself.
func newGames(n Net, e *valuenet.Engine) (*Subject, error) {
	match := valuenet.Match{Light: n.Value, Dark: n.Value}
	lanes, err := valuenet.NewLanes(e, match)
	if err != nil {
		return nil, err
	}
	games := ur.Series{Seed: 1, N: 200}
	if e == valuenet.Scalar {
		games.N = 4 // it plays one after another, and slowly
	}
	winners := make([]board.Side, games.N)
	return &Subject{
		level: "NetGame", net: n.Name, engine: e, unit: gameUnit,
		check: func() error {
			oracle, err := valuenet.NewLanes(valuenet.Scalar, match)
			if err == nil {
				err = playAlike(lanes, oracle, ur.Series{Seed: games.Seed, N: min(games.N, 40)})
			}
			if err != nil {
				return fmt.Errorf("net engine %s %w", e.Name(), err)
			}
			return nil
		},
		pass: func() (float64, error) {
			_, err := lanes.Games(winners, games)
			return float64(games.N), err
		},
	}, nil
}

// playAlike reports whether games end otherwise than those of the oracle.
func playAlike(lanes, oracle *valuenet.Lanes, s ur.Series) error {
	got, want := make([]board.Side, s.N), make([]board.Side, s.N)
	wanted, err := oracle.Games(want, s)
	if err != nil {
		return err
	}
	tally, err := lanes.Games(got, s)
	if err == nil && (tally != wanted || !slices.Equal(got, want)) {
		err = fmt.Errorf("plays other games: %+v (want %+v)", tally, wanted)
	}
	return err
}
