// Package searching has the benchmarks of the suite search: the gain of every algorithm
// and every technique of package search, in two games without dice and in the Royal Game of
// Ur.
package searching

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/examples/connectfour"
	"github.com/seed-09dcdc84/ur/examples/tictactoe"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
)

// Decision is a position with a roll and a choice of moves.
type Decision struct {
	Position board.Position
	Roll     int
}

// Decisions returns n fixed decisions, one from each of the first games of the built-in brain
// against itself on the dice of a seed. Game k contributes the first decision from turn 7k mod 150 on, so all
// parts of a game occur.
func Decisions(n int) []Decision {
	const seed = 12
	brain := ur.DefaultBrain()
	list := make([]Decision, 0, n)
	for game := uint64(0); len(list) < n; game++ {
		p := board.StartPosition(board.MaxPieces)
		dice := board.NewDice(seed, game)
		for turn := uint64(0); ; turn++ {
			roll := dice.Roll()
			moves := p.Moves(nil, roll)
			if len(moves) > 1 && turn >= game*7%150 {
				list = append(list, Decision{p, roll})
				break
			}
			if p = next(brain, p, moves); isOver(p) {
				break
			}
		}
	}
	return list
}

// next is the position after a brain's move.
func next(b *ur.Brain, p board.Position, moves []board.Move) board.Position {
	if len(moves) == 0 {
		return p.Pass()
	}
	sign := 1 - 2*int32(p.Turn())
	best := p.Apply(moves[0])
	for _, m := range moves[1:] {
		if q := p.Apply(m); sign*b.Value(q) > sign*b.Value(best) {
			best = q
		}
	}
	return best
}

func isOver(p board.Position) bool {
	_, over := p.Winner()
	return over
}

// Variant is a way to search: an algorithm with switches.
type Variant struct {
	Algorithm search.Algorithm
	Without   string // the technique that the best configuration lacks; "none", or "all" for the algorithm alone
	With      string // a technique that it has in addition; "" for none, and no Without
	Options   search.Options
	Memory    int  // of the table; 0 for none
	Deepen    bool // by iterative deepening
	Symmetry  bool // of tic-tac-toe: symmetric boards are one to the table
	Net       bool // of Ur: leaves are valued by the built-in net and not by the brain
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
	apply func(v *Variant)
}

