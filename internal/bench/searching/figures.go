package searching

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Figures returns the figures of searches other than the time of a pass, each measured once.
// Those of regret and matches need the exact solution: nil leaves them out.
func Figures(t solve.Table) []experiment.Sampler {
	list := append(threadFigures(),
		figure("Median/game=ur/depth=6", "ms/decision", medianSix),
		figure("Overrun/game=ur/time=10ms", "ms/move", overrun),
		figure("Cancel/game=ur/threads=2", "ms/search", cancel),
	)
	if t == nil {
		return list
	}
	for depth := 1; depth <= maxRegretDepth; depth++ {
		list = append(list, regret(t, depth, "squares", ursearch.CurveOf(ur.DefaultBrain())), regret(t, depth, "plain", ursearch.PlainCurve()))
	}
	match := figure("Match/game=ur/player=search-depth-5/against=perfect", experiment.UnitScore, nil)
	match.Rare = true // some minutes
	match.Measure = func(ctx context.Context) (float64, error) { return playMatch(ctx, t, match) }
	return append(list, match)
}

func figure(name, unit string, measure func(context.Context) (float64, error)) *experiment.Figure {
	return &experiment.Figure{Benchmark: experiment.Benchmark{Name: name, Unit: unit, Most: 1}, Measure: measure}
}

// six is the best variant for searching depth 6.
func six() Variant {
	v := Ur()[3]
	v.Memory = largeMemory
	return v
}

// medianSix is the median over decisions of the time at depth 6, the best of three each.
func medianSix(ctx context.Context) (float64, error) {
	s, err := UrSubject(six(), Decisions(200), 6)
	if err != nil {
		return 0, err
	}
	var times []float64
	clock := experiment.DefaultClock()
	for i := range s.n {
		best := math.Inf(1)
		for range 3 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			s.forget()
			begin := clock.Now()
			if _, err := s.search(i); err != nil {
				return 0, err
			}
			best = min(best, (clock.Now() - begin).Seconds())
		}
		times = append(times, 1e3*best)
	}
	return stat.Median(times), nil
}

// overrun is the largest excess of 1000 moves of 10 ms.
func overrun(ctx context.Context) (worst float64, err error) {
	options, err := six().options()
	if err != nil {
		return 0, err
	}
	s, err := ursearch.New(ursearch.Config{Pieces: board.MaxPieces, Options: options})
	if err != nil {
		return 0, err
	}
	for i, d := range Decisions(1000) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		const limit = 10 * time.Millisecond
		begin := time.Now()
		if _, err := s.Search(ctx, d.Position, d.Roll, search.Limits{Time: limit}); err != nil {
			return 0, err
		}
		if over := time.Since(begin) - limit; i > 0 { // the first allocates
			worst = max(worst, 1e3*over.Seconds())
		}
	}
	return worst, nil
}

// cancel is the longest delay between the end of the context and the return of a search, of 100
// searches.
func cancel(ctx context.Context) (worst float64, err error) {
	s, err := newSix(2)
	if err != nil {
		return 0, err
	}
	for _, d := range Decisions(100) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		cancelled := make(chan time.Time, 1)
		searched, cancel := context.WithCancel(ctx)
		time.AfterFunc(5*time.Millisecond, func() { cancelled <- time.Now(); cancel() })
		if _, err := s.Search(searched, d.Position, d.Roll, search.Limits{}); err != nil {
			return 0, err
		}
		worst = max(worst, 1e3*time.Since(<-cancelled).Seconds())
	}
	return worst, nil
}

// newSix returns a searcher on a number of threads, with a table for long searches.
func newSix(threads int) (*ursearch.Searcher, error) {
	v := six()
	v.Memory = 64 << 20
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	options.Threads = threads
	return ursearch.New(ursearch.Config{Pieces: board.MaxPieces, Options: options})
}

// maxRegretDepth is the deepest search whose regret is measured.
const maxRegretDepth = 6

// regret measures the regret of searches to a depth by a curve: the brain's, or the plain one
// without squares. The deeper ones take a quarter of the decisions for each ply.
func regret(t solve.Table, depth int, curve string, c *ursearch.Curve) *experiment.Figure {
	f := figure(fmt.Sprintf("Regret/game=ur/depth=%d/curve=%s", depth, curve), "points/decision", nil)
	f.Measure = func(ctx context.Context) (float64, error) {
		var spent time.Duration
		chooser := func() (solve.Chooser, error) {
			options, err := six().options()
			if err != nil {
				return nil, err
			}
			s, err := ursearch.New(ursearch.Config{Pieces: board.MaxPieces, Curve: c, Options: options})
			return &timedChooser{ctx, s, depth, &spent}, err
		}
		stats, err := solve.Regret(ctx, t, chooser, solve.RegretOptions{
			Pieces: board.MaxPieces, Threads: 1, Decisions: 100_000 >> (2 * max(0, depth-3)), Seed: 1,
		})
		f.Annotate = func(row *experiment.Row) {
			decisions := float64(stats.Decisions)
			row.Metrics = map[string]float64{"decisions": decisions, "us/decision": stat.Significant(spent.Seconds() * 1e6 / decisions)}
		}
		return stats.Mean, err
	}
	return f
}

// timedChooser makes decisions by search and adds up the time it takes.
type timedChooser struct {
	ctx      context.Context
	searcher *ursearch.Searcher
	depth    int
	spent    *time.Duration
}

// Choose implements [solve.Chooser].
func (c *timedChooser) Choose(d *solve.Decision) (int, error) {
	clock := experiment.DefaultClock()
	begin := clock.Now()
	r, err := c.searcher.Search(c.ctx, d.Position, d.Roll, search.Limits{Depth: c.depth, First: c.depth})
	*c.spent += clock.Now() - begin
	return max(0, r.Best), err
}

// playMatch returns the score of a match against perfect play, with the luck of the dice
// taken out.
func playMatch(ctx context.Context, t solve.Table, f *experiment.Figure) (float64, error) {
	const games = 1000
	player, err := play.ParsePlayer("search:depth=5")
	if err != nil {
		return 0, err
	}
	result, err := play.Match(ctx, play.MatchConfig{
		Players: [2]play.Player{player, play.NewPerfect("perfect", play.OneTable(t))}, Seed: 1, Games: games,
		Pieces: t.Pieces(), Luck: t, Parallel: 1,
	})
	if err != nil {
		return 0, err
	}
	score, stdErr := result.Luck.Score()
	f.Annotate = func(row *experiment.Row) {
		row.Lo, row.Hi = stat.Significant(score-1.96*stdErr), stat.Significant(score+1.96*stdErr)
		row.Metrics = map[string]float64{"games": games}
	}
	return score, nil
}
