// Package engine searches Reversi from the first move to the last disc: to a depth, for a time,
// or to the exact score, with one value or a value for every move. [New] returns an [Engine].
//
// The midgame is an iterative deepening of principal variation search with an evaluation at the
// leaves, in 32nds of a disc, a table of positions, Multi-ProbCut and aspiration windows. The end
// is searched with rising confidence, and at last exactly, the last seven squares in assembly where
// the CPU has AVX2. Up to seven, moves are ordered by parity; up to twelve, by mobility; above, by
// shallow searches with the evaluation. Each technique can be left out, and none changes an exact
// score. docs/reversi.md lists their effect.
package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// Technique is a set of techniques that make the search fast or strong.
type Technique uint

// The techniques.
const (
	parity         Technique = 1 << iota // squares alone in their quarter first
	mobility                             // moves with few replies first
	stability                            // cut-offs by stable discs
	remembering                          // the table of positions
	transpositions                       // known children cut before any is searched
	evaluation                           // order by shallow searches with the evaluation
	iteration                            // shallower and selective searches before the last one
	aspiration                           // small windows about the value of the search before
	probCutting                          // cuts predicted by shallow searches
	fractions                            // values finer than a disc
	kernels                              // assembly for the last seven squares and for moves
	prefetching                          // buckets of children read ahead
	keeping                              // the table kept from one search to the next
)

// techniques names them in their order, as ablations do.
var techniques = []string{"parity", "mobility", "stability", "table", "transpositions", "evaluation", "iteration",
	"aspiration", "probcut", "fractions", "kernels", "prefetch", "keeping"}

// Techniques lists the names of all techniques.
func Techniques() []string { return slices.Clone(techniques) }

// ParseTechniques reads names joined by commas or plus signs.
func ParseTechniques(text string) (set Technique, err error) {
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '+' || r == ' ' }) {
		i := slices.Index(techniques, name)
		if i < 0 {
			return 0, fmt.Errorf("unknown technique %q (want one of %s)", name, strings.Join(techniques, ", "))
		}
		set |= 1 << i
	}
	return set, nil
}

// Options describe an engine. The zero value is a good one.
type Options struct {
	Weights   *eval.Weights     // the evaluation; the hand-set rules if nil
	Threads   int               // 1 if 0; at most 256
	TableBits int               // a table of 2^TableBits buckets of 64 bytes; if 0 as large as the searches need
	Without   Technique         // techniques to leave out
	Generator movegen.Generator // if nil a kernel of this package, without kernels the fastest in Go
}

// Limits bound a search. The zero value asks for the exact score.
type Limits struct {
	Depth int // plies, passes not counted; 0 for a search to the end
	Exact int // empty squares from which the search goes to the end whatever Depth

	// Confidence is the smallest probability, in percent, that the score of a search to the end
	// is right. 73, 87, 95, 98 and 99 select selective searches, much faster from
	// about 20 empty squares. 0 and 100 select exact scores. Selective searches need Weights.
	Confidence int

	AllMoves bool // the value of every move

	// Progress, when not nil, is called after every completed iteration of a search for one
	// value. The search ends when it returns false.
	Progress func(Result) bool
}

// Engine searches positions one after the other. It reuses its table and scratch memory. It is not
// safe for concurrent use.
type Engine struct {
	options   Options
	table     *table
	searchers []*searcher
	busy      busy
}

// maxTableBits is the binary logarithm of the most buckets of a table, each of 64 bytes.
// maxThreads bounds the threads of a search.
const (
	maxTableBits = 30
	maxThreads   = 256
)

// New returns an engine, or an error that names the invalid option.
func New(o Options) (*Engine, error) {
	if o.Threads < 0 {
		return nil, fmt.Errorf("engine: Threads is %d (want 1 or more, or 0 for 1)", o.Threads)
	}
	if o.TableBits < 0 || o.TableBits > maxTableBits {
		return nil, fmt.Errorf("engine: TableBits is %d (want 1 to %d, or 0 for as many as needed)",
			o.TableBits, maxTableBits)
	}
	o.Threads = max(1, min(o.Threads, maxThreads))
	if o.Generator == nil && (!lastKernel || o.Without&kernels != 0) {
		o.Generator, _ = movegen.Lookup("rays")
	}
	if o.Weights == nil {
		o.Without |= probCutting // its errors are those of learned weights
	}
	e := &Engine{options: o, table: newTable(o.TableBits)}
	e.table.shared = o.Threads > 1
	for range o.Threads {
		s := &searcher{without: o.Without, generator: o.Generator, table: e.table, stop: new(atomic.Bool),
			weights: o.Weights, hand: eval.DefaultHand(), frames: make([]frame, 65)}
		if o.Threads > 1 {
			s.busy = &e.busy
		}
		e.searchers = append(e.searchers, s)
	}
	return e, nil
}

