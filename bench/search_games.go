package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/search/connectfour"
	"github.com/seed-09dcdc84/ur/search/tictactoe"
)

// reordered is a game with another static order of its moves.
type reordered[P any, G search.Game[P]] struct {
	game  G
	order order
}

func (g reordered[P, G]) Key(p *P) search.Key     { return g.game.Key(p) }
func (g reordered[P, G]) Value(p *P) search.Value { return g.game.Value(p) }

// Moves adds the game's moves.
func (g reordered[P, G]) Moves(p *P, list *search.List[P]) search.Value {
	result := g.game.Moves(p, list)
	for i := range list.All() {
		m := &list.All()[i]
		switch g.order {
		case randomOrder:
			m.Order = int32(mix.Mix(m.Key.Index) >> 33)
		case worstOrder:
			m.Order = -m.Order
		}
	}
	return result
}

// Bounds returns the game's bounds.
func (g reordered[P, G]) Bounds(p *P) (low, high search.Value) {
	if b, ok := any(g.game).(search.Bounder[P]); ok {
		return b.Bounds(p)
	}
	return -search.MaxValue, search.MaxValue
}

// newSearch returns a search of a game's positions with the moves in an order.
func newSearch[P any, G search.Game[P]](game G, by order, o search.Options) (func(P, search.Limits) (search.Result, error), error) {
	if by != ownOrder {
		s, err := search.New[P](reordered[P, G]{game, by}, o)
		return func(p P, l search.Limits) (search.Result, error) { return s.Search(context.Background(), p, l) }, err
	}
	s, err := search.New[P](game, o)
	return func(p P, l search.Limits) (search.Result, error) { return s.Search(context.Background(), p, l) }, err
}

// openTicTacToe searches the empty board to the game's end.
func openTicTacToe(v variant, o search.Options) (searcher, error) {
	switch v.Keys {
	case zobristKeys:
		s, err := newSearch(tictactoe.ZobristGame{}, v.Order, o)
		return func(_ int, l search.Limits) (search.Result, error) { return s(tictactoe.Hash(tictactoe.Position{}), l) }, err
	case symmetricKeys:
		s, err := newSearch(tictactoe.NewSymmetricGame(), v.Order, o)
		return func(_ int, l search.Limits) (search.Result, error) { return s(tictactoe.Position{}, l) }, err
	}
	s, err := newSearch(tictactoe.Game{}, v.Order, o)
	return func(_ int, l search.Limits) (search.Result, error) { return s(tictactoe.Position{}, l) }, err
}

// solved are positions in connect four, with their values.
var solved = []struct {
	game  string
	value search.Value
}{{"52522355661526", 4}, {"34761333776732", 4}, {"77161237334663", 2}}

// openConnectFour solves positions.
func openConnectFour(v variant, o search.Options) (searcher, error) {
	s, err := newSearch[connectfour.Position](connectfour.Game{}, v.Order, o)
	return func(i int, l search.Limits) (search.Result, error) {
		p, err := connectfour.Parse(solved[i].game)
		if err != nil {
			return search.Result{}, err
		}
		r, err := s(p, l)
		if err == nil && r.Value != solved[i].value && v.Table.KeyBits == 0 { // entries of other positions have other values
			err = fmt.Errorf("position %s has value %d (want %d)", solved[i].game, r.Value, solved[i].value)
		}
		return r, err
	}, err
}

// judgedCount is how many positions of connect four measure searches that end before the game.
const judgedCount = 60

// judged is a position with the values of its moves.
type judged struct {
	position connectfour.Position
	values   []search.Value
	best     search.Value
}

// judgedPositions are positions of random games in which not every move is as good.
var judgedPositions = sync.OnceValue(func() (list []judged) {
	random := rand.New(rand.NewPCG(17, 1))
	o := connectfour.Options()
	table, err := search.NewTable(fourMemory)
	if err != nil {
		return nil
	}
	o.Table = table
	s, err := search.New[connectfour.Position](connectfour.Game{}, o)
	for err == nil && len(list) < judgedCount {
		var p connectfour.Position
		for stones := 20 + random.IntN(5); p.Stones() < stones && !p.Over(); {
			if c := random.IntN(connectfour.Columns); p.CanPlay(c) {
				p = p.Play(c)
			}
		}
		if p.Over() {
			continue
		}
		rest := connectfour.Squares - p.Stones()
		r, _ := s.Search(context.Background(), p, search.Limits{Depth: rest, First: rest, AllMoves: true})
		for _, v := range r.Moves {
			if v != r.Value {
				list = append(list, judged{p, append([]search.Value(nil), r.Moves...), r.Value})
				break
			}
		}
	}
	return list
})

// openThreats searches these positions with estimated values.
func openThreats(v variant, o search.Options) (searcher, error) {
	s, err := newSearch[connectfour.Position](connectfour.Threats{}, v.Order, o)
	return func(i int, l search.Limits) (search.Result, error) { return s(judgedPositions()[i].position, l) }, err
}

func isPerfectMove(i, move int) bool {
	m := judgedPositions()[i]
	return m.values[move] == m.best
}

// openUr searches decisions, whose leaves the built-in net values.
func openUr(n int, oneGame bool) func(variant, search.Options) (searcher, error) {
	return func(_ variant, o search.Options) (searcher, error) {
		decisions, err := searchDecisions(n, oneGame)
		if err != nil {
			return nil, err
		}
		p, err := play.ParsePlayer("search:depth=1,leaf=net")
		if err != nil {
			return nil, err
		}
		player := p.Source.(play.Search)
		player.Options, player.Memory = o, 0
		s := player.NewSearcher()
		return func(i int, l search.Limits) (search.Result, error) {
			return s.Search(context.Background(), decisions[i].position, decisions[i].roll, l)
		}, nil
	}
}

// searchDecisions returns n fixed decisions, one from each of the built-in brain's first games
// against itself on a seed's dice. Game k contributes the first decision from turn 7k mod 150 on,
// so all parts of a game occur. With oneGame they are the first decisions of the first games.
func searchDecisions(n int, oneGame bool) (list []replayed, err error) {
	const seed = 12
	game, err := replayGame(ur.Setup{Light: ur.DefaultBrain(), Dark: ur.DefaultBrain()})
	if err != nil {
		return nil, err
	}
	for number := uint64(0); len(list) < n; number++ {
		turn, before := uint64(0), len(list)
		replay(game, seed, number, func(r replayed) {
			wanted := len(list) == before && turn >= number*7%150
			if oneGame {
				wanted = len(list) < n
			}
			if wanted && len(r.moves) > 1 {
				r.moves = nil // valid during the call
				list = append(list, r)
			}
			turn++
		})
	}
	return list, nil
}
