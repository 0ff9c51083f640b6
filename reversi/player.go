package reversi

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/endgame"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
)

// Player chooses moves. It serves one game at a time.
type Player interface {
	// Name is the text the player was parsed from.
	Name() string

	// Choose returns a legal move of p, a pass where there is no other. For a finished game it
	// returns ErrOver. After its context is cancelled a player answers at once with the best
	// move it has.
	Choose(ctx context.Context, p board.Position, l Limits) (Choice, error)

	// NewGame forgets the previous game, so games of a match do not depend on each other.
	NewGame(seed uint64)
}

// Follower is a player that needs the moves of a game, not only its position. [playGame] passes
// the record to Follow before each call of Choose.
type Follower interface{ Follow(r board.Record) }

// Limits bound the thinking about one move. Zero fields are up to the player.
type Limits struct {
	Time     time.Duration // by the wall clock
	Clock    Clock         // of the side to move, for the rest of its game
	AllMoves bool          // value every move, for hints
}

// Choice is a move and why.
type Choice struct {
	Square  board.Square
	Score   float64 // discs of the final difference for the side to move, expected or exact
	Exact   bool    // the score is certain
	Depth   int     // plies searched; 0 for a move without a search
	Book    bool    // the move is from an opening book
	Line    []board.Square
	Moves   []Hint // with Limits.AllMoves, best first
	Nodes   uint64
	Elapsed time.Duration
}

// Hint is the estimated value of a move.
type Hint struct {
	Square board.Square
	Score  float64
}

// ErrOver reports a finished game.
var ErrOver = errors.New("the game is over: no side can move")

// trivial answers where there is nothing to choose.
func trivial(p board.Position) (Choice, bool, error) {
	moves := p.Moves()
	switch {
	case moves == 0 && p.Over():
		return Choice{Square: board.None}, true, ErrOver
	case moves == 0:
		return Choice{Square: board.Pass}, true, nil
	case moves&(moves-1) == 0:
		return Choice{Square: board.First(moves)}, true, nil
	}
	return Choice{}, false, nil
}

// random plays any legal move.
type random struct{ source *rand.Rand }

func (*random) Name() string { return "random" }

func (r *random) NewGame(seed uint64) { r.source = rand.New(rand.NewPCG(seed, 7)) }

func (r *random) Choose(_ context.Context, p board.Position, _ Limits) (Choice, error) {
	if c, done, err := trivial(p); done {
		return c, err
	}
	return Choice{Square: anyOf(r.source, p.Moves())}, nil
}

// greedy turns over as many discs as it can.
type greedy struct{}

func (greedy) Name() string   { return "greedy" }
func (greedy) NewGame(uint64) {}

func (greedy) Choose(_ context.Context, p board.Position, _ Limits) (Choice, error) {
	if c, done, err := trivial(p); done {
		return c, err
	}
	best, most := board.None, 0
	for _, s := range board.Squares(p.Moves()) {
		if n := bits.OnesCount64(p.Flips(s)); n > most {
			best, most = s, n
		}
	}
	return Choice{Square: best}, nil
}

// Book knows good moves of openings.
type Book interface {
	// Move returns a move of a position and its score in discs, if the book has one.
	Move(b board.Board) (board.Square, float64, bool)
}

// Settings describe a [Thinker].
type Settings struct {
	Name    string
	Weights *eval.Weights // nil: the hand-set rules
	Depth   int           // plies of search; 0 for no limit but time
	Time    time.Duration // for a move; 0 for no limit but depth
	Exact   int           // empty squares from which it solves the game; 0 for never
	Threads int           // 1 if 0
	Book    Book          // nil for none

	// Search selects the search techniques; nil for DefaultSearch.
	Search *search.Options
	// Errors of ProbCut, if they are not those of the built-in weights.
	Errors *Errors
}

// DefaultSearch holds the default techniques of a [Thinker]. The ablation in docs/reversi.md
// shows nodes and time without each of them: at the depth measured not every one of them saves
// time. ETC is not among them: to look up all children costs more than their cut-offs save.
func DefaultSearch() search.Options {
	return search.Options{Algorithm: "pvs", TableMove: true, Static: true, ProbCut: 1.5, Deeper: true}
}

// Thinker searches in the midgame and solves the end of the game.
type Thinker struct {
	settings Settings
	game     *Midgame
	searcher *search.Searcher[State, *Midgame]
	table    *search.Table
	solver   *endgame.Solver

	keeper    timekeeper // of moves on a clock
	pondering *pondering // nil when it does not think on the opponent's time
}

// tableBytes is the memory of a thinker's table in the midgame.
const tableBytes = 1 << 24

