package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// netBaseline is the reference engine of nets, which defines the values.
var netBaseline = valuenet.Scalar.Name()

func netName(work, net, engine string) string {
	return fmt.Sprintf("%s/net=%s/eval=%s", work, net, engine)
}

// selectNets measures decisions of value networks on every engine of package
// valuenet, checked against the scalar engine, and decisions of the built-in brain.
func selectNets(of Selection) (set Set, err error) {
	list, err := defaultNets()
	if of.Nets != nil {
		if list, err = openNets(of.Nets); err != nil {
			return set, &config.Error{Config: "selection", Field: "Nets", Err: err}
		}
	}
	if err != nil {
		return set, err
	}
	for _, n := range list {
		decisions := decisionsOf(n.value)
		for _, e := range valuenet.Engines() {
			if e.Available() == nil {
				set.Benchmarks = append(set.Benchmarks, decisionsBenchmark(n, e, decisions))
			}
		}
	}
	brain, err := brainDecisions(decisionsOf(list[0].value))
	set.Benchmarks = append(set.Benchmarks, brain)
	return set, err
}

// brainDecisions times the decisions of the built-in brain on the fastest engine, checked
// against the oracle.
func brainDecisions(decisions []decision) (b sample.Benchmark, err error) {
	p, err := play.ParsePlayer("brain")
	if err != nil {
		return b, err
	}
	fastest, err := p.Sit(play.FastestChooser())
	if err != nil {
		return b, err
	}
	oracle, err := p.Sit(engine.Oracle())
	if err != nil {
		return b, err
	}
	var turns []play.Turn
	for _, d := range decisions {
		turns = append(turns, play.Turn{Position: d.position, Moves: d.moves})
	}
	return sample.Benchmark{
		Name: netName("NetDecision", "brain", "fastest"), Unit: "ns/decision",
		Check: func() error {
			for i := range turns {
				got, err := fastest.Choose(context.Background(), &turns[i])
				if err != nil {
					return err
				}
				want, err := oracle.Choose(context.Background(), &turns[i])
				if err != nil {
					return err
				}
				if got != want {
					return fmt.Errorf("brain chooses move %d of %v (want %d)", got, turns[i].Position.Numbers(), want)
				}
			}
			return nil
		},
		Pass: func() (float64, error) {
			for i := range turns {
				if _, err := fastest.Choose(context.Background(), &turns[i]); err != nil {
					return 0, err
				}
			}
			return float64(len(turns)), nil
		},
	}, nil
}

// namedNet is a net and its name in benchmarks.
type namedNet struct {
	name  string
	value *valuenet.Integer
}

// defaultNets returns the nets of every measurement: the built-in one, and an untrained one of 32
// units, which are nonzero as often as possible. Its games have twice as many turns as those of
// a trained net.
func defaultNets() ([]namedNet, error) {
	builtin, _, err := valuenet.BuiltinFor(nil)
	if err != nil {
		return nil, err
	}
	plain, err := valuenet.NewNet(valuenet.Shape{Hidden: []int{32}})
	if err != nil {
		return nil, err
	}
	plain.Randomise(1)
	return quantised([]string{"built-in", "squares-32"}, []*valuenet.Net{builtin, plain})
}

// openNets returns the nets of files, each named by its file without folder and ending.
func openNets(files []string) ([]namedNet, error) {
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

func quantised(names []string, nets []*valuenet.Net) (list []namedNet, err error) {
	for i, n := range nets {
		q, err := valuenet.Quantise(n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
		list = append(list, namedNet{names[i], q})
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
		dice, p := board.Finkel().Dice(seed, game), board.StartPosition(board.FinkelPieces)
		for {
			if _, over := p.Winner(); over {
				break
			}
			moves := board.Finkel().Moves(nil, p, dice.Roll())
			if len(moves) == 0 {
				p = p.Pass()
				continue
			}
			if len(moves) > 1 {
				list = append(list, decision{p, moves})
			}
			p = board.Finkel().Apply(p, moves[judge.Choose(p, moves)])
		}
	}
	return list
}

// decisionsBenchmark returns the benchmark of decisions, a pass over all of them.
func decisionsBenchmark(n namedNet, e *valuenet.Engine, decisions []decision) sample.Benchmark {
	judge := valuenet.NewJudge(e, n.value)
	return sample.Benchmark{
		Name: netName("NetDecision", n.name, e.Name()), Unit: "ns/decision", Base: netName("NetDecision", n.name, netBaseline),
		Check: func() error {
			if err := chooseAlike(judge, valuenet.NewJudge(valuenet.Scalar, n.value), decisions); err != nil {
				return fmt.Errorf("net engine %s %w", e.Name(), err)
			}
			return nil
		},
		Pass: func() (float64, error) {
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
