package train

import (
	"cmp"
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/valuenet"
	"golang.org/x/sync/errgroup"
)

// Run lets a learner learn until its budget is spent.
type Run struct {
	Method  Method
	Config  Config // that made the learner
	Learner Learner

	// Games and Time limit the run: no step begins after that many games or that much time, summed over interruptions.
	// 0 means no limit. A limit in games always gives the same result.
	Games int64
	Time  time.Duration

	// Save keeps a checkpoint; it is called before the first step, when SaveEvery
	// has gone by since, and at the end, also when ctx has ended. Nil keeps none.
	Save      func(*Checkpoint) error
	SaveEvery time.Duration // 0 means 10 seconds

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

// measureGrowth is the factor in games between two measurements: learning is fastest in the
// beginning. The points, and all measured results, depend on games alone.
const measureGrowth = 1.15

// Status is how far a run has come, or how it has ended.
type Status struct {
	Unit    string // what is counted
	Games   int64
	Elapsed time.Duration
	Curve   Curve  // the measurements
	Reason  string // why no more steps were taken; "" while the run goes on

	// Part is how much is finished, by the first limit to be reached, 0 to 1; negative without one.
	Part float64
}

// Rate returns the games a second.
func (s Status) Rate() float64 { return float64(s.Games) / max(s.Elapsed.Seconds(), 1e-9) }

// String returns the status in one line.
func (s Status) String() string {
	var line strings.Builder
	unit := time.Second
	if s.Elapsed < 10*time.Second {
		unit = 100 * time.Millisecond
	}
	fmt.Fprintf(&line, "%s  %d %s", s.Elapsed.Round(unit), s.Games, s.Unit)
	if s.Games > 0 {
		fmt.Fprintf(&line, "  %s %s/s", text.Grouped(int(s.Rate())), s.Unit)
	}
	last, _ := s.Curve.Last()
	if last.Regret != nil {
		fmt.Fprintf(&line, "  regret %.4f", *last.Regret)
	}
	for _, score := range last.Scores {
		fmt.Fprintf(&line, "  %s", score)
		if score.Beaten {
			line.WriteString(", beaten")
		}
	}
	return line.String()
}

// Do takes steps until the budget is spent or the learner is finished. When ctx ends, it returns the status after the
// complete steps, with ctx's error. It always saves a checkpoint. It then measures the outcome; after an interruption
// it does so only if the measurement is quick. The checkpoint does not contain this measurement, so a resumed run has
// the same curve as an uninterrupted run. Call Do once.
func (r *Run) Do(ctx context.Context) (Status, error) {
	if r.Now == nil {
		r.Now = time.Now
	}
	r.SaveEvery = cmp.Or(r.SaveEvery, 10*time.Second)
	r.start = r.Now()
	reason, err := r.learn(ctx)
	s := r.status()
	if err == nil || ctx.Err() != nil {
		err = errors.Join(err, r.save(), r.measureEnd(ctx))
	}
	s.Reason, s.Curve = reason, r.curve
	return s, err
}

// interruptedMeasure bounds an interrupted run's last measurement: its user waits.
const interruptedMeasure = 250 * time.Millisecond

// measureEnd measures the outcome. An interrupted run without the time for it ends with its previous measurement.
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
		if reason := r.stopReason(); reason != "" {
			return reason, nil
		}
		games, err := r.Learner.Step(ctx)
		if reason, finished := errors.AsType[Finished](err); finished {
			return string(reason), nil
		}
		if err != nil {
			return "", err
		}
		r.games += games
		r.report()
		if r.Now().Sub(r.saved) >= r.SaveEvery {
			if err := r.save(); err != nil {
				return "", err
			}
		}
	}
}

// stopReason returns why to take no more steps, or "".
func (r *Run) stopReason() string {
	switch spent := r.Games > 0 && r.games >= r.Games; {
	case spent && r.Method.Counted() == "games":
		return "all games were played"
	case spent:
		return "all " + r.Method.Counted() + " were seen"
	case r.Time > 0 && r.elapsed() >= r.Time:
		return "the time is over"
	}
	return ""
}

