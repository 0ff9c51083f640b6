// Package endgame solves the end of a game of Reversi: the exact score, the winner, or the
// score of every move. It is made for the last 20 to 26 empty squares.
//
// The last four squares are unrolled, the last three of them in assembly where the CPU has
// AVX-512. Up to seven, moves are ordered by parity; up to 13, by mobility, with a table of
// positions, cut-offs by stable discs, and look-ups of the children before any is searched.
// Above, shallow searches with an evaluation order them, and quick selective searches come
// before the exact one. Each technique can be left out, and none changes a score.
// docs/reversi.md lists their effect.
package endgame

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// Technique is a set of techniques that make the solver fast.
type Technique uint

// The techniques.
const (
	parity         Technique = 1 << iota // squares alone in their quarter first
	mobility                             // moves with few replies first
	stability                            // cut-offs by stable discs
	remembering                          // the table of positions
	transpositions                       // known children cut before any is searched
	evaluation                           // order by shallow searches with the evaluation
	iteration                            // shallower and selective searches before the exact one
	probCutting                          // cuts in these
	kernels                              // assembly for the last three squares and for moves
	prefetching                          // buckets of children read ahead
)

// techniques names them, as ablations do.
var techniques = []struct {
	name string
	bit  Technique
}{
	{"parity", parity}, {"mobility", mobility}, {"stability", stability}, {"table", remembering},
	{"transpositions", transpositions}, {"evaluation", evaluation}, {"iteration", iteration}, {"probcut", probCutting},
	{"kernels", kernels}, {"prefetch", prefetching},
}

// Techniques lists the names of all techniques.
func Techniques() []string {
	names := make([]string, len(techniques))
	for i, t := range techniques {
		names[i] = t.name
	}
	return names
}

// ParseTechniques reads names joined by commas.
func ParseTechniques(text string) (Technique, error) {
	var set Technique
next:
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		for _, t := range techniques {
			if t.name == name {
				set |= t.bit
				continue next
			}
		}
		return 0, fmt.Errorf("unknown technique %q (want one of %s)", name, strings.Join(Techniques(), ", "))
	}
	return set, nil
}

// Options describe a solver. The zero value is a good one without an evaluation.
type Options struct {
	Weights   *eval.Weights     // the evaluation for move ordering; none if nil
	Threads   int               // 1 if 0; at most 256
	TableBits int               // a table of 2^TableBits buckets of 64 bytes: 18 if 0
	Without   Technique         // techniques to leave out
	Generator movegen.Generator // if nil movegen.Fastest(), without kernels the fastest in Go

	// Confidence is the smallest probability, in percent, that a score is right. 73, 87, 95, 98
	// and 99 select selective searches, which are much faster from about 20 empty squares. 0
	// and 100 select exact scores. Selective searches need the evaluation.
	Confidence int
}

// Solver solves positions one after the other. It reuses its table and scratch memory: after
// the first search it allocates only its results. It is not safe for concurrent use.
type Solver struct {
	options   Options
	table     *table
	searchers []*searcher
	busy      busy
}

// MaxTableBits is the binary logarithm of the most buckets of a table, each of 64 bytes.
const MaxTableBits = 30

// New returns a solver, or an error that names the invalid option.
func New(o Options) (*Solver, error) {
	if o.Threads < 0 {
		return nil, fmt.Errorf("endgame: %d threads (want 1 or more, or 0 for 1)", o.Threads)
	}
	if o.TableBits < 0 || o.TableBits > MaxTableBits {
		return nil, fmt.Errorf("endgame: TableBits is %d (want 1 to %d, or 0 for 18)", o.TableBits, MaxTableBits)
	}
	if o.Confidence < 0 || o.Confidence > 100 {
		return nil, fmt.Errorf("endgame: confidence of %d %% (want 1 to 100, or 0 for 100)", o.Confidence)
	}
	if o.TableBits == 0 {
		o.TableBits = 18
	}
	o.Threads = max(1, min(o.Threads, 256))
	if o.Generator == nil {
		o.Generator = movegen.Fastest()
		if o.Without&kernels != 0 {
			o.Generator, _ = movegen.Lookup("rays")
		}
	}
	s := &Solver{options: o, table: newTable(o.TableBits)}
	s.table.shared = o.Threads > 1
	for range o.Threads {
		w := &searcher{without: o.Without, generator: o.Generator, table: s.table, stop: new(atomic.Bool),
			weights: o.Weights, frames: make([]frame, 65), goal: levelOf(o.Confidence)}
		if o.Threads > 1 {
			w.busy = &s.busy
		}
		if !w.uses(evaluation) {
			w.weights = nil
		}
		s.searchers = append(s.searchers, w)
	}
	return s, nil
}

