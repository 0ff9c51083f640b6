package search_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
)

func newBook(t testing.TB) *search.Book { return testkit.Must(search.NewBook("maze"))(t) }

func bytesOf(t testing.TB, b *search.Book) []byte {
	var file bytes.Buffer
	testkit.MustEqual(t, testkit.Must(b.WriteTo(&file))(t), int64(file.Len()), "bytes that are told as written")
	return file.Bytes()
}

// putAll puts moves under a key.
func putAll(t testing.TB, b *search.Book, k search.Key, moves ...search.BookMove) {
	t.Helper()
	for _, m := range moves {
		testkit.NoError(t, b.Put(k, m))
	}
}

func TestBookKeepsTheDeepestScore(t *testing.T) {
	b, k := newBook(t), search.KeyOf(1)
	for _, s := range []struct {
		id    uint8
		value search.Value
		depth int
	}{{3, 10, 4}, {3, 99, 2}, {5, 20, 1}, {5, 7, 6}, {0, 7, 6}} {
		testkit.NoError(t, b.Score(k, s.id, s.value, s.depth))
	}
	want := []search.BookMove{{ID: 3, Score: 10, Depth: 4}, {ID: 0, Score: 7, Depth: 6}, {ID: 5, Score: 7, Depth: 6}}
	testkit.Equal(t, b.Moves(k), want, "the book holds")
	testkit.Equal(t, b.Len(), 1, "positions")
	testkit.Equal(t, b.Moves(search.KeyOf(2)), nil, "moves in an unknown position")
}

// A move that loses again and again makes room for the next, and comes back when it wins.
func TestBookLearns(t *testing.T) {
	b, k := newBook(t), search.KeyOf(1)
	putAll(t, b, k, search.BookMove{ID: 1, Score: 50, Depth: 3}, search.BookMove{ID: 2, Score: 20, Depth: 3})
	learn := func(id uint8, result, games int) {
		for range games {
			testkit.NoError(t, b.Learn(k, id, result))
		}
	}
	best := func(worth search.Value, want uint8) {
		t.Helper()
		m, known := b.Best(k, worth)
		testkit.Equal(t, []any{m.ID, known}, []any{want, true}, "the best move, and whether it is known")
	}
	best(100, 1)
	learn(1, -1, 1)
	best(100, 1) // 50 - 100/5
	learn(1, -1, 1)
	best(100, 2) // 50 - 100*2/6
	best(0, 1)
	learn(1, 1, 2)
	best(100, 1)
	learn(2, 0, 9)
	best(100, 1)
	testkit.NoError(t, b.Learn(k, 9, 1))
	best(1000, 1) // a move that was never scored is not played
	want := search.BookMove{ID: 1, Score: 50, Depth: 3, Won: 2, Lost: 2}
	testkit.Equal(t, b.Moves(k)[0], want, "the move")
	_, known := b.Best(search.KeyOf(2), 0)
	testkit.Equal(t, known, false, "a best move of an unknown position")
}

func TestBookFile(t *testing.T) {
	b := newBook(t)
	for i := range uint64(20) {
		putAll(t, b, search.KeyOf(i*i), search.BookMove{ID: uint8(i), Score: search.Value(i) - 10, Depth: 3, Won: 1},
			search.BookMove{ID: 200, Score: -search.MaxValue, Depth: search.MaxDepth, Drawn: 1 << 31, Lost: 7})
		if i%2 == 0 {
			testkit.NoError(t, b.SetText(search.KeyOf(i*i), fmt.Sprint("place ", i)))
		}
	}
	file := bytesOf(t, b)
	again := testkit.Must(search.ReadBook(bytes.NewReader(file), "maze"))(t)
	testkit.Equal(t, string(bytesOf(t, again)), string(file), "a book that was read and written again")
	testkit.Equal(t, []string{again.Text(search.KeyOf(4)), again.Game()}, []string{"place 2", "maze"}, "text and game")
	n := 0
	for k, moves := range again.All() {
		testkit.Equal(t, moves, b.Moves(k), "the moves of %v", k)
		n++
	}
	testkit.Equal(t, n, b.Len(), "positions")
}

// Every damage of a book is found.
func TestDamagedBook(t *testing.T) {
	b := newBook(t)
	for i := range uint8(5) {
		putAll(t, b, search.KeyOf(uint64(i/2)), search.BookMove{ID: i, Score: search.Value(i), Depth: 3})
	}
	file := bytesOf(t, b)
	check := func(what string, damaged []byte) {
		t.Helper()
		_, err := search.ReadBook(bytes.NewReader(damaged), "maze")
		testkit.ErrorIf(t, err == nil || !strings.HasPrefix(err.Error(), "book, line "), "%s: error %v", what, err)
	}
	for i := range file {
		damaged := slices.Clone(file)
		damaged[i] ^= 1 << (i % 8)
		check(fmt.Sprint("byte ", i, " is changed"), damaged)
	}
	for n := range file {
		check(fmt.Sprint("cut behind ", n, " bytes"), file[:n])
	}
	check("something follows", append(slices.Clone(file), '\n'))
	testkit.WantError(t, testkit.ErrorOf(search.ReadBook(bytes.NewReader(file), "chess")), `"maze" (want "chess")`,
		"the book of another game")
	for _, bad := range []string{"", strings.Repeat("x", 41), "a b", "a\x00b"} {
		testkit.WantError(t, testkit.ErrorOf(search.NewBook(bad)), "", "a game called %q", bad)
	}
	for _, m := range []search.BookMove{{ID: search.NoMove}, {Score: search.MaxValue + 1},
		{Score: -search.MaxValue - 1}, {Depth: -1}, {Depth: 65}} {
		testkit.WantError(t, b.Put(search.KeyOf(1), m), "", "move %+v", m)
	}
	testkit.WantError(t, b.SetText(search.KeyOf(1), "two\nlines"), "", "a text of two lines")
}

