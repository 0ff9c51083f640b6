package search_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/search"
)

func newBook(t testing.TB) *search.BookMaker {
	m, err := search.NewBookMaker("maze")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBook(t *testing.T) {
	g := mazeGame{maze{seed: 3, places: 1000, moves: 4, values: 1000}}
	s, err := search.New(g, search.Options{Table: newTable(t, 1<<16, search.Buckets)})
	if err != nil {
		t.Fatal(err)
	}
	m := newBook(t)
	if err := search.FillBook(context.Background(), m, s, mazePosition{}, 3, 200, search.Limits{Depth: 4}); err != nil {
		t.Fatal(err)
	}
	r, err := s.Search(context.Background(), mazePosition{}, search.Limits{Depth: 4, AllMoves: true})
	if err != nil {
		t.Fatal(err)
	}
	root := g.Key(&mazePosition{})
	m.Teach(root, r.ID, 1)
	m.Teach(root, r.ID, -1)
	m.Teach(root, r.ID, 0)
	m.Score(root, r.ID, 77, 2) // shallower than what is there
	name := filepath.Join(t.TempDir(), "maze.book")
	if err := m.Save(name); err != nil {
		t.Fatal(err)
	}

	b, err := search.OpenBook(name, "maze")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	found := b.Find(nil, root)
	if len(found) != len(r.Moves) {
		t.Fatalf("the book knows %d moves, want %d", len(found), len(r.Moves))
	}
	for i, e := range found {
		want := search.BookEntry{Key: root, ID: s.Moves()[i].ID, Depth: 4, Score: r.Moves[i]}
		if e.ID == r.ID {
			want.Won, want.Drawn, want.Lost = 1, 1, 1
		}
		if e != want {
			t.Errorf("entry %d is %+v, want %+v", i, e, want)
		}
	}
	if b.Len() <= len(found) || len(b.Find(nil, search.Key{Index: 1})) != 0 {
		t.Errorf("the book has %d entries, and of an unknown position %v", b.Len(), b.Find(nil, search.Key{Index: 1}))
	}
	// A book taken over and written again is the same file.
	again := newBook(t)
	again.Add(b)
	copied := name + "2"
	if err := again.Save(copied); err != nil {
		t.Fatal(err)
	}
	if want, got := read(t, name), read(t, copied); !slices.Equal(want, got) {
		t.Error("a book that was read and written again differs")
	}
}

func read(t testing.TB, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every damage of a book is found.
func TestDamagedBook(t *testing.T) {
	m := newBook(t)
	for i := range uint8(5) {
		m.Score(search.KeyOf(uint64(i/2)), i, search.Value(i), 3)
	}
	name := filepath.Join(t.TempDir(), "maze.book")
	if err := m.Save(name); err != nil {
		t.Fatal(err)
	}
	data := read(t, name)
	check := func(what string, damaged []byte) {
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := search.OpenBook(name, "maze")
		var problem *search.BookError
		if !errors.As(err, &problem) {
			t.Errorf("%s: error %v", what, err)
		}
		if err == nil {
			b.Close()
		}
	}
	for i := range data {
		damaged := slices.Clone(data)
		damaged[i] ^= 1 << (i % 8)
		check("a byte is changed", damaged)
	}
	for _, n := range []int{0, 1, 63, 64, len(data) - 1} {
		check("the end is missing", data[:n])
	}
	check("something follows", append(slices.Clone(data), 0))
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := search.OpenBook(name, "chess"); err == nil || !strings.Contains(err.Error(), `"maze", not "chess"`) {
		t.Errorf("the book of another game: error %v", err)
	}
	if _, err := search.OpenBook(name+".none", "maze"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no book: error %v", err)
	}
	for _, bad := range []string{"", strings.Repeat("x", 41), "a\x00b"} {
		if _, err := search.NewBookMaker(bad); err == nil {
			t.Errorf("a game called %q is accepted", bad)
		}
	}
}

func FuzzOpenBook(f *testing.F) {
	m := newBook(f)
	m.Score(search.KeyOf(1), 2, 3, 4)
	name := filepath.Join(f.TempDir(), "seed.book")
	if err := m.Save(name); err != nil {
		f.Fatal(err)
	}
	f.Add(read(f, name))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "any.book")
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := search.OpenBook(name, "")
		if err != nil {
			return
		}
		defer b.Close()
		n := 0
		for e := range b.All() {
			if !slices.Contains(b.Find(nil, e.Key), e) {
				t.Errorf("entry %+v is not found", e)
			}
			n++
		}
		if n != b.Len() {
			t.Errorf("%d entries, want %d", n, b.Len())
		}
	})
}
