package solve

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

func TestLibrarySolvesSmallGames(t *testing.T) {
	l := Library{Folder: t.TempDir()}
	a, err := l.Table(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.Table(t.Context(), 2)
	if err != nil || &a.(Values)[0] != &b.(Values)[0] {
		t.Errorf("asked again, the library solves again (%v)", err)
	}
}

func TestLibraryFindsLargerTables(t *testing.T) {
	l := Library{Folder: t.TempDir()}
	v := solved(t, 3, Options{})
	if err := WriteTable(t.Context(), filepath.Join(l.Folder, FileName(3)), v, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	table, err := l.Find(2)
	if err != nil || table.Pieces() != 3 {
		t.Fatalf("found %v, %v", table, err)
	}
	t.Cleanup(func() { table.(TableFile).Close() })
	p := board.StartPosition(2)
	if got, want := table.Win(p), v.Win(p); got-want > 1e-5 || want-got > 1e-5 {
		t.Errorf("start of 2 pieces in a table of 3: %v, want %v", got, want)
	}
}

func TestLibraryMissesLargeGames(t *testing.T) {
	l := Library{Folder: t.TempDir()}
	var missing *MissingTableError
	if _, err := l.Table(t.Context(), 7); !errors.As(err, &missing) || missing.Pieces != 7 {
		t.Errorf("table of 7 pieces: %v", err)
	}
	if _, err := l.Table(t.Context(), 9); !errors.Is(err, board.ErrPieces) {
		t.Errorf("table of 9 pieces: %v", err)
	}
}