// Forget empties the table, so later results do not depend on earlier searches.
func (s *Solver) Forget() { s.table.clear() }

// Result is the result of a search.
type Result struct {
	Score int          // for the side to move, empty squares to the winner
	Best  board.Square // a best move; board.Pass, or board.None in a finished game
	Moves []Move       // the score of every move, best first, where asked for
	Nodes uint64       // positions visited

	// Confidence is the probability in percent that the score is right: 100 for an exact one,
	// and 0 when the search ended before any search to the end. The score then is the value of
	// a search of Depth plies.
	Confidence int

	Depth int // plies of the search that found the score: the empty squares, or 0 for none
}

// Move is a move and its score for the moving side.
type Move struct {
	Square board.Square
	Score  int
}

// errOverlap reports an impossible board.
var errOverlap = errors.New("endgame: the sides' discs overlap")

// Solve returns the score of a position and a best move: exact, or at the confidence of the
// options. A cancelled context ends it early with the context's error. It then returns the
// score of the last completed search, which may be selective or not reach the end, and the best
// move found since. Under a deadline all levels of selectivity come in turn, so this result is
// a better one.
func (s *Solver) Solve(ctx context.Context, b board.Board) (Result, error) {
	return s.solve(ctx, b, -64, 64)
}

// Winner finds the winner: the score is +1, 0, or -1.
func (s *Solver) Winner(ctx context.Context, b board.Board) (Result, error) {
	r, err := s.solve(ctx, b, -1, 1)
	r.Score = max(-1, min(1, r.Score))
	return r, err
}

// SolveMoves returns the score of every move as well; for a side that must pass, the
// score of the pass.
func (s *Solver) SolveMoves(ctx context.Context, b board.Board) (Result, error) {
	var all Result
	moves := b.Moves()
	if moves == 0 {
		r, err := s.Solve(ctx, b)
		if r.Best == board.Pass {
			r.Moves = []Move{{board.Pass, r.Score}}
		}
		return r, err
	}
	all.Score, all.Best, all.Confidence, all.Depth = -inf, board.None, 100, b.Empties()
	for ; moves != 0; moves &= moves - 1 {
		x := board.First(moves)
		r, err := s.Solve(ctx, b.Play(x, b.Flips(x)))
		all.Nodes += r.Nodes
		if err != nil {
			sortMoves(all.Moves)
			all.Confidence, all.Depth = 0, 0
			return all, err
		}
		all.Confidence = min(all.Confidence, r.Confidence)
		all.Moves = append(all.Moves, Move{x, -r.Score})
		if -r.Score > all.Score {
			all.Score, all.Best = -r.Score, x
		}
	}
	sortMoves(all.Moves)
	return all, nil
}

// errNoWeights reports an estimate without an evaluation.
var errNoWeights = errors.New("endgame: an estimate needs an evaluation")

