package solve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestLibrarySolvesSmallGames(t *testing.T) {
	l := Library{Folder: t.TempDir()}
	a := testkit.Must(l.Table(t.Context(), finkel.rulesOf(2)))(t)
	b := testkit.Must(l.Table(t.Context(), finkel.rulesOf(2)))(t)
	testkit.Equal(t, a == b, true, "asked again, the library has the same table")
}

func TestLibraryFindsLargerTables(t *testing.T) {
	l := Library{Folder: t.TempDir()}
	v := solution(t, 2)
	testkit.NoError(t, v.Write(t.Context(), filepath.Join(l.Folder, FileName(finkel.rulesOf(2))), WriteOptions{}))
	file := testkit.Must(l.File(finkel.rulesOf(1)))(t)
	testkit.Equal(t, filepath.Base(file), FileName(finkel.rulesOf(2)), "the file of 1 piece")
	testkit.WantErrorAs[*MissingTableError](t, testkit.ErrorOf(l.File(finkel.rulesOf(3))), "", "no file of 3 pieces")
	table := testkit.Must(l.Find(finkel.rulesOf(1)))(t)
	t.Cleanup(func() { table.Close() })
	testkit.MustEqual(t, table.Pieces(), 2, "pieces of the table found for 1")
	p := board.StartPosition(1)
	testkit.Near(t, table.Win(p), v.Win(p), 1e-5, "start of 1 piece in a table of 2")
}

// Whatever is at hand, the library answers the same: having solved the game at once, from
// a file of any encoding, and from the table of a larger game.
func TestLibraryAnswersAlike(t *testing.T) {
	ask := func(l *Library) *Table {
		t.Helper()
		return testkit.Must(l.Table(t.Context(), finkel.rulesOf(2)))(t)
	}
	want := ask(&Library{})
	for _, pieces := range []int{2, 3} {
		for _, encoding := range []Encoding{Compact, Float64} {
			l := &Library{Folder: t.TempDir()}
			v := solution(t, pieces)
			testkit.NoError(t, v.Write(t.Context(), filepath.Join(l.Folder, FileName(finkel.rulesOf(pieces))),
				WriteOptions{Encoding: encoding}))
			table := ask(l)
			t.Cleanup(func() { table.Close() })
			for rank := range finkel.Positions(2) {
				testkit.MustEqual(t, table.At(rank), want.At(rank),
					"%d pieces, %v: position %d is worth", pieces, encoding, rank)
			}
		}
	}
}

func TestLibraryMissesLargeGames(t *testing.T) {
	l := Library{Folder: t.TempDir()}
	var missing *MissingTableError
	_, err := l.Table(t.Context(), board.Finkel())
	testkit.ErrorIf(t, !errors.As(err, &missing) || missing.Rules.Pieces() != 7, "table of 7 pieces: %v", err)
}

// A solution that took more than a moment is kept for the next process, if that is asked for, and is
// told of while it is made. So it is under every rule set.
func TestLibraryKeepsWhatItSolved(t *testing.T) {
	blitz := testkit.Must(testkit.Must(board.Lookup("blitz"))(t).WithPieces(2))(t)
	folder := t.TempDir()
	calls := 0
	l := Library{Folder: folder, keepFrom: 10_000}
	ctx := WithProgress(t.Context(), func(pieces int, p Progress) {
		testkit.ErrorIf(t, pieces != 1 && pieces != 2 || p.Done < 0 || p.Done > 1, "progress %+v of %d pieces", p,
			pieces)
		calls++
	})
	for _, r := range []*board.Rules{finkel.rulesOf(1), blitz} {
		testkit.Must(l.Table(ctx, r))(t)
	}
	testkit.ErrorIf(t, calls == 0, "no progress is told")
	testkit.WantError(t, testkit.ErrorOf(os.Stat(filepath.Join(folder, FileName(finkel.rulesOf(1))))), "",
		"a table that takes a moment is kept")
	table := testkit.Must((&Library{Folder: folder}).Find(blitz))(t) // as the next process does
	defer table.Close()
	testkit.Equal(t, table.Win(blitz.Start()), testkit.Must(l.Find(blitz))(t).Win(blitz.Start()), "the start is worth")
}

// A caller whose context ends leaves at once, while another one's solution goes on.
func TestLibraryCallerLeaves(t *testing.T) {
	l := Library{Folder: t.TempDir()}
	begun, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	solving := WithProgress(t.Context(), func(int, Progress) {
		once.Do(func() { close(begun); <-goOn })
	})
	solved := make(chan error)
	go func() {
		_, err := l.Table(solving, finkel.rulesOf(2))
		solved <- err
	}()
	<-begun
	err := testkit.ErrorOf(l.Table(testkit.CanceledContext(), finkel.rulesOf(2)))
	testkit.WantErrorIs(t, err, context.Canceled, "a caller whose context has ended")
	close(goOn)
	testkit.NoError(t, <-solved)
}