// measure adds a point to the curve when it is time to. A run's last point is always measured.
func (r *Run) measure(ctx context.Context, last bool) error {
	point, measured := r.curve.Last()
	if measured && (point.Games == r.games || !last && r.games < r.next) {
		return nil
	}
	scores, regret, err := r.Learner.Measure(ctx, point.Scores)
	if err != nil {
		return err
	}
	if !last {
		r.next = max(r.games+1, int64(float64(r.games)*cmp.Or(r.Method.Growth, measureGrowth)))
	}
	r.curve = append(r.curve, Point{Games: r.games, Seconds: r.elapsed().Seconds(), Scores: scores, Regret: regret})
	r.report()
	return nil
}

// save keeps a checkpoint.
func (r *Run) save() error {
	if r.Save == nil {
		return nil
	}
	c, err := r.newCheckpoint()
	if err == nil {
		err = r.Save(c)
	}
	r.saved = r.Now()
	return err
}

// report reports the run's progress.
func (r *Run) report() {
	if r.Report != nil {
		r.Report(r.status())
	}
}

func (r *Run) status() Status {
	s := Status{Unit: r.Method.Counted(), Games: r.games, Elapsed: r.elapsed(), Curve: r.curve, Part: -1}
	if r.Time > 0 {
		s.Part = min(1, float64(s.Elapsed)/float64(r.Time))
	}
	if r.Games > 0 {
		s.Part = max(s.Part, min(1, float64(r.games)/float64(r.Games)))
	}
	return s
}

// elapsed returns the time used by the run, before an interruption as well: steps, measuring and saving.
func (r *Run) elapsed() time.Duration {
	if r.start.IsZero() {
		return r.before
	}
	return r.before + r.Now().Sub(r.start)
}

// Provenance records a brain's origin, so its creation and strength can be reproduced.
type Provenance struct {
	Command string // that reproduces the result, whatever ended the run
	Seed    uint64
	Games   int64  // learned from
	Commit  string // the program's commit, or ""
	Scores  []Score
}

// comments returns the provenance as comment lines. It has no dates or times: the same command gives the same bytes.
func (p Provenance) comments() string {
	lines := []string{
		"Learned by: " + p.Command,
		fmt.Sprintf("Games: %d of seed %d", p.Games, p.Seed),
	}
	if p.Commit != "" {
		lines = append(lines, "Commit: "+p.Commit)
	}
	for _, s := range p.Scores {
		lines = append(lines, fmt.Sprintf("Score: %s, 95 %% interval, %d games", s, s.Games))
	}
	var text strings.Builder
	for _, line := range lines {
		// User text must not end the comment.
		text.WriteString("// " + strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return ' '
			}
			return r
		}, line) + "\n")
	}
	return text.String()
}

// WriteResult writes the learned player, with its provenance.
func (r *Run) WriteResult(w io.Writer, p Provenance) error {
	player, comment := r.Learner.Result()
	if n, ok := player.(*valuenet.Net); ok {
		n.Meta["learned by"] = p.Command
		n.Meta["learned from"] = fmt.Sprintf("%d %s of seed %d", p.Games, r.Method.Counted(), p.Seed)
		if p.Commit != "" {
			n.Meta["commit"] = p.Commit
		}
		return n.Write(w)
	}
	text, err := player.(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return err
	}
	comment += p.comments()
	if b, ok := player.(*ur.Brain); ok {
		comment += b.HashComment()
	}
	_, err = io.WriteString(w, comment+string(text))
	return err
}

// callEach calls work(0) to work(n-1), at most limit at a time, and returns an error from one. When ctx ends or a call
// fails, it starts no more calls and returns ctx's error. The results must not depend on the calls' order.
func callEach(ctx context.Context, parallel, n int, work func(i int) error) error {
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(max(1, parallel))
	for i := range n {
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return work(i)
		})
	}
	return workers.Wait()
}

// callAll calls work(0) to work(n-1), at most limit at a time.
func callAll(parallel, n int, work func(i int)) {
	callEach(context.Background(), parallel, n, func(i int) error { work(i); return nil }) //nolint:errcheck // nothing in it fails
}
