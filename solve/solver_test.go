package solve

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// finkel is the index of Finkel's rules.
var finkel = func() *Index {
	x, err := IndexOf(board.Finkel())
	if err != nil {
		panic(err)
	}
	return x
}()

// solutions are those that tests have asked for, by the number of pieces.
var solutions sync.Map

// solution returns the solution of a game, which is found once for all tests.
func solution(t testing.TB, pieces int) *Table {
	t.Helper()
	v, ok := solutions.Load(pieces)
	if !ok {
		v = solved(t, pieces, Options{})
		solutions.Store(pieces, v)
	}
	return finkel.newTable(pieces, slices.Clone(v.(*Table).values))
}

// solved returns the solution of a game, solved now, and closes the checkpoint.
func solved(t testing.TB, pieces int, o Options) *Table {
	t.Helper()
	s, err := Solve(t.Context(), finkel.rulesOf(pieces), o)
	if o.Checkpoint != nil {
		err = errors.Join(err, o.Checkpoint.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainPieces is up to how many pieces the plain solver solves too: 4 take a minute.
var plainPieces = flag.Int("plain", 2, "compare with the plain solver up to this number of pieces")

// The value of the first turn of two pieces agrees with RoyalUr-Java's published
// table.
func TestStartOfTwoPieces(t *testing.T) {
	const want = 0.51857290749566
	if got := solution(t, 2).Win(board.StartPosition(2)); math.Abs(got-want) > 5e-15 {
		t.Errorf("start of 2 pieces: %.15f, want %.14f", got, want)
	}
}

// The threads share every sweep here, also of layers for which they are not worth it.
func TestSolutionDoesNotDependOnThreads(t *testing.T) {
	pieces := 3
	if testing.Short() {
		pieces = 2
	}
	one := solved(t, pieces, Options{Threads: 1})
	for _, threads := range []int{3, 8} {
		s := newSolver(finkel, pieces, Options{Threads: threads})
		s.shareFrom = 0
		if err := s.solve(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.values, one.values) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
}

func TestSmallerGamesAreAPrefix(t *testing.T) {
	three, two := solution(t, 3), solution(t, 2)
	if !slices.Equal(three.values[:len(two.values)], two.values) {
		t.Error("the solution of 3 pieces does not begin with that of 2")
	}
	if three.Pieces() != 3 || two.Pieces() != 2 {
		t.Errorf("pieces of the solutions are %d and %d, want 3 and 2", three.Pieces(), two.Pieces())
	}
}

func TestValuesOfFinishedGames(t *testing.T) {
	v := solution(t, 1)
	won, err := board.Finkel().FromSquares(1, board.Light, [2]uint32{}, [2]int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Win(won); got != 1 {
		t.Errorf("a won game is worth %v to the winner", got)
	}
	if got := v.Win(won.Pass()); got != 0 {
		t.Errorf("a won game is worth %v to the loser", got)
	}
}

func TestCertify(t *testing.T) {
	v := solution(t, 3)
	residual, err := v.Certify(t.Context(), 0)
	if err != nil || residual > 2e-15 {
		t.Errorf("residual is %g, %v; want at most 2e-15", residual, err)
	}
	// The error in one value shows there, and where the value is looked at.
	for _, rank := range []int{0, 1000, len(v.values) - 1} {
		spoilt := solution(t, 3)
		spoilt.values[rank] += 1e-9
		if residual, _ := spoilt.Certify(t.Context(), 0); math.Abs(residual-1e-9) > 1e-10 {
			t.Errorf("with an error of 1e-9 at %d the residual is %g", rank, residual)
		}
	}
}

// interrupted solves with a context that ends after some sweeps, and closes the checkpoint.
func interrupted(t *testing.T, pieces, sweeps int, c *Checkpoint) {
	t.Helper()
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Solve(ctx, finkel.rulesOf(pieces), Options{Checkpoint: c, Progress: func(Progress) {
		if sweeps--; sweeps == 0 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error of an interrupted solution is %v", err)
	}
}

func openCheckpoint(t *testing.T, path string) *Checkpoint {
	t.Helper()
	c, err := OpenCheckpoint(path, board.Finkel())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestResumeGivesTheSameBits(t *testing.T) {
	want := solution(t, 3)
	path := filepath.Join(t.TempDir(), "checkpoint")
	for _, sweeps := range []int{1, 30, 30} {
		interrupted(t, 3, sweeps, openCheckpoint(t, path))
	}
	resumed := 0
	got := solved(t, 3, Options{Checkpoint: openCheckpoint(t, path), Progress: func(Progress) { resumed++ }})
	if !slices.Equal(got.values, want.values) {
		t.Error("a resumed solution has other bits")
	}
	again := 0
	got = solved(t, 3, Options{Checkpoint: openCheckpoint(t, path), Progress: func(Progress) { again++ }})
	if !slices.Equal(got.values, want.values) || again != 0 {
		t.Errorf("a complete checkpoint gives other bits, or %d sweeps", again)
	}
	if resumed == 0 {
		t.Error("the last run had nothing to do: the checkpoints hold more than was solved")
	}
}

// recordOffsets returns the first byte of every part of a checkpoint of two pieces:
// its first line, and of each record the number of values, their sum, the values and
// the last of them.
func recordOffsets() []int {
	offsets := []int{0, 1, len(checkpointMagic+"\n") - 1}
	at := len(checkpointMagic + "\n")
	for _, l := range []layer{{1, 1}, {1, 2}, {2, 2}} {
		n := len(finkel.pairOf(make([]float64, finkel.Positions(2)), l.own, l.opp))
		offsets = append(offsets, at, at+1, at+8, at+12, at+12+4*n, at+12+8*n-1)
		at += 12 + 8*n
	}
	return offsets
}

// A checkpoint that was cut or damaged in any of its parts gives the same bits.
func TestDamagedCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	want := solved(t, 2, Options{Threads: 1, Checkpoint: openCheckpoint(t, path)})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	offsets := recordOffsets()
	if last := offsets[len(offsets)-1]; last != len(whole)-1 {
		t.Fatalf("the checkpoint has %d bytes, want %d", len(whole), last+1)
	}
	for i, n := range offsets {
		if testing.Short() && i%4 != 0 {
			continue
		}
		damaged := slices.Clone(whole)
		damaged[max(n, len(checkpointMagic+"\n"))] ^= 0x40
		for what, text := range map[string][]byte{"cut": whole[:n], "damaged": damaged} {
			if err := os.WriteFile(path, text, 0o666); err != nil {
				t.Fatal(err)
			}
			if got := solved(t, 2, Options{Threads: 1, Checkpoint: openCheckpoint(t, path)}); !slices.Equal(got.values, want.values) {
				t.Fatalf("a checkpoint %s at byte %d gives other bits", what, n)
			}
			if after, _ := os.ReadFile(path); !slices.Equal(after, whole) {
				t.Fatalf("a checkpoint %s at byte %d is not mended", what, n)
			}
		}
	}
}

func TestForeignCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	const text = "something else that is long enough\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if c, err := OpenCheckpoint(path, board.Finkel()); err == nil {
		c.Close()
		t.Error("a foreign file opens as a checkpoint")
	}
	if after, _ := os.ReadFile(path); string(after) != text {
		t.Errorf("a foreign file was changed to %q", after)
	}
}

// A checkpoint is its opener's until it is closed, whatever becomes of the solution.
func TestCheckpointIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	c := openCheckpoint(t, path)
	refused := func(when string) {
		t.Helper()
		if other, err := OpenCheckpoint(path, board.Finkel()); !errors.Is(err, ErrCheckpointInUse) {
			if err == nil {
				other.Close()
			}
			t.Errorf("%s another may open the checkpoint: %v", when, err)
		}
	}
	refused("before it is used")
	if _, err := Solve(t.Context(), finkel.rulesOf(1), Options{Checkpoint: c}); err != nil {
		t.Fatal(err)
	}
	refused("while the solution is saved")
	if err := c.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a removed checkpoint is there: %v", err)
	}
	if err := openCheckpoint(t, path).Close(); err != nil {
		t.Error(err)
	}
}

// What solving takes is counted for the threads that do it.
func TestMemoryCountsThreads(t *testing.T) {
	rowBytes := int64(8 * finkel.maxRowSize(3))
	if one, many := finkel.Memory(3, 1), finkel.Memory(3, 65); many-one != 64*maxGroup*rowBytes {
		t.Errorf("64 threads more take %d bytes, want %d", many-one, 64*maxGroup*rowBytes)
	}
}

func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		solved(b, 4, Options{})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(finkel.Positions(4)), "ns/position")
}

// The solution has one checksum on every machine, also where products and sums are fused:
// go test with GOAMD64=v3, or on arm64.
func TestSolutionHasOneChecksum(t *testing.T) {
	const want = 0x252a1b1f
	sum := uint32(0)
	var b [8]byte
	for _, v := range solution(t, 2).values {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		sum = crc32.Update(sum, castagnoli, b[:])
	}
	if sum != want {
		t.Errorf("the checksum of the values of 2 pieces is %#08x, want %#08x", sum, want)
	}
}
