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
func TestLanesLayoutIsTheGenerators(t *testing.T) {
	var s lanesState
	var tables lanesTables
	tests := []struct {
		name      string
		got, want uintptr
	}{
		{"own", unsafe.Offsetof(s.own), 12800},
		{"count", unsafe.Offsetof(s.count), 13056},
		{"rolls", unsafe.Offsetof(s.rolls), 13184},
		{"nextKey", unsafe.Offsetof(s.nextKey), 13696},
		{"shift", unsafe.Offsetof(s.shift), 14720},
		{"began", unsafe.Offsetof(s.began), 15232},
		{"game", unsafe.Offsetof(s.game), 15744},
		{"dark", unsafe.Offsetof(s.dark), 16256},
		{"until", unsafe.Offsetof(s.until), 16296},
		{"wins", unsafe.Offsetof(s.wins), 16336},
		{"passes", unsafe.Offsetof(s.passes), 16376},
		{"take", unsafe.Offsetof(tables.take), 1024},
		{"constant", unsafe.Offsetof(tables.constant), 4096},
		{"mix", unsafe.Offsetof(tables.mix), 5248},
		{"startCount", unsafe.Offsetof(tables.startCount), 5312},
		{"start", unsafe.Offsetof(tables.start), 5376},
		{"rows", unsafe.Offsetof(tables.rows), 5632},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s stands at byte %d, the kernels look at %d", test.name, test.got, test.want)
		}
	}
	for range 10 {
		if p := uintptr(unsafe.Pointer(alignedNew[lanesState]())); p%64 != 0 {
			t.Errorf("the state is at %#x, not at a cache line", p)
		}
	}
}

// Every width must play every pair of brains whose candidates fit it, and the
// widest any at all.
func TestLanesWidths(t *testing.T) {
	engine := lanesEngine{}
	if err := Available(engine); err != nil {
		t.Skip(err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	classic := ClassicBrain()
	random := func(limit int) *Brain {
		b := new(Brain)
		for k := range b {
			b[k] = int16(rng.IntN(2*limit+1) - limit)
		}
		return b
	}
	tests := []struct {
		name        string
		light, dark *Brain
		narrowest   lanesWidth
	}{
		{"classic", classic, classic, packed16},
		{"classic and small", classic, random(5), packed16},
		{"middling", random(100), random(100), plain16},
		{"classic and middling", classic, random(100), plain16},
		{"large", random(5000), random(5000), wide32},
		{"large and classic", random(5000), classic, wide32},
		{"one large", nil, nil, wide32},
	}
	tests[6].light = random(30000)
	tests[6].dark = tests[6].light
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, pieces := range []int{7, 2} {
				setup := Setup{Light: test.light, Dark: test.dark, Pieces: pieces, TurnLimit: 100_000}
				if got := narrowestLanes(setup); got > test.narrowest || pieces == 7 && got != test.narrowest {
					t.Fatalf("%d pieces: width %d, want %d", pieces, got, test.narrowest)
				}
				series := Series{Seed: 11, N: 75}
				want, err := newGame(t, Array16Scalar, setup).Games(nil, series)
				if err != nil {
					t.Fatal(err)
				}
				for width := test.narrowest; width <= wide32; width++ {
					got, err := newLanesGame(setup, width).Games(nil, series)
					if err != nil || got != want {
						t.Errorf("%d pieces, width %d: %+v, %v; oracle %+v", pieces, width, got, err, want)
					}
				}
			}
		})
	}
}

// The kernels must keep to the state and the tables they are given.
func TestLanesKernelsKeepWithinTheirMemory(t *testing.T) {
	if err := Available(lanesEngine{}); err != nil {
		t.Skip(err)
	}
	const canary = 0xa5
	type guardedState struct {
		before [64]byte
		state  lanesState
		after  [64]byte
	}
	type guardedTables struct {
		before [64]byte
		tables lanesTables
		after  [64]byte
	}
	for width := packed16; width <= wide32; width++ {
		for _, dark := range []*Brain{ClassicBrain(), new(Brain)} {
			setup := Setup{Light: ClassicBrain(), Dark: dark, Pieces: board.MaxPieces, TurnLimit: DefaultTurnLimit}
			g := newLanesGame(setup, width)
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
			if _, err := g.Games(nil, Series{Seed: 2, N: 100}); err != nil {
				t.Fatal(err)
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
