package playcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// adviser values moves: by the exact solution if a table is available, otherwise by a search, a
// net or a brain that takes part in the game.
type adviser struct {
	brain  play.Brain
	net    play.Net
	search play.Search
	looker *ursearch.Searcher // of the search; nil: none takes part
	table  solve.Table        // nil: there is none

	ruled analysis.GameJudge // under other rules than Finkel's the only one
	none  error              // the reason why nothing gives hints under these
}

// newAdviser returns the adviser of a game: the first of the table named by the user, the table
// of a perfect player in the game, a search in the game, the default tables, a net or brain in
// the game, and the built-in net. The players must be prepared. It never solves a game for a
// hint, and warns on stderr about a table that exists but cannot be used.
func (t *table) newAdviser() (adviser, error) {
	var a adviser
	var err error
	if t.session.Setup().Rules != nil {
		if a.ruled, a.none = t.judge(); t.options.table != "" || t.options.hints {
			err = a.none
		}
		return a, err
	}
	pieces := t.session.Setup().Pieces
	if t.options.table != "" {
		a.table, err = pick.Table(t.ctx, t.options.table, pieces)
		return a, err
	}
	for side := range board.Dark + 1 {
		switch p := t.session.Player(side).(type) {
		case play.Brain:
			a.brain = p
		case play.Net:
			a.net = p
		case play.Search:
			a.search = p
			if a.looker, err = p.Searcher(pieces); err != nil {
				return a, err
			}
		case play.Perfect:
			if a.table, err = p.Table(t.ctx, pieces); err != nil {
				return a, err
			}
		}
	}
	if a.table != nil || a.looker != nil {
		return a, nil
	}
	if a.net.Value == nil && a.brain.Weights == nil {
		builtin, err := valuenet.Builtin()
		if err != nil {
			return a, err
		}
		a.net = play.Net{Spec: "net", Value: builtin, Plies: 1}
	}
	found, err := play.DefaultTables().Find(pieces)
	var missing *solve.MissingTableError
	switch {
	case err == nil:
		a.table = found
	case !errors.As(err, &missing):
		fmt.Fprintf(t.env.Stderr, "ur play: hints come from %s, since the table is of no use: %v\n", a.name(), err)
	}
	return a, nil
}

// name returns the name of the adviser that replaces a table.
func (a adviser) name() string {
	if a.net.Value != nil {
		return a.net.Spec
	}
	return a.brain.Spec
}

// advise prints the value of each move for the player to move.
func (a adviser) advise(ctx context.Context, s *screen, t *play.Turn) {
	switch {
	case a.none != nil:
		s.printf("  No hints: %v\n", a.none)
		return
	case a.ruled != nil:
		a.adviseRuled(s, t)
		return
	}
	if a.table != nil {
		a.adviseExactly(s, t)
		return
	}
	if a.looker != nil {
		a.adviseBySearch(ctx, s, t)
		return
	}
	if a.net.Value != nil {
		a.adviseByNet(s, t)
		return
	}
	values := make([]int32, len(t.Moves))
	best := 0
	for i, m := range t.Moves {
		values[i] = worth(a.brain.Weights, t.Position.Apply(m), t.Side())
		if values[i] > values[best] {
			best = i
		}
	}
	s.printf("  What each move is worth to %s by %s, in its own units (higher is better, 0 is even):\n", s.paint.Player(t.Side()), a.brain.Spec)
	for i := range t.Moves {
		mark := ""
		if i == best {
			mark = "  best"
		}
		s.printf("  %s %+7d%s\n", s.option(t, i), values[i], mark)
	}
}

// adviseRuled prints the win probability after each move under other rules than Finkel's, and its
// regret.
func (a adviser) adviseRuled(s *screen, t *play.Turn) {
	advice, err := analysis.Advise(a.ruled, t.Set(), t.At(), t.Moves)
	if err != nil {
		s.printf("  No hints: %v\n", err)
		return
	}
	by := "if both play perfectly from there on"
	if advice.By != "table" {
		by = fmt.Sprintf("estimated by the net with a search of %d plies (no table is loaded)", analysis.SearchPlies)
	}
	s.printf("  How likely %s wins after each move, %s:\n", s.paint.Player(t.Side()), by)
	s.chances(t, advice.Win)
}

