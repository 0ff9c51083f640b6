package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/examples/connectfour"
	"github.com/seed-09dcdc84/ur/examples/tictactoe"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
)

// SearchDecision is a position with a roll and a choice of moves.
type SearchDecision struct {
	Position board.Position
	Roll     int
}

// SearchDecisions returns n fixed decisions, one from each of the first games of the built-in brain
// against itself on the dice of a seed. Game k contributes the first decision from turn 7k mod 150 on, so all
// parts of a game occur.
func SearchDecisions(n int) ([]SearchDecision, error) {
	const seed = 12
	game, err := replayGame(ur.Setup{Light: ur.DefaultBrain(), Dark: ur.DefaultBrain()})
	if err != nil {
		return nil, err
	}
	var list []SearchDecision
	for number := uint64(0); len(list) < n; number++ {
		turn, before := uint64(0), len(list)
		replay(game, seed, number, func(r replayed) {
			if len(list) == before && len(r.moves) > 1 && turn >= number*7%150 {
				list = append(list, SearchDecision{r.position, r.roll})
			}
			turn++
		})
	}
	return list, nil
}

// variant is a way to search: an algorithm with switches.
type variant struct {
	Algorithm search.Algorithm
	Without   string // the technique that the best configuration lacks; "none", or "all" for the algorithm alone
	With      string // a technique that it has in addition; "" for none, and no Without
	Options   search.Options
	Memory    int  // of the table; 0 for none
	Deepen    bool // by iterative deepening
	Symmetry  bool // of tic-tac-toe: symmetric boards are one to the table
}

// Sizes of tables: emptying one is part of a search here, so it should not be larger than the
// search needs.
const (
	tinyMemory  = 1 << 13 // the empty board of tic-tac-toe
	smallMemory = 1 << 16 // up to depth 4
	largeMemory = 1 << 20
	fourMemory  = 1 << 22 // connect four
)

// change is a technique to leave out or, with a name that begins with "+", to add.
type change struct {
	name  string
	apply func(v *variant)
}

// ladder returns every algorithm alone, then the best configuration and it without, or
// with, each technique.
func ladder(dice bool, best variant, techniques []change) (list []variant) {
	for _, a := range search.Algorithms() {
		if a.Dice() == dice {
			list = append(list, variant{Algorithm: a, Without: "all", Options: search.Options{Algorithm: a, NoLast: true, NoScout: true}})
		}
	}
	best.Without = "none"
	best.Options.Algorithm = best.Algorithm
	list = append(list, best)
	for _, t := range techniques {
		v := best
		if with, ok := strings.CutPrefix(t.name, "+"); ok {
			v.With, v.Without = with, ""
		} else {
			v.Without = t.name
		}
		t.apply(&v)
		list = append(list, v)
	}
	return list
}

// ticTacToeVariants returns the variants for searching the empty board.
func ticTacToeVariants() []variant {
	best := variant{
		Algorithm: "alphabeta", Memory: tinyMemory, Symmetry: true, Options: search.Options{Static: true, TableDepth: 2},
	}
	return ladder(false, best, []change{
		{"symmetry", func(v *variant) { v.Symmetry, v.Memory = false, smallMemory }},
		{"table", func(v *variant) { v.Memory = 0 }},
		{"static", func(v *variant) { v.Options.Static = false }},
		{"table-depth", func(v *variant) { v.Options.TableDepth = 0 }},
		{"+table-move", func(v *variant) { v.Options.TableMove = true }},
		{"+etc", func(v *variant) { v.Options.ETC = true }},
		{"+killers", func(v *variant) { v.Options.Killers = true }},
		{"+history", func(v *variant) { v.Options.History = true }},
		{"+deepening", func(v *variant) { v.Deepen = true }},
		{"+scout", func(v *variant) { v.Options.Algorithm = "pvs" }},
		{"+null-windows", func(v *variant) { v.Options.Algorithm = "mtdf" }},
	})
}

// connectFourVariants returns the variants for solving positions of connect four: the best configuration,
// and it without, or with, each technique.
func connectFourVariants() []variant {
	best := variant{Algorithm: search.PVS, Memory: fourMemory, Symmetry: true, Options: connectfour.Options()}
	list := ladder(false, best, []change{
		{"bounds", func(v *variant) { v.Options.Bounds = false }},
		{"etc", func(v *variant) { v.Options.ETC = false }},
		{"static", func(v *variant) { v.Options.Static = false }},
		{"+table-move", func(v *variant) { v.Options.TableMove = true }},
		{"+killers", func(v *variant) { v.Options.Killers = true }},
		{"+history", func(v *variant) { v.Options.History = true }},
		{"+null-windows", func(v *variant) { v.Options.Algorithm = search.MTDF }},
	})
	return slices.DeleteFunc(list, func(v variant) bool { return v.Without == "all" }) // which take minutes
}

