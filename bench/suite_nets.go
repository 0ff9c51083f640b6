package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// netFiles are the recorded nets, measured in a checkout.
const netFiles = "results/nets/*.safetensors"

// selectNets measures value networks' decisions on every engine in package valuenet, checked
// against the scalar engine, and the built-in brain's decisions.
func selectNets(Selection) (set Set, err error) {
	files, err := filepath.Glob(netFiles)
	if err != nil {
		return set, err
	}
	return netsOf(files)
}

// netsOf measures the built-in net, an untrained one with 32 units, which are nonzero as often as
// possible, and the nets in files.
func netsOf(files []string) (set Set, err error) {
	names, nets := []string{"built-in", "squares-32"}, make([]*valuenet.Net, 2)
	if nets[0], _, err = valuenet.BuiltinFor(board.Finkel()); err != nil {
		return set, err
	}
	if nets[1], err = valuenet.NewNet(valuenet.Shape{Hidden: []int{32}}); err != nil {
		return set, err
	}
	nets[1].Randomise(1)
	for _, file := range files {
		n, err := valuenet.Open(file)
		if err != nil {
			return set, err
		}
		names, nets = append(names, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))), append(nets, n)
	}
	for i, n := range nets {
		q, err := valuenet.Quantise(n)
		if err != nil {
			return set, fmt.Errorf("%s: %w", names[i], err)
		}
		turns, oracle := turnsOf(q), valuenet.NewJudge(valuenet.Scalar, q)
		for _, e := range valuenet.Engines() {
			if e.Available() == nil {
				judge := valuenet.NewJudge(e, q)
				set.Benchmarks = append(set.Benchmarks, decisions(names[i], e.Name(), valuenet.Scalar.Name(), turns,
					judgeChooses(judge), judgeChooses(oracle)))
			}
		}
		if i == 0 {
			brain, err := brainDecisions(turns)
			if err != nil {
				return set, err
			}
			set.Benchmarks = append(set.Benchmarks, brain)
		}
	}
	return set, nil
}

// chooses returns the chosen move's index.
type chooses func(*play.Turn) (int, error)

func judgeChooses(j *valuenet.Judge) chooses {
	return func(t *play.Turn) (int, error) { return j.Choose(t.Position, t.Moves), nil }
}

// brainDecisions times the built-in brain's decisions on the fastest engine, checked
// against the oracle.
func brainDecisions(turns []play.Turn) (b sample.Benchmark, err error) {
	p, err := play.ParsePlayer("brain")
	if err != nil {
		return b, err
	}
	var instances [2]chooses
	for i, e := range []ur.Engine{play.FastestChooser(), engine.Oracle()} {
		instance, err := p.New(e)
		if err != nil {
			return b, err
		}
		instances[i] = func(t *play.Turn) (int, error) { return instance.Choose(context.Background(), t) }
	}
	return decisions("brain", "fastest", "", turns, instances[0], instances[1]), nil
}

// turnsOf returns the decisions in some games by a net against itself.
func turnsOf(q *valuenet.Integer) (list []play.Turn) {
	const games, seed = 10, 1
	judge := valuenet.NewJudge(valuenet.Fastest(), q)
	choose := func(t replayed) (board.Move, bool) {
		if len(t.moves) == 0 {
			return board.Move{}, false
		}
		return t.moves[judge.Choose(t.position, t.moves)], true
	}
	for game := range uint64(games) {
		replay(choose, seed, game, func(t replayed) {
			if len(t.moves) > 1 {
				list = append(list, play.Turn{Rules: board.Finkel(), Position: t.position,
					Moves: slices.Clone(t.moves)})
			}
		})
	}
	return list
}

// decisions measures choices, a pass over all of them, checked against an oracle.
func decisions(net, eval, base string, turns []play.Turn, choose, oracle chooses) sample.Benchmark {
	name := func(eval string) string { return fmt.Sprintf("NetDecision/net=%s/eval=%s", net, eval) }
	b := sample.Benchmark{
		Name: name(eval), Unit: "ns/decision",
		Check: func() error {
			for i := range turns {
				got, err := choose(&turns[i])
				if err != nil {
					return err
				}
				if want, err := oracle(&turns[i]); err != nil || got != want {
					return fmt.Errorf("chooses move %d of %v (want %d, %v)", got,
						turns[i].Position.Numbers(), want, err)
				}
			}
			return nil
		},
		Pass: func() (float64, error) {
			for i := range turns {
				if _, err := choose(&turns[i]); err != nil {
					return 0, err
				}
			}
			return float64(len(turns)), nil
		},
	}
	if base != "" {
		b.Base = name(base)
	}
	return b
}
