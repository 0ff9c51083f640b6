// Package suite has the benchmarks of the suite reversi: generators of moves, perft, the
// endgame solver and the search of the midgame, with each technique left out in turn.
package suite

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/endgame"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
	"github.com/seed-09dcdc84/ur/search"
)

// Subject is a timed piece of work: an [experiment.Subject].
type Subject struct {
	name, unit string
	base       string // that ratios refer to; "" for none
	slow       bool   // a pass takes up to seconds
	wall       bool   // timed by the wall clock: several threads share the work
	work       func(ctx context.Context) (units float64, nodes uint64, err error)
	nodes      uint64 // visited by the last pass
}

// Name begins with the group, as in "Moves/generator=rays".
func (s *Subject) Name() string { return s.name }

// Unit is the time of a unit of work, such as "ns/list".
func (s *Subject) Unit() string { return s.unit }

// Describe compares with the base, and adds the nodes.
func (s *Subject) Describe(b *experiment.Benchmark) {
	b.Base = s.base
	if s.wall {
		b.Clock = experiment.WallClock
	}
	b.Metrics = func(perUnit float64) []experiment.Metric {
		if s.nodes == 0 {
			return nil
		}
		return []experiment.Metric{{Value: float64(s.nodes), Unit: "nodes/pass"}}
	}
}

// Check does the work once. Every pass compares its results with known ones; a slow one
// is not done an additional time for it.
func (s *Subject) Check() error {
	if s.slow {
		return nil
	}
	_, err := s.Pass()
	return err
}

// Pass does the work once and returns how many units it was.
func (s *Subject) Pass() (float64, error) {
	units, nodes, err := s.work(context.Background())
	s.nodes = nodes
	return units, err
}

// All lists the available subjects.
func All() ([]*Subject, error) {
	w, err := eval.Learned()
	if err != nil {
		return nil, err
	}
	problems, err := fforum()
	if err != nil {
		return nil, err
	}
	var all []*Subject
	all = append(all, generators()...)
	all = append(all, perfts()...)
	all = append(all, states()...)
	all = append(all, values(w)...)
	all = append(all, solves(w, problems)...)
	all = append(all, midgames(w)...)
	for _, s := range all {
		s.base = base(all, s.name)
	}
	return all, nil
}

