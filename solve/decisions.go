package solve

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// Decision is a roll with two legal moves or more, and what each is worth by the exact solution.
type Decision struct {
	Position board.Position
	Roll     int
	Moves    []board.Move // by ascending square; valid during the visit
	Win      []float64    // the mover's probability to win after each move

	// Number identifies a decision for a player that draws lots, in every run and on any threads.
	Number uint64

	win      [board.MaxMoves]float64 // room for lists
	moves    [board.MaxMoves]board.Move
	outcomes [board.MaxMoves]outcome
}

// DecisionOptions select decisions.
type DecisionOptions struct {
	Pieces  int // pieces in the game, 2 to the number in the table, which 0 stands for
	Threads int // all cores when 0; the decisions do not depend on it

	// All takes every decision in every position once, for either side. Otherwise at least Decisions are
	// taken as they come in games between perfect players, games 0, 1, 2, ... on Seed.
	All       bool
	Decisions int
	Seed      uint64

	// Progress, unless it is nil, is called now and then, from any goroutine, with the
	// completed part, 0 to 1.
	Progress func(done float64)
}

// decisionWalk is a walk through decisions.
type decisionWalk struct {
	DecisionOptions
	table *Table
	rules *board.Rules // rule set with the game's pieces
	visit func(thread, part int, d *Decision) error
	room  []Decision // by thread
}

// EachDecision calls visit with decisions, on threads numbered from 0. They come in numbered parts: one thread
// visits all decisions of a part, in an order that is always the same. It returns the first error from visit, the error
// of ctx when this ends, or damage found in the table. A table's rounded values make some different moves look equal:
// see [Encoding.Rounding].
func (t *Table) EachDecision(ctx context.Context, o DecisionOptions, visit func(thread, part int, d *Decision) error) error {
	o.Pieces = cmp.Or(o.Pieces, t.pieces)
	switch {
	case o.Pieces < 2 || o.Pieces > t.pieces:
		return fmt.Errorf("decisions in games of %d pieces (want 2 to %d: with one a player never has a choice, and the table has no more)",
			o.Pieces, t.pieces)
	case !o.All && o.Decisions < 1:
		return fmt.Errorf("%d decisions (want 1 or more)", o.Decisions)
	}
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	w := &decisionWalk{o, t, t.index.rulesOf(o.Pieces), visit, make([]Decision, o.Threads)}
	walk := w.walkGames
	if o.All {
		walk = w.walkPositions
	}
	// Damage comes before other errors: invalid values may have caused them.
	err := walk(ctx)
	return cmp.Or(t.Err(), err)
}

// walkPositions visits every decision in every position.
func (w *decisionWalk) walkPositions(ctx context.Context) error {
	x := w.table.index
	return x.walkSpans(ctx, w.Pieces, w.Threads, w.Progress, func(thread, part int, s *span) (err error) {
		for roll := 1; roll <= x.chances.longest && err == nil; roll++ {
			if x.chances.weight[roll] > 0 {
				err = w.walkSpan(thread, part, s, roll)
			}
		}
		return err
	})
}

// walkSpan visits a span's decisions, for either side: a roll's moves are the same throughout.
func (w *decisionWalk) walkSpan(thread, part int, s *span, roll int) (err error) {
	x, d := w.table.index, &w.room[thread]
	outcomes := x.appendOutcomes(d.outcomes[:0], s, roll)
	if len(outcomes) < 2 {
		return nil
	}
	d.Roll, d.Moves, d.Win = roll, d.moves[:0], d.win[:len(outcomes)]
	for _, o := range outcomes {
		d.Moves = append(d.Moves, o.move)
	}
	rollBits := 4 // up to board.MaxRoll
	if w.rules.IsFinkel() {
		rollBits = 3 // the decisions of one seed have had these numbers from the start
	}
	for safe := range s.n {
		for i := range outcomes {
			d.Win[i] = outcomes[i].moverValue(w.table, safe)
		}
		opp := x.makeRow(s.opp, int(x.safeSet[safe]))
		number := uint64(s.first+safe)<<(rollBits+1) | uint64(roll)<<1
		if d.Position, err = x.positionAt(w.Pieces, s.layer, s.own, opp); err != nil {
			return err
		}
		for side := range board.Dark + 1 {
			d.Number = number | uint64(side)
			if err := w.visit(thread, part, d); err != nil {
				return err
			}
			d.Position = d.Position.Mirror()
		}
	}
	return nil
}

// Games between perfect players come in whole batches, so every part of a game has the same weight.
const (
	batchParts   = 64 // parts in a batch, shared out to the threads
	gamesPerPart = 4
)

// walkGames visits the decisions in perfect play against itself.
func (w *decisionWalk) walkGames(ctx context.Context) error {
	var taken atomic.Int64
	for first := 0; taken.Load() < int64(w.Decisions); first += batchParts {
		err := runParallelUntil(ctx, w.Threads, batchParts, func(thread, part int) (err error) {
			part += first
			for game := range gamesPerPart {
				var n int
				n, err = w.playGame(thread, part, uint64(part*gamesPerPart+game))
				taken.Add(int64(n))
				if err != nil {
					break
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		w.Progress(min(1, float64(taken.Load())/float64(w.Decisions)))
	}
	return nil
}

// playGame plays a game perfectly on both sides, visits every decision, and returns their number.
func (w *decisionWalk) playGame(thread, part int, game uint64) (decisions int, err error) {
	d := &w.room[thread]
	d.Position = w.rules.Start()
	dice := w.rules.Dice(w.Seed, game)
	for turn := uint64(0); ; turn++ {
		d.Roll = dice.Roll()
		d.Moves = w.rules.Moves(d.moves[:0], d.Position, d.Roll)
		d.Number = board.GameKey(w.Seed, game) + turn
		if len(d.Moves) == 0 {
			d.Position = d.Position.Pass()
			continue
		}
		best := 0
		d.Win = d.win[:len(d.Moves)]
		for i, move := range d.Moves {
			d.Win[i] = w.table.After(d.Position, move)
			if d.Win[i] > d.Win[best] {
				best = i
			}
		}
		if len(d.Moves) > 1 {
			decisions++
			if err := w.visit(thread, part, d); err != nil {
				return decisions, err
			}
		}
		d.Position = w.rules.Apply(d.Position, d.Moves[best])
		if _, over := d.Position.Winner(); over {
			return decisions, nil
		}
	}
}
