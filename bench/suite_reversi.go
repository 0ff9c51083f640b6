package bench

import (
	"context"
	_ "embed" // embeds positions
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// selectReversi measures Reversi: move generators, perft, the endgame solver and the midgame
// search, with each technique left out in turn.
func selectReversi(Selection) (set Set, err error) {
	w, err := eval.Learned()
	if err != nil {
		return set, err
	}
	found, err := reversiSearches(w)
	if err != nil {
		return set, err
	}
	set.Benchmarks = slices.Concat(generators(), perfts(), values(w), found)
	for i := range set.Benchmarks {
		set.Benchmarks[i].Base = reversiBase(set.Benchmarks, set.Benchmarks[i].Name)
	}
	return set, nil
}

// reversiBase is the first benchmark with the same name except for its last part: the plainest
// in its family, or the one that leaves nothing out.
func reversiBase(all []sample.Benchmark, name string) string {
	family := name[:strings.LastIndexByte(name, '/')+1]
	for _, b := range all {
		if rest, ok := strings.CutPrefix(b.Name, family); ok && !strings.Contains(rest, "/") {
			return b.Name
		}
	}
	return ""
}

// clean makes a name fit for a part in a benchmark's name.
func clean(name string) string { return strings.ReplaceAll(name, "/", "-") }

// counting is work that counts its units: want units, or any number for 0.
func counting(name, unit string, want int, count func() int) sample.Benchmark {
	pass := func() (float64, error) {
		n := count()
		if want != 0 && n != want {
			return 0, fmt.Errorf("%s: %d (want %d)", name, n, want)
		}
		return float64(n), nil
	}
	return sample.Benchmark{Name: name, Unit: unit, Pass: pass, Check: func() error { _, err := pass(); return err }}
}

// visiting is work that visits nodes. Every pass compares its results with known ones, so a slow one is not
// done an additional time for the check.
func visiting(name, unit string, slow bool, work func() (units float64, nodes uint64, err error)) sample.Benchmark {
	nodes := uint64(0) // nodes in the last pass
	b := sample.Benchmark{Name: name, Unit: unit, Metrics: func(float64) []report.Metric {
		return []report.Metric{{Value: float64(nodes), Unit: "nodes/pass"}}
	}}
	b.Pass = func() (units float64, err error) {
		units, nodes, err = work()
		return units, err
	}
	b.Check = func() error {
		if slow {
			return nil
		}
		_, err := b.Pass()
		return err
	}
	return b
}

// generators measures move lists, flips, and positions expanded.
func generators() (all []sample.Benchmark) {
	boards := sampleBoards(400)
	moves := 0
	for _, b := range boards {
		moves += bits.OnesCount64(b.Moves())
	}
	for _, g := range movegen.Available() {
		name := "generator=" + clean(g.Name())
		all = append(all, counting("Moves/"+name, "ns/list", len(boards), func() int {
			sum := 0
			for _, b := range boards {
				sum += bits.OnesCount64(g.Moves(b))
			}
			return len(boards) + sum - moves
		}), counting("Flips/"+name, "ns/flip", moves, func() (n int) {
			for _, b := range boards {
				for moves := board.Moves(b.Own, b.Opp); moves != 0; moves &= moves - 1 {
					if g.Flips(b, board.First(moves)) != 0 {
						n++
					}
				}
			}
			return n
		}), counting("Expand/"+name, "ns/child", moves, func() (n int) {
			var c movegen.Children
			for _, b := range boards {
				g.Expand(b, board.Moves(b.Own, b.Opp), &c)
				n += c.N
			}
			return n
		}))
	}
	return all
}

// leaves are known counts from the first position, by depth.
var leaves = map[int]uint64{7: 55092, 9: 3005288, 11: 212258800}

func perfts() []sample.Benchmark {
	var all []sample.Benchmark
	add := func(name string, depth int, p movegen.Perft, slow bool) {
		all = append(all, visiting(name, "s/pass", slow, func() (float64, uint64, error) {
			n, err := p.Count(context.Background(), board.Start, depth)
			if err == nil && n != leaves[depth] {
				err = fmt.Errorf("%s: %d leaves (want %d)", name, n, leaves[depth])
			}
			return 1, n, err
		}))
	}
	for _, g := range movegen.Available() {
		add("Perft/depth=9/generator="+clean(g.Name()), 9, movegen.Perft{Generator: g}, g.Name() == "array")
	}
	rays, _ := movegen.Lookup("rays")
	add("Perft/depth=11/generator=rays", 11, movegen.Perft{Generator: rays}, true)
	if best := movegen.Fastest(); best.Name() != "rays" {
		add("Perft/depth=11/generator="+clean(best.Name()), 11, movegen.Perft{Generator: best}, true)
	}
	return all
}

// values measures evaluations.
func values(w *eval.Weights) []sample.Benchmark {
	boards := sampleBoards(400)
	sum := 0
	evaluation := func(name string, f func(b board.Board) int) sample.Benchmark {
		return counting("Value/"+name, "ns/eval", 0, func() int {
			for _, b := range boards {
				sum += f(b)
			}
			return len(boards)
		})
	}
	var next eval.Features
	features, turned := eval.FeaturesOf(board.Start), board.Start.Flips(19)
	return []sample.Benchmark{
		evaluation("eval=hand", eval.DefaultHand().Evaluate),
		evaluation("eval=patterns/features=anew", w.Evaluate),
		// A move that turns one disc over is played on the features, and valued.
		evaluation("eval=patterns/features=carried", func(board.Board) int {
			features.Play(&next, 0, 19, turned)
			return w.Value(&next, 1, 5, 3)
		}),
	}
}

//go:embed reversi_ffo.json
var fforumText []byte

// problem is a position with its exact score.
type problem struct {
	N           int
	Board, Side string
	Score       int
}

// reversiSearches measures the engine: sets of FForum and midgame positions, with and without each
// technique. A midgame row has the time for one search.
func reversiSearches(w *eval.Weights) (all []sample.Benchmark, err error) {
	var fforum struct{ Positions []problem }
	if err := json.Unmarshal(fforumText, &fforum); err != nil {
		return nil, err
	}
	middle := midgames()
	solve := func(name string, first, last int, without engine.Technique) sample.Benchmark {
		var problems []problem
		for _, p := range fforum.Positions {
			if first <= p.N && p.N <= last {
				problems = append(problems, p)
			}
		}
		return searching(name, "s/pass", w, without, func(search searchBoard) (float64, error) {
			for _, problem := range problems {
				p, err := board.ParsePosition(problem.Board, problem.Side)
				if err != nil {
					return 0, err
				}
				found, err := search(p.Board, 0)
				if err == nil && found.Score() != problem.Score {
					err = fmt.Errorf("FForum %d: score %d (want %d)", problem.N, found.Score(), problem.Score)
				}
				if err != nil {
					return 0, err
				}
			}
			return 1, nil
		})
	}
	unordered, err := engine.ParseTechniques("evaluation,iteration")
	if err != nil {
		return nil, err
	}
	all = append(all, solve("Solve/set=40/eval=learned", 40, 40, 0), solve("Solve/set=40-44/eval=learned", 40, 44, 0),
		solve("Solve/set=40-44/eval=none", 40, 44, unordered), solve("Solve/set=1-39/eval=learned", 1, 39, 0))
	all = append(all, midgame("without=none", w, middle, 0))
	for _, name := range engine.Techniques() {
		without, err := engine.ParseTechniques(name)
		if err != nil {
			return nil, err
		}
		all = append(all, solve("Solve/set=40/without="+name, 40, 40, without),
			midgame("without="+name, w, middle, without))
	}
	return all, nil
}

// midgame is the work in searching boards to depth 10.
func midgame(name string, w *eval.Weights, boards []board.Board, without engine.Technique) sample.Benchmark {
	return searching("Midgame/depth=10/"+name, "ms/search", w, without, func(search searchBoard) (float64, error) {
		for _, b := range boards {
			if _, err := search(b, 10); err != nil {
				return 0, err
			}
		}
		return float64(len(boards)), nil
	})
}

// searchBoard searches a board to a depth, or for the exact score at depth 0.
type searchBoard func(b board.Board, depth int) (engine.Result, error)

// searching is an engine's work, which it makes at the first pass. Every search begins with an empty table.
func searching(
	name, unit string, w *eval.Weights, without engine.Technique, pass func(searchBoard) (units float64, err error),
) sample.Benchmark {
	var e *engine.Engine
	return visiting(name, unit, true, func() (units float64, nodes uint64, err error) {
		if e == nil {
			if e, err = engine.New(engine.Options{Weights: w, TableBits: 19, Without: without}); err != nil {
				return 0, 0, err
			}
		}
		units, err = pass(func(b board.Board, depth int) (engine.Result, error) {
			e.Forget()
			found, err := e.Search(context.Background(), b, engine.Limits{Depth: depth})
			nodes += found.Nodes
			return found, err
		})
		return units, nodes, err
	})
}

// midgames returns every fifth among 50 fixed positions with 12 to 44 discs.
func midgames() (some []board.Board) {
	const count = 50
	random := rand.New(rand.NewPCG(50, 10))
	for n := 0; n < count; {
		if b := walk(random, 12+n*32/count); b.Moves() != 0 {
			if n%5 == 0 {
				some = append(some, b)
			}
			n++
		}
	}
	return some
}

// sampleBoards returns positions from random games, with 9 discs and more.
func sampleBoards(n int) []board.Board {
	random := rand.New(rand.NewPCG(14, 64))
	var boards []board.Board
	for len(boards) < n {
		if b := walk(random, 9+len(boards)%52); b.Moves() != 0 {
			boards = append(boards, b)
		}
	}
	return boards
}

// walk plays a random game up to a number of discs, or to its end.
func walk(random *rand.Rand, discs int) board.Board {
	b := board.Start
	for 64-b.Empties() < discs && !b.Over() {
		squares := board.Squares(b.Moves())
		if len(squares) == 0 {
			b = b.Pass()
			continue
		}
		s := squares[random.IntN(len(squares))]
		b = b.Play(s, b.Flips(s))
	}
	return b
}
