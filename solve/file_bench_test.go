package solve

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// bigTable returns a compact table of seven pieces: the one that UR_TABLE names, or
// one that is made up.
func bigTable(b *testing.B) (*Table, string) {
	b.Helper()
	if testing.Short() {
		b.Skip("writes a table of 276 MB")
	}
	name := os.Getenv("UR_TABLE")
	if name == "" {
		name = writeMadeUp(b, board.FinkelPieces, WriteOptions{Encoding: Compact})
	}
	return opened(b, name), name
}

// BenchmarkLookup measures [Table.Win] of a table of seven pieces whose pages are in memory. Warm, 64
// positions are asked again and again. Cold, they come from all parts of the game, so that most values
// come from memory and not from a cache. The next position is not known before the last one is
// answered: it is the time that one look-up takes.
func BenchmarkLookup(b *testing.B) {
	t, _ := bigTable(b)
	touchPages(t)
	for _, of := range []struct {
		cache     string
		positions int
	}{{"warm", 64}, {"cold", 1 << 20}} {
		positions := randomPositions(of.positions)
		b.Run("cache="+of.cache, func(b *testing.B) {
			next, lookups := 0, 0
			for b.Loop() {
				for range 64 {
					sign := math.Float64bits(t.Win(positions[next])) >> 63 // 0, but only when it is known
					next = (next + 1 + int(sign)) % len(positions)
				}
				lookups += 64
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lookups), "ns/lookup")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// randomPositions draws positions of seven pieces, each on a random square.
func randomPositions(n int) []board.Position {
	rng := rand.New(rand.NewPCG(1, 1))
	positions := make([]board.Position, n)
	for i := range positions {
		positions[i] = board.Finkel().Random(rng, board.FinkelPieces)
	}
	return positions
}

// touchPages reads a value of every page.
func touchPages(t *Table) {
	for rank := 0; rank < finkel.Positions(t.Pieces()); rank += 4096 / 8 {
		t.At(rank)
	}
}

// BenchmarkOpen measures opening a table of seven pieces, looking one position up and
// closing it.
func BenchmarkOpen(b *testing.B) {
	_, name := bigTable(b)
	start := board.StartPosition(board.FinkelPieces)
	for b.Loop() {
		f := testkit.Must(Open(name, nil))(b)
		f.Win(start)
		testkit.NoError(b, f.Close())
	}
}
