//go:build !purego

package ur

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// guarded returns a T that lies against a page that cannot be touched: behind it
// when atEnd, before it otherwise. An access beyond it ends the test program.
func guarded[T any](t *testing.T, atEnd bool) *T {
	t.Helper()
	var zero T
	page := uintptr(os.Getpagesize())
	size := (unsafe.Sizeof(zero) + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, int(size+2*page), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{memory[:page], memory[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	offset := page
	if atEnd {
		offset = page + size - unsafe.Sizeof(zero)
	}
	return (*T)(unsafe.Pointer(&memory[offset]))
}

// Value kernels must not read beyond the boards and the brain, nor write beyond the
// values, for any number of boards.
func TestValueKernelsStopAtGuardPages(t *testing.T) {
	const most = 5
	rng := rand.New(rand.NewPCG(6, 6))
	brain := ClassicBrain()
	positions := make([]board.Position, most)
	for i := range positions {
		positions[i] = board.RandomPosition(rng, board.MaxPieces)
	}
	for _, atEnd := range []bool{false, true} {
		avx2 := guarded[avx2Weights](t, atEnd)
		*avx2 = *newAVX2Weights(brain)
		avx512 := guarded[avx512Weights](t, atEnd)
		*avx512 = *newAVX512Weights(brain)
		boards16, boards8 := guarded[[most]board.Array16](t, atEnd), guarded[[most]board.Array8](t, atEnd)
		values := guarded[[most]int32](t, atEnd)
		for i, p := range positions {
			boards16[i].Set(p)
			boards8[i].Set(p)
		}
		for n := 1; n <= most; n++ {
			first := 0
			if atEnd {
				first = most - n
			}
			check := func(engine Engine, evaluate func(dst []int32)) {
				t.Helper()
				if Available(engine) != nil {
					return
				}
				dst := values[first : first+n]
				clear(dst)
				evaluate(dst)
				for i, got := range dst {
					if want := brain.Value(positions[first+i]); got != want {
						t.Errorf("%s: value %d of %d is %d, want %d", engine.Name(), i, n, got, want)
					}
				}
			}
			check(Array16AVX2, func(dst []int32) { (*array16AVX2)(avx2).Values(dst, boards16[first:first+n]) })
			check(Array8AVX2, func(dst []int32) { (*array8AVX2)(avx2).Values(dst, boards8[first:first+n]) })
			check(Array16AVX512, func(dst []int32) { (*array16AVX512)(avx512).Values(dst, boards16[first:first+n]) })
		}
	}
}

// The kernels of whole games must keep to their state and tables.
func TestLanesKernelsStopAtGuardPages(t *testing.T) {
	if err := Available(lanesEngine{}); err != nil {
		t.Skip(err)
	}
	for _, atEnd := range []bool{false, true} {
		for width := packed16; width <= wide32; width++ {
			for _, dark := range []*Brain{ClassicBrain(), new(Brain)} {
				setup := Setup{Light: ClassicBrain(), Dark: dark, Pieces: board.MaxPieces, TurnLimit: DefaultTurnLimit}
				series := Series{Seed: 3, N: 90}
				g := newLanesGame(setup, width)
				want, err := g.Games(nil, series)
				if err != nil {
					t.Fatal(err)
				}
				state, tables := guarded[lanesState](t, atEnd), guarded[lanesTables](t, atEnd)
				*tables = *g.tables
				g.state, g.tables = state, tables
				if got, err := g.Games(nil, series); err != nil || got != want {
					t.Errorf("width %d: %+v, %v; want %+v", width, got, err, want)
				}
			}
		}
	}
}
