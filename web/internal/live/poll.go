package live

import (
	"context"
	"encoding/json"
	"time"
)

// Poll asks again and again how something stands, and enters it as a run of a kind and title
// until the hub is closed.
func (h *Hub) Poll(kind, title string, every time.Duration, ask func(context.Context) (any, error)) {
	h.work.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		before := ""
		for {
			r := h.ask(kind, title, every, ask)
			text, err := json.Marshal(r)
			if now := string(text); err == nil && now != before && h.ctx.Err() == nil {
				before = now
				h.Put(r)
			}
			select {
			case <-tick.C:
			case <-h.ctx.Done():
				return
			}
		}
	})
}

// ask asks once, and not for longer than a few rounds.
func (h *Hub) ask(kind, title string, every time.Duration, ask func(context.Context) (any, error)) Run {
	ctx, cancel := context.WithTimeout(h.ctx, 3*every)
	defer cancel()
	r := Run{ID: kind, Kind: kind, Title: title, State: Running}
	status, err := ask(ctx)
	if err != nil {
		r.State, r.Error = Failed, err.Error()
		return r
	}
	r.Fleet = status
	return r
}
