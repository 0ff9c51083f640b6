package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/match/rating"
	"golang.org/x/sync/errgroup"
)

// run is a plan in progress. Its spans are numbered through all pairings and exist as numbers
// alone, so there may be any number of them. Goroutines take them in order and finish them in
// any order. If order matters, they are entered in order, so a test sees the same numbers on
// any number of goroutines.
type run[S Score[S]] struct {
	Plan[S]
	begins []int // number of the first span of a pairing, and one more for the end

	mutex   sync.Mutex
	next    int                 // span to take
	logged  map[int]bool        // spans in the log
	entered int                 // spans in the score, where the order matters
	waiting map[int]finished[S] // spans not entered yet, by number
	stopped bool                // no more spans are taken
	out     Outcome[S]
	err     error
	errAt   int // span of the error
}

// unit is a span in a pairing.
type unit struct {
	number, pairing int
	Span
}

// isComplete reports whether pairs cover the whole span.
func (u unit) isComplete(pairs rating.Pairs) bool {
	return slices.Min(pairs[:]) >= 0 && slices.Max(pairs[:]) <= int64(u.Pairs) && pairs.N() == int64(u.Games()/2)
}

// finished is a span played now or found in the log.
type finished[S any] struct {
	unit
	score S
	found bool // whether the log has it
	err   error
}

func newRun[S Score[S]](p Plan[S]) *run[S] {
	p.Pairings = max(1, p.Pairings)
	r := &run[S]{Plan: p, begins: []int{0}, logged: map[int]bool{}, waiting: map[int]finished[S]{}}
	r.out = Outcome[S]{Scores: make([]S, p.Pairings), Decision: rating.Undecided}
	if p.Unit == nil {
		r.begins = append(r.begins, math.MaxInt) // unitAt knows where they end
		return r
	}
	for i := range p.Pairings {
		r.begins = append(r.begins, r.begins[i]+int((r.pairsPerPairing()-1)/uint64(p.Unit(i)))+1)
	}
	return r
}

// pairsPerPairing returns the number of pairs in a pairing.
func (r *run[S]) pairsPerPairing() uint64 { return uint64(r.Games)/2 + uint64(r.Games)%2 }

// unitAt returns a number's span, and whether there is one.
func (r *run[S]) unitAt(number int) (u unit, ok bool) {
	u.number = number
	if number < 0 || number >= r.begins[len(r.begins)-1] {
		return u, false
	}
	next, _ := slices.BinarySearch(r.begins, number+1)
	u.pairing = next - 1
	var pairs uint64
	if r.Unit == nil {
		u.First, pairs = growingSpan(number)
	} else {
		pairs = uint64(r.Unit(u.pairing))
		u.First = uint64(number-r.begins[u.pairing]) * pairs
	}
	if u.First >= r.pairsPerPairing() {
		return u, false
	}
	rest := r.pairsPerPairing() - u.First
	u.Pairs, u.Odd = int(min(pairs, rest)), pairs >= rest && r.Games%2 == 1
	return u, true
}

// resumeLog enters the log's spans.
func (r *run[S]) resumeLog() error {
	if r.Log == nil {
		return nil
	}
	content, err := beginLog[S](r.Log, r.Header)
	if err != nil {
		return err
	}
	r.out.Damaged = content.damaged
	for _, record := range content.records {
		u, ok := r.unitAt(*record.Unit)
		if games := record.Score.FinishedGames(); !ok || games != int64(u.Games()) ||
			!u.isComplete(record.Score.PairResults()) {
			return &LogError{r.Log.file.Name(), 0, fmt.Sprintf("has part %d of %d games, which does not belong to this %s",
				*record.Unit, games, r.Header.planKind())}
		}
		if !r.logged[u.number] { // two processes may have played the same
			r.logged[u.number] = true
			r.enterUnit(finished[S]{unit: u, score: record.Score, found: true})
		}
	}
	if r.Progress != nil && r.out.Games > 0 {
		r.Progress(int(r.out.Games))
	}
	return nil
}