// adviseExactly prints the exact win probability after each move and its regret.
func (a adviser) adviseExactly(s *screen, t *play.Turn) {
	choice, best := solve.BestMove(a.table, t.Position, t.Moves)
	if err := a.table.Err(); err != nil {
		s.printf("  The table is unusable: %v\n", err)
		return
	}
	s.printf("  How likely %s wins after each move, if both play perfectly from there on:\n", s.paint.Player(t.Side()))
	for i, m := range t.Moves {
		win := solve.After(a.table, t.Position, m)
		mark := "  best"
		if i != choice {
			mark = fmt.Sprintf("  %+.2f", 100*(win-best))
		}
		s.printf("  %s %6.2f %%%s\n", s.option(t, i), 100*win, mark)
	}
}

// adviseByNet prints a net's estimate of the win probability after each move and its regret.
func (a adviser) adviseByNet(s *screen, t *play.Turn) {
	var buf [board.MaxMoves]float64
	win := buf[:len(t.Moves)]
	a.net.Win(win, t.Position, t.Moves)
	s.printf("  The winning chances of %s after each move, estimated by %s (no table is loaded):\n", s.paint.Player(t.Side()), a.net.Spec)
	s.chances(t, win)
}

// hintLine is the maximum length of the expected line in a hint.
const hintLine = 6

// adviseBySearch prints a search's estimate of the win probability after each move, its regret,
// the depth and the expected line. A search that is interrupted, or too short for a single ply,
// prints no advice.
func (a adviser) adviseBySearch(ctx context.Context, s *screen, t *play.Turn) {
	limits := a.search.Limits()
	limits.AllMoves = true
	r, err := a.looker.Search(ctx, t.Position, t.Roll, limits)
	if err != nil || r.Depth == 0 {
		s.printf("  %s has not seen a whole ply\n", a.search.Name())
		return
	}
	var buf [board.MaxMoves]float64
	win := buf[:len(t.Moves)]
	for i, v := range r.Moves {
		win[i] = ursearch.Win(v)
	}
	depth, best := r.Depth, t.Moves[r.Best]
	line, err := a.looker.Line(ctx, t.Position, best, depth, hintLine, s.moveName())
	if err != nil {
		line = line[:1]
	}
	s.printf("  How likely %s wins after each move, as %s sees it at depth %d:\n", s.paint.Player(t.Side()), a.search.Name(), depth)
	s.chances(t, win)
	separator := ", "
	if s.inWords {
		separator = "; "
	}
	s.printf("  Expected, if every roll after this one is a %d: %s\n", ursearch.LikelyRoll, strings.Join(line, separator))
}

// chances prints the win probability after each move and its regret.
func (s *screen) chances(t *play.Turn, win []float64) {
	best := slices.Max(win)
	marked := false
	for i := range t.Moves {
		mark := fmt.Sprintf("  %+.1f", 100*(win[i]-best))
		if win[i] == best && !marked {
			marked, mark = true, "  best"
		}
		s.printf("  %s %5.1f %%%s\n", s.option(t, i), 100*win[i], mark)
	}
}

// option names a move in a list of values: by its number and notation, or in words.
func (s *screen) option(t *play.Turn, i int) string {
	if s.inWords {
		return fmt.Sprintf("Move %d, %s:", i+1, boardview.MoveWords(t.Set(), t.Side(), t.Moves[i]))
	}
	return fmt.Sprintf("%s %-9s", s.paint.Number(fmt.Sprintf("(%d)", i+1)), t.Notation(t.Moves[i]))
}

// moveName returns how the moves of a line are written: in notation, or in words with their side.
func (s *screen) moveName() func(board.Move, board.Side) string {
	if !s.inWords {
		return board.Move.Notation
	}
	return func(m board.Move, side board.Side) string {
		return boardview.SideNames[side] + " " + boardview.MoveWords(rules.Finkel(), side, m)
	}
}

// worth is the value of a position to a side.
func worth(b *ur.Brain, p board.Position, side board.Side) int32 {
	if side == board.Dark {
		return -b.Value(p)
	}
	return b.Value(p)
}
