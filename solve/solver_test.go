package solve

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"golang.org/x/sync/errgroup"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// finkel is the index of Finkel's rules.
var finkel, _ = IndexOf(board.Finkel())

// solutions are those that tests have asked for, by the number of pieces.
var solutions sync.Map

// solution returns the solution of a game, which is found once for all tests.
func solution(t testing.TB, pieces int) *Table {
	t.Helper()
	v, ok := solutions.Load(pieces)
	if !ok {
		v = solved(t, finkel.rulesOf(pieces), Options{})
		solutions.Store(pieces, v)
	}
	return NewTable(finkel, pieces, slices.Clone(v.(*Table).values))
}

// solved returns the solution of a rule set, solved now, and closes the checkpoint.
func solved(t testing.TB, r *board.Rules, o Options) *Table {
	t.Helper()
	s, err := Solve(t.Context(), r, o)
	if o.Checkpoint != nil {
		err = errors.Join(err, o.Checkpoint.Close())
	}
	testkit.NoError(t, err)
	return s
}

// wantBits reports values that differ from the expected ones, without printing all of them.
func wantBits(t *testing.T, got, want []float64, format string, args ...any) {
	t.Helper()
	testkit.ErrorIf(t, !slices.Equal(got, want), "%s: the values have other bits (want the same)",
		fmt.Sprintf(format, args...))
}

// The threads share every sweep here, also of layers for which they are not worth it.
func TestSolutionDoesNotDependOnThreads(t *testing.T) {
	pieces := testkit.Trials(2, 3)
	one := solved(t, finkel.rulesOf(pieces), Options{Threads: 1})
	for _, threads := range []int{3, 8} {
		s := newSolver(finkel, pieces, Options{Threads: threads})
		s.shareFrom = 0
		testkit.NoError(t, s.solvePairs(t.Context(), new(errgroup.Group)))
		wantBits(t, s.values, one.values, "%d threads", threads)
	}
}

func TestSmallerGamesAreAPrefix(t *testing.T) {
	three, two := solution(t, 3), solution(t, 2)
	wantBits(t, three.values[:len(two.values)], two.values, "the solution of 2 pieces in that of 3")
	testkit.Equal(t, []int{three.Pieces(), two.Pieces()}, []int{3, 2}, "pieces of the solutions")
}

func TestValuesOfFinishedGames(t *testing.T) {
	v := solution(t, 1)
	won := testkit.Must(board.Finkel().FromSquares(1, board.Light, [2]uint32{}, [2]int{1, 0}))(t)
	testkit.Equal(t, v.Win(won), 1, "a won game is worth")
	testkit.Equal(t, v.Win(won.Pass()), 0, "a won game is worth")
}

func TestCertify(t *testing.T) {
	v := solution(t, 2)
	testkit.Near(t, testkit.Must(v.Certify(t.Context(), 0))(t), 0, 2e-15, "residual")
	// The error in one value shows there, and where the value is looked at.
	for _, rank := range []int{0, 1000, len(v.values) - 1} {
		spoilt := solution(t, 2)
		spoilt.values[rank] += 1e-9
		residual, _ := spoilt.Certify(t.Context(), 0)
		testkit.Near(t, residual, 1e-9, 1e-10, "the residual with an error of 1e-9 at %d", rank)
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
	testkit.WantErrorIs(t, err, context.Canceled, "error of an interrupted solution")
}

func openCheckpoint(t *testing.T, path string, pieces int) *Checkpoint {
	t.Helper()
	return testkit.Must(OpenCheckpoint(path, finkel.rulesOf(pieces), false))(t)
}

func TestResumeGivesTheSameBits(t *testing.T) {
	want := solution(t, 3)
	path := filepath.Join(t.TempDir(), "checkpoint")
	for _, sweeps := range []int{1, 30, 30} {
		interrupted(t, 3, sweeps, openCheckpoint(t, path, 3))
	}
	for _, from := range []string{"an interrupted solution", "a complete checkpoint"} {
		sweeps := 0
		got := solved(t, finkel.rulesOf(3),
			Options{Checkpoint: openCheckpoint(t, path, 3), Progress: func(Progress) { sweeps++ }})
		wantBits(t, got.values, want.values, "%s", from)
		testkit.Equal(t, sweeps == 0, from == "a complete checkpoint", "%s leaves no sweep (%d)", from, sweeps)
	}
}

// A checkpoint that was cut, or damaged behind its header, gives the same bits, and says how many of
// its layers are sound.
func TestDamagedCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	want := solved(t, finkel.rulesOf(2), Options{Threads: 1, Checkpoint: openCheckpoint(t, path, 2)})
	whole := testkit.Must(os.ReadFile(path))(t)
	const sums, values = valuesOffset, 2 * valuesOffset
	testkit.MustEqual(t, values+8*finkel.Positions(2), len(whole), "the checkpoint")
	// Offsets in the header, and then in the values and the checksum of every sixth pair, or of all.
	offsets := []int{0, 1, 60, 67, sums - 1}
	pairs := finkel.layerPairs(2)
	for number, l := range pairs {
		if number%testkit.Trials(6, 1) > 0 {
			continue
		}
		first, n := finkel.pairAt(l)
		offsets = append(offsets, values+8*first, values+8*(first+n/2), values+8*(first+n)-1, sums+4*number)
	}
	for _, n := range offsets {
		damaged := slices.Clone(whole)
		damaged[max(n, sums)] ^= 0x40
		for what, text := range map[string][]byte{"cut": whole[:n], "damaged": damaged} {
			testkit.WriteText(t, path, string(text))
			c := openCheckpoint(t, path, 2)
			sound, written := c.Parts()
			testkit.ErrorIf(t, sound >= len(pairs) || what == "damaged" && written != len(pairs),
				"of a checkpoint %s at byte %d, %d of %d pairs are sound", what, n, sound, written)
			got := solved(t, finkel.rulesOf(2), Options{Threads: 1, Checkpoint: c})
			wantBits(t, got.values, want.values, "a checkpoint %s at byte %d", what, n)
			testkit.MustEqual(t, slices.Equal(testkit.Must(os.ReadFile(path))(t), whole), true, "a checkpoint %s at byte %d is mended", what, n)
		}
	}
}

