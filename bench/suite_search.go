package bench

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/search/connectfour"
)

// searchGame is a game with positions to search by an algorithm and its techniques.
type searchGame struct {
	group   string // first part of the benchmarks' names; "" means Search
	name    string
	depth   int
	n       int // positions
	checked int // positions compared with the oracle, from the first on

	best    variant
	alone   bool // every algorithm is measured alone, too
	changes []change
	oracle  variant // the plainest searcher of the same values

	open func(v variant, options search.Options) (searcher, error)

	// right reports whether a move of a position is one of perfect play; nil where every search
	// finds these.
	right func(position, move int) bool
}

// searcher searches a position in a game.
type searcher func(position int, limits search.Limits) (search.Result, error)

// variant is a way to search: an algorithm with switches.
type variant struct {
	name    string // part of the benchmark's name
	Options search.Options
	Memory  int                 // bytes in the table; 0 for none
	Table   search.TableOptions // its other options
	Deepen  bool                // whether to deepen iteratively
	Keep    bool                // whether the table is emptied only before the first position
	Keys    keys                // the positions' keys, in tic-tac-toe
	Order   order               // the static order of moves
}

// keys are kinds of keys.
type keys string

const (
	packedKeys    keys = ""          // the packed position
	symmetricKeys keys = "symmetric" // symmetric boards share a key
	zobristKeys   keys = "zobrist"   // random numbers, combined by a move
)

// order is a static order of moves.
type order string

const (
	ownOrder    order = ""       // the game's
	randomOrder order = "random" // by a hash of the position behind the move
	worstOrder  order = "worst"  // the reverse of the game's
)

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
	random     = change{"+random-order", func(v *variant) { v.Order = randomOrder }}
	worst      = change{"+worst-order", func(v *variant) { v.Order = worstOrder }}
)

// window searches by aspiration from a window of half a width.
func window(half search.Value) change {
	return change{fmt.Sprint("+window-", half), func(v *variant) {
		v.Options.Algorithm, v.Options.Window = search.Aspiration, half
	}}
}

// tableChanges are replacement rules, widths of buckets, and bits of a key.
func tableChanges() (list []change) {
	for _, rule := range search.Replacements()[1:] {
		list = append(list, change{"+replacement-" + string(rule), func(v *variant) { v.Table.Replacement = rule }})
	}
	for _, width := range []int{1, 2} {
		list = append(list, change{fmt.Sprint("+bucket-", width), func(v *variant) { v.Table.Bucket = width }})
		list = append(list, change{fmt.Sprint("+always-bucket-", width), func(v *variant) {
			v.Table.Bucket, v.Table.Replacement = width, search.Always
		}})
	}
	for _, bits := range []int{8, 12, 16, 20, 24, 32, 40, 52} {
		list = append(list, change{fmt.Sprint("+key-bits-", bits), func(v *variant) { v.Table.KeyBits = bits }})
	}
	return list
}