// describedMaze has texts of positions.
type describedMaze struct{ mazeDice }

func (describedMaze) Describe(p *mazePosition) string { return fmt.Sprint("place ", p.place) }

// The score of a position that was filled to some plies is that of a search which is deeper by
// as many, and a fill that was interrupted goes on where it stopped.
func TestFillBook(t *testing.T) {
	g := describedMaze{mazeDice{maze{seed: 3, places: 1 << 20, moves: 3, values: 1000, rolls: 3}}}
	s := testkit.Must(search.NewDice(g, search.Options{}))(t)
	b := newBook(t)
	fill := search.Fill{Plies: 2, Margin: 2000, Limits: search.Limits{Depth: 2}}
	testkit.NoError(t, s.FillBook(context.Background(), b, mazePosition{}, fill))
	root := mazePosition{}
	for roll := range 3 {
		deep := testkit.Must(s.Search(context.Background(), root, roll, search.Limits{Depth: 3, AllMoves: true}))(t)
		k := g.Key(&root).Roll(roll)
		best, known := b.Best(k, 0)
		testkit.ErrorIf(t, !known || best.ID != deep.ID || best.Score != deep.Value || best.Depth != 3 ||
			b.Text(k) != fmt.Sprintf("place 0, roll %d", roll),
			"after roll %d the book plays %+v (%q), a search finds %+v", roll, best, b.Text(k), deep)
		for i, m := range s.Moves() {
			same := func(e search.BookMove) bool { return e.ID == m.ID && e.Score == deep.Moves[i] }
			testkit.Equal(t, slices.ContainsFunc(b.Moves(k), same), true, "roll %d: move %d is worth %d in %+v", roll,
				m.ID, deep.Moves[i], b.Moves(k))
		}
	}
	// An interrupted fill is resumed: a fill of one ply holds the root alone.
	half := newBook(t)
	first := fill
	first.Plies = 1
	for _, f := range []search.Fill{first, fill} {
		testkit.NoError(t, s.FillBook(context.Background(), half, mazePosition{}, f))
	}
	testkit.Equal(t, bytesOf(t, half), bytesOf(t, b), "a resumed fill")
	err := s.FillBook(testkit.CanceledContext(), newBook(t), mazePosition{}, fill)
	testkit.WantErrorIs(t, err, context.Canceled, "a cancelled fill")
	fill.Limits = search.Limits{Time: -1}
	testkit.WantError(t, s.FillBook(context.Background(), newBook(t), mazePosition{}, fill), "",
		"a fill without time has no error")
}

// A position that is met first with few plies left is filled to more when it is met again.
func TestFillBookGoesOnBehindTranspositions(t *testing.T) {
	const rolls = 3
	filled := func(seed uint64) int {
		g := mazeDice{maze{seed: seed, places: 30, moves: 3, values: 1000, rolls: rolls, untimed: true}}
		s := testkit.Must(search.NewDice(g, search.Options{}))(t)
		b := newBook(t)
		fill := search.Fill{Plies: 4, Margin: 2000, Limits: search.Limits{Depth: 1}}
		testkit.NoError(t, s.FillBook(context.Background(), b, mazePosition{}, fill))
		reached := map[search.Key]bool{} // by all lines of as many plies
		var walk func(p mazePosition, plies int)
		walk = func(p mazePosition, plies int) {
			for roll := range rolls {
				var list search.List[mazePosition]
				if g.Moves(&p, roll, &list); plies == 0 || len(list.All()) == 0 {
					return
				}
				reached[g.Key(&p).Roll(roll)] = true
				for _, m := range list.All() {
					walk(m.Next, plies-1)
				}
			}
		}
		walk(mazePosition{}, fill.Plies)
		testkit.Equal(t, b.Len(), len(reached), "seed %d", seed)
		return b.Len()
	}
	most := 0
	for seed := range uint64(50) {
		most = max(most, filled(seed))
	}
	testkit.ErrorIf(t, most < 5, "no maze has more than %d positions", most)
}

func FuzzReadBook(f *testing.F) {
	b := newBook(f)
	putAll(f, b, search.KeyOf(1), search.BookMove{ID: 2, Score: 3, Depth: 4})
	f.Add(bytesOf(f, b))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := search.ReadBook(bytes.NewReader(data), "")
		testkit.SkipOn(t, err)
		again := testkit.Must(search.ReadBook(bytes.NewReader(bytesOf(t, b)), b.Game()))(t)
		testkit.Equal(t, again.Len(), b.Len(), "positions of a book that was read and written")
	})
}
