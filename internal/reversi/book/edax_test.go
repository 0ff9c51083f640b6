package book

import (
	"context"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

func edax(t testing.TB, b *Book) string {
	var out strings.Builder
	if err := b.WriteEdax(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A book has the same positions after Edax's form, and the same scores up to rounding.
func TestEdaxForm(t *testing.T) {
	b := build(t, 60)
	form := edax(t, b)
	read := New()
	if err := read.ReadEdax(strings.NewReader(form)); err != nil {
		t.Fatal(err)
	}
	if read.Len() != b.Len() {
		t.Errorf("%d positions, want %d", read.Len(), b.Len())
	}
	for _, at := range b.boards() {
		want, got := b.Moves(at), read.Moves(at)
		if len(got) == 0 || math.Abs(got[0].Score-want[0].Score) > 0.5 {
			t.Errorf("%v: %v, want %v", at, got, want)
		}
	}
	// The depth of a score from other positions depends on the order of its searches, so depths are
	// compared only where no move leads to another position.
	inner := map[string]bool{}
	for _, at := range b.boards() {
		for _, h := range b.Moves(at) {
			next, _, over := after(at, h.Square)
			if !over && b.positions.Moves(b.key(next)) != nil {
				inner[board.Position{Board: at}.Text()+" X"] = true
			}
		}
	}
	levels := regexp.MustCompile(`(?m)^(\S+ X),\d+`)
	plain := func(text string) string {
		return levels.ReplaceAllStringFunc(text, func(line string) string {
			if at, _, _ := strings.Cut(line, ","); inner[at] {
				return at
			}
			return line
		})
	}
	if len(inner) == 0 || len(inner) == b.Len() {
		t.Errorf("%d of %d positions lead to others: the test compares nothing", len(inner), b.Len())
	}
	if got, want := plain(edax(t, read)), plain(form); got != want {
		t.Errorf("written again, it is another text:\n%s\nwant\n%s", got, want)
	}
}

// Lines as Edax writes them.
func TestReadEdax(t *testing.T) {
	b := New()
	in := "---------------------------OX------XO--------------------------- X,21,--,-127\n" +
		"\n--------------------------XXX------XO--------------------------- O,21,C3,-3\r\n"
	if err := b.ReadEdax(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if s, score, ok := b.Move(board.Start); !ok || score != 3 || b.Len() != 2 || board.Start.Moves()&s.Bit() == 0 {
		t.Errorf("%s scores %v, %v; %d positions", s, score, ok, b.Len())
	}
	for _, bad := range []string{"x", "x,1,d3,0", "---------------------------OX------XO--------------------------- X,99,d3,0",
		"---------------------------OX------XO--------------------------- X,9,a1,0", "---------------------------OX------XO--------------------------- X,9,z9,0",
		"---------------------------OX------XO--------------------------- X,9,d3,x", "---------------------------OX------XO--------------------------- X,9,d3,99"} {
		if err := New().ReadEdax(strings.NewReader("\n" + bad)); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// The book grows where lines are cheap: a position one ply deeper costs as much as a worse move.
func TestDropOuts(t *testing.T) {
	b := New()
	o := Options{Games: 1, Discs: 6, Player: player(t), Curious: 1}
	if found := b.dropOuts(o, 9); len(found) != 1 || found[0].Empties() != 60 {
		t.Fatalf("an empty book expands %v", found)
	}
	o.Games = 100
	if err := b.Build(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	// One position of 4 and one of 5 discs, three of 6, by symmetry: then the book is complete.
	if b.Len() != 5 || len(b.dropOuts(o, 9)) != 0 {
		t.Errorf("%d positions, %d left", b.Len(), len(b.dropOuts(o, 9)))
	}
	most := map[float64]int{}
	for _, curious := range []float64{0.01, 100} {
		b := New()
		if err := b.Build(context.Background(), Options{Games: 40, Discs: 40, Player: player(t), Curious: curious}); err != nil {
			t.Fatal(err)
		}
		most[curious] = 64 - b.boards()[0].Empties()
	}
	if most[0.01] <= most[100] {
		t.Errorf("books go to %v discs, by how curious they are", most)
	}
}

func FuzzReadEdax(f *testing.F) {
	f.Add("---------------------------OX------XO--------------------------- X,21,d3,-1\n")
	f.Fuzz(func(t *testing.T, in string) {
		b := New()
		if b.ReadEdax(strings.NewReader(in)) != nil {
			return
		}
		text := text(t, b)
		if again, err := Read(strings.NewReader(text)); err != nil || again.Len() != b.Len() {
			t.Errorf("%q is not read as written: %v", in, err)
		}
	})
}
