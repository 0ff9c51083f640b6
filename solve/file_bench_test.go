package solve

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
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

// BenchmarkLookup measures [Table.Win] of a table of seven pieces whose pages are in
// memory. Warm, 64 positions are asked again and again. Cold, they come from all
// parts of the game, so that most values come from memory and not from a cache.
// Flushed, the small tables of the index, too, are pushed out of all caches before
// each round of 1024 look-ups.
//
// With overlap=no the next position is not known before the last one is answered: it
// is the time that one look-up takes. With overlap=yes the processor may begin the
// next ones meanwhile, as it does when all futures of a roll are asked for.
func BenchmarkLookup(b *testing.B) {
	f, _ := bigTable(b)
	touchPages(f)
	b.Run("cache=warm", func(b *testing.B) { benchmarkLookup(b, f, randomPositions(64), 64, nil) })
	positions := randomPositions(1 << 20)
	b.Run("cache=cold", func(b *testing.B) { benchmarkLookup(b, f, positions, 1<<16, nil) })
	b.Run("cache=flushed", func(b *testing.B) {
		evict := make([]uint64, 128<<20/8)
		benchmarkLookup(b, f, positions, 1<<10, func() {
			for i := range evict {
				evict[i]++
			}
		})
	})
}

// benchmarkLookup asks for rounds of positions, each begun by prepare outside the
// timed part.
func benchmarkLookup(b *testing.B, t *Table, positions []board.Position, round int, prepare func()) {
	for _, way := range []struct {
		overlap string
		look    func(*Table, []board.Position)
	}{{"no", lookUpInTurn}, {"yes", lookUpAll}} {
		b.Run("overlap="+way.overlap, func(b *testing.B) {
			n, elapsed := 0, time.Duration(0)
			for b.Loop() {
				if prepare != nil {
					prepare()
				}
				first := n % len(positions)
				begin := time.Now()
				way.look(t, positions[first:first+round])
				elapsed += time.Since(begin)
				n += round
			}
			b.ReportMetric(float64(elapsed.Nanoseconds())/float64(n), "ns/lookup")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// lookUpInTurn finds the next position by the value of the last.
func lookUpInTurn(t *Table, positions []board.Position) {
	for next := 0; next < len(positions); {
		sign := math.Float64bits(t.Win(positions[next])) >> 63 // 0, but only when it is known
		next += 1 + int(sign)
	}
}

// lookUpAll adds all values up.
func lookUpAll(t *Table, positions []board.Position) {
	sum := 0.0
	for _, p := range positions {
		sum += t.Win(p)
	}
	lookedUp = sum
}

// lookedUp keeps the compiler from leaving out what nobody uses.
var lookedUp float64

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
	for rank := 0; rank < finkel.Positions(t.Pieces()); rank += pageSize / 8 {
		t.At(rank)
	}
}

// BenchmarkOpen measures opening a table of seven pieces, looking one position up and
// closing it.
func BenchmarkOpen(b *testing.B) {
	_, name := bigTable(b)
	start := board.StartPosition(board.FinkelPieces)
	for b.Loop() {
		f, err := Open(name, nil)
		if err != nil {
			b.Fatal(err)
		}
		f.Win(start)
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
