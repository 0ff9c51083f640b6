package game

import (
	"context"

	"github.com/seed-09dcdc84/ur/play"
)

// pondering is a seat whose player thinks during a person's turn.
type pondering struct {
	player *player
	seat   play.Seat
	stop   func()
}

// Ponder implements [play.Ponderer]. Pondering outlives the request that started it, because
// that request ends long before the person has chosen; the roster ends it.
func (g guest) Ponder(_ context.Context, t *play.Turn) (stop func()) {
	g.roster.ponder(g, t)
	return func() {}
}

// ponder lets the player of an idle seat think during a person's turn. In a roster only the
// latest ponderer runs, to leave the server's time to requests.
func (r *Roster) ponder(g guest, t *play.Turn) {
	p, err := r.lookup(g.rules, g.name)
	if err != nil || !r.Ponders {
		return
	}
	r.stopPondering(nil)
	seat, ok := p.seats.Get().(play.Seat)
	if !ok {
		return // it has not made a move yet
	}
	thinker, ok := seat.(play.Ponderer)
	if !ok {
		p.seats.Put(seat)
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.begin().Err() != nil || r.pondering != nil { // closed, or another request was faster
		p.seats.Put(seat)
		return
	}
	r.pondering = &pondering{p, seat, thinker.Ponder(r.lasting, t)}
}

// stopPondering stops the pondering seat if it belongs to the player, or in any case if the
// player is nil, and frees the seat.
func (r *Roster) stopPondering(p *player) {
	r.mutex.Lock()
	now := r.pondering
	if now == nil || p != nil && p != now.player {
		r.mutex.Unlock()
		return
	}
	r.pondering = nil
	r.mutex.Unlock()
	now.stop()
	now.player.seats.Put(now.seat)
}
