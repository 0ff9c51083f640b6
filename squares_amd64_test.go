//go:build !purego

package ur

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// The generator of the kernels knows the layout of the memory they work on by
// these offsets.
func TestSquaresLayoutIsTheGenerators(t *testing.T) {
	var s squaresState
	var g squaresGame
	var row squaresRow
	var block squaresBlock
	var tables squaresTables
	tests := []struct {
		name      string
		got, want uintptr
	}{
		{"phase", unsafe.Offsetof(s.phase), 16},
		{"keyInput", unsafe.Offsetof(s.keyInput), 32},
		{"counts", unsafe.Offsetof(s.counts), 64},
		{"wins", unsafe.Offsetof(s.wins), 80},
		{"idle", unsafe.Offsetof(s.idle), 96},
		{"games", unsafe.Offsetof(s.games), 128},
		{"shift", unsafe.Offsetof(g.shift), 8},
		{"number", unsafe.Offsetof(g.number), 24},
		{"sums", unsafe.Offsetof(g.sums), 32},
		{"extra", unsafe.Offsetof(g.sums) + unsafe.Offsetof(g.sums.extra), 96},
		{"board", unsafe.Offsetof(g.board), 128},
		{"rolls", unsafe.Offsetof(g.rolls), 144},
		{"size of a game", unsafe.Sizeof(g), 192},
		{"board of a row", unsafe.Offsetof(row.board), 96},
		{"counts of a row", unsafe.Offsetof(row.counts), 104},
		{"size of a row", unsafe.Sizeof(row), 128},
		{"source", unsafe.Offsetof(block.source), 64},
		{"rows", unsafe.Offsetof(block.rows), 128},
		{"size of a block", unsafe.Sizeof(block), 4224},
		{"expand", unsafe.Offsetof(tables.expand), 54912},
		{"takes", unsafe.Offsetof(tables.takes), 54944},
		{"blockers", unsafe.Offsetof(tables.blockers), 54976},
		{"fields", unsafe.Offsetof(tables.fields), 55008},
		{"nibbles", unsafe.Offsetof(tables.nibbles), 55072},
		{"mix", unsafe.Offsetof(tables.mix), 55104},
		{"start", unsafe.Offsetof(tables.start), 55136},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %d bytes, the kernels take %d", test.name, test.got, test.want)
		}
	}
}

// Every width must play every pair of brains whose candidates fit it, and the engine
// any at all.
func TestSquaresWidths(t *testing.T) {
	engine := squaresEngine{}
	if err := Available(engine); err != nil {
		t.Skip(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	random := func(limit int) *Brain {
		b := new(Brain)
		for k := range b {
			b[k] = int16(rng.IntN(2*limit+1) - limit)
		}
		return b
	}
	classic, large := ClassicBrain(), random(30000)
	tests := []struct {
		name        string
		light, dark *Brain
		narrowest   squaresWidth
	}{
		{"classic", classic, classic, packedSquares},
		{"classic and small", classic, random(5), packedSquares},
		{"middling", random(100), random(100), plainSquares},
		{"classic and middling", classic, random(100), plainSquares},
		{"large", random(5000), random(5000), tooWide},
		{"large and classic", random(5000), classic, tooWide},
		{"one large", large, large, tooWide},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, pieces := range []int{7, 4, 1} {
				setup := Setup{Light: test.light, Dark: test.dark, Pieces: pieces, TurnLimit: 100_000}
				if got := narrowestSquares(setup); got > test.narrowest || pieces == 7 && got != test.narrowest {
					t.Fatalf("%d pieces: width %d, want %d", pieces, got, test.narrowest)
				}
				series := Series{Seed: 12, First: 7, Step: 3, N: 75}
				want, err := newGame(t, Array16Scalar, setup).Games(nil, series)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := newGame(t, engine, setup).Games(nil, series); err != nil || got != want {
					t.Errorf("%d pieces: %+v, %v; oracle %+v", pieces, got, err, want)
				}
				for width := test.narrowest; width < tooWide; width++ {
					got, err := newSquaresGames(setup, width).Games(nil, series)
					if err != nil || got != want {
						t.Errorf("%d pieces, width %d: %+v, %v; oracle %+v", pieces, width, got, err, want)
					}
				}
			}
		})
	}
}

// At the bounds between the widths every candidate must still fit: brains of few
// weights, scaled until they reach them.
func TestSquaresWidthsAtTheirBounds(t *testing.T) {
	if err := Available(squaresEngine{}); err != nil {
		t.Skip(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		pieces := 1 + rng.IntN(board.MaxPieces)
		b := new(Brain)
		for range 6 {
			b[rng.IntN(Weights)] = int16(1 - 2*rng.IntN(2))
		}
		setup := Setup{Light: b, Dark: b, Pieces: pieces, TurnLimit: 5000}
		bound := max(1, candidateBound(b, board.Light, pieces), candidateBound(b, board.Dark, pieces))
		for width, limit := range []int{1<<10 - 1, 1<<15 - 2} {
			scaled := *b
			for k := range scaled {
				scaled[k] *= int16(limit / bound)
			}
			setup.Light, setup.Dark = &scaled, &scaled
			if got := narrowestSquares(setup); got > squaresWidth(width) {
				t.Fatalf("a bound of at most %d is taken for width %d", limit, got)
			}
			series := Series{Seed: rng.Uint64(), N: 3}
			want, wantErr := newGame(t, Array16Scalar, setup).Games(nil, series)
			got, err := newSquaresGames(setup, squaresWidth(width)).Games(nil, series)
			if (err == nil) != (wantErr == nil) || got != want {
				t.Fatalf("width %d, %d pieces, brain %v: %+v, %v; oracle %+v, %v", width, pieces, scaled, got, err, want, wantErr)
			}
		}
	}
}

// The kernels must keep to the state and the tables they are given.
func TestSquaresKernelsKeepWithinTheirMemory(t *testing.T) {
	if err := Available(squaresEngine{}); err != nil {
		t.Skip(err)
	}
	const canary = 0xa5
	type guardedState struct {
		before [64]byte
		state  squaresState
		after  [64]byte
	}
	type guardedTables struct {
		before [64]byte
		tables squaresTables
		after  [64]byte
	}
	for width := packedSquares; width < tooWide; width++ {
		for _, dark := range []*Brain{ClassicBrain(), new(Brain)} {
			setup := Setup{Light: ClassicBrain(), Dark: dark, Pieces: board.MaxPieces, TurnLimit: DefaultTurnLimit}
			g := newSquaresGames(setup, width)
			state, tables := alignedNew[guardedState](), alignedNew[guardedTables]()
			guards := [][]byte{state.before[:], state.after[:], tables.before[:], tables.after[:]}
			for _, guard := range guards {
				for i := range guard {
					guard[i] = canary
				}
			}
			tables.tables = *g.tables
			before := tables.tables
			g.state, g.tables = &state.state, &tables.tables
			for _, n := range []int{0, 1, 15, 16, 17, 100} {
				if _, err := g.Games(nil, Series{Seed: 2, N: n}); err != nil {
					t.Fatal(err)
				}
			}
			for i, guard := range guards {
				for k, b := range guard {
					if b != canary {
						t.Fatalf("width %d: byte %d of guard %d was written", width, k, i)
					}
				}
			}
			if tables.tables != before {
				t.Fatalf("width %d: the tables were written", width)
			}
		}
	}
}
