package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/solve"
)

// RegretStats are statistics on a player's regret, in percentage points of the probability to
// win: the best move's value minus the value of the player's move.
type RegretStats struct {
	Decisions           int64
	Mean, P95, P99, Max float64
	Optimal             float64 // share of decisions without regret, 0 to 1
}

// Regret measures the regret in a player's decisions by the exact solution, under the table's
// rules. A brain evaluates on the given engine, or on [FastestChooser] if it is nil. A decision's number
// seeds the draws for a random player. When ctx ends, it returns its error and the stats on the decisions until
// then.
//
// Percentiles are nearest-rank ones, right to one part in 4000.
func Regret(ctx context.Context, p Player, t *solve.Table, e ur.Engine, o solve.DecisionOptions) (RegretStats, error) {
	if e == nil {
		e = FastestChooser()
	}
	o.Pieces = cmp.Or(o.Pieces, t.Pieces())
	if err := cmp.Or(CheckRegret(o), p.checkRules(t.Rules())); err != nil {
		return RegretStats{}, err
	}
	if err := Prepare(ctx, o.Pieces, p); err != nil {
		return RegretStats{}, err
	}
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	meters := make([]regretMeter, o.Threads)
	for i := range meters {
		instance, err := p.New(e)
		if err != nil {
			return RegretStats{}, fmt.Errorf("instance for %s: %w", p.Spec, err)
		}
		meters[i] = regretMeter{instance: instance, turn: Turn{Seed: o.Seed, Rules: t.Rules()}, counts: make([]int64, regretBins)}
	}
	err := t.EachDecision(ctx, o, func(thread, part int, d *solve.Decision) error { return meters[thread].add(ctx, part, d) })
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return RegretStats{}, err
	}
	return sumRegrets(meters), err
}

// regretMeter counts the regret of one thread's decisions.
type regretMeter struct {
	instance Instance
	turn     Turn
	counts   []int64      // decisions by regretBin
	sums     []partRegret // regrets of the parts of the work that this thread did
}

// partRegret is the sum of the regrets in a part, which are added up in the order of the parts on any number of threads.
type partRegret struct {
	part int
	sum  float64
}

// add lets the player choose and counts the regret.
func (m *regretMeter) add(ctx context.Context, part int, d *solve.Decision) error {
	m.turn.Game, m.turn.Position, m.turn.Roll, m.turn.Moves = d.Number, d.Position, d.Roll, d.Moves
	choice, err := m.instance.Choose(ctx, &m.turn)
	if err != nil {
		return err
	}
	if choice < 0 || choice >= len(d.Win) {
		return fmt.Errorf("move %d of %d was chosen in %s", choice, len(d.Win), m.turn.Rules.FormatPosition(d.Position))
	}
	regret := float64(100 * (slices.Max(d.Win) - d.Win[choice]))
	if n := len(m.sums); n == 0 || m.sums[n-1].part != part {
		m.sums = append(m.sums, partRegret{part: part})
	}
	m.sums[len(m.sums)-1].sum += regret
	m.counts[regretBin(regret)]++
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

// sumRegrets adds up the threads' counts.
func sumRegrets(meters []regretMeter) RegretStats {
	var s RegretStats
	var sums []partRegret
	counts := meters[0].counts
	for i, m := range meters {
		sums = append(sums, m.sums...)
		for bin := range counts {
			if i > 0 {
				counts[bin] += m.counts[bin]
			}
		}
	}
	for bin, n := range counts {
		if n > 0 {
			s.Decisions += n
			s.Max = binRegret(bin)
		}
	}
	if s.Decisions == 0 {
		return s
	}
	slices.SortFunc(sums, func(a, b partRegret) int { return a.part - b.part })
	for _, part := range sums {
		s.Mean += part.sum
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

// CheckRegret returns a [*config.Error] when [Regret] would, whatever the table.
func CheckRegret(o solve.DecisionOptions) error {
	const name = "regret"
	if err := CheckChoice(name, min(o.Pieces, board.FinkelPieces)); err != nil {
		return err // the table limits the pieces
	}
	switch {
	case !o.All && o.Decisions < 1:
		return config.Fault(name, "Decisions", "must be at least 1, got %d", o.Decisions)
	case o.Threads < 0 || o.Threads > MaxParallel:
		return config.Fault(name, "Threads",
			"must be at least 1 and at most %d, or 0 for one thread a processor, got %d", MaxParallel, o.Threads)
	}
	return nil
}

// CheckChoice returns a configuration's [*config.Error] unless games with this number of
// pieces have decisions: with one piece a side no roll has two legal moves, so a search for
// decisions would never end.
func CheckChoice(name string, pieces int) error {
	switch {
	case board.CheckPieces(pieces) != nil:
		return config.Fault(name, "Pieces", "must be 1 to %d, got %d", board.FinkelPieces, pieces)
	case pieces < 2:
		return config.Fault(name, "Pieces", "must be at least 2: with one piece a player never has a choice")
	}
	return nil
}

// FastestChooser returns the engine that is fastest here at single decisions in unrelated
// positions, where setting the position counts as much as finding the move. BenchmarkDecision
// measures it.
func FastestChooser() ur.Engine {
	e, err := engine.Lookup("bits/table")
	if err != nil {
		panic(err) // a built-in engine that needs no CPU features
	}
	return e
}
