package reversi

import (
	"context"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// pondering is a search in the background.
type pondering struct {
	cancel context.CancelFunc
	done   <-chan struct{}
}

// Ponder thinks on the opponent's time, in the background and without a limit of time, until
// the next call of Choose, NewGame or StopPondering. At p the opponent is to move, and reply is
// its expected move, the second one of [Choice.Line], or board.None. The results stay in the
// tables, so after the expected move Choose searches fewer positions.
func (t *Thinker) Ponder(ctx context.Context, p board.Position, reply board.Square) {
	t.StopPondering()
	if next, err := p.Play(reply); err == nil {
		p = next
	}
	if p.Over() {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	t.pondering = &pondering{cancel, done}
	go func() {
		defer close(done)
		// The results are in the tables; an error only means the time has ended.
		if p.Empties() <= t.settings.Exact {
			_, _ = t.solve(ctx, p, Limits{})
		} else {
			_, _ = t.search(ctx, p, Limits{}, t.settings.Depth, 0)
		}
	}()
}

// StopPondering ends any pondering.
func (t *Thinker) StopPondering() {
	if t.pondering != nil {
		t.pondering.cancel()
		<-t.pondering.done
		t.pondering = nil
	}
}
