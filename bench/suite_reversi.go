package bench

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// reversiWork is a piece of work of the suite reversi, which counts nodes.
type reversiWork struct {
	name, unit string
	slow       bool // a pass takes up to seconds
	work       func(ctx context.Context) (units float64, nodes uint64, err error)
}

// selectReversi measures Reversi: generators of moves, perft, the endgame solver and the search
// of the midgame, with each technique left out in turn.
func selectReversi(Selection) (set Set, err error) {
	w, err := eval.Learned()
	if err != nil {
		return set, err
	}
	problems, err := fforum()
	if err != nil {
		return set, err
	}
	found, err := reversiSearches(w, problems)
	if err != nil {
		return set, err
	}
	all := slices.Concat(generators(), perfts(), states(), values(w), found)
	for _, s := range all {
		set.Benchmarks = append(set.Benchmarks, s.benchmark(reversiBase(all, s.name)))
	}
	return set, nil
}

// benchmark returns the work as a benchmark. Every pass compares its results with known ones; a
// slow one is not done an additional time for the check.
func (s *reversiWork) benchmark(base string) sample.Benchmark {
	nodes := uint64(0) // of the last pass
	b := sample.Benchmark{Name: s.name, Unit: s.unit, Base: base}
	b.Pass = func() (units float64, err error) {
		units, nodes, err = s.work(context.Background())
		return units, err
	}
	b.Check = func() error {
		if s.slow {
			return nil
		}
		_, err := b.Pass()
		return err
	}
	b.Metrics = func(float64) []sample.Metric {
		if nodes == 0 {
			return nil
		}
		return []sample.Metric{{Value: float64(nodes), Unit: "nodes/pass"}}
	}
	return b
}

// reversiBase is the first benchmark with the same name except for its last part: the plainest
// of its family, or the one that leaves nothing out. Different positions have none.
func reversiBase(all []*reversiWork, name string) string {
	if strings.Contains(name, "/positions=") {
		return ""
	}
	family := name[:strings.LastIndexByte(name, '/')+1]
	for _, s := range all {
		if rest, ok := strings.CutPrefix(s.name, family); ok && !strings.Contains(rest, "/") {
			return s.name
		}
	}
	return ""
}

// clean makes a name fit for a part of a benchmark's name.
func clean(name string) string { return strings.ReplaceAll(name, "/", "-") }

// generators measures lists of moves, flips, and positions expanded.
func generators() []*reversiWork {
	sample := sampleBoards(400)
	var all []*reversiWork
	for _, g := range movegen.Available() {
		name := "generator=" + clean(g.Name())
		all = append(all, &reversiWork{name: "Moves/" + name, unit: "ns/list", work: func(context.Context) (float64, uint64, error) {
			sum := 0
			for _, b := range sample {
				sum += bits.OnesCount64(g.Moves(b))
			}
			return float64(len(sample)), 0, same(g.Name(), sum, movesOf(sample))
		}}, &reversiWork{name: "Flips/" + name, unit: "ns/flip", work: func(context.Context) (float64, uint64, error) {
			n := 0
			for _, b := range sample {
				for moves := board.Moves(b.Own, b.Opp); moves != 0; moves &= moves - 1 {
					if g.Flips(b, board.First(moves)) != 0 {
						n++
					}
				}
			}
			return float64(n), 0, same(g.Name(), n, movesOf(sample))
		}}, &reversiWork{name: "Expand/" + name, unit: "ns/child", work: func(context.Context) (float64, uint64, error) {
			var c movegen.Children
			n := 0
			for _, b := range sample {
				g.Expand(b, board.Moves(b.Own, b.Opp), &c)
				n += c.N
			}
			return float64(n), 0, same(g.Name(), n, movesOf(sample))
		}})
	}
	return all
}

func movesOf(sample []board.Board) int {
	n := 0
	for _, b := range sample {
		n += bits.OnesCount64(b.Moves())
	}
	return n
}

