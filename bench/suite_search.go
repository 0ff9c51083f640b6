package bench

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/examples/connectfour"
	"github.com/seed-09dcdc84/ur/examples/tictactoe"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
)

// searchGame is a game with positions to search by an algorithm and its techniques.
type searchGame struct {
	name    string
	depth   int
	n       int // positions
	checked int // positions compared with the oracle, from the first on

	best    variant
	alone   bool // every algorithm is measured alone, too
	changes []change
	oracle  variant // the plainest searcher of the same values

	open func(v variant, options search.Options) (searcher, error)
}

// searcher searches a position in a game.
type searcher func(position int, limits search.Limits) (search.Result, error)

// variant is a way to search: an algorithm with switches.
type variant struct {
	name     string // part of the benchmark's name
	Options  search.Options
	Memory   int  // bytes in the table; 0 for none
	Deepen   bool // whether to deepen iteratively
	Symmetry bool // whether symmetric boards are one to the table, in tic-tac-toe
}

// Table sizes: emptying one is part of a search here, so it should not be larger than the
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

// Changes to several games.
var (
	noTable    = change{"table", func(v *variant) { v.Memory = 0 }}
	noStatic   = change{"static", func(v *variant) { v.Options.Static = false }}
	tableMove  = change{"+table-move", func(v *variant) { v.Options.TableMove = true }}
	withETC    = change{"+etc", func(v *variant) { v.Options.ETC = true }}
	killers    = change{"+killers", func(v *variant) { v.Options.Killers = true }}
	history    = change{"+history", func(v *variant) { v.Options.History = true }}
	deepening  = change{"+deepening", func(v *variant) { v.Deepen = true }}
	nullWindow = change{"+null-windows", func(v *variant) { v.Options.Algorithm = search.MTDF }}
)

// searchGames are the games in the suite search. Connect four alone would take minutes.
func searchGames(decisions int) []searchGame {
	ur := play.DefaultSearchOptions()
	ur.Algorithm = search.Star2
	expectiminimax := variant{Options: search.Options{Algorithm: search.Expectiminimax}}
	return []searchGame{
		{
			name: "tictactoe", depth: 9, n: 1, checked: 1, alone: true, open: openTicTacToe,
			best: variant{Memory: tinyMemory, Symmetry: true,
				Options: search.Options{Algorithm: search.AlphaBeta, Static: true, TableDepth: 2}},
			oracle: variant{Options: search.Options{Algorithm: search.Minimax}},
			changes: []change{
				{"symmetry", func(v *variant) { v.Symmetry, v.Memory = false, smallMemory }}, noTable, noStatic,
				{"table-depth", func(v *variant) { v.Options.TableDepth = 0 }},
				tableMove, withETC, killers, history, deepening,
				{"+scout", func(v *variant) { v.Options.Algorithm = search.PVS }}, nullWindow,
			},
		},
		{
			name: "connectfour", depth: connectfour.Squares - 14, n: len(solved), checked: 1, open: openConnectFour,
			best:   variant{Memory: fourMemory, Options: connectfour.Options()},
			oracle: variant{Memory: fourMemory, Options: search.Options{Algorithm: search.AlphaBeta, Static: true}},
			changes: []change{
				{"bounds", func(v *variant) { v.Options.Bounds = false }},
				{"etc", func(v *variant) { v.Options.ETC = false }}, noStatic,
				tableMove, killers, history, nullWindow,
			},
		},
		{
			name: "ur", depth: 3, n: decisions, checked: decisions, alone: true, open: openUr(decisions),
			best: variant{Memory: smallMemory, Options: ur}, oracle: expectiminimax,
			changes: []change{
				noTable, noStatic,
				{"scout", func(v *variant) { v.Options.NoScout = true }},
				{"last-roll", func(v *variant) { v.Options.NoLast = true }},
				{"probing", func(v *variant) { v.Options.Algorithm = search.Star1 }},
				tableMove, withETC, deepening,
			},
		},
		{
			name: "ur", depth: 6, n: decisions, checked: 1, open: openUr(decisions),
			best:   variant{Memory: largeMemory, Options: ur},
			oracle: variant{Memory: largeMemory, Options: expectiminimax.Options},
		},
	}
}

// bestName is the best variant's name.
func (g searchGame) bestName() string {
	return fmt.Sprintf("algorithm=%s/without=none", g.best.Options.Algorithm)
}

// variants returns every algorithm alone, if they are measured, then the best one, and it without, or
// with, each technique.
func (g searchGame) variants() (list []variant) {
	for _, a := range search.Algorithms() {
		if g.alone && a.Dice() == g.best.Options.Algorithm.Dice() {
			list = append(list, variant{name: fmt.Sprintf("algorithm=%s/without=all", a),
				Options: search.Options{Algorithm: a, NoLast: true, NoScout: true}})
		}
	}
	best := g.best
	best.name = g.bestName()
	list = append(list, best)
	for _, c := range g.changes {
		v := best
		v.name = fmt.Sprintf("algorithm=%s/without=%s", best.Options.Algorithm, c.name)
		if with, ok := strings.CutPrefix(c.name, "+"); ok {
			v.name = fmt.Sprintf("algorithm=%s/with=%s", best.Options.Algorithm, with)
		}
		c.apply(&v)
		list = append(list, v)
	}
	return list
}

