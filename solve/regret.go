package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// Decision is a roll with two legal moves or more.
type Decision struct {
	Rules    *board.Rules // rule set with the game's pieces
	Position board.Position
	Roll     int
	Moves    []board.Move // moves by ascending square; valid until the player has chosen

	// Number identifies a decision for a player that draws lots: it is the same in every run,
	// on any number of threads.
	Number uint64
}

// Choose returns the index of the move that a player makes in a decision. It serves one goroutine.
type Choose func(*Decision) (int, error)

// RegretOptions select the decisions over which regret is measured.
type RegretOptions struct {
	Pieces  int // pieces in the game, 2 to those in the table; 0 means the table's
	Threads int // all cores when 0; the result does not depend on it

	// All takes every decision in every position once, for either side, each with
	// the same weight. Otherwise Decisions are taken as they come in games between
	// perfect players, games 0, 1, 2, ... on Seed.
	All       bool
	Decisions int
	Seed      uint64

	// Progress, unless it is nil, is called now and then, from any goroutine, with the
	// completed part, 0 to 1.
	Progress func(done float64)
}

// RegretStats are statistics on a player's regret, in percentage points of the probability to
// win: the best move's value minus the value of the player's move.
type RegretStats struct {
	Decisions           int64
	Mean, P95, P99, Max float64
	Optimal             float64 // share of decisions without regret, 0 to 1
}

// Regret measures a player's regret by a table. newPlayer is called once for each thread.
// It returns the first error from newPlayer or from a player. When ctx ends, it returns its error
// and the stats on the decisions until then.
//
// Percentiles are nearest-rank ones, right to one part in 4000. A table's rounded values make
// some different moves look equal: see [Encoding.Rounding].
func (t *Table) Regret(ctx context.Context, newPlayer func() (Choose, error), o RegretOptions) (RegretStats, error) {
	o.Pieces = cmp.Or(o.Pieces, t.pieces)
	switch {
	case o.Pieces < 2 || o.Pieces > t.pieces:
		return RegretStats{},
			fmt.Errorf(
				"regret in games of %d pieces (want 2 to %d: with one a player never has a choice, and the table has no more)", o.Pieces, t.pieces)
	case !o.All && o.Decisions < 1:
		return RegretStats{}, fmt.Errorf("regret over %d decisions (want 1 or more)", o.Decisions)
	}
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	m := &regretMeter{table: t, rules: t.index.rulesOf(o.Pieces), options: o}
	for range o.Threads {
		choose, err := newPlayer()
		if err != nil {
			return RegretStats{}, err
		}
		m.judges = append(m.judges,
			&judge{choose: choose, counts: make([]int64, regretBins), decision: Decision{Rules: m.rules}})
	}
	measure := m.measureOnPolicy
	if o.All {
		measure = m.measureAll
	}
	err := measure(ctx)
	// Damage comes before a player's error: invalid values may have caused it.
	if err = cmp.Or(t.Err(), err); err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return RegretStats{}, err
	}
	return m.sumStats(), err
}

// regretMeter is a measurement under way.
type regretMeter struct {
	table   *Table
	rules   *board.Rules // rule set with the game's pieces
	options RegretOptions
	judges  []*judge  // judge by thread
	sums    []float64 // regret by part of the work, so their order is fixed
}

// judge is one thread's state.
type judge struct {
	choose   Choose
	counts   []int64 // decisions by regretBin
	decision Decision
	worth    [board.MaxMoves]float64

	outcomes [board.MaxMoves]outcome // room for lists
	moves    [board.MaxMoves]board.Move
}

// judgeDecision lets the player choose, counts its regret and adds it to a sum. The moves of j.decision
// and their worth must be set.
func (j *judge) judgeDecision(sum *float64) error {
	choice, err := j.choose(&j.decision)
	if err != nil {
		return err
	}
	worth := j.worth[:len(j.decision.Moves)]
	if choice < 0 || choice >= len(worth) {
		return fmt.Errorf("move %d of %d was chosen in %s", choice, len(worth),
			j.decision.Rules.FormatPosition(j.decision.Position))
	}
	regret := float64(100 * (slices.Max(worth) - worth[choice]))
	*sum += regret
	j.counts[regretBin(regret)]++
	return nil
}

// Regret is counted in bins by the first 12 bits in its mantissa.
const (
	regretShift = 52 - 12
	leastRegret = 0x3a1 // exponent of 2^-94, below any difference of two values but 0
	regretBins  = (0x3ff+7-leastRegret)<<12 + 1
)

// regretBin returns the bin for a regret from 0 to 100 points. Bin 0 is for zero regret.
func regretBin(regret float64) int {
	bin := int(math.Float64bits(regret)>>regretShift) - leastRegret<<12
	return min(max(bin, 0), regretBins-1)
}

// binRegret returns a bin's middle.
func binRegret(bin int) float64 {
	if bin == 0 {
		return 0
	}
	return math.Float64frombits(uint64(bin+leastRegret<<12)<<regretShift | 1<<(regretShift-1))
}

