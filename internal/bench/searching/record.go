package searching

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
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
	// Cancel is the longest that a search on two threads took to come back when its
	// context was cancelled, of 100, in milliseconds.
	Cancel float64 `json:"cancel_ms"`
	// Threads is how many times faster two threads finish a depth than one, over
	// searches of about a second; 0 when the machine has but one processor.
	Threads float64 `json:"threads"`
	// ThreadNodes is how many nodes two threads visit for each of one.
	ThreadNodes float64 `json:"thread_nodes"`
	// ThreadWork is how much time of processors two threads take for each of one; 0 where that
	// is not known.
	ThreadWork float64 `json:"thread_work,omitempty"`
	// SideBySide is how many times faster two searches that have nothing to do with each other
	// are done at once than one after the other: what the machine gives to a second thread.
	SideBySide float64 `json:"side_by_side,omitempty"`

	// Matches are against perfect play, with the luck of the dice taken out.
	Matches []MatchFigure `json:"matches,omitempty"`
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
	Regret    float64 `json:"regret"`       // points of win probability a decision
	Plain     float64 `json:"plain_regret"` // by the curve that sees no squares
	Decisions int64   `json:"decisions"`
	Time      float64 `json:"us"` // of a decision, one thread
}

// MatchFigure is how a player does against perfect play.
type MatchFigure struct {
	Player string  `json:"player"`
	Games  int     `json:"games"`
	Score  float64 `json:"score"` // share of the games won, without luck
	StdErr float64 `json:"std_err"`
}

// Options say how much is measured.
type Options struct {
	Samples   int // of each subject
	Decisions int // at depth 4
	Regret    int // decisions for each depth
	Depths    int // the deepest whose regret is measured
	Table     solve.Table
	Player    string   // that plays the match; "" means "search:time=100ms"
	Games     int      // of the match
	Parts     []string // names of [Parts]; nil for all but the match
	Progress  func(what string)
}

// parts of a record, in the order they are measured.
var parts = []struct {
	name    string
	measure func(*Record, context.Context, Options) error
}{
	{"techniques", (*Record).measureRows}, {"six", (*Record).measureSix}, {"overruns", (*Record).measureOverrun},
	{"cancel", (*Record).measureCancel}, {"threads", (*Record).measureThreads}, {"regret", (*Record).measureDepths},
	{matchPart, (*Record).measureMatch},
}

// matchPart takes an hour, so that it is measured only where it is named.
const matchPart = "match"

// Parts returns the names of the parts of a record.
func Parts() (names []string) {
	for _, part := range parts {
		names = append(names, part.name)
	}
	return names
}

// Measure fills in parts of a record, and leaves the others as they are.
func (r *Record) Measure(ctx context.Context, o Options) error {
	r.Schema, r.Go = RecordSchema, runtime.Version()
	for _, part := range parts {
		if o.Parts == nil && part.name == matchPart || o.Parts != nil && !slices.Contains(o.Parts, part.name) {
			continue
		}
		if o.Progress != nil {
			o.Progress(part.name)
		}
		if err := part.measure(r, ctx, o); err != nil {
			return err
		}
	}
	return nil
}

func (r *Record) measureRows(ctx context.Context, o Options) error {
	subjects, err := Subjects(o.Decisions)
	if err != nil {
		return err
	}
	run, err := experiment.MeasureAll(ctx, subjects, experiment.Options{Count: o.Samples, BenchTime: 20 * time.Millisecond, Seed: 1})
	if err != nil {
		return err
	}
	r.Rows = RowsOf(run)
	return nil
}

// six is the variant by which depth 6 is searched: the best.
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
	clock := experiment.DefaultClock()
	for i := range s.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		best := math.Inf(1)
		for range 3 {
			s.forget()
			begin := clock.Now()
			if _, err := s.search(i); err != nil {
				return err
			}
			best = min(best, (clock.Now() - begin).Seconds())
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
	s, err := ursearch.New(ursearch.Config{Pieces: board.MaxPieces, Options: options})
	if err != nil {
		return err
	}
	moves := min(1000, 10*o.Decisions)
	r.Overrun = 0
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

// measureCancel cancels searches that would go on for long.
func (r *Record) measureCancel(ctx context.Context, _ Options) error {
	s, err := newSix(2)
	if err != nil {
		return err
	}
	r.Cancel = 0
	for _, d := range Decisions(100) {
		if err := ctx.Err(); err != nil {
			return err
		}
		cancelled := make(chan time.Time, 1)
		searched, cancel := context.WithCancel(ctx)
		time.AfterFunc(5*time.Millisecond, func() { cancelled <- time.Now(); cancel() })
		if _, err := s.Search(searched, d.Position, d.Roll, search.Limits{}); err != nil {
			return err
		}
		r.Cancel = max(r.Cancel, stat.Significant(1e3*time.Since(<-cancelled).Seconds()))
	}
	return nil
}

// newSix returns a searcher on so many threads, with a table for long searches.
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

func (r *Record) measureDepths(ctx context.Context, o Options) error {
	if o.Table == nil {
		return nil
	}
	r.Depths = nil
	for depth := 1; depth <= o.Depths; depth++ {
		var spent time.Duration
		stats, err := regretAt(ctx, o, depth, ursearch.CurveOf(ur.DefaultBrain()), &spent)
		if err != nil {
			return err
		}
		plain, err := regretAt(ctx, o, depth, ursearch.PlainCurve(), new(time.Duration))
		if err != nil {
			return err
		}
		r.Depths = append(r.Depths, DepthFigure{
			depth, stat.Significant(stats.Mean), stat.Significant(plain.Mean), stats.Decisions,
			stat.Significant(spent.Seconds() * 1e6 / float64(stats.Decisions)),
		})
	}
	return nil
}

// regretAt measures the regret of searches to a depth by a curve, and adds up the time they take.
func regretAt(ctx context.Context, o Options, depth int, c *ursearch.Curve, spent *time.Duration) (solve.RegretStats, error) {
	decisions := o.Regret
	if depth > 3 {
		decisions /= 1 << (2 * (depth - 3))
	}
	chooser := func() (solve.Chooser, error) {
		options, err := six().options()
		if err != nil {
			return nil, err
		}
		s, err := ursearch.New(ursearch.Config{Pieces: board.MaxPieces, Curve: c, Options: options})
		return &timedChooser{ctx, s, depth, spent}, err
	}
	return solve.Regret(ctx, o.Table, chooser, solve.RegretOptions{
		Pieces: board.MaxPieces, Threads: 1, Decisions: max(1, decisions), Seed: 1,
	})
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

// measureMatch plays a match against perfect play, in the place of an earlier one of the player.
func (r *Record) measureMatch(ctx context.Context, o Options) error {
	player, err := play.ParsePlayer(cmp.Or(o.Player, "search:time=100ms"))
	if err != nil {
		return err
	}
	result, err := play.Match(ctx, play.MatchConfig{
		Players: [2]play.Player{player, play.NewPerfect("perfect", play.OneTable(o.Table))}, Seed: 1, Games: o.Games,
		Pieces: o.Table.Pieces(), Luck: o.Table, Parallel: 1,
	})
	if err != nil {
		return err
	}
	score, stdErr := result.Luck.Score()
	r.Matches = slices.DeleteFunc(r.Matches, func(m MatchFigure) bool { return m.Player == player.Name() })
	r.Matches = append(r.Matches, MatchFigure{player.Name(), o.Games, stat.Significant(score), stat.Significant(stdErr)})
	return nil
}