// base is the first benchmark with the same name except for its last part: the plainest
// of its family, or the one that leaves nothing out. Different positions have none.
func base(all []*Subject, name string) string {
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
func generators() []*Subject {
	sample := sampleBoards(400)
	var all []*Subject
	for _, g := range movegen.Available() {
		name := "generator=" + clean(g.Name())
		all = append(all, &Subject{name: "Moves/" + name, unit: "ns/list", work: func(context.Context) (float64, uint64, error) {
			sum := 0
			for _, b := range sample {
				sum += bits.OnesCount64(g.Moves(b))
			}
			return float64(len(sample)), 0, same(g.Name(), sum, movesOf(sample))
		}}, &Subject{name: "Flips/" + name, unit: "ns/flip", work: func(context.Context) (float64, uint64, error) {
			n := 0
			for _, b := range sample {
				for moves := board.Moves(b.Own, b.Opp); moves != 0; moves &= moves - 1 {
					if g.Flips(b, board.First(moves)) != 0 {
						n++
					}
				}
			}
			return float64(n), 0, same(g.Name(), n, movesOf(sample))
		}}, &Subject{name: "Expand/" + name, unit: "ns/child", work: func(context.Context) (float64, uint64, error) {
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
var leaves = map[int]uint64{7: 55092, 9: 3005288, 11: 212258800, 12: 1939886636}

func perfts() []*Subject {
	var all []*Subject
	add := func(name string, depth int, p movegen.Perft, slow bool) *Subject {
		s := &Subject{name: name, unit: "s/pass", slow: slow, work: func(ctx context.Context) (float64, uint64, error) {
			n, err := p.Count(ctx, board.Start, depth)
			if err == nil && n != leaves[depth] {
				err = fmt.Errorf("%s: %d leaves (want %d)", name, n, leaves[depth])
			}
			return 1, n, err
		}}
		all = append(all, s)
		return s
	}
	for _, g := range movegen.Available() {
		add("Perft/depth=9/generator="+clean(g.Name()), 9, movegen.Perft{Generator: g}, g.Name() == "array")
	}
	rays, _ := movegen.Lookup("rays")
	add("Perft/depth=11/generator=rays", 11, movegen.Perft{Generator: rays}, true)
	if best := movegen.Fastest(); best.Name() != "rays" {
		add("Perft/depth=11/generator="+clean(best.Name()), 11, movegen.Perft{Generator: best}, true)
	}
	add("Perft/depth=11/hash=20", 11, movegen.Perft{HashBits: 20}, true)
	for _, threads := range []int{1, 2} {
		add(fmt.Sprintf("Perft/depth=12/threads=%d", threads), 12, movegen.Perft{Threads: threads}, true).wall = true
	}
	return all
}

// states measures what is carried along with a board, against counting it anew: numbers
// of discs and stable discs, over all moves of random games.
func states() []*Subject {
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
	return []*Subject{
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
func values(w *eval.Weights) []*Subject {
	sample := sampleBoards(400)
	hand := eval.DefaultHand()
	sum := 0
	subject := func(name string, f func(b board.Board) int) *Subject {
		return &Subject{name: "Value/" + name, unit: "ns/eval", work: func(context.Context) (float64, uint64, error) {
			for _, b := range sample {
				sum += f(b)
			}
			return float64(len(sample)), 0, nil
		}}
	}
	var features, next eval.Features
	features = eval.FeaturesOf(board.Start)
	turned := board.Start.Flips(19)
	return []*Subject{
		subject("eval=hand", hand.Evaluate),
		subject("eval=patterns/features=anew", w.Evaluate),
		// A move that turns one disc over is played on the features, and valued.
		subject("eval=patterns/features=carried", func(board.Board) int {
			features.Play(&next, 0, 19, turned)
			return w.Value(&next, 1, 5, 3)
		}),
	}
}

//go:embed ffo.json
var vectors embed.FS

// problem is a position with its exact score.
type problem struct {
	N           int
	Board, Side string
	Score       int
	board       board.Board
}

func fforum() ([]problem, error) {
	text, err := vectors.ReadFile("ffo.json")
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

// solves measures the solver: sets of positions with and without an evaluation, and the
// shortest set with each technique left out.
func solves(w *eval.Weights, problems []problem) []*Subject {
	var all []*Subject
	add := func(name string, first, last int, o endgame.Options) {
		if o.TableBits == 0 {
			o.TableBits = 19
		}
		var solver *endgame.Solver
		all = append(all, &Subject{name: "Solve/" + name, unit: "s/pass", slow: true, work: func(ctx context.Context) (float64, uint64, error) {
			var err error
			if solver == nil {
				if solver, err = endgame.New(o); err != nil {
					return 0, 0, err
				}
			}
			nodes := uint64(0)
			for _, p := range problems {
				if p.N < first || p.N > last {
					continue
				}
				solver.Forget()
				r, err := solver.Solve(ctx, p.board)
				if err == nil && r.Score != p.Score {
					err = fmt.Errorf("FForum %d: score %d (want %d)", p.N, r.Score, p.Score)
				}
				if err != nil {
					return 0, 0, err
				}
				nodes += r.Nodes
			}
			return 1, nodes, nil
		}})
	}
	add("set=40/eval=learned", 40, 40, endgame.Options{Weights: w})
	add("set=40-44/eval=learned", 40, 44, endgame.Options{Weights: w})
	add("set=40-44/eval=none", 40, 44, endgame.Options{})
	add("set=1-39/eval=learned", 1, 39, endgame.Options{Weights: w})
	for _, name := range endgame.Techniques() {
		without, _ := endgame.ParseTechniques(name)
		add("set=40/without="+name, 40, 40, endgame.Options{Weights: w, Without: without})
	}
	return all
}

// Midgames is how many fixed positions the midgame is searched from.
const Midgames = 50

// midgames measures searches of the midgame: the time is the median over the positions.
func midgames(w *eval.Weights) []*Subject {
	random := rand.New(rand.NewPCG(50, 10))
	var positions []board.Board
	for len(positions) < Midgames {
		if b := walk(random, 12+len(positions)*32/Midgames); b.Moves() != 0 {
			positions = append(positions, b)
		}
	}
	var all []*Subject
	add := func(name string, depth int, positions []board.Board, without string) {
		var s *search.Searcher[reversi.State, *reversi.Midgame]
		var table *search.Table
		all = append(all, &Subject{name: "Midgame/" + name, unit: "ms/search", slow: true, work: func(ctx context.Context) (float64, uint64, error) {
			var err error
			if s == nil {
				if table, err = search.NewTable(1<<24, search.Buckets); err != nil {
					return 0, 0, err
				}
				o := reversi.DefaultSearch()
				o.Table = table
				if without != "none" {
					if err := reversi.Without(&o, without); err != nil {
						return 0, 0, err
					}
				}
				if s, err = search.New[reversi.State](reversi.NewMidgame(w), o); err != nil {
					return 0, 0, err
				}
			}
			game := reversi.NewMidgame(w)
			nodes := uint64(0)
			for _, b := range positions {
				table.Clear()
				r, err := s.Search(ctx, game.State(b), search.Limits{Depth: depth})
				if err == nil && r.Depth != depth && ctx.Err() == nil {
					err = fmt.Errorf("%s: only %d plies", name, r.Depth)
				}
				if err != nil || ctx.Err() != nil {
					return 0, 0, errorsOr(err, ctx.Err())
				}
				nodes += r.Nodes
			}
			return float64(len(positions)), nodes, nil
		}})
	}
	for i := range 10 { // so that a median can be taken over groups of five
		add(fmt.Sprintf("depth=10/positions=%d", i), 10, positions[5*i:5*i+5], "none")
	}
	var some []board.Board
	for i := 0; i < len(positions); i += 5 {
		some = append(some, positions[i])
	}
	for _, name := range append([]string{"none"}, reversi.Techniques()...) {
		add("depth=10/without="+name, 10, some, name)
	}
	return all
}

func errorsOr(first, second error) error {
	if first != nil {
		return first
	}
	return second
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