// estimate searches depth plies, at least one, with the evaluation at the leaves, to the
// end of the game if it is nearer, and returns the value in discs. Passes do not count as
// plies.
func (s *Solver) estimate(ctx context.Context, b board.Board, depth int) (Result, error) {
	w := s.searchers[0]
	switch {
	case w.weights == nil:
		return Result{Best: board.None}, errNoWeights
	case b.Own&b.Opp != 0:
		return Result{Best: board.None}, errOverlap
	case b.Moves() == 0 && b.Over():
		return Result{Score: b.Score(), Best: board.None, Nodes: 1}, nil
	case b.Moves() == 0:
		r, err := s.estimate(ctx, b.Pass(), depth)
		r.Score, r.Best = -r.Score, board.Pass
		return r, err
	}
	defer s.begin(ctx)()
	w.set(b)
	var r Result
	depth = max(1, min(depth, b.Empties()))
	for d := min(depth, 4-depth&1); d <= depth; d += 2 {
		r.Score, r.Best = w.window(w.root, -64, 64, d, b.Empties(), levelExact), w.best
	}
	r.Nodes, w.nodes = w.nodes, 0
	return r, s.ended(ctx)
}

// begin prepares a search, which ends early when the context ends. The returned function must
// be called after it. Every search has a separate stop flag: the context's function may run
// after the search has returned, and must not reach the next one.
func (s *Solver) begin(ctx context.Context) func() bool {
	s.table.age++
	stop := new(atomic.Bool)
	deadline, hasty := ctx.Deadline()
	for _, w := range s.searchers {
		w.stop, w.deadline, w.gradual, w.late, w.look = stop, deadline, hasty, false, 0
	}
	return context.AfterFunc(ctx, func() { stop.Store(true) })
}

