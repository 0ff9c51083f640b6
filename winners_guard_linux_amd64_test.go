//go:build !purego

package ur

import (
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// The kernels that tell winners must keep to their state, their tables and the slice
// of winners, on whichever side of them a page cannot be touched.
func TestWinnersKernelsStopAtGuardPages(t *testing.T) {
	const games = 90
	series := Series{Seed: 3, N: games}
	for _, atEnd := range []bool{false, true} {
		for _, dark := range []*Brain{ClassicBrain(), new(Brain)} {
			setup := Setup{Light: ClassicBrain(), Dark: dark, Pieces: board.MaxPieces, TurnLimit: DefaultTurnLimit}
			want := make([]board.Side, games)
			if _, err := newGame(t, incrementalEngine{}, setup).Games(want, series); err != nil {
				t.Fatal(err)
			}
			check := func(engine string, width int, g Game) {
				t.Helper()
				winners := guarded[[games]board.Side](t, atEnd)
				if _, err := g.Games(winners[:], series); err != nil || !slices.Equal(winners[:], want) {
					t.Errorf("%s, width %d: winners %v, %v; want %v", engine, width, winners, err, want)
				}
			}
			for width := packed16; Available(lanesEngine{}) == nil && width <= wide32; width++ {
				g := newLanesGame(setup, width)
				g.state, g.two = guarded[lanesState](t, atEnd), guarded[lanesTables](t, atEnd)
				g.two.fill(setup, width, false)
				check("lanes/avx512", int(width), g)
			}
			for width := packedSquares; Available(squaresEngine{}) == nil && width < tooWide; width++ {
				g := newSquaresGames(setup, width)
				tables := guarded[squaresTables](t, atEnd)
				*tables = *g.tables
				g.state, g.tables = guarded[squaresState](t, atEnd), tables
				check("squares/avx2", int(width), g)
			}
		}
	}
}