// playUnits plays all spans missing from the log.
func (r *run[S]) playUnits(ctx context.Context) (Outcome[S], error) {
	begin := r.next
	var left []unit // one for each goroutine
	for len(left) < r.Parallel {
		u, ok := r.takeUnit()
		if !ok {
			break
		}
		left = append(left, u)
	}
	r.next = begin // whichever goroutine runs first takes the first span
	r.out.Threads = len(left)
	runners := make([]SpanRunner[S], len(left))
	var sitting errgroup.Group
	for i := range runners {
		sitting.Go(func() (err error) {
			runners[i], err = r.Runner(ctx, left[0].pairing)
			return err
		})
	}
	if err := sitting.Wait(); err != nil {
		return r.out, err
	}
	start := time.Now()
	var workers sync.WaitGroup
	for _, runner := range runners {
		workers.Go(func() { r.playPairing(ctx, runner, left[0].pairing) })
	}
	workers.Wait()
	r.closeLog()
	r.out.Elapsed = time.Since(start)
	if r.Log != nil && r.err == nil {
		r.err = r.Log.syncFile()
	}
	return r.out, r.err
}

// takeUnit returns the next span to play. Spans are taken in order, so every span below a failed
// one is played.
func (r *run[S]) takeUnit() (u unit, ok bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for !r.stopped {
		u, ok := r.unitAt(r.next)
		if !ok {
			break
		}
		r.next++
		if !r.logged[u.number] {
			return u, true
		}
	}
	return u, false
}

// playPairing plays spans until there are no more, or the run has stopped. A runner serves as long as
// the pairing is the same.
func (r *run[S]) playPairing(ctx context.Context, runner SpanRunner[S], pairing int) {
	for u, ok := r.takeUnit(); ok; u, ok = r.takeUnit() {
		f := finished[S]{unit: u}
		if u.pairing != pairing {
			pairing = u.pairing
			runner, f.err = r.Runner(ctx, pairing)
		}
		if f.err == nil {
			f.score, f.err = runner.Play(ctx, u.Span)
		}
		r.finishUnit(f)
		if f.err != nil {
			return
		}
	}
}

// finishUnit logs a played span, then counts it. A failed span's games count in a single match
// without a log.
func (r *run[S]) finishUnit(f finished[S]) {
	r.mutex.Lock()
	if f.err == nil && r.Log != nil {
		f.err = r.Log.appendLine(logRecord[S]{&f.number, f.score})
	}
	if f.err != nil && (r.Log != nil || r.Pairings > 1) {
		f.score = *new(S)
	}
	r.stopped = r.stopped || f.err != nil
	r.enterUnit(f)
	r.mutex.Unlock()
	if games := f.score.FinishedGames(); r.Progress != nil && games > 0 {
		r.Progress(int(games))
	}
}

// enterUnit counts a span. If order matters, it counts all spans now in order, up to an error or to
// the test's decision. Spans beyond a decision do not count.
func (r *run[S]) enterUnit(f finished[S]) {
	if r.SPRT == nil && r.Enter == nil { // the order does not matter
		r.addScore(f)
		return
	}
	r.waiting[f.number] = f
	for r.err == nil && r.out.Decision == rating.Undecided {
		next, ok := r.waiting[r.entered]
		if !ok {
			return
		}
		delete(r.waiting, r.entered)
		r.entered++
		r.addScore(next)
		_, more := r.unitAt(r.entered)
		if r.SPRT != nil && r.err == nil && (!more || r.entered%max(1, r.Every) == 0) {
			r.out.Decision = r.SPRT.Decide(r.out.Scores[0].PairResults())
		}
	}
	r.stopped = true
}

// addScore adds a span to the score. Among several errors it keeps the lowest span's; the end of
// a context ranks after all others.
func (r *run[S]) addScore(f finished[S]) {
	r.out.Scores[f.pairing] = r.out.Scores[f.pairing].Plus(f.score)
	games := f.score.FinishedGames()
	r.out.Games += games
	if !f.found {
		r.out.Played += games
	}
	if f.err != nil {
		at := f.number
		if errors.Is(f.err, context.Canceled) || errors.Is(f.err, context.DeadlineExceeded) {
			at = math.MaxInt
		}
		if r.err == nil || at < r.errAt {
			r.err, r.errAt, r.out.Failed = f.err, at, f.pairing
		}
	}
	if r.Enter != nil && !f.found {
		r.err = cmp.Or(r.err, r.Enter(f.pairing, f.Span, f.score))
	}
}

// closeLog ends the run. Without a decision all finished spans count, including those beyond a
// failed one.
func (r *run[S]) closeLog() {
	if r.out.Decision != rating.Undecided {
		return
	}
	for _, number := range slices.Sorted(maps.Keys(r.waiting)) {
		r.addScore(r.waiting[number])
	}
}
