package solve

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// all measures the regret over every decision of every position.
func (m *regretMeter) all(ctx context.Context) error {
	switch t := m.table.(type) { // without a call through the interface for every value
	case Values:
		return allDecisions(ctx, m, t)
	case *File:
		return allDecisions(ctx, m, t)
	}
	return allDecisions(ctx, m, m.table)
}

// allDecisions goes through the layers, and in each through the shared squares of the
// mover, as [Certify] does.
func allDecisions[T ranked](ctx context.Context, m *regretMeter, t T) error {
	var done atomic.Int64
	total := float64(Positions(m.options.Pieces))
	for _, l := range finkel.layers {
		if l.own > m.options.Pieces || l.opp > m.options.Pieces {
			continue
		}
		err := m.run(ctx, finkel.sharedSets(), func(j *judge, own int) error {
			for opp := range finkel.disjoint(own) {
				if err := tileDecisions(m, j, t, l, own, opp); err != nil {
					return err
				}
			}
			n := finkel.safeSetsLeft(l.own, own) * int(finkel.rowSize[l.opp][own])
			m.report(float64(done.Add(int64(n))) / total)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tileDecisions takes the positions with the given shared squares.
func tileDecisions[T ranked](m *regretMeter, j *judge, t T, l layer, ownShared, oppShared int) error {
	for safe := range finkel.safeSetsLeft(l.own, ownShared) {
		own := finkel.makeRow(ownShared, int(finkel.safeSet[safe]))
		first := finkel.rank(l, own, finkel.makeRow(oppShared, 0))
		for roll := 1; roll <= board.MaxRoll; roll++ {
			if err := stretchDecisions(m, j, t, l, own, oppShared, roll, first); err != nil {
				return err
			}
		}
	}
	return nil
}

// stretchDecisions takes the positions that differ by the opponent's safe squares alone, the
// first of which has the given rank: the moves of a roll are the same in all of them.
func stretchDecisions[T ranked](m *regretMeter, j *judge, t T, l layer, own row, oppShared, roll int, first uint32) error {
	reachable := finkel.destinations(own, l.own, roll, oppShared)
	if reachable&(reachable-1) == 0 {
		return nil
	}
	var buf [board.MaxMoves]board.Move
	moves := buf[:0]
	var after turnAfter
	for to := reachable; to != 0; to &= to - 1 {
		square := bits.TrailingZeros32(to)
		after.add(finkel, l, own, oppShared, square-roll, square)
		taken := board.IsShared(square) && oppShared>>(square-firstShared)&1 != 0
		moves = append(moves, board.Move{From: uint8(square - roll), To: uint8(square), Capture: taken})
	}
	d := &j.decision
	d.Roll, d.Moves = roll, moves
	home := [2]int{m.options.Pieces - l.own, m.options.Pieces - l.opp}
	for safe := range finkel.safeSetsLeft(l.opp, oppShared) {
		for i, o := range after.outcome[:after.n] {
			j.worth[i] = worth(t, o, safe)
		}
		opp := finkel.makeRow(oppShared, int(finkel.safeSet[safe]))
		p, err := board.FromSquares(m.options.Pieces, board.Light, [2]uint16{uint16(finkel.squares(own)), uint16(finkel.squares(opp))}, home)
		if err != nil {
			return err
		}
		d.Number = (uint64(first)+uint64(safe))<<4 | uint64(roll)<<1
		for side := range uint64(2) {
			d.Position = p
			d.Number |= side
			if err := j.decide(); err != nil {
				return err
			}
			p = p.Mirror()
		}
	}
	return nil
}
