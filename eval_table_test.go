package ur

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-09dcdc84/ur/board"
)

func (f *form) value(y [board.Numbers]int32) int32 {
	var twice int32
	for i := range y {
		for j := range y {
			twice += f[i][j] * y[i] * y[j]
		}
	}
	return twice / 2
}

func TestFormIsGetValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, p := drawBrain(t), drawPosition(t)
		if got, want := newForm(b).value(formCoordinates(p)), b.Value(p); got != want {
			t.Fatalf("the form of %s is %d, its value %d", p, got, want)
		}
	})
}

// Every entry of every table of squares must be the sum over its pairs.
func TestTablesAreSumsOverPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	b := new(Brain)
	for k := range b {
		b[k] = int16(rng.IntN(1 << 16))
	}
	f, e := newForm(b), newTable(b)

	zone := func(half, state int) (y [board.Numbers]int32) {
		for square := 5 + 4*half; square < 9+4*half; square++ {
			y[lightOffset+square] = int32(state % 3 & 1)
			y[darkOffset+square] = int32(state % 3 >> 1)
			state /= 3
		}
		return y
	}
	private := func(side, state int) (y [board.Numbers]int32) {
		for i, square := range [6]int{1, 2, 3, 4, 13, 14} {
			y[16*side+square] = int32(state >> i & 1)
		}
		return y
	}
	sum := func(a, b [board.Numbers]int32) [board.Numbers]int32 {
		for i := range a {
			a[i] += b[i]
		}
		return a
	}
	for i, got := range e.zone {
		if want := f.value(sum(zone(1, i/81), zone(0, i%81))); got != want {
			t.Fatalf("entry %d of the combat zone is %d, want %d", i, got, want)
		}
	}
	for i, got := range e.private {
		if want := f.value(sum(private(1, i/64), private(0, i%64))); got != want {
			t.Fatalf("entry %d of the private squares is %d, want %d", i, got, want)
		}
	}
	for half := range 2 {
		for side := range 2 {
			for i, got := range e.cross[half][side] {
				a, b := zone(half, i/64), private(side, i%64)
				if want := f.value(sum(a, b)) - f.value(a) - f.value(b); got != want {
					t.Fatalf("entry %d of half %d with side %d is %d, want %d", i, half, side, got, want)
				}
			}
		}
	}
}

// BenchmarkBuild is the price of binding a brain.
func BenchmarkBuild(b *testing.B) {
	brain := ClassicBrain()
	for b.Loop() {
		newTable(brain)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/brain")
	b.ReportMetric(0, "ns/op")
}
