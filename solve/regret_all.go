package solve

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// all measures the regret over every decision of every position.
func (m *regretMeter) all(ctx context.Context) error {
	switch t := m.ranked.(type) { // without a call through the interface for every value
	case Values:
		return allDecisions(ctx, m, t)
	case *File:
		return allDecisions(ctx, m, t)
	}
	return allDecisions(ctx, m, m.ranked)
}

// allDecisions goes through the layers, and in each through the shared squares of the
// mover, as [Certify] does.
func allDecisions[T ranked](ctx context.Context, m *regretMeter, t T) error {
	var done atomic.Int64
	x := m.ranked.Index()
	total := float64(x.Positions(m.options.Pieces))
	for _, l := range x.layers {
		if l.own > m.options.Pieces || l.opp > m.options.Pieces {
			continue
		}
		err := m.run(ctx, x.sharedSets(), func(j *judge, own int) error {
			for opp := range x.disjoint(own) {
				if err := tileDecisions(m, j, t, l, own, opp); err != nil {
					return err
				}
			}
			n := x.safeSetsLeft(l.own, own) * int(x.rowSize[l.opp][own])
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
	x := m.ranked.Index()
	for safe := range x.safeSetsLeft(l.own, ownShared) {
		own := x.makeRow(ownShared, int(x.safeSet[safe]))
		first := x.rank(l, own, x.makeRow(oppShared, 0))
		for roll := 1; roll <= x.chances.longest; roll++ {
			if x.chances.weight[roll] == 0 {
				continue
			}
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
	x := m.ranked.Index()
	reachable := x.destinations(own, l.own, roll, oppShared)
	if reachable&(reachable-1) == 0 {
		return nil
	}
	var buf [board.MaxMoves]board.Move
	moves := buf[:0]
	var after turnAfter
	for to := reachable; to != 0; to &= to - 1 {
		square := bits.TrailingZeros32(to)
		after.add(x, l, own, oppShared, square-roll, square)
		taken := x.isShared(square) && oppShared>>x.bitOf[square]&1 != 0
		moves = append(moves, board.Move{From: uint8(square - roll), To: uint8(square), Capture: taken})
	}
	d := &j.decision
	d.Roll, d.Moves = roll, moves
	rollBits := 3
	if m.rules != nil {
		rollBits = 4 // up to rules.MaxRoll
	}
	for safe := range x.safeSetsLeft(l.opp, oppShared) {
		for i, o := range after.outcome[:after.n] {
			j.worth[i] = worth(t, o, safe)
		}
		opp := x.makeRow(oppShared, int(x.safeSet[safe]))
		d.Number = (uint64(first)+uint64(safe))<<(rollBits+1) | uint64(roll)<<1
		for side := range board.Dark + 1 {
			if err := m.place(d, l, own, opp, side); err != nil {
				return err
			}
			d.Number = d.Number&^1 | uint64(side)
			if err := j.decide(); err != nil {
				return err
			}
		}
	}
	return nil
}

// place sets the position of a decision: the mover of layer l, with the row own, is the given
// side.
func (m *regretMeter) place(d *Decision, l layer, own, opp row, side board.Side) (err error) {
	x, pieces := m.ranked.Index(), m.options.Pieces
	squares := [2]uint32{x.squares(own), x.squares(x.flip(opp))}
	home := [2]int{pieces - l.own, pieces - l.opp}
	if side == board.Dark {
		squares[0], squares[1] = squares[1], squares[0]
		home[0], home[1] = home[1], home[0]
	}
	if m.rules != nil {
		d.Rules = m.rules
		d.State, err = m.rules.FromSquares(pieces, side, squares, home)
		return err
	}
	d.Position, err = board.Finkel().FromSquares(pieces, side, squares, home)
	return err
}