// NewThinker returns a player, or an error that names the invalid setting.
func NewThinker(s Settings) (*Thinker, error) {
	if s.Depth < 0 || s.Depth > search.MaxDepth || s.Exact < 0 || s.Exact > 60 || s.Time < 0 {
		return nil, fmt.Errorf("%s: invalid limits: depth %d, exact %d, time %v (want depth 0 to %d, exact 0 to 60, time 0 or more)", s.Name, s.Depth, s.Exact, s.Time, search.MaxDepth)
	}
	if s.Depth == 0 && s.Time == 0 {
		return nil, fmt.Errorf("%s: no limit of the search (want a depth or a time)", s.Name)
	}
	t := &Thinker{settings: s, game: NewMidgame(s.Weights)}
	o := DefaultSearch()
	if s.Search != nil {
		o = *s.Search
	}
	if s.Weights == nil {
		o.ProbCut = 0 // the errors are those of learned weights
	}
	if s.Errors != nil {
		t.game.errors = s.Errors
	}
	var err error
	if t.table, err = search.NewTable(tableBytes, search.Buckets); err != nil {
		return nil, err
	}
	o.Table, o.Threads = t.table, s.Threads
	o.Report = func(r *search.Result) { t.keeper.finished(r.ID) }
	if t.searcher, err = search.New[State](t.game, o); err != nil {
		return nil, err
	}
	t.solver, err = endgame.New(endgame.Options{Weights: s.Weights, Threads: s.Threads, TableBits: 16})
	return t, err
}

// Name returns the settings' name.
func (t *Thinker) Name() string { return t.settings.Name }

// NewGame empties the tables.
func (t *Thinker) NewGame(uint64) {
	t.StopPondering()
	t.table.Clear()
	t.solver.Forget()
}

// Choose looks in the book, solves, or searches.
func (t *Thinker) Choose(ctx context.Context, p board.Position, l Limits) (Choice, error) {
	begin := time.Now()
	t.StopPondering()
	if !l.AllMoves {
		if c, done, err := trivial(p); done {
			return c, err
		}
		if t.settings.Book != nil {
			if s, score, ok := t.settings.Book.Move(p.Board); ok {
				return Choice{Square: s, Score: score, Book: true}, nil
			}
		}
	} else if p.Over() {
		return Choice{Square: board.None}, ErrOver
	}
	limit := t.keeper.start(l, t.settings.Time, p.Empties())
	defer t.keeper.end()
	c, err := t.think(ctx, p, l, limit)
	c.Elapsed = time.Since(begin)
	return c, err
}

func (t *Thinker) think(ctx context.Context, p board.Position, l Limits, limit time.Duration) (Choice, error) {
	if p.Empties() > t.settings.Exact {
		return t.search(t.keeper.watch(ctx), p, l, t.settings.Depth, limit)
	}
	if limit == 0 {
		return t.solve(ctx, p, l)
	}
	// With a limit, a quick search comes first: its move is played when the solver does not
	// finish any search in time, and its values where every move needs one.
	begin := time.Now()
	depth, part := 4, limit/8
	if l.AllMoves {
		depth, part = 8, limit/4
	}
	first, err := t.search(ctx, p, l, min(depth, p.Empties()), part)
	if err != nil {
		return first, err
	}
	within, cancel := context.WithTimeout(ctx, limit-time.Since(begin))
	defer cancel()
	exact, err := t.solve(within, p, l)
	if err == nil {
		exact.Nodes += first.Nodes
		return exact, nil
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		if exact.Depth >= first.Depth && !l.AllMoves {
			first, exact.Nodes = exact, exact.Nodes+first.Nodes
		}
		return first, nil
	}
	return first, err
}

// solve asks the solver. A search that was cut short before it had a score has the depth 0.
func (t *Thinker) solve(ctx context.Context, p board.Position, l Limits) (Choice, error) {
	find := t.solver.Solve
	if l.AllMoves {
		find = t.solver.SolveMoves
	}
	r, err := find(ctx, p.Board)
	c := Choice{Square: r.Best, Score: float64(r.Score), Exact: r.Confidence == 100, Depth: r.Depth, Nodes: r.Nodes}
	for _, m := range r.Moves {
		c.Moves = append(c.Moves, Hint{m.Square, float64(m.Score)})
	}
	if err != nil && c.Square == board.None && p.Moves() != 0 {
		c.Square, c.Exact = board.First(p.Moves()), false
	}
	return c, err
}

// search asks the searcher.
func (t *Thinker) search(ctx context.Context, p board.Position, l Limits, depth int, limit time.Duration) (Choice, error) {
	limits := search.Limits{Depth: depth, Time: limit, AllMoves: l.AllMoves}
	if empties := p.Empties(); depth == 0 || depth > empties {
		limits.Depth = min(search.MaxDepth, empties+2) // and passes
	}
	r, err := t.searcher.Search(ctx, t.game.State(p.Board), limits)
	if err != nil {
		return Choice{}, err
	}
	c := Choice{Square: square(r.ID), Score: float64(r.Value) / eval.Disc, Depth: r.Depth, Nodes: r.Nodes}
	for _, id := range r.Line {
		c.Line = append(c.Line, square(id))
	}
	if l.AllMoves {
		for i, v := range r.Moves {
			c.Moves = append(c.Moves, Hint{square(t.searcher.Moves()[i].ID), float64(v) / eval.Disc})
		}
		sortHints(c.Moves)
	}
	return c, nil
}

// square returns the square of a move's number in a search.
func square(id uint8) board.Square {
	if id == passID {
		return board.Pass
	}
	return board.Square(id)
}

func sortHints(hints []Hint) {
	for i := range hints {
		for j := i; j > 0 && hints[j].Score > hints[j-1].Score; j-- {
			hints[j], hints[j-1] = hints[j-1], hints[j]
		}
	}
}
