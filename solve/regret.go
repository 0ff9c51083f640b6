package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// Decision is a roll with two legal moves or more.
type Decision struct {
	Position board.Position
	Rules    *board.Rules   // of a decision of [RulesRegret], whose position is State; otherwise nil
	State    board.Position // the same
	Roll     int
	Moves    []board.Move // in ascending order of the moving piece; valid until Choose returns

	// Number identifies a decision for a player that draws lots: it is the same in every run,
	// on any number of threads.
	Number uint64
}

// A Chooser makes decisions: it returns the index of a move. It serves one goroutine.
type Chooser interface {
	Choose(*Decision) (int, error)
}

// RegretOptions select the decisions over which regret is measured.
type RegretOptions struct {
	Pieces  int // of the game, 1 to 7, at most those of the table; 0 means those of the table
	Threads int // all cores when 0; the result does not depend on it

	// All takes every decision of every position once, for either side, each with
	// the same weight. Otherwise Decisions are taken as they come in games of
	// perfect play against itself, games 0, 1, 2, ... of Seed.
	All       bool
	Decisions int
	Seed      uint64

	// Progress, unless it is nil, is called now and then, from any goroutine, with the
	// completed part of the work, 0 to 1.
	Progress func(done float64)
}

// RegretStats are statistics of a player's regret, in percentage points of the probability to
// win: the value of the best move minus that of the player's move.
type RegretStats struct {
	Decisions           int64
	Mean, P95, P99, Max float64
	Optimal             float64 // share of decisions without regret, 0 to 1
}

// Regret measures the regret of a player by a table. newChooser is called once for each thread.
// It returns the first error of newChooser or of a chooser. When ctx ends, it returns its error
// and the stats of the decisions until then.
//
// Percentiles are nearest-rank ones, right to one part in 4000. Rounded values of a table make
// some different moves look equal: see [Encoding.Rounding].
func Regret(ctx context.Context, t Table, newChooser func() (Chooser, error), o RegretOptions) (RegretStats, error) {
	o.Pieces = cmp.Or(o.Pieces, t.Pieces())
	if o.Pieces < 1 || o.Pieces > t.Pieces() {
		return RegretStats{}, fmt.Errorf("regret in games of %d pieces (want 1 to %d, as in the table)", o.Pieces, t.Pieces())
	}
	if o.Pieces == 1 {
		return RegretStats{}, errors.New("regret in games of 1 piece: a player never has a choice")
	}
	if !o.All && o.Decisions < 1 {
		return RegretStats{}, fmt.Errorf("regret over %d decisions (want 1 or more)", o.Decisions)
	}
	m := &regretMeter{ranked: t, table: t, options: o}
	measure := func(ctx context.Context) error { return m.onPolicy(ctx, m.playGame) }
	if o.All {
		measure = m.all
	}
	return m.measure(ctx, newChooser, measure)
}

// measure seats the player on every thread and measures.
func (m *regretMeter) measure(ctx context.Context, newChooser func() (Chooser, error), do func(context.Context) error) (RegretStats, error) {
	if m.options.Threads <= 0 {
		m.options.Threads = runtime.GOMAXPROCS(0)
	}
	for range m.options.Threads {
		c, err := newChooser()
		if err != nil {
			return RegretStats{}, err
		}
		m.judges = append(m.judges, &judge{chooser: c, counts: make([]int64, regretBins)})
	}
	err := do(ctx)
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return RegretStats{}, err
	}
	return m.stats(), err
}

// regretMeter is a measurement under way.
type regretMeter struct {
	ranked  Ranked
	table   Table        // the same under Finkel's rules; otherwise nil
	rules   *board.Rules // with the pieces of the game; nil for Finkel's
	options RegretOptions
	judges  []*judge  // by thread
	sums    []float64 // of regret, by part of the work, so their order is fixed
	failed  atomic.Pointer[error]
}

// judge is the state of one thread.
type judge struct {
	chooser  Chooser
	counts   []int64 // of decisions by regretBin
	sum      float64 // of the regret of a part of the work
	decision Decision
	worth    [board.MaxMoves]float64
}

// decide lets the player choose and counts its regret. The moves of j.decision and
// their worth must be set.
func (j *judge) decide() error {
	choice, err := j.chooser.Choose(&j.decision)
	if err != nil {
		return err
	}
	worth := j.worth[:len(j.decision.Moves)]
	if choice < 0 || choice >= len(worth) {
		return fmt.Errorf("move %d of %d was chosen in %v", choice, len(worth), j.decision.position())
	}
	best := worth[0]
	for _, w := range worth[1:] {
		best = max(best, w)
	}
	regret := float64(100 * (best - worth[choice]))
	j.sum += regret
	j.counts[regretBin(regret)]++
	return nil
}

// position returns the position as text.
func (d *Decision) position() string {
	if d.Rules != nil {
		return d.Rules.FormatPosition(d.State)
	}
	return board.Finkel().FormatPosition(d.Position)
}

// Regret is counted in bins by the first 12 bits of its mantissa.
const (
	regretShift = 52 - 12
	leastRegret = 0x3a1 // exponent of 2^-94, below any difference of two values but 0
	regretBins  = (0x3ff+7-leastRegret)<<12 + 1
)

// regretBin returns the bin of a regret of 0 to 100 points. Bin 0 is for zero regret.
func regretBin(regret float64) int {
	bin := int(math.Float64bits(regret)>>regretShift) - leastRegret<<12
	return min(max(bin, 0), regretBins-1)
}

// binRegret returns the middle of a bin.
func binRegret(bin int) float64 {
	if bin == 0 {
		return 0
	}
	return math.Float64frombits(uint64(bin+leastRegret<<12)<<regretShift | 1<<(regretShift-1))
}

// stats adds up the counts of the threads.
func (m *regretMeter) stats() RegretStats {
	var s RegretStats
	counts := m.judges[0].counts
	for _, j := range m.judges[1:] {
		for bin, n := range j.counts {
			counts[bin] += n
		}
	}
	for bin, n := range counts {
		s.Decisions += n
		if n > 0 {
			s.Max = binRegret(bin)
		}
	}
	if s.Decisions == 0 {
		return s
	}
	sum := 0.0
	for _, part := range m.sums {
		sum += part
	}
	s.Mean = sum / float64(s.Decisions)
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

// run does parts of the work on all threads and keeps the sum of each. It returns the first
// error, or that of ctx.
func (m *regretMeter) run(ctx context.Context, parts int, do func(j *judge, part int) error) error {
	first := len(m.sums)
	m.sums = append(m.sums, make([]float64, parts)...)
	parallel(m.options.Threads, parts, func(thread, part int) {
		if ctx.Err() != nil || m.failed.Load() != nil {
			return
		}
		j := m.judges[thread]
		j.sum = 0
		if err := do(j, part); err != nil {
			m.failed.CompareAndSwap(nil, &err)
		}
		m.sums[first+part] = j.sum
	})
	if err := m.ranked.Err(); err != nil {
		return err // instead of a chooser's error caused by invalid values
	}
	if err := m.failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

// report reports the completed part of the work.
func (m *regretMeter) report(done float64) {
	if m.options.Progress != nil {
		m.options.Progress(done)
	}
}
