//go:build !purego && (amd64 || (arm64 && go1.27))

package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/internal/array"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// uses maps engines to the kernels they call. Engines that play many games side by side
// use the vectors on array16 for single positions.
var uses = map[string]string{
	"array8/avx2":           `array\.valuesArray8AVX2`,
	"array16/avx2":          `ur\.valuesArray16AVX2`,
	"array16/avx512":        `array\.valuesArray16AVX512`,
	"bits/incremental-avx2": `incremental\.addRowAVX2`,
	"squares/avx2":          `squares\.play(Packed|Plain)|ur\.valuesArray16AVX2`,
	"lanes/avx512":          `lanes\.(one|two)Brains?(Packed|Plain)|ur\.valuesArray16AVX2`,

	"array16/neon":          `ur\.valuesArray16NEON`,
	"bits/incremental-neon": `incremental\.addRow`,
	"lanes/neon":            `lanes\.addRows`,
	"squares/neon":          `squares\.play(Packed|Plain)|ur\.valuesArray16NEON`,
}

// builtIn returns the built-in engines of assembly and of plain Go in this build. Those made of
// Go's vector intrinsics have no assembly to compare their needs with.
func builtIn() []ur.Engine {
	return slices.DeleteFunc(slices.Clone(ladder), func(e ur.Engine) bool {
		if _, other := e.(elsewhere); other {
			return true
		}
		return array.Archsimd != nil && e.Name() == array.Archsimd.Name()
	})
}

func TestKernelsAndGates(t *testing.T) {
	folders := testkit.Must(filepath.Glob("internal/*"))(t)
	calls := maps.Clone(uses)
	arm64 := runtime.GOARCH == "arm64"
	maps.DeleteFunc(calls, func(name, _ string) bool { return strings.Contains(name, "neon") != arm64 })
	testkit.CheckKernels(t, builtIn(), calls, append(folders, "..")...)
}

// An engine calls kernels, and needs CPU features, if and only if its name says so.
func TestEnginesOfAssemblyNeedFeatures(t *testing.T) {
	for _, e := range builtIn() {
		_, kernels := uses[e.Name()]
		assembly := strings.Contains(e.Name(), "avx") || strings.Contains(e.Name(), "neon")
		testkit.ErrorIf(t, assembly != kernels || assembly != (len(e.Needs()) > 0),
			"%s: calls kernels: %v; needs %v", e.Name(), kernels, e.Needs())
	}
}

// No engine may read or write beyond the memory of its caller, whichever side of it a page
// lies on that cannot be touched.
func TestEnginesStopAtGuardPages(t *testing.T) {
	const games = 37
	rng := rand.New(rand.NewPCG(7, 7))
	forEachEngine(t, func(t *testing.T, e ur.Engine) {
		setup := ur.Setup{Light: ur.ClassicBrain(), Dark: new(ur.Brain)}
		g, oracle := newGame(t, e, setup), newGame(t, Oracle(), setup)
		for _, atEnd := range []bool{false, true} {
			for n := 1; n <= 17; n++ {
				guarded := testkit.GuardedSlice[board.Position](t, n, atEnd)
				testkit.Fill(guarded, func() board.Position { return board.Finkel().Random(rng, board.FinkelPieces) })
				g.Load(guarded)
				oracle.Load(guarded)
				got, want := testkit.GuardedSlice[int32](t, n, atEnd), make([]int32, n)
				g.Values(got, board.Light)
				oracle.Values(want, board.Light)
				testkit.Equal(t, got, want, "%d values", n)
			}
			winners := testkit.GuardedSlice[board.Side](t, games, atEnd)
			want := make([]board.Side, games)
			series := ur.Series{Seed: 4, N: games}
			tally, err := g.Games(winners, series)
			wantTally, wantErr := oracle.Games(want, series)
			testkit.Equal(t, fmt.Sprint(tally, err), fmt.Sprint(wantTally, wantErr), "tally and error")
			testkit.Equal(t, winners, want, "winners")
		}
	})
}