// solved are the positions of connect four, with their values.
var solved = []struct {
	game  string
	value search.Value
}{{"52522355661526", 4}, {"34761333776732", 4}, {"77161237334663", 2}}

// fourDepth is the number of squares left in these positions.
const fourDepth = connectfour.Squares - 14

// connectFourSearches solves positions of connect four.
func connectFourSearches(v variant) (*searches, error) {
	o, err := v.options()
	if err != nil {
		return nil, err
	}
	s, err := search.New[connectfour.Position](connectfour.Game{}, o)
	if err != nil {
		return nil, err
	}
	return &searches{variant: v, game: "connectfour", depth: fourDepth, options: o, n: len(solved), checked: 1, search: func(i int) (search.Result, error) {
		p, err := connectfour.Parse(solved[i].game)
		if err != nil {
			return search.Result{}, err
		}
		r, err := s.Search(context.Background(), p, v.limits(fourDepth))
		if err == nil && r.Value != solved[i].value {
			err = fmt.Errorf("position %s has value %d (want %d)", solved[i].game, r.Value, solved[i].value)
		}
		return r, err
	}}, nil
}

// urVariants returns the variants for searching decisions of Ur, whose leaves the built-in net values.
func urVariants() []variant {
	best := variant{Algorithm: "star2", Memory: smallMemory, Deepen: false, Options: play.DefaultSearchOptions()}
	return ladder(true, best, []change{
		{"table", func(v *variant) { v.Memory = 0 }},
		{"static", func(v *variant) { v.Options.Static = false }},
		{"scout", func(v *variant) { v.Options.NoScout = true }},
		{"last-roll", func(v *variant) { v.Options.NoLast = true }},
		{"probing", func(v *variant) { v.Options.Algorithm = "star1" }},
		{"+table-move", func(v *variant) { v.Options.TableMove = true }},
		{"+etc", func(v *variant) { v.Options.ETC = true }},
		{"+deepening", func(v *variant) { v.Deepen = true }},
	})
}

// options returns the options with a table of their own.
func (v variant) options() (search.Options, error) {
	o := v.Options
	if v.Memory == 0 {
		return o, nil
	}
	var err error
	o.Table, err = search.NewTable(v.Memory, search.Buckets)
	return o, err
}

// limits returns those of a search to a depth.
func (v variant) limits(depth int) search.Limits {
	if v.Deepen {
		return search.Limits{Depth: depth, First: 1}
	}
	return search.Limits{Depth: depth, First: depth}
}

// searches is a variant with positions to search.
type searches struct {
	variant variant
	game    string
	depth   int
	options search.Options
	search  func(i int) (search.Result, error) // of position i
	n       int
	checked int     // maximum number of positions compared with the oracle
	nodes   float64 // of the last pass, for each search
}

// ticTacToeSearches searches the empty board to the end of the game.
func ticTacToeSearches(v variant) (*searches, error) {
	o, err := v.options()
	if err != nil {
		return nil, err
	}
	look, err := boardSearch(v, o)
	if err != nil {
		return nil, err
	}
	return &searches{variant: v, game: "tictactoe", depth: 9, options: o, n: 1, checked: 1, search: func(int) (search.Result, error) {
		return look(context.Background(), tictactoe.Position{}, v.limits(9))
	}}, nil
}

// boardSearch returns the search of a board of tic-tac-toe.
func boardSearch(v variant, o search.Options) (func(context.Context, tictactoe.Position, search.Limits) (search.Result, error), error) {
	if v.Symmetry {
		s, err := search.New(tictactoe.SymmetricGame{}, o)
		if err != nil {
			return nil, err
		}
		return s.Search, nil
	}
	s, err := search.New(tictactoe.Game{}, o)
	if err != nil {
		return nil, err
	}
	return s.Search, nil
}

// urDepth is the depth of the searches of Ur.
const urDepth = 3