// ladder returns every algorithm alone, then the best configuration and it without, or
// with, each technique.
func ladder(dice bool, best Variant, techniques []change) (list []Variant) {
	for _, a := range search.Algorithms() {
		if a.Dice() == dice {
			list = append(list, Variant{Algorithm: a, Without: "all", Options: search.Options{Algorithm: a, NoLast: true, NoScout: true}})
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

// TicTacToe returns the variants for searching the empty board.
func TicTacToe() []Variant {
	best := Variant{
		Algorithm: "alphabeta", Memory: tinyMemory, Symmetry: true, Options: search.Options{Static: true, TableDepth: 2},
	}
	return ladder(false, best, []change{
		{"symmetry", func(v *Variant) { v.Symmetry, v.Memory = false, smallMemory }},
		{"table", func(v *Variant) { v.Memory = 0 }},
		{"static", func(v *Variant) { v.Options.Static = false }},
		{"table-depth", func(v *Variant) { v.Options.TableDepth = 0 }},
		{"+table-move", func(v *Variant) { v.Options.TableMove = true }},
		{"+etc", func(v *Variant) { v.Options.ETC = true }},
		{"+killers", func(v *Variant) { v.Options.Killers = true }},
		{"+history", func(v *Variant) { v.Options.History = true }},
		{"+deepening", func(v *Variant) { v.Deepen = true }},
		{"+scout", func(v *Variant) { v.Options.Algorithm = "pvs" }},
		{"+null-windows", func(v *Variant) { v.Options.Algorithm = "mtdf" }},
	})
}

// ConnectFour returns the variants for solving positions of connect four: the best configuration,
// and it without, or with, each technique.
func ConnectFour() []Variant {
	best := Variant{Algorithm: search.PVS, Memory: fourMemory, Symmetry: true, Options: connectfour.Options()}
	list := ladder(false, best, []change{
		{"bounds", func(v *Variant) { v.Options.Bounds = false }},
		{"etc", func(v *Variant) { v.Options.ETC = false }},
		{"static", func(v *Variant) { v.Options.Static = false }},
		{"+table-move", func(v *Variant) { v.Options.TableMove = true }},
		{"+killers", func(v *Variant) { v.Options.Killers = true }},
		{"+history", func(v *Variant) { v.Options.History = true }},
		{"+null-windows", func(v *Variant) { v.Options.Algorithm = search.MTDF }},
	})
	return slices.DeleteFunc(list, func(v Variant) bool { return v.Without == "all" }) // which take minutes
}

// solved are the positions of connect four, with their values.
var solved = []struct {
	game  string
	value search.Value
}{{"52522355661526", 4}, {"34761333776732", 4}, {"77161237334663", 2}}

// fourDepth is the number of squares left in these positions.
const fourDepth = connectfour.Squares - 14

// ConnectFourSubject solves positions of connect four.
func ConnectFourSubject(v Variant) (*Subject, error) {
	o, err := v.options()
	if err != nil {
		return nil, err
	}
	s, err := search.New[connectfour.Position](connectfour.Game{}, o)
	if err != nil {
		return nil, err
	}
	return &Subject{variant: v, game: "connectfour", depth: fourDepth, options: o, n: len(solved), checked: 1, search: func(i int) (search.Result, error) {
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

// UrByNet returns the variants for searching decisions of Ur with leaves of a net: those of a
// last ply valued together, and one by one.
func UrByNet() []Variant {
	best := Variant{Algorithm: "star2", Without: "none", Memory: smallMemory, Net: true, Options: play.DefaultSearchOptions()}
	single := best
	single.Without, single.Options.NoLast = "last-roll", true
	return []Variant{best, single}
}

// Ur returns the variants for searching decisions of Ur.
func Ur() []Variant {
	best := Variant{Algorithm: "star2", Memory: smallMemory, Deepen: false, Options: play.DefaultSearchOptions()}
	return ladder(true, best, []change{
		{"table", func(v *Variant) { v.Memory = 0 }},
		{"static", func(v *Variant) { v.Options.Static = false }},
		{"scout", func(v *Variant) { v.Options.NoScout = true }},
		{"last-roll", func(v *Variant) { v.Options.NoLast = true }},
		{"probing", func(v *Variant) { v.Options.Algorithm = "star1" }},
		{"+table-move", func(v *Variant) { v.Options.TableMove = true }},
		{"+etc", func(v *Variant) { v.Options.ETC = true }},
		{"+deepening", func(v *Variant) { v.Deepen = true }},
	})
}

// options returns the options with a table of their own.
func (v Variant) options() (search.Options, error) {
	o := v.Options
	if v.Memory == 0 {
		return o, nil
	}
	var err error
	o.Table, err = search.NewTable(v.Memory, search.Buckets)
	return o, err
}

// limits returns those of a search to a depth.
func (v Variant) limits(depth int) search.Limits {
	if v.Deepen {
		return search.Limits{Depth: depth, First: 1}
	}
	return search.Limits{Depth: depth, First: depth}
}

// Subject is a variant with positions to search.
type Subject struct {
	variant Variant
	game    string
	depth   int
	base    string // name of the best configuration of the same positions; "" for none
	options search.Options
	search  func(i int) (search.Result, error) // of position i
	n       int
	checked int     // maximum number of positions compared with the oracle
	nodes   float64 // of the last pass, for each search
}

// TicTacToeSubject searches the empty board to the end of the game.
func TicTacToeSubject(v Variant) (*Subject, error) {
	o, err := v.options()
	if err != nil {
		return nil, err
	}
	look, err := boardSearch(v, o)
	if err != nil {
		return nil, err
	}
	return &Subject{variant: v, game: "tictactoe", depth: 9, options: o, n: 1, checked: 1, search: func(int) (search.Result, error) {
		return look(context.Background(), tictactoe.Position{}, v.limits(9))
	}}, nil
}

// boardSearch returns the search of a board of tic-tac-toe.
func boardSearch(v Variant, o search.Options) (func(context.Context, tictactoe.Position, search.Limits) (search.Result, error), error) {
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

// UrSubject searches decisions to a depth.
func UrSubject(v Variant, decisions []Decision, depth int) (*Subject, error) {
	o, err := v.options()
	if err != nil {
		return nil, err
	}
	c := ursearch.Config{Pieces: board.MaxPieces, Options: o}
	game := "ur"
	if v.Net {
		game = "ur-net"
		if err := play.SetLeaf(&c, "net"); err != nil {
			return nil, err
		}
	}
	s, err := ursearch.New(c)
	if err != nil {
		return nil, err
	}
	return &Subject{variant: v, game: game, depth: depth, options: o, n: len(decisions), checked: len(decisions), search: func(i int) (search.Result, error) {
		return s.Search(context.Background(), decisions[i].Position, decisions[i].Roll, v.limits(depth))
	}}, nil
}

// Name implements [experiment.Subject].
func (s *Subject) Name() string {
	name := fmt.Sprintf("Search/game=%s/depth=%d/algorithm=%s", s.game, s.depth, s.variant.Algorithm)
	if s.variant.With != "" {
		return name + "/with=" + s.variant.With
	}
	return name + "/without=" + s.variant.Without
}

const unit = "us/search"

// Unit implements [experiment.Subject].
func (s *Subject) Unit() string { return unit }

// Check compares every value and best move with those of the oracle.
func (s *Subject) Check() error {
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
				s.Name(), i, got.Value, got.Best, want.Value, want.Best)
		}
	}
	return nil
}

// oracle is the plainest subject of the same game. At a depth too slow for it, it has a table
// and the last roll in one call.
func (s *Subject) oracle() (*Subject, error) {
	switch s.game {
	case "connectfour":
		return ConnectFourSubject(Variant{Algorithm: search.AlphaBeta, Memory: fourMemory, Options: search.Options{Algorithm: search.AlphaBeta, Static: true}})
	case "tictactoe":
		return TicTacToeSubject(Variant{Options: search.Options{Algorithm: "minimax"}})
	}
	v := Variant{Net: s.variant.Net, Options: search.Options{Algorithm: "expectiminimax"}}
	if s.depth > 4 {
		v.Memory = largeMemory
	}
	return UrSubject(v, Decisions(s.n), s.depth)
}

// forget empties the table, so every search starts from scratch.
func (s *Subject) forget() {
	if s.options.Table != nil {
		s.options.Table.Clear()
	}
}

// Pass searches every position once, each with an empty table: to empty it is part of
// the work.
func (s *Subject) Pass() (units float64, err error) {
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

// Describe implements [experiment.MetricReporter]: nodes are the same in every pass.
func (s *Subject) Describe(b *experiment.Benchmark) {
	b.Base = s.base
	b.Metrics = func(perUnit float64) []experiment.Metric {
		return []experiment.Metric{{Value: s.nodes, Unit: "nodes/search"}, {Value: 1e6 * s.nodes / perUnit, Unit: "nodes/s"}}
	}
}

// Subjects returns the timed subjects: the empty board of tic-tac-toe, positions of connect four, decisions of Ur at depth
// 4, and a quarter of them at depth 3 with leaves of a net.
func Subjects(decisions int) ([]*Subject, error) {
	var list []*Subject
	for _, game := range []struct {
		variants []Variant
		subject  func(Variant) (*Subject, error)
	}{
		{TicTacToe(), TicTacToeSubject},
		{ConnectFour(), ConnectFourSubject},
		{Ur(), func(v Variant) (*Subject, error) { return UrSubject(v, Decisions(decisions), 4) }},
		{UrByNet(), func(v Variant) (*Subject, error) { return UrSubject(v, Decisions((decisions+3)/4), 3) }},
	} {
		first, base := len(list), ""
		for _, v := range game.variants {
			s, err := game.subject(v)
			if err != nil {
				return nil, err
			}
			if v.Without == "none" {
				base = s.Name()
			}
			list = append(list, s)
		}
		for _, s := range list[first:] {
			s.base = base
		}
	}
	return list, nil
}
