package book

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func player(t testing.TB) reversi.Player {
	return testkit.Must(reversi.ParsePlayer("level:2", reversi.Env{}))(t)
}

func build(t testing.TB, games int) *Book {
	b := New()
	testkit.NoError(t, b.Build(context.Background(), Options{Games: games, Discs: 12, Player: player(t), Seed: 4}))
	return b
}

func text(t testing.TB, b *Book) string { return testkit.Written(t, b.Write) }

func TestBooksAreReadAsWritten(t *testing.T) {
	b := build(t, 40)
	testkit.FatalIf(t, b.Len() < 10, "%d positions", b.Len())
	want := text(t, b)
	testkit.Equal(t, text(t, testkit.Must(read(strings.NewReader(want)))(t)), want, "read as")
	testkit.Equal(t, text(t, build(t, 40)), want, "another book of the same seed")
	windows := strings.ReplaceAll(want, "\n", "\r\n")
	testkit.Equal(t, text(t, testkit.Must(read(strings.NewReader(windows)))(t)), want, "with the lines of Windows, read as")
}

// Of a position that is turned, the book gives the moves that are turned likewise.
func TestBookKnowsSymmetricPositions(t *testing.T) {
	b := build(t, 10)
	s, score, ok := b.Move(board.Start)
	testkit.FatalIf(t, !ok, "the first position is missing")
	for n := range board.Symmetries {
		turned := board.Start.Symmetric(n)
		got, other, ok := b.Move(turned)
		testkit.ErrorIf(t, !ok || other != score || turned.Moves()&got.Bit() == 0,
			"turned by %d: %s, %v, %t; straight %s, %v", n, got, other, ok, s, score)
	}
	testkit.Equal(t, len(b.Moves(board.Start)), 4, "first moves")
}

func TestScoresFollowByNegamax(t *testing.T) {
	b := build(t, 60)
	checked := 0
	for k := range b.positions.All() {
		p := testkit.Must(board.ParsePosition(b.positions.Text(k), "X"))(t)
		for _, h := range b.Moves(p.Board) {
			next, sign := p.Board.Play(h.Square, p.Flips(h.Square)), -1.0
			if next.Moves() == 0 {
				next, sign = next.Pass(), 1
			}
			if replies := b.Moves(next); len(replies) > 0 {
				checked++
				testkit.Equal(t, h.Score, sign*replies[0].Score, "%s, %s: the score, by the best reply", p, h.Square)
			}
		}
	}
	testkit.ErrorIf(t, checked < 10, "%d scores checked", checked)
}

// A move that wins its games is played before one that scores a little more.
func TestBooksLearn(t *testing.T) {
	b := New()
	r := testkit.Must(board.ParseRecord(board.StartPosition(), "f5f4c3c6c5d6f3c4c7"))(t) // Black wins
	second := testkit.Must(board.StartPosition().Play(37))(t)
	// The replies f4, which lost, and d6.
	replies := []reversi.Hint{{Square: 29, Score: 1}, {Square: 43, Score: 0.5}}
	testkit.NoError(t, b.Add(second.Board, replies, 3))
	s, _, _ := b.Move(second.Board)
	testkit.MustEqual(t, s, 29, "the move, before any loss")
	for range 3 {
		testkit.NoError(t, b.Learn(r))
	}
	s, score, _ := b.Move(second.Board)
	testkit.ErrorIf(t, s != 43 || score != 0.5, "after three losses with f4 plays %s, %v", s, score)
	testkit.Equal(t, b.Len(), 1, "positions")
	r.Moves = r.Moves[:4]
	testkit.ErrorIf(t, b.Learn(r) == nil, "learns from a game that is not over")
}

// A damaged book is refused, or it is the same book.
func TestDamagedBooks(t *testing.T) {
	want := text(t, build(t, 12))
	testkit.TryDamage(t, "book", []byte(want), want, func(data []byte) (string, error) {
		got, err := read(bytes.NewReader(data))
		if err != nil {
			return "", err
		}
		return text(t, got), nil
	})
}

func TestBooksWithErrors(t *testing.T) {
	for _, o := range []Options{{}, {Games: 1}, {Games: 1, Player: player(t), Discs: 99}} {
		testkit.ErrorIf(t, New().Build(context.Background(), o) == nil, "%+v is accepted", o)
	}
	err := New().Build(testkit.CanceledContext(), Options{Games: 9, Player: player(t)})
	testkit.ErrorIf(t, err == nil, "a cancelled book is made")
}

func FuzzRead(f *testing.F) {
	b := New()
	testkit.NoError(f, b.Add(board.Start, []reversi.Hint{{Square: 37, Score: 1.5}}, 3))
	f.Add(text(f, b))
	f.Fuzz(func(t *testing.T, in string) {
		b, err := read(strings.NewReader(in))
		testkit.SkipOn(t, err)
		again := testkit.Must(read(strings.NewReader(text(t, b))))(t)
		testkit.Equal(t, again.Len(), b.Len(), "positions of %q, read as written", in)
	})
}

// The shipped book values the first moves of the game alike, and a game adds the position where it leaves a book.
func TestShippedBookAndExtend(t *testing.T) {
	shipped := testkit.Must(Shipped())(t)
	_, score, known := shipped.Move(board.Start)
	testkit.ErrorIf(t, !known || shipped.Len() != 400 || score < -10 || score > 10, "%d positions, first move %v (%v)",
		shipped.Len(), score, known)
	player := testkit.Must(reversi.ParsePlayer("search:depth=2,exact=4,eval=hand", reversi.Env{}))(t)
	game := testkit.Must(board.ParseRecord(board.StartPosition(), "f5f4c3c6c5d6f3c4c7"))(t)
	b := New()
	for positions := 1; positions <= 4; positions++ {
		testkit.NoError(t, b.Extend(t.Context(), Options{Player: player, Discs: 6}, game))
		testkit.Equal(t, b.Len(), min(positions, 3), "positions of 4 to 6 discs")
	}
}
