//go:build !purego

package ur

import "testing"

// The kernels must stop at guard pages, whether before or after their memory.
func TestSquaresKernelsStopAtGuardPages(t *testing.T) {
	if err := Available(squaresEngine{}); err != nil {
		t.Skip(err)
	}
	for _, atEnd := range []bool{false, true} {
		for width := packedSquares; width < tooWide; width++ {
			setup := Setup{Light: ClassicBrain(), Dark: new(Brain), Pieces: 7, TurnLimit: DefaultTurnLimit}
			series := Series{Seed: 3, N: 90}
			g := newSquaresGames(setup, width)
			want, err := g.Games(nil, series)
			if err != nil {
				t.Fatal(err)
			}
			state, tables := guarded[squaresState](t, atEnd), guarded[squaresTables](t, atEnd)
			*tables = *g.tables
			g.state, g.tables = state, tables
			if got, err := g.Games(nil, series); err != nil || got != want {
				t.Errorf("width %d: %+v, %v; want %+v", width, got, err, want)
			}
		}
	}
}
