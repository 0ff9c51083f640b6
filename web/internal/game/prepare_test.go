package game

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
)

// slowPlayer is prepared when go on is closed, or not at all.
type slowPlayer struct {
	goOn  chan struct{}
	times *atomic.Int64
}

func (p slowPlayer) prepare(ctx context.Context, _ int) error {
	p.times.Add(1)
	select {
	case <-p.goOn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// withPieces returns Finkel's rules with a number of pieces.
func withPieces(t *testing.T, pieces int) *board.Rules {
	t.Helper()
	set, err := board.Finkel().WithPieces(pieces)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func newSlow() (*Service, slowPlayer) {
	p := slowPlayer{make(chan struct{}), new(atomic.Int64)}
	return &Service{players: map[string]*player{"slow": {Pool: play.NewPool(play.Player{
		Spec: "slow", Prepare: p.prepare, New: func(ur.Engine) (play.Instance, error) { return nil, errors.New("no instance") },
	}, nil)}}}, p
}

// A player is prepared once, whatever becomes of the requests that ask for it.
func TestPreparedOnce(t *testing.T) {
	r, p := newSlow()
	defer r.Close()
	r.Patience = time.Millisecond
	for range 3 {
		if err := r.Check(t.Context(), withPieces(t, 5), "slow"); !errors.As(err, new(*PreparingError)) {
			t.Fatalf("a player that is being prepared: %v", err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Check(gone, withPieces(t, 5), "slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that has ended: %v", err)
	}
	close(p.goOn)
	r.Patience = 0
	if err := r.Check(t.Context(), withPieces(t, 5), "slow"); err != nil {
		t.Error(err)
	}
	if n := p.times.Load(); n != 1 {
		t.Errorf("the player was prepared %d times", n)
	}
}

// The end of the service ends its preparations.
func TestServiceCloses(t *testing.T) {
	r, _ := newSlow()
	r.Patience = time.Millisecond
	if err := r.Check(t.Context(), withPieces(t, 5), "slow"); !errors.As(err, new(*PreparingError)) {
		t.Fatal(err)
	}
	r.Close()
	if err := r.Check(t.Context(), withPieces(t, 4), "slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
