package lookahead

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

// The score is twice the brain's value where it sees both sides alike.
func scoreByDefinition(b *ur.Brain, p board.Position) int32 {
	light, dark := p, p.Mirror()
	if p.Turn() == board.Dark {
		light, dark = dark, light
	}
	return b.Value(light) - b.Value(dark)
}

func TestMovesAreThoseOfTheOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		pieces := 1 + rng.IntN(board.MaxPieces)
		brain := randomBrain(rng)
		g := NewGame(brain, &Curve{}, pieces, nil, 0)
		for range 300 {
			checkMoves(t, g, brain, board.RandomPosition(rng, pieces), rng.IntN(board.MaxRoll+1))
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

func checkMoves(t *testing.T, g *Game, brain *ur.Brain, p board.Position, roll int) {
	q := g.Position(p)
	if q.score != scoreByDefinition(brain, p) {
		t.Fatalf("score of %v is %d, want %d", p, q.score, scoreByDefinition(brain, p))
	}
	var list search.List[Position]
	g.Moves(&q, roll, &list)
	moves := p.Moves(nil, roll)
	if len(moves) == 0 {
		if list.All()[0].ID != PassID || len(list.All()) != 1 {
			t.Fatalf("%v roll %d: want a pass", p, roll)
		}
		checkNext(t, g, &list.All()[0], p.Pass(), p, brain)
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
		checkNext(t, g, m, p.Apply(moves[i]), p, brain)
	}
}

func checkNext(t *testing.T, g *Game, m *search.Move[Position], next, p board.Position, brain *ur.Brain) {
	want := Position{wordOf(next), scoreByDefinition(brain, next)}
	if m.Next != want || m.Again != (next.Turn() == p.Turn()) || m.Key != want.word.key() {
		t.Fatalf("%v to %v: move is %+v, want %+v", p, next, m, want)
	}
	if back := m.Next.word.board(g.pieces); next.Turn() == board.Light && back != next {
		t.Fatalf("%v comes back as %v", next, back)
	}
}
