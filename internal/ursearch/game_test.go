package ursearch

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

// The score is twice the brain's value where it sees both sides alike.
// To it comes what the squares are worth.
func scoreByDefinition(b *ur.Brain, s *Squares, p board.Position) int32 {
	light, dark := p, p.Mirror()
	if p.Turn() == board.Dark {
		light, dark = dark, light
	}
	score := b.Value(light) - b.Value(dark)
	me := p.Turn()
	home := func(side board.Side) int32 { return int32(board.MaxPieces - p.Pieces() + p.Home(side)) }
	for square := 1; square < board.Finish; square++ {
		if p.Squares(me)>>square&1 != 0 {
			score += s.Own[square] + s.Home[square]*home(me) + s.Other[square]*home(me.Other())
		}
		if p.Squares(me.Other())>>square&1 != 0 {
			score += s.Opp[square] - s.Home[square]*home(me.Other()) - s.Other[square]*home(me)
		}
	}
	return score
}

// randomSquares are none now and then.
func randomSquares(rng *rand.Rand) (s Squares) {
	if rng.IntN(4) == 0 {
		return s
	}
	for _, list := range [4]*[board.Finish]int32{&s.Own, &s.Opp, &s.Home, &s.Other} {
		for i := 1; i < len(list); i++ {
			list[i] = rng.Int32N(2*maxSquare+1) - maxSquare
		}
	}
	return s
}

func TestMovesAreThoseOfTheOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		pieces := 1 + rng.IntN(board.MaxPieces)
		brain := randomBrain(rng)
		squares := randomSquares(rng)
		g := NewGame(brain, &Curve{Squares: squares}, pieces, nil, 0)
		for range 300 {
			checkMoves(t, g, brain, &squares, board.RandomPosition(rng, pieces), rng.IntN(board.MaxRoll+1))
		}
	}
}

func randomBrain(rng *rand.Rand) *ur.Brain {
	b := *ur.DefaultBrain()
	for range rng.IntN(200) {
		b[rng.IntN(len(b))] = int16(rng.Uint32())
	}
	return &b
}

func checkMoves(t *testing.T, g *Game, brain *ur.Brain, squares *Squares, p board.Position, roll int) {
	q := g.Position(p)
	if q.score != scoreByDefinition(brain, squares, p) {
		t.Fatalf("score of %v is %d, want %d", p, q.score, scoreByDefinition(brain, squares, p))
	}
	var list search.List[Position]
	g.Moves(&q, roll, &list)
	moves := p.Moves(nil, roll)
	if len(moves) == 0 {
		if list.All()[0].ID != PassID || len(list.All()) != 1 {
			t.Fatalf("%v roll %d: want a pass", p, roll)
		}
		checkNext(t, g, &list.All()[0], p.Pass(), p, brain, squares)
		return
	}
	if len(moves) != len(list.All()) {
		t.Fatalf("%v roll %d: %d moves, want %d", p, roll, len(list.All()), len(moves))
	}
	for i := range list.All() {
		m := &list.All()[i]
		if m.ID != moves[i].From {
			t.Fatalf("%v roll %d: move %d is from %d, want %d", p, roll, i, m.ID, moves[i].From)
		}
		checkNext(t, g, m, p.Apply(moves[i]), p, brain, squares)
	}
}

func checkNext(t *testing.T, g *Game, m *search.Move[Position], next, p board.Position, brain *ur.Brain, squares *Squares) {
	want := Position{wordOf(next), scoreByDefinition(brain, squares, next)}
	if m.Next != want || m.Again != (next.Turn() == p.Turn()) || m.Key != want.word.key() {
		t.Fatalf("%v to %v: move is %+v, want %+v", p, next, m, want)
	}
	if back := m.Next.word.board(g.pieces); next.Turn() == board.Light && back != next {
		t.Fatalf("%v comes back as %v", next, back)
	}
}
