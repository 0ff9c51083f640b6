// Package reversi plays Reversi: players at every strength, games and matches between them.
// [ParsePlayer] returns a [Player], [NewThinker] the strongest, and a [Match] plays two.
//
// Each part can be used alone. Package board has the rules, movegen generates moves and counts
// positions, eval values positions, and engine searches and solves them.
//
// There is no global state: players have separate tables, take a seed for random choices, and
// stop when their context ends.
package reversi

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Player chooses moves. It serves one game at a time.
type Player interface {
	// Name is the text the player was parsed from.
	Name() string

	// Choose returns a legal move for p, a pass where there is no other. For a finished game it
	// returns ErrOver. After its context is cancelled a player answers at once with the best
	// move it has.
	Choose(ctx context.Context, p board.Position, l Limits) (Choice, error)

	// NewGame forgets the previous game, so games in a match do not depend on each other.
	NewGame(seed uint64)
}

// Follower is a player that needs a game's moves, not only its position. A [Match] passes
// the record to Follow before each call of Choose.
type Follower interface{ Follow(r board.Record) }

// Preparer is a player that needs time before a game, such as a program that has to start. A [Match] calls Prepare
// before each game, when no clock runs. A failure is the error of the next move.
type Preparer interface{ Prepare(ctx context.Context) }

// Limits bound the thinking about one move. Zero fields are up to the player.
type Limits struct {
	Time     time.Duration // limit by the wall clock
	Clock    Clock         // the moving side's clock, for the rest of its game
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
	Moves   []Hint // hints with Limits.AllMoves, best first
	Nodes   uint64
	Hits    uint64 // visited positions that the table of a [Thinker] knew, at any depth
	Misses  uint64 // those it did not know; the last squares are searched without it
	Elapsed time.Duration
}

// Hint is a move's estimated value.
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
	return Choice{Square: board.AnyOf(r.source, p.Moves())}, nil
}

// greedy turns over as many discs as it can.
type greedy struct{}

func (greedy) Name() string   { return "greedy" }
func (greedy) NewGame(uint64) {}

func (greedy) Choose(_ context.Context, p board.Position, _ Limits) (Choice, error) {
	if c, done, err := trivial(p); done {
		return c, err
	}
	return Choice{Square: slices.MaxFunc(board.Squares(p.Moves()), func(a, b board.Square) int {
		return bits.OnesCount64(p.Flips(a)) - bits.OnesCount64(p.Flips(b))
	})}, nil
}

// Book knows good opening moves.
type Book interface {
	// Move returns a move for a position and its score in discs, if the book has one.
	Move(b board.Board) (board.Square, float64, bool)
}

// Settings describe a [Thinker].
type Settings struct {
	Name    string
	Weights *eval.Weights    // nil: the hand-set rules
	Depth   int              // plies of search; 0 for no limit but time
	Time    time.Duration    // limit for a move; 0 for no limit but depth
	Exact   int              // empty squares from which it solves the game, with a depth
	Threads int              // 1 if 0
	Without engine.Technique // techniques to leave out
	Book    Book             // nil for none
}

// Thinker is a player that searches.
type Thinker struct {
	settings Settings
	engine   *engine.Engine
	keeper   timekeeper // timekeeper for moves on a clock

	cancel    context.CancelFunc // ends a search in the background; nil without one
	pondering sync.WaitGroup     // the search in the background
}

// NewThinker returns a player, or an error that names the invalid setting.
func NewThinker(s Settings) (*Thinker, error) {
	if s.Depth < 0 || s.Depth > 60 || s.Exact < 0 || s.Exact > 60 || s.Time < 0 {
		return nil, fmt.Errorf("%s: invalid limits: depth %d, exact %d, time %v (want depth 0 to 60, exact 0 to 60, time 0 or more)", s.Name, s.Depth, s.Exact, s.Time)
	}
	if s.Depth == 0 && s.Time == 0 {
		return nil, fmt.Errorf("%s: no limit of the search (want a depth or a time)", s.Name)
	}
	e, err := engine.New(engine.Options{Weights: s.Weights, Threads: s.Threads, Without: s.Without, TableBits: 18})
	return &Thinker{settings: s, engine: e}, err
}

// reserve is the part of a move's time, a twentieth at most, that is left for the search to end.
const reserve = 200 * time.Microsecond

// Name returns the settings' name.
func (t *Thinker) Name() string { return t.settings.Name }

// NewGame empties the table.
func (t *Thinker) NewGame(uint64) {
	t.StopPondering()
	t.engine.Forget()
}

// Choose looks in the book, or searches, at least one ply. Its time begins when the search in the background has ended.
func (t *Thinker) Choose(ctx context.Context, p board.Position, l Limits) (Choice, error) {
	t.StopPondering()
	begin := time.Now()
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
	limits := engine.Limits{Depth: t.settings.Depth, Exact: t.settings.Exact, AllMoves: l.AllMoves, Progress: t.keeper.goOn}
	if limit := t.keeper.start(l, t.settings.Time, p.Empties()); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, begin.Add(limit-min(limit/20, reserve)))
		defer cancel()
	}
	r, err := t.engine.Search(ctx, p.Board, limits)
	if err != nil && r.Best == board.None { // the time was over at once
		r, err = t.engine.Search(context.WithoutCancel(ctx), p.Board, engine.Limits{Depth: 1, AllMoves: l.AllMoves})
		if err != nil {
			return Choice{}, err
		}
	}
	c := Choice{Square: r.Best, Score: float64(r.Value) / eval.Disc, Exact: r.Confidence == 100, Depth: r.Depth, Line: r.Line,
		Nodes: r.Nodes, Hits: r.Hits, Misses: r.Misses}
	for _, m := range r.Moves {
		c.Moves = append(c.Moves, Hint{m.Square, float64(m.Value) / eval.Disc})
	}
	c.Elapsed = time.Since(begin)
	return c, nil
}

// Ponder lets a player that can, a [Thinker], think on the opponent's time after its choice at a position: in the
// background and without a time limit, until the next call of Choose, NewGame or StopPondering. It expects the second
// move in [Choice.Line], if there is one. The results stay in the table, so after the expected move Choose searches
// fewer positions.
func Ponder(ctx context.Context, player Player, at board.Position, c Choice) {
	t, ok := player.(*Thinker)
	p, err := at.Play(c.Square)
	if !ok || err != nil {
		return
	}
	t.StopPondering()
	if len(c.Line) > 1 && c.Line[0] == c.Square {
		if next, err := p.Play(c.Line[1]); err == nil {
			p = next
		}
	}
	ctx, t.cancel = context.WithCancel(ctx)
	t.pondering.Go(func() {
		// The results are in the table; an error only means the time has ended.
		_, _ = t.engine.Search(ctx, p.Board, engine.Limits{Depth: t.settings.Depth, Exact: t.settings.Exact})
	})
}

// StopPondering ends any pondering.
func (t *Thinker) StopPondering() {
	if t.cancel != nil {
		t.cancel()
		t.pondering.Wait()
		t.cancel = nil
	}
}

// StopPondering ends any pondering of a player.
func StopPondering(player Player) {
	if t, ok := player.(*Thinker); ok {
		t.StopPondering()
	}
}