func same(what string, got, want int) error {
	if got != want {
		return fmt.Errorf("%s: %d (want %d)", what, got, want)
	}
	return nil
}

// leaves are known counts from the first position, by depth.
var leaves = map[int]uint64{7: 55092, 9: 3005288, 11: 212258800}

func perfts() []*reversiWork {
	var all []*reversiWork
	add := func(name string, depth int, p movegen.Perft, slow bool) {
		all = append(all, &reversiWork{name: name, unit: "s/pass", slow: slow, work: func(ctx context.Context) (float64, uint64, error) {
			n, err := p.Count(ctx, board.Start, depth)
			if err == nil && n != leaves[depth] {
				err = fmt.Errorf("%s: %d leaves (want %d)", name, n, leaves[depth])
			}
			return 1, n, err
		}})
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

// states measures what is carried along with a board, against counting it anew: numbers
// of discs and stable discs, over all moves of random games.
func states() []*reversiWork {
	type step struct {
		board board.Board
		move  board.Square
		flips uint64
	}
	var steps []step
	random := rand.New(rand.NewPCG(9, 60))
	for range 20 {
		for b := board.Start; !b.Over(); {
			if b.Moves() == 0 {
				b = b.Pass()
				continue
			}
			squares := board.Squares(b.Moves())
			x := squares[random.IntN(len(squares))]
			steps = append(steps, step{b, x, b.Flips(x)})
			b = b.Play(x, b.Flips(x))
		}
	}
	sink := uint64(0)
	return []*reversiWork{
		{name: "State/stable=anew", unit: "ns/move", work: func(context.Context) (float64, uint64, error) {
			for _, s := range steps {
				sink += eval.StateOf(s.board.Play(s.move, s.flips)).OwnStable
			}
			return float64(len(steps)), 0, nil
		}},
		{name: "State/stable=carried", unit: "ns/move", work: func(context.Context) (float64, uint64, error) {
			var state eval.State
			for _, s := range steps {
				switch {
				case s.board == board.Start:
					state = eval.StateOf(s.board)
				case s.board != state.Board:
					state = state.Pass()
				}
				state = state.Play(s.move, s.flips)
				sink += state.OwnStable
			}
			return float64(len(steps)), 0, nil
		}},
	}
}

// values measures evaluations.
func values(w *eval.Weights) []*reversiWork {
	sample := sampleBoards(400)
	hand := eval.DefaultHand()
	sum := 0
	subject := func(name string, f func(b board.Board) int) *reversiWork {
		return &reversiWork{name: "Value/" + name, unit: "ns/eval", work: func(context.Context) (float64, uint64, error) {
			for _, b := range sample {
				sum += f(b)
			}
			return float64(len(sample)), 0, nil
		}}
	}
	var features, next eval.Features
	features = eval.FeaturesOf(board.Start)
	turned := board.Start.Flips(19)
	return []*reversiWork{
		subject("eval=hand", hand.Evaluate),
		subject("eval=patterns/features=anew", w.Evaluate),
		// A move that turns one disc over is played on the features, and valued.
		subject("eval=patterns/features=carried", func(board.Board) int {
			features.Play(&next, 0, 19, turned)
			return w.Value(&next, 1, 5, 3)
		}),
	}
}

//go:embed reversi_ffo.json
var vectors embed.FS

// problem is a position with its exact score.
type problem struct {
	N           int
	Board, Side string
	Score       int
	board       board.Board
}

func fforum() ([]problem, error) {
	text, err := vectors.ReadFile("reversi_ffo.json")
	if err != nil {
		return nil, err
	}
	var v struct{ Positions []problem }
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	for i := range v.Positions {
		p, err := board.ParsePosition(v.Positions[i].Board, v.Positions[i].Side)
		if err != nil {
			return nil, err
		}
		v.Positions[i].board = p.Board
	}
	return v.Positions, nil
}

// reversiSearch is a row of the search: positions, all searched by one engine with an empty table.
type reversiSearch struct {
	name    string
	first   int // FForum position; 0 for positions of the midgame
	last    int
	boards  []board.Board
	depth   int // 0 for the exact score
	without engine.Technique
}

// reversiSearches measures the engine: sets of FForum positions and of the midgame, with and without each
// technique. A row of the midgame has the time of one search.
func reversiSearches(w *eval.Weights, problems []problem) ([]*reversiWork, error) {
	middle := midgames()
	var some []board.Board
	for i := 0; i < len(middle); i += 5 {
		some = append(some, middle[i])
	}
	unordered, err := engine.ParseTechniques("evaluation,iteration")
	if err != nil {
		return nil, err
	}
	rows := []reversiSearch{
		{name: "Solve/set=40/eval=learned", first: 40, last: 40},
		{name: "Solve/set=40-44/eval=learned", first: 40, last: 44},
		{name: "Solve/set=40-44/eval=none", first: 40, last: 44, without: unordered},
		{name: "Solve/set=1-39/eval=learned", first: 1, last: 39},
	}
	for i := range 10 { // so that a median can be taken over groups of five
		rows = append(rows, reversiSearch{name: fmt.Sprintf("Midgame/depth=10/positions=%d", i), boards: middle[5*i : 5*i+5], depth: 10})
	}
	rows = append(rows, reversiSearch{name: "Midgame/depth=10/without=none", boards: some, depth: 10})
	for _, name := range engine.Techniques() {
		set, err := engine.ParseTechniques(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, reversiSearch{name: "Solve/set=40/without=" + name, first: 40, last: 40, without: set},
			reversiSearch{name: "Midgame/depth=10/without=" + name, boards: some, depth: 10, without: set})
	}
	var all []*reversiWork
	for _, r := range rows {
		s := &reversiWork{name: r.name, unit: "s/pass", slow: true, work: r.work(w, problems)}
		if r.depth > 0 {
			s.unit = "ms/search"
		}
		all = append(all, s)
	}
	return all, nil
}

// work returns the work of a row, which makes its engine at the first pass.
func (r reversiSearch) work(w *eval.Weights, problems []problem) func(context.Context) (float64, uint64, error) {
	var e *engine.Engine
	return func(ctx context.Context) (units float64, nodes uint64, err error) {
		if e == nil {
			if e, err = engine.New(engine.Options{Weights: w, TableBits: 19, Without: r.without}); err != nil {
				return 0, 0, err
			}
		}
		search := func(b board.Board) (engine.Result, error) {
			e.Forget()
			found, err := e.Search(ctx, b, engine.Limits{Depth: r.depth})
			nodes += found.Nodes
			return found, err
		}
		for _, b := range r.boards {
			if _, err := search(b); err != nil {
				return 0, 0, err
			}
		}
		for _, p := range problems {
			if p.N < r.first || p.N > r.last {
				continue
			}
			found, err := search(p.board)
			if err == nil && found.Score() != p.Score {
				err = fmt.Errorf("FForum %d: score %d (want %d)", p.N, found.Score(), p.Score)
			}
			if err != nil {
				return 0, 0, err
			}
		}
		return float64(max(1, len(r.boards))), nodes, nil
	}
}

// midgames returns 50 fixed positions of 12 to 44 discs.
func midgames() []board.Board {
	const count = 50
	random := rand.New(rand.NewPCG(50, 10))
	var positions []board.Board
	for len(positions) < count {
		if b := walk(random, 12+len(positions)*32/count); b.Moves() != 0 {
			positions = append(positions, b)
		}
	}
	return positions
}

// sampleBoards returns positions of random games, with 9 discs and more.
func sampleBoards(n int) []board.Board {
	random := rand.New(rand.NewPCG(14, 64))
	var sample []board.Board
	for len(sample) < n {
		if b := walk(random, 9+len(sample)%52); b.Moves() != 0 {
			sample = append(sample, b)
		}
	}
	return sample
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
