package search

import (
	"context"
	"fmt"
)

// Trace is a visit to a position in a search by [AlphaBeta], [Aspiration], [PVS], [MTDF] or [SSS].
type Trace[P any] struct {
	Position P
	Move     Move[P] // the move that led here; zero at the root
	Depth    int     // plies left

	// The window and the value found, for the side to move. Value is exact inside the window,
	// otherwise a bound.
	Alpha, Beta, Value Value

	at *P // the position in the searcher

	Visits  []*Trace[P] // visits to the positions after its moves, in the order of the search
	Skipped []Move[P]   // moves that a cutoff left out
}

// Trace searches as Search does, on one thread, and returns the tree of its visits. The root's window
// is the widest one.
func (s *Searcher[P, G]) Trace(ctx context.Context, root P, l Limits) (*Trace[P], Result, error) {
	if a := s.options.Algorithm; a == Minimax || a == Negamax || len(s.helpers) > 0 {
		return nil, Result{}, fmt.Errorf("a trace needs an algorithm with windows on one thread, got %s on %d", a, 1+len(s.helpers))
	}
	t := &Trace[P]{Position: root, Depth: l.Depth, Alpha: -infinity, Beta: infinity}
	s.trace, s.spacing = t, 0
	r, err := s.Search(ctx, root, l)
	s.trace, s.spacing = nil, checkEvery
	t.Value = r.Value
	s.listSkipped(t)
	return t, r, err
}

// traceVisit is [Searcher.alphaBeta] with a record of the visit.
func (s *Searcher[P, G]) traceVisit(p *P, key Key, depth, ply int, alpha, beta Value) Value {
	parent, t := s.trace, &Trace[P]{at: p, Position: *p, Depth: depth, Alpha: alpha, Beta: beta}
	for i, m := range s.frames[ply-1].list.All() {
		if p == &s.frames[ply-1].list.slots[i].Next {
			t.Move = m
		}
	}
	parent.Visits = append(parent.Visits, t)
	s.trace = t
	s.work.Nodes-- // this call and the next count the same node
	t.Value = s.alphaBeta(p, key, depth, ply, alpha, beta)
	s.trace = parent
	return t.Value
}

// listSkipped adds the moves without a visit to every position that has visits.
func (s *Searcher[P, G]) listSkipped(t *Trace[P]) {
	if len(t.Visits) == 0 {
		return
	}
	visited := map[uint8]bool{}
	for _, child := range t.Visits {
		visited[child.Move.ID] = true
		s.listSkipped(child)
	}
	var list List[P]
	s.game.Moves(&t.Position, &list)
	for _, m := range list.All() {
		if !visited[m.ID] {
			t.Skipped = append(t.Skipped, m)
		}
	}
}