// Forget empties the table, so later results do not depend on earlier searches.
func (e *Engine) Forget() {
	if e.options.TableBits == 0 {
		e.table.buckets = newTable(0).buckets
	}
	clear(e.table.buckets)
}

// Result is the result of a search.
type Result struct {
	// Value is for the side to move, in 32nds of a disc (eval.Disc) of the final difference, with
	// the empty squares given to the winner.
	Value int
	Best  board.Square   // a best move; board.Pass, or board.None in a finished game
	Line  []board.Square // the expected moves from Best on, as far as the table has them
	Moves []Move         // the value of every move, best first, where asked for
	Visits

	// Confidence is the probability in percent that the value is the score of the game: 100 for an
	// exact one, and 0 when no search to the end was completed.
	Confidence int

	Depth int // plies of the search that found the value: the empty squares, or 0 for none
}

// Visits counts the visited positions of a search.
type Visits struct {
	Nodes  uint64 // positions visited
	Hits   uint64 // those that the table knew, at any depth
	Misses uint64 // those it did not know; the last squares are searched without it
}

func (w *Visits) add(more Visits) {
	w.Nodes += more.Nodes
	w.Hits += more.Hits
	w.Misses += more.Misses
}

// Score returns the value in whole discs.
func (r Result) Score() int { return eval.Discs(r.Value) }

// Move is a move and its value for the moving side.
type Move struct {
	Square board.Square
	Value  int
}

// Search returns the value of a position and a best move. A cancelled context ends it early with
// the context's error. The result then is the last completed iteration's, with the best
// move found since. Under a deadline the search to the end comes at all levels of confidence in
// turn, so this result is a better one.
func (e *Engine) Search(ctx context.Context, b board.Board, l Limits) (Result, error) {
	none := Result{Best: board.None}
	switch {
	case l.Depth < 0 || l.Exact < 0 || l.Confidence < 0 || l.Confidence > 100:
		return none, fmt.Errorf("engine: depth %d, exact from %d, confidence %d %% (want 0 or more, and at most 100 %%)",
			l.Depth, l.Exact, l.Confidence)
	case b.Own&b.Opp != 0:
		return none, errors.New("engine: the sides' discs overlap")
	}
	if e.options.Without&keeping != 0 {
		e.Forget()
	}
	plies := b.Empties()
	if l.Depth > 0 && plies > l.Exact {
		plies = min(l.Depth, plies)
	}
	return e.search(ctx, b, l, plies)
}

func (e *Engine) search(ctx context.Context, b board.Board, l Limits, plies int) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{Best: board.None}, err
	}
	switch {
	case b.Moves() == 0 && b.Over():
		value := b.Score() * eval.Disc
		return Result{Value: value, Best: board.None, Visits: Visits{Nodes: 1}, Confidence: 100, Depth: b.Empties()}, nil
	case b.Moves() == 0:
		all := l.AllMoves
		l.AllMoves, l.Progress = false, nil
		r, err := e.search(ctx, b.Pass(), l, plies)
		r.Value, r.Best, r.Line = -r.Value, board.Pass, append([]board.Square{board.Pass}, r.Line...)
		if all {
			r.Moves = []Move{{board.Pass, r.Value}}
		}
		return r, err
	case l.AllMoves:
		return e.values(ctx, b, l, plies)
	}
	defer e.begin(ctx, b, l, plies)()
	r := e.onThreads(b, plies)
	for _, s := range e.searchers {
		r.add(Visits{Nodes: s.nodes, Hits: s.looked[1], Misses: s.looked[0]})
	}
	if e.options.Without&remembering != 0 {
		r.Hits, r.Misses = 0, 0 // no table was asked
	}
	r.Line = e.line(b, r)
	return r, e.ended(ctx)
}