// urSearches searches decisions to a depth.
func urSearches(v variant, n, depth int) (*searches, error) {
	decisions, err := SearchDecisions(n)
	if err != nil {
		return nil, err
	}
	o, err := v.options()
	if err != nil {
		return nil, err
	}
	p, err := play.ParsePlayer("search:depth=1,leaf=net")
	if err != nil {
		return nil, err
	}
	s, _, err := p.(play.Search).SearcherWith(context.Background(), board.FinkelPieces, o)
	if err != nil {
		return nil, err
	}
	return &searches{variant: v, game: "ur", depth: depth, options: o, n: len(decisions), checked: len(decisions), search: func(i int) (search.Result, error) {
		return s.Search(context.Background(), decisions[i].Position, decisions[i].Roll, v.limits(depth))
	}}, nil
}

// name is the name of the benchmark.
func (s *searches) name() string {
	name := fmt.Sprintf("Search/game=%s/depth=%d/algorithm=%s", s.game, s.depth, s.variant.Algorithm)
	if s.variant.With != "" {
		return name + "/with=" + s.variant.With
	}
	return name + "/without=" + s.variant.Without
}

// check compares every value and best move with those of the oracle.
func (s *searches) check() error {
	oracle, err := s.oracle()
	if err != nil {
		return err
	}
	for i := range min(s.n, s.checked) {
		s.forget()
		got, err := s.search(i)
		if err != nil {
			return err
		}
		want, err := oracle.search(i)
		if err != nil {
			return err
		}
		if got.Value != want.Value || got.Best != want.Best {
			return fmt.Errorf("%s: position %d has value %d by move %d, oracle %d by move %d",
				s.name(), i, got.Value, got.Best, want.Value, want.Best)
		}
	}
	return nil
}

// oracle is the plainest subject of the same game. At a depth too slow for it, it has a table
// and the last roll in one call.
func (s *searches) oracle() (*searches, error) {
	switch s.game {
	case "connectfour":
		return connectFourSearches(variant{Algorithm: search.AlphaBeta, Memory: fourMemory, Options: search.Options{Algorithm: search.AlphaBeta, Static: true}})
	case "tictactoe":
		return ticTacToeSearches(variant{Options: search.Options{Algorithm: "minimax"}})
	}
	v := variant{Options: search.Options{Algorithm: "expectiminimax"}}
	if s.depth > 4 {
		v.Memory = largeMemory
	}
	return urSearches(v, s.n, s.depth)
}

// forget empties the table, so every search starts from scratch.
func (s *searches) forget() {
	if s.options.Table != nil {
		s.options.Table.Clear()
	}
}

// pass searches every position once, each with an empty table: to empty it is part of
// the work.
func (s *searches) pass() (units float64, err error) {
	nodes := uint64(0)
	for i := range s.n {
		s.forget()
		r, err := s.search(i)
		if err != nil {
			return 0, err
		}
		nodes += r.Nodes
	}
	s.nodes = float64(nodes) / float64(s.n)
	return float64(s.n), nil
}

// benchmark returns the searches as a benchmark. Nodes are the same in every pass.
func (s *searches) benchmark(base string) sample.Benchmark {
	return sample.Benchmark{
		Name: s.name(), Unit: "us/search", Base: base, Check: s.check, Pass: s.pass,
		Metrics: func(perUnit float64) []sample.Metric {
			return []sample.Metric{{Value: s.nodes, Unit: "nodes/search"}, {Value: 1e6 * s.nodes / perUnit, Unit: "nodes/s"}}
		},
	}
}

// urDecisions is the number of decisions of Ur that the suite search takes.
const urDecisions = 5

// selectSearch measures every algorithm and technique of package search: on the empty board of
// tic-tac-toe, on positions of connect four, and over decisions of Ur.
func selectSearch(Selection) (set Set, err error) {
	list, err := allSearches(urDecisions)
	base := ""
	for i, s := range list {
		if i == 0 || s.game != list[i-1].game || s.depth != list[i-1].depth {
			base = ""
			for _, other := range list[i:] {
				if other.game == s.game && other.variant.Without == "none" {
					base = other.name()
				}
			}
		}
		set.Benchmarks = append(set.Benchmarks, s.benchmark(base))
	}
	return set, err
}

// allSearches returns the searches of all games.
func allSearches(decisions int) (list []*searches, err error) {
	for _, game := range []struct {
		variants []variant
		searches func(variant) (*searches, error)
	}{
		{ticTacToeVariants(), ticTacToeSearches},
		{connectFourVariants(), connectFourSearches},
		{urVariants(), func(v variant) (*searches, error) { return urSearches(v, decisions, urDepth) }},
	} {
		for _, v := range game.variants {
			s, err := game.searches(v)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
}
