//go:build !purego

package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// uses maps engines to the kernels they call. Engines that play many games side by side
// use array16/avx2 for single positions.
var uses = map[string]string{
	"array8/avx2":           `ur\.valuesArray8AVX2`,
	"array16/avx2":          `ur\.valuesArray16AVX2`,
	"array16/avx512":        `ur\.valuesArray16AVX512`,
	"bits/incremental-avx2": `incremental\.addRowAVX2`,
	"squares/avx2":          `squares\.play(Packed|Plain)|ur\.valuesArray16AVX2`,
	"lanes/avx512":          `lanes\.(one|two)Brains?(Packed|Plain)|ur\.valuesArray16AVX2`,
}

// builtIn returns the built-in engines of assembly and of plain Go. Those made of Go's
// vector intrinsics have no assembly to compare their needs with.
func builtIn() []ur.Engine {
	return slices.DeleteFunc(slices.Clone(list.builtIn), func(e ur.Engine) bool {
		return ur.Array16Archsimd != nil && e.Name() == ur.Array16Archsimd.Name()
	})
}

func TestKernelsAndGates(t *testing.T) {
	folders, err := filepath.Glob("internal/*")
	if err != nil {
		t.Fatal(err)
	}
	testkit.CheckKernels(t, builtIn(), uses, append(folders, "..")...)
}

// An engine that is declared in a file of assembly needs a CPU feature: without this, one
// that shares the kernels of another could ask for nothing.
func TestEnginesOfAssemblyNeedFeatures(t *testing.T) {
	gated := 0
	for i, e := range ladderVariables(t) {
		if ladder[i] == nil {
			continue
		}
		files := declaredIn(t, e)
		assembly := slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "_amd64.go") })
		if assembly {
			gated++
		}
		if needs := ladder[i].Needs(); assembly && len(needs) == 0 {
			t.Errorf("%s is declared in %v and needs no CPU feature", ladder[i].Name(), files)
		}
	}
	if gated < 6 {
		t.Errorf("%d engines are declared in files of assembly, want 6 or more", gated)
	}
}

// ladderVariables returns the elements of the variable ladder as they stand in the source.
func ladderVariables(t *testing.T) []*ast.SelectorExpr {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "engine.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []*ast.SelectorExpr
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "ladder" {
			return true
		}
		for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
			found = append(found, element.(*ast.SelectorExpr))
		}
		return false
	})
	if len(found) != len(ladder) {
		t.Fatalf("%d engines in the source of the ladder, want %d", len(found), len(ladder))
	}
	return found
}

// declaredIn returns the files that declare a variable of the ladder.
func declaredIn(t *testing.T, e *ast.SelectorExpr) []string {
	t.Helper()
	folder := ".."
	if name := e.X.(*ast.Ident).Name; name != "ur" {
		folder = filepath.Join("internal", name)
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				if slices.ContainsFunc(s.(*ast.ValueSpec).Names, func(n *ast.Ident) bool { return n.Name == e.Sel.Name }) {
					files = append(files, name)
				}
			}
		}
	}
	if len(files) == 0 {
		t.Fatalf("no file of %s declares %s", folder, strconv.Quote(e.Sel.Name))
	}
	return files
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
				for i := range guarded {
					guarded[i] = board.Finkel().Random(rng, board.FinkelPieces)
				}
				g.Load(guarded)
				oracle.Load(guarded)
				got, want := testkit.GuardedSlice[int32](t, n, atEnd), make([]int32, n)
				g.Values(got, board.Light)
				oracle.Values(want, board.Light)
				if !slices.Equal(got, want) {
					t.Errorf("%d values: %v, want %v", n, got, want)
				}
			}
			winners := testkit.GuardedSlice[board.Side](t, games, atEnd)
			want := make([]board.Side, games)
			series := ur.Series{Seed: 4, N: games}
			tally, err := g.Games(winners, series)
			wantTally, wantErr := oracle.Games(want, series)
			if fmt.Sprint(tally, err) != fmt.Sprint(wantTally, wantErr) || !slices.Equal(winners, want) {
				t.Errorf("%+v, %v; want %+v, %v", tally, err, wantTally, wantErr)
			}
		}
	})
}