// A checkpoint without a finished layer leaves nothing that blocks another run, and a fresh one
// replaces whatever is there.
func TestEmptyCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	testkit.NoError(t, openCheckpoint(t, path, 2).Close())
	testkit.WantErrorIs(t, testkit.ErrorOf(os.Stat(path)), os.ErrNotExist, "an empty checkpoint stays")
	solved(t, finkel.rulesOf(2), Options{Checkpoint: openCheckpoint(t, path, 2)})
	testkit.WantError(t, testkit.ErrorOf(OpenCheckpoint(path, finkel.rulesOf(3), false)), "",
		"a checkpoint of two pieces is one of three")
	c := testkit.Must(OpenCheckpoint(path, finkel.rulesOf(3), true))(t)
	sound, written := c.Parts()
	testkit.Equal(t, []int{sound, written}, []int{0, 0}, "layers of a fresh checkpoint")
	testkit.WantError(t, testkit.ErrorOf(openFile(path)), "", "a checkpoint opens as a table")
	testkit.NoError(t, c.Close())
}

func TestForeignCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	const text = "something else that is long enough\n"
	testkit.WriteText(t, path, text)
	testkit.WantError(t, testkit.ErrorOf(OpenCheckpoint(path, finkel.rulesOf(1), false)), "",
		"a foreign file opens as a checkpoint")
	testkit.Equal(t, testkit.ReadText(t, path), text, "a foreign file")
}

// A checkpoint is its opener's until it is closed, whatever becomes of the solution.
func TestCheckpointIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	c := openCheckpoint(t, path, 1)
	refused := func(when string) {
		t.Helper()
		testkit.WantErrorIs(t, testkit.ErrorOf(OpenCheckpoint(path, board.Finkel(), false)), ErrCheckpointInUse,
			"%s another opens the checkpoint", when)
	}
	refused("before it is used")
	testkit.Must(Solve(t.Context(), finkel.rulesOf(1), Options{Checkpoint: c}))(t)
	refused("while the solution is saved")
	testkit.NoError(t, c.Remove())
	testkit.WantErrorIs(t, testkit.ErrorOf(os.Stat(path)), os.ErrNotExist, "a removed checkpoint is there")
	testkit.NoError(t, openCheckpoint(t, path, 1).Close())
}

// What solving takes is counted for the threads that do it.
func TestMemoryCountsThreads(t *testing.T) {
	rowBytes := int64(8 * finkel.maxRowSize(3))
	testkit.Equal(t, finkel.Memory(3, 65)-finkel.Memory(3, 1), 64*maxGroup*rowBytes, "bytes that 64 threads more take")
}

func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		solved(b, finkel.rulesOf(4), Options{})
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
	testkit.Equal(t, sum, want, "the checksum of the values of 2 pieces")
}

// BenchmarkSweep measures the sweep of some rows of the layers of 4 and 7 pieces of Finkel's rules:
// rows as long as those of the whole game, and values that fit in memory.
func BenchmarkSweep(b *testing.B) {
	x, light, dark := finkel, 4, 7
	p := &pair{
		Index: x, a: light, b: dark,
		light:     make([]float64, x.size[light][dark]),
		dark:      make([]float64, x.size[light][dark]),
		lightHome: make([]float64, x.size[light-1][dark]),
		darkHome:  make([]float64, x.size[light][dark-1]),
		ones:      slices.Repeat([]float64{1}, 1<<x.safe),
		programs:  x.newPrograms(light, dark, 1),
		residuals: &residuals{},
	}
	for i := range p.light {
		p.light[i], p.dark[i] = float64(i%1000)/1000, float64(i%999)/1000
	}
	s := newSolver(x, 1, Options{Threads: 1}).sweepers[0]
	for i := range s.lanes {
		s.lanes[i].sum = make([]float64, x.maxRowSize(dark))
	}
	var groups [][]row
	positions := 0
	for _, level := range x.newLevels(light, dark) {
		for i, group := range level {
			if i%16 < 2 {
				groups = append(groups, group)
				positions += len(group) * int(x.rowSize[dark][x.sharedOf(group[0])])
			}
		}
	}
	b.ResetTimer()
	for b.Loop() {
		for _, group := range groups {
			p.sweepGroup(group, s)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(positions), "ns/position")
}
