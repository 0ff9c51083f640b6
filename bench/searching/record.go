package searching

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/lookahead"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Record is what was measured of look-ahead on a machine.
type Record struct {
	Schema string `json:"schema"` // RecordSchema
	CPU    string `json:"cpu"`
	Go     string `json:"go"`
	Commit string `json:"commit"`

	Rows   []Row         `json:"rows"`
	Depths []DepthFigure `json:"depths"` // of the searching player

	// SixMedian is the median time of a decision at depth 6, in milliseconds.
	SixMedian float64 `json:"six_median_ms"`
	// Overrun is the largest time by which 1000 moves of 10 ms took longer, in
	// milliseconds.
	Overrun float64 `json:"overrun_ms"`
	// Threads is how many times faster two threads finish a depth than one, over
	// searches of about a second; 0 when the machine has but one processor.
	Threads float64 `json:"threads"`
}

// RecordSchema names the form of a record.
const RecordSchema = "ur.search.record/1"

// Row is a subject, measured.
type Row struct {
	Game      string  `json:"game"`
	Depth     int     `json:"depth"`
	Algorithm string  `json:"algorithm"`
	Less      string  `json:"less"`
	Nodes     float64 `json:"nodes"` // of a search
	Time      float64 `json:"us"`    // of a search; the median
	Lo        float64 `json:"lo"`
	Hi        float64 `json:"hi"`
	Ratio     float64 `json:"ratio"` // of the time to that of the best configuration
	RatioLo   float64 `json:"ratio_lo"`
	RatioHi   float64 `json:"ratio_hi"`
}

// DepthFigure is what a depth is worth.
type DepthFigure struct {
	Depth     int     `json:"depth"`
	Regret    float64 `json:"regret"` // points of win probability a decision
	Decisions int64   `json:"decisions"`
	Time      float64 `json:"us"` // of a decision, one thread
}

// Options say how much is measured.
type Options struct {
	Samples   int // of each subject
	Decisions int // at depth 4
	Regret    int // decisions for each depth
	Depths    int // the deepest whose regret is measured
	Table     solve.Table
	Progress  func(what string)
}

// Measure fills a record.
func Measure(ctx context.Context, o Options) (*Record, error) {
	r := &Record{Schema: RecordSchema, Go: runtime.Version()}
	for _, part := range []struct {
		what    string
		measure func(context.Context, Options) error
	}{
		{"algorithms and techniques", r.measureRows}, {"depth 6", r.measureSix}, {"overruns", r.measureOverrun},
		{"threads", r.measureThreads}, {"regret", r.measureDepths},
	} {
		if o.Progress != nil {
			o.Progress(part.what)
		}
		if err := part.measure(ctx, o); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Record) measureRows(ctx context.Context, o Options) error {
	subjects, err := Subjects(o.Decisions)
	if err != nil {
		return err
	}
	e := experiment.Options{Count: o.Samples, BenchTime: 20 * time.Millisecond, Seed: 1}
	for _, s := range subjects {
		e.Subjects = append(e.Subjects, s)
	}
	run, err := experiment.Measure(ctx, e)
	if err != nil {
		return err
	}
	base := map[string][]float64{}
	for i, s := range subjects {
		if s.variant.Less == "none" {
			base[s.game] = run.Series[i].Times()
		}
	}
	for i, s := range subjects {
		times := run.Series[i].Times()
		t, ratio := stat.Estimate(times).Rounded(), stat.RatioOfPairs(base[s.game], times, 1).Rounded()
		r.Rows = append(r.Rows, Row{
			s.game, s.depth, s.variant.Algorithm, s.variant.Less, s.nodes, t.Median, t.Lo, t.Hi, ratio.Median, ratio.Lo, ratio.Hi,
		})
	}
	return nil
}

// six is the variant by which depth 6 is searched.
func six() Variant {
	v := Ur()[3]
	v.Memory = largeMemory
	return v
}

func (r *Record) measureSix(ctx context.Context, _ Options) error {
	s, err := UrSubject(six(), Decisions(200), 6)
	if err != nil {
		return err
	}
	var times []float64
	for i := range s.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		best := math.Inf(1)
		for range 3 {
			s.forget()
			begin := time.Now()
			if _, err := s.search(i); err != nil {
				return err
			}
			best = min(best, time.Since(begin).Seconds())
		}
		times = append(times, 1e3*best)
	}
	r.SixMedian = stat.Significant(stat.Median(times))
	return nil
}

