package play

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Perfect is the source for a player who makes the best move by a rule set's exact solution,
// among several the first.
type Perfect struct {
	spec   string
	rules  *board.Rules
	tables Tables
}

// Tables returns the exact solution for games under a rule set with its number of pieces, as
// [solve.Library.Table] does.
type Tables func(ctx context.Context, r *board.Rules) (*solve.Table, error)

// NewPerfect returns the perfect player for a spec, such as "perfect", "perfect:FILE" or "level:10", for
// a rule set. Its preparation, or its first move, opens the table for a number of pieces. Without a
// file it solves games with few pieces, which may take seconds.
func NewPerfect(spec string, r *board.Rules, tables Tables) Player {
	p := Perfect{spec, r, tables}
	return Player{
		Spec: spec, Rules: onlyRules(spec, r), Identity: p.identity, Leaf: p.leaf, Source: p,
		Prepare: func(ctx context.Context, pieces int) error { _, err := p.Table(ctx, pieces); return err },
		New:     func(ur.Engine) (Instance, error) { return &perfectInstance{player: p}, nil },
	}
}

// Table returns the player's table for a number of pieces, as its preparation obtains it.
func (p Perfect) Table(ctx context.Context, pieces int) (*solve.Table, error) {
	r, err := p.rules.WithPieces(pieces)
	if err != nil {
		return nil, err
	}
	table, err := p.tables(ctx, r)
	if _, missing := errors.AsType[*solve.MissingTableError](err); missing && p.spec == topLevel {
		err = fmt.Errorf("%w (level:%d needs no table)", err, MaxLevel-1)
	}
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", p.spec, err)
	}
	return table, nil
}

// identity returns the table's fingerprint.
func (p Perfect) identity(ctx context.Context, pieces int) (string, error) {
	table, err := p.Table(ctx, pieces)
	if err != nil {
		return "", err
	}
	return table.Fingerprint(pieces), nil
}

type perfectInstance struct {
	player Perfect
	tables [board.MaxPieces + 1]*solve.Table // tables by pieces, once they are needed
}

// table returns the table for a number of pieces.
func (s *perfectInstance) table(ctx context.Context, pieces int) (t *solve.Table, err error) {
	if s.tables[pieces] == nil {
		s.tables[pieces], err = s.player.Table(ctx, pieces)
	}
	return s.tables[pieces], err
}

// Choose looks up the position after every move.
func (s *perfectInstance) Choose(ctx context.Context, t *Turn) (int, error) {
	table, err := s.table(ctx, t.Position.Pieces())
	if err != nil {
		return 0, err
	}
	best, _ := table.BestMove(t.Position, t.Moves)
	return best, table.Err()
}

// By returns "table".
func (s *perfectInstance) By() string { return "table" }

// Evaluate looks up the position, or those after its moves, in the table of the pieces that are
// not home on both sides.
func (s *perfectInstance) Evaluate(ctx context.Context, p board.Position, roll int) (e Evaluation, err error) {
	left := p.Pieces() - min(p.Home(board.Light), p.Home(board.Dark))
	table, err := s.table(ctx, max(1, left))
	if err != nil {
		return e, err
	}
	if e.Best = -1; roll == search.NoRoll {
		e.Win = table.Win(p)
		return e, table.Err()
	}
	moves := s.player.rules.Moves(nil, p, roll)
	for _, m := range moves {
		e.Moves = append(e.Moves, table.After(p, m))
	}
	if len(moves) > 0 {
		e.Best, e.Win = table.BestMove(p, moves)
	} else {
		e.Win = 1 - table.Win(p.Pass())
		e.Moves = []float64{e.Win}
	}
	return e, table.Err()
}

// OneTable returns [Tables] with a single table, for the games that it serves.
func OneTable(t *solve.Table) Tables {
	return func(_ context.Context, r *board.Rules) (*solve.Table, error) { return t, t.Serves(r.Pieces()) }
}

// DefaultTables is the library of tables in the default folder, which all players in the
// process share.
var DefaultTables = sync.OnceValue(func() *solve.Library {
	folder, err := solve.DefaultFolder()
	if err != nil {
		folder = "" // without a home directory there are no files, but small games can be solved
	}
	return &solve.Library{Folder: folder}
})

var perfectKind = Kind{
	Name: "perfect",
	Patterns: []Pattern{
		{Text: "perfect",
			Help: `the best move by the exact solution, from the cached table of "ur solve"; games with at ` +
				"most 5 pieces (4 where the path has 16 squares) are solved on demand, and the table of 5 is cached"},
		{Text: "perfect:FILE", Help: "the same with the table in a file"},
	},
	Title: titled(map[string]string{"perfect": "Perfect play, from the solved game"}),
	Files: fileBehindColon(func(string) bool { return true }),
	Parse: parsePerfect,
}

// parsePerfect returns a rule set's perfect player, by the default tables or by the table in a
// file.
func parsePerfect(in ParseContext, spec, rest string) (Player, error) {
	path, err := openColon(spec, rest, `perfect:FILE with a table that "ur solve" made`, in.Open)
	if err != nil {
		return Player{}, err
	}
	if path == "" {
		return NewPerfect(spec, in.Rules, DefaultTables().Table), nil
	}
	table, err := solve.Open(path, in.Rules)
	return NewPerfect(spec, in.Rules, OneTable(table)), err
}