// searchGames are the games in the suite search. Connect four without techniques, or in the
// reverse order of moves, would take minutes.
func searchGames(decisions int) []searchGame {
	ur := play.DefaultSearchOptions()
	ur.Algorithm = search.Star2
	expectiminimax := variant{Options: search.Options{Algorithm: search.Expectiminimax}}
	return []searchGame{
		{
			name: "tictactoe", depth: 9, n: 1, checked: 1, alone: true, open: openTicTacToe,
			best: variant{Memory: tinyMemory, Keys: symmetricKeys,
				Options: search.Options{Algorithm: search.AlphaBeta, Static: true, TableDepth: 2}},
			oracle: variant{Options: search.Options{Algorithm: search.Minimax}},
			changes: []change{
				{"symmetry", func(v *variant) { v.Keys, v.Memory = packedKeys, smallMemory }},
				{"+zobrist", func(v *variant) { v.Keys, v.Memory = zobristKeys, smallMemory }},
				noTable, noStatic, random, worst,
				{"+worst-order-alone", func(v *variant) {
					*v = variant{name: v.name, Order: worstOrder, Options: search.Options{Algorithm: search.AlphaBeta, Static: true}}
				}},
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
				random, tableMove, killers, history, nullWindow, window(1), window(8), window(40),
			},
		},
		{
			group: "Table", name: "connectfour", depth: connectfour.Squares - 14, n: len(solved), checked: 1, open: openConnectFour,
			best:    variant{Memory: smallMemory, Options: connectfour.Options()},
			oracle:  variant{Memory: fourMemory, Options: search.Options{Algorithm: search.AlphaBeta, Static: true}},
			changes: tableChanges(),
		},
		{
			group: "Horizon", name: "connectfour", depth: 4, n: judgedCount, open: openThreats, right: isPerfectMove,
			best: variant{Options: search.Options{Algorithm: search.PVS, Static: true}},
			changes: []change{
				{"+quiescence", func(v *variant) { v.Options.Quiescence = 8 }},
				{"+extensions", func(v *variant) { v.Options.Extensions = true }},
				{"+both", func(v *variant) { v.Options.Quiescence, v.Options.Extensions = 8, true }},
				{"+stable-1", func(v *variant) { v.Options.Stable, v.Deepen = 1, true }},
				{"+stable-2", func(v *variant) { v.Options.Stable, v.Deepen = 2, true }},
				deepening,
			},
		},
		{
			group: "Horizon", name: "connectfour", depth: 6, n: judgedCount, open: openThreats, right: isPerfectMove,
			best: variant{Options: search.Options{Algorithm: search.PVS, Static: true}},
			changes: []change{
				deepening,
				{"+stable-1", func(v *variant) { v.Options.Stable, v.Deepen = 1, true }},
				{"+stable-2", func(v *variant) { v.Options.Stable, v.Deepen = 2, true }},
			},
		},
		{
			name: "ur", depth: 3, n: decisions, checked: decisions, alone: true, open: openUr(decisions, false),
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
			group: "Game", name: "ur", depth: 4, n: 4 * decisions, checked: decisions, open: openUr(4*decisions, true),
			best: variant{Memory: largeMemory, Options: ur}, oracle: expectiminimax,
			changes: []change{
				{"+kept-table", func(v *variant) { v.Keep = true }}, deepening,
				{"+kept-table-deepening", func(v *variant) { v.Keep, v.Deepen = true, true }},
			},
		},
		{
			name: "ur", depth: 6, n: decisions, checked: 1, open: openUr(decisions, false),
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

// searcher returns a searcher for the game that empties its table before every search, unless the variant keeps
// it, so every search starts from scratch: to empty it is part of the work.
func (g searchGame) searcher(v variant) (find func(position int) (search.Result, error), err error) {
	limits := search.Limits{Depth: g.depth, First: g.depth}
	if v.Deepen {
		limits.First = 1
	}
	o := v.Options
	if v.Memory > 0 {
		v.Table.Bytes = v.Memory
		if o.Table, err = search.NewTableOf(v.Table); err != nil {
			return nil, err
		}
	}
	s, err := g.open(v, o)
	return func(position int) (search.Result, error) {
		if o.Table != nil && (!v.Keep || position == 0) {
			o.Table.Clear()
		}
		return s(position, limits)
	}, err
}

// benchmark searches every position once in a pass. Nodes are the same in every pass.
func (g searchGame) benchmark(v variant) (b sample.Benchmark, err error) {
	name := fmt.Sprintf("%s/game=%s/depth=%d/", cmp.Or(g.group, "Search"), g.name, g.depth)
	find, err := g.searcher(v)
	var work search.Work // of the last pass
	right := 0
	return sample.Benchmark{
		Name: name + v.name, Unit: "us/search", Base: name + g.bestName(),
		Check: func() error {
			oracle, err := g.searcher(g.oracle)
			if err != nil {
				return err
			}
			for i := range g.checked {
				if bits := v.Table.KeyBits; 0 < bits && bits < 32 {
					break // entries of other positions may change the value
				}
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
			work, right = search.Work{}, 0
			for i := range g.n {
				r, err := find(i)
				if err != nil {
					return 0, err
				}
				work = work.Plus(r.Work)
				if g.right != nil && g.right(i, r.Best) {
					right++
				}
			}
			return float64(g.n), nil
		},
		Metrics: func(perUnit float64) []report.Metric {
			each := func(n uint64) float64 { return float64(n) / float64(g.n) }
			list := []report.Metric{{Value: each(work.Nodes), Unit: "nodes/search"},
				{Value: 1e6 * each(work.Nodes) / perUnit, Unit: "nodes/s"}}
			if v.Memory > 0 {
				list = append(list, report.Metric{Value: each(work.Hits), Unit: "hits/search"},
					report.Metric{Value: each(work.Misses), Unit: "misses/search"})
			}
			if v.Table.KeyBits > 0 {
				list = append(list, report.Metric{Value: each(work.Collisions), Unit: "collisions/search"})
			}
			if g.right != nil {
				list = append(list, report.Metric{Value: 100 * float64(right) / float64(g.n), Unit: "right-%"})
			}
			return append(list, report.Metric{Value: each(work.Researches), Unit: "researches/search"})
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