func (r *Record) measureOverrun(ctx context.Context, o Options) error {
	v := six()
	options, err := v.options()
	if err != nil {
		return err
	}
	s, err := lookahead.New(lookahead.Config{Pieces: board.MaxPieces, Options: options})
	if err != nil {
		return err
	}
	moves := min(1000, 10*o.Decisions)
	for i, d := range Decisions(moves) {
		if err := ctx.Err(); err != nil {
			return err
		}
		const limit = 10 * time.Millisecond
		begin := time.Now()
		if _, err := s.Search(ctx, d.Position, d.Roll, search.Limits{Time: limit}); err != nil {
			return err
		}
		if over := time.Since(begin) - limit; i > 0 { // the first allocates
			r.Overrun = max(r.Overrun, stat.Significant(1e3*over.Seconds()))
		}
	}
	return nil
}

// measureThreads searches to the depth that one thread takes about a second for.
func (r *Record) measureThreads(ctx context.Context, o Options) error {
	if runtime.GOMAXPROCS(0) < 2 {
		return nil
	}
	const depth = 8
	seconds := [2][]float64{}
	for _, d := range Decisions(max(2, o.Decisions/20)) {
		for threads := 1; threads <= 2; threads++ {
			v := six()
			v.Memory = 64 << 20
			options, err := v.options()
			if err != nil {
				return err
			}
			options.Threads = threads
			s, err := lookahead.New(lookahead.Config{Pieces: board.MaxPieces, Options: options})
			if err != nil {
				return err
			}
			begin := time.Now()
			if _, err := s.Search(ctx, d.Position, d.Roll, search.Limits{Depth: depth, First: depth}); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			seconds[threads-1] = append(seconds[threads-1], time.Since(begin).Seconds())
		}
	}
	ratios := make([]float64, len(seconds[0]))
	for i := range ratios {
		ratios[i] = seconds[0][i] / seconds[1][i]
	}
	slices.Sort(ratios)
	r.Threads = stat.Significant(stat.Median(ratios))
	return nil
}

func (r *Record) measureDepths(ctx context.Context, o Options) error {
	if o.Table == nil {
		return nil
	}
	for depth := 1; depth <= o.Depths; depth++ {
		decisions := o.Regret
		if depth > 3 {
			decisions /= 1 << (2 * (depth - 3))
		}
		var spent time.Duration
		chooser := func() (solve.Chooser, error) {
			v := six()
			options, err := v.options()
			if err != nil {
				return nil, err
			}
			s, err := lookahead.New(lookahead.Config{Pieces: board.MaxPieces, Options: options})
			return &timedChooser{ctx, s, depth, &spent}, err
		}
		stats, err := solve.Regret(ctx, o.Table, chooser, solve.RegretOptions{
			Pieces: board.MaxPieces, Threads: 1, Decisions: max(1, decisions), Seed: 1,
		})
		if err != nil {
			return err
		}
		r.Depths = append(r.Depths, DepthFigure{
			depth, stat.Significant(stats.Mean), stats.Decisions, stat.Significant(spent.Seconds() * 1e6 / float64(stats.Decisions)),
		})
	}
	return nil
}

// timedChooser makes decisions by search and adds up the time it takes.
type timedChooser struct {
	ctx      context.Context
	searcher *lookahead.Searcher
	depth    int
	spent    *time.Duration
}

// Choose implements [solve.Chooser].
func (c *timedChooser) Choose(d *solve.Decision) (int, error) {
	begin := time.Now()
	r, err := c.searcher.Search(c.ctx, d.Position, d.Roll, search.Limits{Depth: c.depth, First: c.depth})
	*c.spent += time.Since(begin)
	return max(0, r.Best), err
}