// sortMoves puts the best first, and squares of the same score in their order.
func sortMoves(moves []Move) {
	for i := range moves {
		for j := i; j > 0 && moves[j].Score > moves[j-1].Score; j-- {
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}

func (s *Solver) solve(ctx context.Context, b board.Board, alpha, beta int) (Result, error) {
	if b.Own&b.Opp != 0 {
		return Result{Best: board.None}, errOverlap
	}
	if err := ctx.Err(); err != nil {
		return Result{Best: board.None}, err
	}
	if b.Moves() == 0 {
		if b.Over() {
			return Result{Score: b.Score(), Best: board.None, Nodes: 1, Confidence: 100, Depth: b.Empties()}, nil
		}
		r, err := s.solve(ctx, b.Pass(), -beta, -alpha)
		r.Score, r.Best = -r.Score, board.Pass
		return r, err
	}
	defer s.begin(ctx)()
	a := s.onThreads(b, alpha, beta)
	r := Result{Score: a.score, Best: a.best, Confidence: a.confidence, Depth: a.depth}
	for _, w := range s.searchers {
		r.Nodes += w.nodes
		w.nodes = 0
	}
	return r, s.ended(ctx)
}

// ended returns the error of a search that was cut short by its context or deadline.
func (s *Solver) ended(ctx context.Context) error {
	for _, w := range s.searchers {
		if w.late && ctx.Err() == nil {
			return context.DeadlineExceeded
		}
	}
	return ctx.Err()
}

// answer is the result of one searcher.
type answer struct {
	score      int
	best       board.Square
	confidence int // 0 for a search that did not reach the end
	depth      int // 0 without a score
}

// beats reports whether an answer is the better one.
func (a answer) beats(b answer) bool {
	if a.confidence != b.confidence {
		return a.confidence > b.confidence
	}
	return a.depth > b.depth || b.best == board.None
}

// onThreads lets all searchers solve the same position; they share results by the table. The
// first to finish stops the others. If the search is stopped before, the answer is the most
// confident one so far, with a move of any searcher if it has none.
func (s *Solver) onThreads(b board.Board, alpha, beta int) answer {
	if len(s.searchers) == 1 {
		return s.searchers[0].solve(b, alpha, beta)
	}
	var (
		stop  = s.searchers[0].stop
		wait  sync.WaitGroup
		mutex sync.Mutex
		found = answer{best: board.None}
	)
	for _, w := range s.searchers {
		wait.Go(func() {
			a := w.solve(b, alpha, beta)
			stop.Store(true)
			mutex.Lock()
			defer mutex.Unlock()
			if a.beats(found) {
				found = a
			}
		})
	}
	wait.Wait()
	return found
}

// set makes a board the root.
func (s *searcher) set(b board.Board) {
	s.root = node{own: b.Own, opp: b.Opp, features: &s.features}
	s.best, s.improved, s.cutting = board.None, false, 0
	s.known = answer{best: board.None}
	if s.weights != nil {
		s.features = eval.FeaturesOf(b)
	}
}

// solve searches a position with at least one move. The best move is the first that reached the
// score in the last search that was completed or improved.
func (s *searcher) solve(b board.Board, alpha, beta int) answer {
	empties := b.Empties()
	s.set(b)
	if s.weights == nil || !s.uses(iteration) || empties < byMobility-1 {
		s.finish(s.window(s.root, alpha, beta, empties, empties, levelExact), empties, confidences[levelExact])
		return s.answer()
	}
	guess := s.approach(alpha, beta, empties)
	goal := s.goal
	switch {
	case !s.uses(probCutting) || empties < selectiveFrom:
		goal = levelExact
	case s.gradual:
		for level := uint8(0); level < goal; level++ {
			guess = s.aspire(guess, alpha, beta, empties, level)
		}
	default:
		guess = s.approachToEnd(guess, alpha, beta, empties)
	}
	s.aspire(guess, alpha, beta, empties, goal)
	return s.answer()
}

// finish notes the score of a search, unless it was stopped.
func (s *searcher) finish(score, depth, confidence int) {
	if !s.stop.Load() {
		s.known = answer{score, s.best, confidence, depth}
	}
}

// answer returns the last score, with a better move of the search that was stopped behind it.
func (s *searcher) answer() answer {
	if s.known.best == board.None || s.improved {
		s.known.best = s.best
	}
	return s.known
}

// approach searches less deep, and returns the value of the last search. Its table entries order
// the next search's moves.
func (s *searcher) approach(alpha, beta, empties int) int {
	guess := 0
	for depth := 4 - empties&1; depth < empties-6; depth += 2 {
		guess = s.window(s.root, alpha, beta, depth, empties, 0)
		s.finish(guess, depth, 0)
	}
	return guess
}

// approachToEnd searches to the end selectively, and returns the expected score of the last search.
func (s *searcher) approachToEnd(guess, alpha, beta, empties int) int {
	last := uint8(1)
	if empties >= severalFrom {
		last = s.goal
	}
	for level := uint8(1); level <= last && level < s.goal; level += 2 {
		low, high := max(alpha, guess-4), min(beta, guess+4)
		if low >= high {
			low, high = alpha, beta
		}
		guess = s.window(s.root, low, high, empties, empties, level)
		if low < guess && guess < high { // otherwise a bound
			s.finish(guess, empties, confidences[level])
		}
	}
	return guess
}

// severalFrom is from how many empty squares on several levels come before the exact search. On
// positions of self-play of 20, 22 and 23 empty squares the second level took more nodes than it saved.
const severalFrom = 26

// selectiveFrom is from how many empty squares on selective searches to the end come
// before the exact one.
const selectiveFrom = 17

// aspire searches a small window about the guess, and moves it to where the score is. It returns
// the score, or the guess of a search that was stopped.
func (s *searcher) aspire(guess, alpha, beta, empties int, level uint8) int {
	guess &^= 1
	low, high := max(alpha, guess-2), min(beta, guess+2)
	if low >= high {
		low, high = alpha, beta
	}
	for width := 4; ; width *= 2 {
		score := s.window(s.root, low, high, empties, empties, level)
		switch {
		case s.stop.Load():
			return guess
		case score <= low && low > alpha:
			high = score + 1
			low = min(max(alpha, score-width), score)
		case score >= high && high < beta:
			low = score - 1
			high = max(min(beta, score+width), score)
		default:
			s.finish(score, empties, confidences[level])
			return score
		}
	}
}