// sumStats adds up the threads' counts.
func (m *regretMeter) sumStats() RegretStats {
	var s RegretStats
	counts := m.judges[0].counts
	for bin := range counts {
		for _, j := range m.judges[1:] {
			counts[bin] += j.counts[bin]
		}
		if n := counts[bin]; n > 0 {
			s.Decisions += n
			s.Max = binRegret(bin)
		}
	}
	if s.Decisions == 0 {
		return s
	}
	for _, part := range m.sums {
		s.Mean += part
	}
	s.Mean /= float64(s.Decisions)
	s.P95, s.P99 = quantile(counts, s.Decisions, 0.95), quantile(counts, s.Decisions, 0.99)
	s.Optimal = float64(counts[0]) / float64(s.Decisions)
	return s
}

// quantile returns the nearest-rank quantile of n regrets in bins.
func quantile(counts []int64, n int64, q float64) float64 {
	rank := int64(math.Ceil(q * float64(n)))
	for bin, count := range counts {
		if rank -= count; rank <= 0 {
			return binRegret(bin)
		}
	}
	return 0
}

// measureAll measures the regret over every decision in every position.
func (m *regretMeter) measureAll(ctx context.Context) error {
	x := m.table.index
	m.sums = make([]float64, len(x.layers)*x.sharedSets())
	return x.walkSpans(ctx, m.options.Pieces, m.options.Threads, m.options.Progress, func(thread, part int, s *span) (err error) {
		for roll := 1; roll <= x.chances.longest && err == nil; roll++ {
			if x.chances.weight[roll] > 0 {
				err = m.decideAll(m.judges[thread], s, roll, &m.sums[part])
			}
		}
		return err
	})
}

// decideAll takes a span's decisions, for either side: a roll's moves are the same in
// all positions.
func (m *regretMeter) decideAll(j *judge, s *span, roll int, sum *float64) error {
	x, d := m.table.index, &j.decision
	outcomes := x.appendOutcomes(j.outcomes[:0], s, roll)
	if len(outcomes) < 2 {
		return nil
	}
	d.Roll, d.Moves = roll, j.moves[:0]
	for _, o := range outcomes {
		d.Moves = append(d.Moves, o.move)
	}
	rollBits := 4 // up to board.MaxRoll
	if m.rules.IsFinkel() {
		rollBits = 3 // the decisions of one seed have had these numbers from the start
	}
	for safe := range s.n {
		for i := range outcomes {
			j.worth[i] = outcomes[i].moverValue(m.table, safe)
		}
		opp := x.makeRow(s.opp, int(x.safeSet[safe]))
		number := uint64(s.first+safe)<<(rollBits+1) | uint64(roll)<<1
		var err error
		if d.Position, err = x.positionAt(m.options.Pieces, s.layer, s.own, opp); err != nil {
			return err
		}
		for side := range board.Dark + 1 {
			d.Number = number | uint64(side)
			if err := j.judgeDecision(sum); err != nil {
				return err
			}
			d.Position = d.Position.Mirror()
		}
	}
	return nil
}

// Games between perfect players are played in batches, and all games in a batch count, so every part of
// a game has the same weight.
const (
	batchParts   = 64 // parts in a batch, shared out to the threads
	gamesPerPart = 4
)

// measureOnPolicy measures the regret over the decisions in perfect play against itself.
func (m *regretMeter) measureOnPolicy(ctx context.Context) error {
	var taken atomic.Int64
	most := float64(m.options.Decisions)
	for first := uint64(0); taken.Load() < int64(m.options.Decisions); first += batchParts * gamesPerPart {
		sums := make([]float64, batchParts)
		err := runParallelUntil(ctx, m.options.Threads, batchParts, func(thread, part int) (err error) {
			begin := first + uint64(part)*gamesPerPart
			for game := begin; game < begin+gamesPerPart && err == nil; game++ {
				var n int
				n, err = m.playGame(m.judges[thread], game, &sums[part])
				taken.Add(int64(n))
			}
			return err
		})
		m.sums = append(m.sums, sums...)
		if err != nil {
			return err
		}
		m.options.Progress(min(1, float64(taken.Load())/most))
	}
	return nil
}

// playGame plays a game perfectly on both sides, asks the player at every decision, and returns how
// many there were.
func (m *regretMeter) playGame(j *judge, game uint64, sum *float64) (decisions int, err error) {
	d := &j.decision
	d.Position = m.rules.Start()
	dice := m.rules.Dice(m.options.Seed, game)
	for turn := uint64(0); ; turn++ {
		d.Roll = dice.Roll()
		d.Moves = m.rules.Moves(j.moves[:0], d.Position, d.Roll)
		d.Number = board.GameKey(m.options.Seed, game) + turn
		if len(d.Moves) == 0 {
			d.Position = d.Position.Pass()
			continue
		}
		best := 0
		for i, move := range d.Moves {
			j.worth[i] = m.table.After(d.Position, move)
			if j.worth[i] > j.worth[best] {
				best = i
			}
		}
		if len(d.Moves) > 1 {
			decisions++
			if err := j.judgeDecision(sum); err != nil {
				return decisions, err
			}
		}
		d.Position = m.rules.Apply(d.Position, d.Moves[best])
		if _, over := d.Position.Winner(); over {
			return decisions, nil
		}
	}
}
