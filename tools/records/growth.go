package main

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	reversi "github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/search/connectfour"
	"github.com/seed-09dcdc84/ur/search/tictactoe"
)

// growth is the size of the game trees of a game.
type growth struct {
	game   string
	games  int     // games of random moves
	moves  float64 // mean number of legal moves, without finished games; 1 for a pass
	plies  float64 // mean length of a game
	depth  int     // greatest depth of the fit
	leaves float64 // mean number of lines to that depth
	base   float64 // n, where n^d fits the number of lines to depth d by least squares of logarithms
}

// growthReports measures branching factor, depth and growth of every game.
func growthReports() []toolReport {
	return []toolReport{{command: "growth", name: "Growth/game=${game}",
		measure: func(_ context.Context, _ string, results *record.Results) error {
			urMoves := func(p board.Position, roll int) []board.Position { return urChildren(p, []int{roll}) }
			for _, g := range []growth{
				growthOf("tictactoe", 4, tictactoe.Position{}, without(childrenOf[tictactoe.Position](tictactoe.Game{}))),
				growthOf("connectfour", 6, connectfour.Position{}, without(childrenOf[connectfour.Position](connectfour.Game{}))),
				growthOf("reversi", 5, reversi.Start, without(reversiChildren)),
				growthOf("ur", 3, board.StartPosition(board.FinkelPieces), func(p board.Position, random *rand.Rand) []board.Position {
					if random != nil {
						return urMoves(p, random.IntN(2)+random.IntN(2)+random.IntN(2)+random.IntN(2))
					}
					return urChildren(p, []int{0, 1, 2, 3, 4})
				}),
			} {
				results.Rows = append(results.Rows, newRow("Growth/game="+g.game, "lines/ply", g.base, map[string]float64{
					"games": float64(g.games), "moves": g.moves, "plies": g.plies, "depth": float64(g.depth), "leaves": g.leaves}))
			}
			return nil
		}}}
}

// without adapts the moves of a game without dice.
func without[P any](children func(P) []P) func(P, *rand.Rand) []P {
	return func(p P, _ *rand.Rand) []P { return children(p) }
}

// childrenOf returns a game's moves.
func childrenOf[P any](game search.Game[P]) func(P) []P {
	return func(p P) (next []P) {
		list := new(search.List[P])
		game.Moves(&p, list)
		for _, m := range list.All() {
			next = append(next, m.Next)
		}
		return next
	}
}

func reversiChildren(b reversi.Board) (next []reversi.Board) {
	for _, s := range reversi.Squares(b.Moves()) {
		next = append(next, b.Play(s, b.Flips(s)))
	}
	if passed := b.Pass(); len(next) == 0 && passed.Moves() != 0 {
		next = append(next, passed)
	}
	return next
}

func urChildren(p board.Position, rolls []int) (next []board.Position) {
	if _, over := p.Winner(); over {
		return nil
	}
	for _, roll := range rolls {
		moves := board.Finkel().Moves(nil, p, roll)
		for _, m := range moves {
			next = append(next, board.Finkel().Apply(p, m))
		}
		if len(moves) == 0 {
			next = append(next, p.Pass())
		}
	}
	return next
}

// growthOf plays random games, and counts lines from a position in the first half of each hundredth. Children with a
// random source are those of a throw of the dice, without one those of all throws.
func growthOf[P any](name string, depth int, start P, children func(P, *rand.Rand) []P) growth {
	random := rand.New(rand.NewPCG(1, 15))
	g := growth{game: name, games: 1000, depth: depth}
	positions := 0.0
	lines := make([]float64, depth+1)
	for n := range g.games {
		var game []P
		for p := start; ; {
			next := children(p, random)
			if len(next) == 0 {
				break
			}
			game = append(game, p)
			g.moves += float64(len(next))
			p = next[random.IntN(len(next))]
		}
		positions += float64(len(game))
		if n%100 == 0 {
			for d := range depth {
				lines[d+1] += countLines(game[random.IntN(len(game)/2)], d+1, children) / float64(g.games/100)
			}
		}
	}
	g.moves, g.plies, g.leaves = g.moves/positions, positions/float64(g.games), lines[depth]
	above, below := 0.0, 0.0
	for d := range depth {
		above += float64(d+1) * math.Log(lines[d+1])
		below += float64((d + 1) * (d + 1))
	}
	g.base = math.Exp(above / below)
	return g
}

// countLines counts the lines of moves to a depth; shorter ones count too.
func countLines[P any](p P, depth int, children func(P, *rand.Rand) []P) (n float64) {
	if depth == 0 {
		return 1
	}
	next := children(p, nil)
	for _, child := range next {
		n += countLines(child, depth-1, children)
	}
	return max(n, 1)
}
