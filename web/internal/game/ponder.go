package game

import (
	"context"

	"github.com/seed-09dcdc84/ur/play"
)

// pondering is a seat that thinks on a person's time.
type pondering struct {
	player *player
	seat   play.Seat
	stop   func()
}

// Ponder implements [play.Ponderer] for as long as the roster likes: the request that it began
// in ends long before the person has chosen.
func (g guest) Ponder(_ context.Context, t *play.Turn) (stop func()) {
	g.roster.ponder(g.name, t)
	return func() {}
}

// ponder lets a seat that nobody uses think on a person's time. Of a roster one ponders at a
// time, the last that began: a server has other things to do.
func (r *Roster) ponder(name string, t *play.Turn) {
	p, err := r.lookup(name)
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

// stopPondering ends what ponders, if that is a seat of a player or of any (nil), and makes the
// seat free.
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
