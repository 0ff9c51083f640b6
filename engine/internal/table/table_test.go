package table

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Every entry of every table of squares must be the sum over its pairs.
func TestTablesAreSumsOverPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	b := new(ur.Brain)
	testkit.Fill(b[:], func() int16 { return int16(rng.IntN(1 << 16)) })
	f, e := form.Of(b), newTable(b)

	zone := func(half, state int) (y form.Point) {
		for square := 5 + 4*half; square < 9+4*half; square++ {
			y[board.LightNumbers+square] = int32(state % 3 & 1)
			y[board.DarkNumbers+square] = int32(state % 3 >> 1)
			state /= 3
		}
		return y
	}
	private := func(side, state int) (y form.Point) {
		for i, square := range [6]int{1, 2, 3, 4, 13, 14} {
			y[board.Side(side).Number(square)] = int32(state >> i & 1)
		}
		return y
	}
	sum := func(a, b form.Point) form.Point {
		for i := range a {
			a[i] += b[i]
		}
		return a
	}
	value := func(y form.Point) int32 { return f.Value(&y) }
	for i, got := range e.zone {
		testkit.MustEqual(t, got, value(sum(zone(1, i/81), zone(0, i%81))), "entry %d of the combat zone", i)
	}
	for i, got := range e.private {
		testkit.MustEqual(t, got, value(sum(private(1, i/64), private(0, i%64))), "entry %d of the private squares", i)
	}
	for half := range 2 {
		for side := range 2 {
			for i, got := range e.cross[half][side] {
				a, b := zone(half, i/64), private(side, i%64)
				testkit.MustEqual(t, got, value(sum(a, b))-value(a)-value(b),
					"entry %d of half %d with side %d", i, half, side)
			}
		}
	}
}

// BenchmarkBuild is the price of binding a brain.
func BenchmarkBuild(b *testing.B) {
	brain := ur.ClassicBrain()
	for b.Loop() {
		newTable(brain)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/brain")
	b.ReportMetric(0, "ns/op")
}
