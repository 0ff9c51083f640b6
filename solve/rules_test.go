package solve

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// variants are rule sets with the features that the built-in ones lack.
func variants(t testing.TB) []*board.Rules {
	t.Helper()
	change := func(name string, d board.Definition, f func(*board.Definition)) *board.Rules {
		d.Name = name
		f(&d)
		return testkit.Must(board.New(d))(t)
	}
	masters := testkit.Must(board.Lookup("masters"))(t)
	finkel := board.Finkel().Definition()
	return []*board.Rules{
		change("six", finkel, func(d *board.Definition) { d.Dice = []int{0, 1, 1, 1, 1, 1, 1} }),
		change("odd", finkel, func(d *board.Definition) { d.Dice = []int{3, 5, 0, 2, 0, 1} }),
		change("plain", finkel, func(d *board.Definition) { d.RollAfterRosette = false }),
		change("crossed", masters.Definition(),
			func(d *board.Definition) { d.SafeRosettes, d.RollAfterCapture = true, true }),
	}
}

// Every position of small games of every rule set has the value that the plain solver finds.
func TestSolutionEqualsPlainSolver(t *testing.T) {
	for _, r := range append(board.List(), variants(t)...) {
		for pieces := 1; pieces <= testkit.Trials(1, 2); pieces++ {
			t.Run(r.Name(), func(t *testing.T) { compareWithPlain(t, r, pieces) })
		}
	}
}

func compareWithPlain(t *testing.T, r *board.Rules, pieces int) {
	r = testkit.Must(r.WithPieces(pieces))(t)
	v := solved(t, r, Options{})
	plain := solvePlainly(r)
	for i, p := range plain.positions {
		testkit.Near(t, v.Win(p), plain.win[i], 2e-13, "%d pieces, %v: by the plain solver", pieces, p.Numbers())
	}
	residual := testkit.Must(v.Certify(t.Context(), 0))(t)
	testkit.Near(t, residual, 0, 4e-15, "%d pieces: residual", pieces)
	t.Logf("%d pieces: %d positions agree, start %.12f, residual %.1e", pieces, len(plain.positions),
		v.Win(r.Start()), residual)
}

// game_of_ur counts the games that the mover has won besides the unfinished ones: one for each
// way to place the opponent's pieces, except all of them at home.
func TestPositionsOfRules(t *testing.T) {
	for name, want := range map[string]int{"finkel": 137_892_016, "blitz": 41_254_034, "masters": 500_981_472} {
		r := testkit.Must(board.Lookup(name))(t)
		x := testkit.Must(IndexOf(r))(t)
		won := -1
		for opp := range row(x.rowSets()) {
			won += max(0, r.Pieces()-opp.pieceCount()+1)
		}
		testkit.Equal(t, x.Positions(r.Pieces())+won, want, "%s: positions, %d of them won", name, won)
		t.Logf("%s: %d positions and %d won", name, x.Positions(r.Pieces()), won)
	}
}

// A table of any rules names them, and is refused where others are wanted.
func TestTableNamesItsRules(t *testing.T) {
	all := append(board.List(), variants(t)...)
	for i, r := range all {
		r := testkit.Must(r.WithPieces(1))(t)
		x := testkit.Must(IndexOf(r))(t)
		v := NewTable(x, 1, make([]float64, x.Positions(1)))
		v.values[7] = 1
		name := filepath.Join(t.TempDir(), FileName(r))
		testkit.NoError(t, v.Write(t.Context(), name,
			WriteOptions{Encoding: Float64, Meta: []byte(`{"rules":"of the game","by":"a test"}`)}))
		f := testkit.Must(Open(name, all[i]))(t)
		got := f.Info()
		testkit.ErrorIf(t, !f.Rules().Equal(r) || f.Pieces() != 1 || string(got.Meta) != `{"by":"a test"}` ||
			f.At(7) != 1,
			"%s: %+v", r.Name(), got)
		testkit.NoError(t, f.Close())
		want := all[(i+1)%len(all)]
		testkit.Equal(t, faultOf(testkit.ErrorOf(Open(name, want))).Msg,
			fmt.Sprintf("a table of the rules %s (want %s)", r.Name(), want.Name()), "opened as %s", want.Name())
		err := testkit.ErrorOf(Open(name, board.Finkel()))
		testkit.Equal(t, err == nil, i == 0, "%s: opened as finkel (%v)", r.Name(), err)
	}
}

// Rules under which a game may never end are refused, not solved wrongly.
func TestSolveRefusesEndlessGames(t *testing.T) {
	r := testkit.Must(board.New(board.Definition{
		Name: "blocked", Board: []string{"####"}, Light: []string{"A1", "A2", "A3", "A4"},
		Dark:     []string{"A4", "A3", "A2", "A1"},
		Rosettes: []string{"A1", "A2", "A3", "A4"}, Pieces: 1, Dice: []int{1, 1}, SafeRosettes: true,
	}))(t)
	testkit.WantError(t, testkit.ErrorOf(Solve(t.Context(), r, Options{})), "neither side can ever move", "Solve")
}

// definition returns a rule set of one column and the given path.
func definition(t *testing.T, change func(*board.Definition)) *board.Rules {
	t.Helper()
	d := board.Definition{
		Name: "tiny", Board: []string{"#"}, Light: []string{"A1"}, Rosettes: []string{"A1"},
		Pieces: 1, Dice: []int{5, 7}, SafeRosettes: true, RollAfterCapture: true,
	}
	change(&d)
	return testkit.Must(board.New(d))(t)
}

// Rounding may push a value above 1 under some rules: what is solved can be written.
func TestSolutionsAreProbabilities(t *testing.T) {
	v := solved(t, definition(t, func(*board.Definition) {}), Options{})
	testkit.NoError(t, v.Write(t.Context(), filepath.Join(t.TempDir(), "tiny.urt"), WriteOptions{Encoding: Float64}))
}

// Dice without chance give no value, and a roll of nearly 1 takes sweeps almost without end.
func TestSolveRefusesLikelyRolls(t *testing.T) {
	for want, dice := range map[string][]int{"dice with one roll": {0, 1}, "too slowly": {1, 0, 19_999}} {
		r := definition(t, func(d *board.Definition) {
			d.Board, d.Light, d.Dice = []string{"###"}, []string{"A1", "A2", "A3"}, dice
		})
		testkit.WantError(t, testkit.ErrorOf(Solve(t.Context(), r, Options{})), want, "dice %v", dice)
	}
}

// A solution for which the machine has too little memory is refused, instead of ending the process.
func TestSolveRefusesTooMuchMemory(t *testing.T) {
	testkit.SkipIf(t, runtime.GOOS != "linux", "the memory is not known here")
	masters := testkit.Must(testkit.Must(board.Lookup("masters"))(t).WithPieces(9))(t)
	x := testkit.Must(IndexOf(masters))(t)
	threads := int(process.MemoryInstalled() / int64(8*maxGroup*x.maxRowSize(9)))
	testkit.WantError(t, testkit.ErrorOf(Solve(t.Context(), masters, Options{Threads: threads})), "MiB of memory",
		"Solve")
}
