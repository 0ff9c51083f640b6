package train

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Run lets a learner learn until its budget is spent.
type Run struct {
	Learner Learner

	// Unit is the unit of progress in messages; "" means games.
	Unit string

	// Games and Time limit the run: no step begins after that many games or that much time,
	// summed over interruptions. 0 means no limit. A limit of games always gives the same
	// result.
	Games int64
	Time  time.Duration

	// Growth is the factor of progress between two measurements of strength; 0 means 1.15.
	Growth float64

	// UntilBeaten ends the run when a measurement finds all rivals beaten.
	UntilBeaten bool

	// Save keeps a checkpoint; it is called before the first step, when SaveEvery
	// has gone by since, and at the end, also when ctx has ended. Nil keeps none.
	Save      func(*Checkpoint) error
	SaveEvery time.Duration // 0 means [DefaultSaveEvery]

	// Report, if not nil, is called after every step and measurement.
	Report func(Status)

	// Now is the clock; nil means time.Now.
	Now func() time.Time

	games  int64
	next   int64 // games at the next measurement
	curve  Curve
	before time.Duration // spent before this process began
	start  time.Time
	saved  time.Time
}

// DefaultSaveEvery is how often a checkpoint is saved.
const DefaultSaveEvery = 10 * time.Second

// measureGrowth is the factor of games between two measurements: learning is fastest in the
// beginning. The points, and all results of measurements, depend on games alone.
const measureGrowth = 1.15

// Status is how far a run has come.
type Status struct {
	Unit    string // what is counted; "" means games
	Games   int64
	Elapsed time.Duration
	Rate    float64 // games a second
	Last    Point   // the strength when it was last measured
	New     bool    // whether that was just now

	// Left is the estimated remaining time of the run, at most; negative without a limit.
	Left time.Duration
}

// Outcome is how a run has ended.
type Outcome struct {
	Games  int64
	Time   time.Duration
	Curve  Curve
	Reason string // why no more steps were taken
}

// Rate returns the games a second.
func (o Outcome) Rate() float64 { return rate(o.Games, o.Time) }

// Do takes steps until the budget is spent or the learner is finished. When ctx ends, it
// returns the outcome of the complete steps, with the error of ctx. It always saves a
// checkpoint. It then measures the outcome; after an interruption it does so only if the
// measurement is quick. The checkpoint does not contain this measurement, so a resumed run has
// the curve of an uninterrupted run. Call Do once.
func (r *Run) Do(ctx context.Context) (Outcome, error) {
	if r.Now == nil {
		r.Now = time.Now
	}
	if r.SaveEvery == 0 {
		r.SaveEvery = DefaultSaveEvery
	}
	r.start = r.Now()
	reason, err := r.learn(ctx)
	elapsed := r.elapsed()
	if err == nil || ctx.Err() != nil {
		err = errors.Join(err, r.save(), r.measureEnd(ctx))
	}
	return Outcome{Games: r.games, Time: elapsed, Reason: reason, Curve: r.curve}, err
}

// interruptedMeasure bounds the last measurement of an interrupted run: its user waits.
const interruptedMeasure = 250 * time.Millisecond

// measureEnd measures the outcome. An interrupted run without the time for it ends with its
// previous measurement.
func (r *Run) measureEnd(ctx context.Context) error {
	if ctx.Err() == nil {
		return r.measure(ctx, true)
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), interruptedMeasure)
	defer cancel()
	if err := r.measure(bounded, true); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// learn takes the steps and returns why it stopped.
func (r *Run) learn(ctx context.Context) (reason string, err error) {
	if err := r.save(); err != nil {
		return "", err
	}
	for {
		if err := r.measure(ctx, false); err != nil {
			return "", err
		}
		if reason, stop := r.stop(); stop {
			return reason, nil
		}
		games, err := r.Learner.Step(ctx)
		if err != nil {
			return "", err
		}
		r.games += games
		r.report(false)
		if r.Now().Sub(r.saved) >= r.SaveEvery {
			if err := r.save(); err != nil {
				return "", err
			}
		}
	}
}

// stop reports whether and why to take no more steps.
func (r *Run) stop() (reason string, stop bool) {
	if reason, finished := r.Learner.Finished(); finished {
		return reason, true
	}
	last, measured := r.curve.Last()
	switch {
	case r.Games > 0 && r.games >= r.Games:
		return "all " + cmp.Or(r.Unit, "games") + " were " + learnedFrom(r.Unit), true
	case r.Time > 0 && r.elapsed() >= r.Time:
		return "the time is over", true
	case r.UntilBeaten && measured && last.beaten():
		return "all rivals are beaten", true
	}
	return "", false
}

// learnedFrom returns a phrase of progress in a unit.
func learnedFrom(unit string) string {
	if cmp.Or(unit, "games") == "games" {
		return "played"
	}
	return "seen"
}

// beaten reports whether all rivals are.
func (p Point) beaten() bool {
	for _, s := range p.Scores {
		if !s.Beaten {
			return false
		}
	}
	return len(p.Scores) > 0
}

// measure adds a point to the curve when it is time to. The last point of a run is
// always measured.
func (r *Run) measure(ctx context.Context, last bool) error {
	point, measured := r.curve.Last()
	if measured && (point.Games == r.games || !last && r.games < r.next) {
		return nil
	}
	scores, err := r.Learner.Measure(ctx, point.Scores)
	if err != nil {
		return err
	}
	if !last {
		r.next = max(r.games+1, int64(float64(r.games)*cmp.Or(r.Growth, measureGrowth)))
	}
	point = Point{Games: r.games, Seconds: r.elapsed().Seconds(), Scores: scores}
	if l, ok := r.Learner.(regretful); ok {
		if regret, measured := l.Regret(); measured {
			point.Regret = &regret
		}
	}
	r.curve = append(r.curve, point)
	r.report(true)
	return nil
}

// save keeps a checkpoint.
func (r *Run) save() error {
	if r.Save == nil {
		return nil
	}
	c, err := r.checkpoint()
	if err == nil {
		err = r.Save(c)
	}
	r.saved = r.Now()
	return err
}

// report reports the progress of the run.
func (r *Run) report(measured bool) {
	if r.Report == nil {
		return
	}
	s := Status{Unit: r.Unit, Games: r.games, Elapsed: r.elapsed(), New: measured, Left: r.left()}
	s.Rate = rate(s.Games, s.Elapsed)
	s.Last, _ = r.curve.Last()
	r.Report(s)
}

// left returns the time until the first limit, or -1 when there is none.
func (r *Run) left() time.Duration {
	left := time.Duration(-1)
	if r.Time > 0 {
		left = max(0, r.Time-r.elapsed())
	}
	if r.Games > 0 && r.games > 0 {
		perGame := r.elapsed().Seconds() / float64(r.games)
		games := seconds(perGame * float64(max(0, r.Games-r.games)))
		if left < 0 || games < left {
			left = games
		}
	}
	return left
}

// elapsed returns the time used by the run, before an interruption as well: steps, measuring
// and saving.
func (r *Run) elapsed() time.Duration {
	if r.start.IsZero() {
		return r.before
	}
	return r.before + r.Now().Sub(r.start)
}

// seconds converts to a duration, at most a century: a number from a file may be
// any.
func seconds(s float64) time.Duration {
	const century = 100 * 365 * 24 * 3600
	return time.Duration(min(s, century) * float64(time.Second))
}

// rate returns games a second.
func rate(games int64, t time.Duration) float64 {
	return float64(games) / max(t.Seconds(), 1e-9)
}