// searcher returns a searcher for the game that empties its table before every search, so every search
// starts from scratch: to empty it is part of the work.
func (g searchGame) searcher(v variant) (find func(position int) (search.Result, error), err error) {
	limits := search.Limits{Depth: g.depth, First: g.depth}
	if v.Deepen {
		limits.First = 1
	}
	o := v.Options
	if v.Memory > 0 {
		if o.Table, err = search.NewTable(v.Memory); err != nil {
			return nil, err
		}
	}
	s, err := g.open(v, o)
	return func(position int) (search.Result, error) {
		if o.Table != nil {
			o.Table.Clear()
		}
		return s(position, limits)
	}, err
}

// benchmark searches every position once in a pass. Nodes are the same in every pass.
func (g searchGame) benchmark(v variant) (b sample.Benchmark, err error) {
	name := fmt.Sprintf("Search/game=%s/depth=%d/", g.name, g.depth)
	find, err := g.searcher(v)
	nodes := 0.0 // nodes in the last pass, for each search
	return sample.Benchmark{
		Name: name + v.name, Unit: "us/search", Base: name + g.bestName(),
		Check: func() error {
			oracle, err := g.searcher(g.oracle)
			if err != nil {
				return err
			}
			for i := range g.checked {
				got, err := find(i)
				if err != nil {
					return err
				}
				want, err := oracle(i)
				if err != nil || got.Value != want.Value || got.Best != want.Best {
					return fmt.Errorf("position %d has value %d by move %d, oracle %d by move %d (%v)", i, got.Value,
						got.Best, want.Value, want.Best, err)
				}
			}
			return nil
		},
		Pass: func() (units float64, err error) {
			all := uint64(0)
			for i := range g.n {
				r, err := find(i)
				if err != nil {
					return 0, err
				}
				all += r.Nodes
			}
			nodes = float64(all) / float64(g.n)
			return float64(g.n), nil
		},
		Metrics: func(perUnit float64) []report.Metric {
			return []report.Metric{{Value: nodes, Unit: "nodes/search"},
				{Value: 1e6 * nodes / perUnit, Unit: "nodes/s"}}
		},
	}, err
}

// urDecisions is how many of Ur's decisions the suite search takes.
const urDecisions = 5

// selectSearch measures every algorithm and technique in package search: on tic-tac-toe's empty
// board, on positions in connect four, and over decisions in Ur.
func selectSearch(Selection) (set Set, err error) { return searchesOf(searchGames(urDecisions)) }

func searchesOf(games []searchGame) (set Set, err error) {
	for _, g := range games {
		for _, v := range g.variants() {
			b, err := g.benchmark(v)
			if err != nil {
				return set, err
			}
			set.Benchmarks = append(set.Benchmarks, b)
		}
	}
	return set, nil
}

// openTicTacToe searches the empty board to the game's end.
func openTicTacToe(v variant, o search.Options) (searcher, error) {
	game := func(find func(context.Context, tictactoe.Position, search.Limits) (search.Result, error)) searcher {
		return func(_ int, l search.Limits) (search.Result, error) {
			return find(context.Background(), tictactoe.Position{}, l)
		}
	}
	if v.Symmetry {
		s, err := search.New(tictactoe.NewSymmetricGame(), o)
		return game(s.Search), err
	}
	s, err := search.New(tictactoe.Game{}, o)
	return game(s.Search), err
}

// solved are positions in connect four, with their values.
var solved = []struct {
	game  string
	value search.Value
}{{"52522355661526", 4}, {"34761333776732", 4}, {"77161237334663", 2}}

// openConnectFour solves positions.
func openConnectFour(_ variant, o search.Options) (searcher, error) {
	s, err := search.New[connectfour.Position](connectfour.Game{}, o)
	return func(i int, l search.Limits) (search.Result, error) {
		p, err := connectfour.Parse(solved[i].game)
		if err != nil {
			return search.Result{}, err
		}
		r, err := s.Search(context.Background(), p, l)
		if err == nil && r.Value != solved[i].value {
			err = fmt.Errorf("position %s has value %d (want %d)", solved[i].game, r.Value, solved[i].value)
		}
		return r, err
	}, err
}

// openUr searches decisions, whose leaves the built-in net values.
func openUr(n int) func(variant, search.Options) (searcher, error) {
	return func(_ variant, o search.Options) (searcher, error) {
		decisions, err := searchDecisions(n)
		if err != nil {
			return nil, err
		}
		p, err := play.ParsePlayer("search:depth=1,leaf=net")
		if err != nil {
			return nil, err
		}
		player := p.Source.(play.Search)
		player.Options, player.Memory = o, 0
		s, err := player.Searcher(context.Background(), board.FinkelPieces)
		return func(i int, l search.Limits) (search.Result, error) {
			return s.Search(context.Background(), decisions[i].position, decisions[i].roll, l)
		}, err
	}
}

// searchDecisions returns n fixed decisions, one from each of the built-in brain's first games
// against itself on a seed's dice. Game k contributes the first decision from turn 7k mod 150 on,
// so all parts of a game occur.
func searchDecisions(n int) (list []replayed, err error) {
	const seed = 12
	game, err := replayGame(ur.Setup{Light: ur.DefaultBrain(), Dark: ur.DefaultBrain()})
	if err != nil {
		return nil, err
	}
	for number := uint64(0); len(list) < n; number++ {
		turn, before := uint64(0), len(list)
		replay(game, seed, number, func(r replayed) {
			if len(list) == before && len(r.moves) > 1 && turn >= number*7%150 {
				r.moves = nil // valid during the call
				list = append(list, r)
			}
			turn++
		})
	}
	return list, nil
}
