package book

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func player(t testing.TB) reversi.Player {
	p, err := reversi.ParsePlayer("level:2", reversi.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func build(t testing.TB, games int) *Book {
	b := New()
	if err := b.Build(context.Background(), Options{Games: games, Discs: 12, Player: player(t), Seed: 4}); err != nil {
		t.Fatal(err)
	}
	return b
}

func text(t testing.TB, b *Book) string {
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBooksAreReadAsWritten(t *testing.T) {
	b := build(t, 40)
	if b.Len() < 10 {
		t.Fatalf("%d positions", b.Len())
	}
	want := text(t, b)
	read, err := Read(strings.NewReader(want))
	if err != nil || text(t, read) != want {
		t.Errorf("read as another book: %v", err)
	}
	if text(t, build(t, 40)) != want {
		t.Error("the same seed makes another book")
	}
	joined := New()
	joined.Join(b)
	if text(t, joined) != want {
		t.Error("joined to nothing, it is another book")
	}
}

// Of a position that is turned, the book gives the moves that are turned likewise.
func TestBookKnowsSymmetricPositions(t *testing.T) {
	b := build(t, 10)
	s, score, ok := b.Move(board.Start)
	if !ok {
		t.Fatal("the first position is missing")
	}
	for n := range board.Symmetries {
		turned := board.Start.Symmetric(n)
		got, other, ok := b.Move(turned)
		if !ok || other != score || turned.Moves()&got.Bit() == 0 {
			t.Errorf("turned by %d: %s, %v, %t; straight %s, %v", n, got, other, ok, s, score)
		}
	}
	if len(b.Moves(board.Start)) != 4 {
		t.Errorf("%d first moves", len(b.Moves(board.Start)))
	}
}

func TestScoresFollowByNegamax(t *testing.T) {
	b := build(t, 60)
	for at, moves := range b.positions {
		b.update(at)
		for i := range moves[1:] {
			if moves[i].score < moves[i+1].score {
				t.Fatalf("%v: not sorted", at)
			}
		}
	}
}

func TestBooksWithErrors(t *testing.T) {
	start := board.StartPosition().Text()
	for _, bad := range []string{"x", start, start + " a1:+1", start + " d3", start + " d3:+99", start + " d3:+1 d3:+2", start + " z9:1", start[1:] + " d3:+1", start + " d3:NaN"} {
		if _, err := Read(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q is read: %v", bad, err)
		}
	}
	for _, o := range []Options{{}, {Games: 1}, {Games: 1, Player: player(t), Discs: 99}} {
		if New().Build(context.Background(), o) == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if New().Build(ctx, Options{Games: 9, Player: player(t)}) == nil {
		t.Error("a cancelled book is made")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(board.StartPosition().Text() + " e6:+1.00 f5:-0.5\n")
	f.Fuzz(func(t *testing.T, in string) {
		b, err := Read(strings.NewReader(in))
		if err != nil {
			return
		}
		again, err := Read(strings.NewReader(text(t, b)))
		if err != nil || again.Len() != b.Len() {
			t.Errorf("%q is not read as written: %v", in, err)
		}
	})
}
