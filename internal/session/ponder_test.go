package session

import (
	"context"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/play"
)

// thinker is a player that has one seat, and counts how often it ponders.
type thinker struct {
	sits, began, ended int
	turn               play.Turn
}

func (p *thinker) Name() string                                    { return "thinker" }
func (p *thinker) Sit(ur.Engine) (play.Seat, error)                { p.sits++; return p, nil }
func (p *thinker) Choose(context.Context, *play.Turn) (int, error) { return 0, nil }

func (p *thinker) Ponder(_ context.Context, t *play.Turn) func() {
	p.began++
	p.turn = *t
	return func() { p.ended++ }
}

// The player of the other side ponders while a person chooses, and at no other time, in the seat
// that it chooses in.
func TestPonder(t *testing.T) {
	p := &thinker{}
	s, err := New(t.Context(), Setup{
		Players: [2]string{Person, "thinker"}, Pieces: 3, Seed: 1,
		Parse: func(*rules.Rules, string) (play.Player, error) { return p, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for s.Phase() != Over && len(s.Steps()) < 40 {
		choosing := s.Phase() == Choosing
		began, ended := p.began, p.ended
		stop := s.Ponder(t.Context())
		if pondered := p.began == began+1; pondered != choosing || pondered && (p.turn.Position != s.Turn().Position || p.turn.Roll != s.Turn().Roll) {
			t.Fatalf("in phase %v the player begins to ponder %d times, over %v", s.Phase(), p.began-began, p.turn)
		}
		stop()
		stop()
		if p.ended-ended != p.began-began {
			t.Fatalf("pondering that began %d times ended %d times", p.began-began, p.ended-ended)
		}
		if choosing {
			err = s.Move(0)
		} else {
			err = s.Run(t.Context(), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if p.began == 0 || p.sits != 1 {
		t.Errorf("the player pondered %d times in %d seats", p.began, p.sits)
	}
}