// line follows the best moves of the table from a result on.
func (e *Engine) line(b board.Board, r Result) (line []board.Square) {
	p, err := board.Position{Board: b}.Play(r.Best)
	for next := r.Best; err == nil; p, err = p.Play(next) {
		if line = append(line, next); len(line) >= r.Depth {
			break
		}
		if next = board.Pass; p.Moves() != 0 {
			next = board.Square(e.searchers[0].get(p.Own, p.Opp).best)
		}
	}
	return line
}

// values searches every move alone. Under a deadline it does so at rising depths, so that all moves
// soon have values of the same depth.
func (e *Engine) values(ctx context.Context, b board.Board, l Limits, plies int) (Result, error) {
	done := Result{Best: board.None}
	depth := plies
	if _, hasty := ctx.Deadline(); hasty {
		depth = 2 - plies&1
	}
	for {
		if plies == b.Empties() && depth > plies-nearEnd {
			depth = plies
		}
		r, err := e.valuesTo(ctx, b, l, depth)
		r.add(done.Visits)
		if err != nil {
			done.Visits = r.Visits
			return done, err
		}
		if done = r; depth >= plies {
			return done, nil
		}
		depth += 2
	}
}

func (e *Engine) valuesTo(ctx context.Context, b board.Board, l Limits, plies int) (Result, error) {
	all := Result{Confidence: 100, Depth: plies}
	l.AllMoves, l.Progress = false, nil
	for _, s := range board.Squares(b.Moves()) {
		r, err := e.search(ctx, b.Play(s, b.Flips(s)), l, plies-1)
		all.add(r.Visits)
		if err != nil {
			return all, err
		}
		all.Confidence = min(all.Confidence, r.Confidence)
		all.Moves = append(all.Moves, Move{s, -r.Value})
		if len(all.Moves) == 1 || -r.Value > all.Value {
			all.Value, all.Best, all.Line = -r.Value, s, append([]board.Square{s}, r.Line...)
		}
	}
	slices.SortStableFunc(all.Moves, func(x, y Move) int { return y.Value - x.Value })
	return all, nil
}

// begin prepares a search. It ends early when the context ends. The returned function must
// be called after it. Every search has a separate stop flag: the context's function may run
// after the search has returned, and must not reach the next one.
func (e *Engine) begin(ctx context.Context, b board.Board, l Limits, plies int) func() bool {
	deadline, hasty := ctx.Deadline()
	// The buckets that a search fills. On FForum positions of 24 and 25 empty squares a table four times as large
	// saved no nodes, and took 4 % more CPU time.
	needed := 1 << 18
	if empties := b.Empties(); plies == empties && !hasty {
		needed = 1 << max(10, min((empties+11)/2, 19))
	}
	if e.options.TableBits == 0 && len(e.table.buckets) < needed {
		e.table.buckets = cpu.MakeHuge[bucket](needed)
	}
	e.table.age++
	stop := new(atomic.Bool)
	for i, s := range e.searchers {
		s.stop, s.deadline, s.gradual, s.late, s.look = stop, deadline, hasty, false, 0
		s.goal, s.progress = levelOf(l.Confidence), nil
		s.nodes, s.looked = 0, [2]uint64{}
		if i == 0 {
			s.progress = l.Progress
		}
	}
	return context.AfterFunc(ctx, func() { stop.Store(true) })
}

// ended returns the error of a search that was cut short by its context or deadline.
func (e *Engine) ended(ctx context.Context) error {
	for _, s := range e.searchers {
		if s.late && ctx.Err() == nil {
			return context.DeadlineExceeded
		}
	}
	return ctx.Err()
}

// Value searches exactly plies plies in the window from alpha to beta, without selectivity, and
// returns the value in 32nds of a disc, or a bound of it outside of the window. Its result depends
// on nothing but its arguments if the engine is without its table.
func (e *Engine) Value(b board.Board, plies, alpha, beta int) int {
	s := e.searchers[0]
	s.stop, s.look, s.deadline, s.nodes = new(atomic.Bool), 0, time.Time{}, 0
	s.set(b)
	switch empties := b.Empties(); {
	case b.Moves() == 0 && b.Over():
		return b.Score() * eval.Disc
	case plies == 0:
		return s.value(s.root, empties)
	default:
		return s.window(s.root, alpha, beta, min(plies, empties), empties, levelExact)
	}
}
