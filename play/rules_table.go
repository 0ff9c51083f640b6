package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/internal/lookahead"
	"github.com/seed-09dcdc84/ur/solve"
)

// FindTable returns the exact solution of games of a rule set with its number of pieces: of a
// file, or with "" of the folder of [DefaultTables]. Games of Finkel's rules with at most
// [solve.QuickPieces] pieces are solved where no table is found, which takes up to some seconds.
func FindTable(ctx context.Context, r *board.Rules, file string) (solve.Ranked, error) {
	switch {
	case file == "" && OtherRules(r) == nil:
		return DefaultTables().Table(ctx, r.Pieces())
	case file == "":
		return solve.FindRules(DefaultTables().Folder, r)
	}
	t, err := solve.OpenRules(file, r)
	if err != nil {
		return nil, err
	}
	if t.Pieces() < r.Pieces() {
		return nil, errors.Join(&solve.SmallTableError{Name: file, Pieces: t.Pieces(), Want: r.Pieces()}, t.Close())
	}
	return t, nil
}

// RulesPerfect is [Perfect] under another rule set than Finkel's.
type RulesPerfect struct {
	spec  string
	rules *board.Rules
	table func() (solve.Ranked, error)
}

// NewRulesPerfect returns a perfect player of a name, by the table of a file, or with "" of the
// default folder. It opens the table when it is prepared, or at its first move.
func NewRulesPerfect(name string, r *board.Rules, file string) RulesPerfect {
	return RulesPerfect{name, r, sync.OnceValues(func() (solve.Ranked, error) { return FindTable(context.Background(), r, file) })}
}

// Name returns the spec.
func (p RulesPerfect) Name() string { return p.spec }

// Plays returns an error if the table has another rule set.
func (p RulesPerfect) Plays(r *board.Rules) error {
	if !p.rules.Equal(r) {
		return fmt.Errorf("player %q: for the rule set %q (want %q)", p.spec, p.rules.Name(), r.Name())
	}
	return nil
}

// Table returns the player's table.
func (p RulesPerfect) Table() (solve.Ranked, error) {
	t, err := p.table()
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", p.spec, err)
	}
	return t, nil
}

// Prepare opens the table and checks its number of pieces.
func (p RulesPerfect) Prepare(_ context.Context, pieces int) error {
	t, err := p.Table()
	if err == nil && t.Pieces() < pieces {
		err = fmt.Errorf("player %q: %w", p.spec, &solve.SmallTableError{Pieces: t.Pieces(), Want: pieces})
	}
	return err
}

// identity returns the fingerprint of the table.
func (p RulesPerfect) identity(_ context.Context, pieces int) (string, error) {
	t, err := p.Table()
	if err != nil {
		return "", err
	}
	return solve.Fingerprint(t, pieces), nil
}

// Sit takes a seat. It needs no engine.
func (p RulesPerfect) Sit(ur.Engine) (Seat, error) {
	t, err := p.Table()
	return rulesPerfectSeat{t}, err
}

type rulesPerfectSeat struct{ table solve.Ranked }

// Choose looks up the position after every move.
func (s rulesPerfectSeat) Choose(_ context.Context, t *Turn) (int, error) {
	best, _ := solve.BestRulesMove(s.table, t.Position, t.Moves)
	return best, s.table.Err()
}

// parseRulesPerfect is parsePerfect for a rule set.
func parseRulesPerfect(r *board.Rules, spec, rest string, open Opener) (Player, error) {
	path, err := perfectFile(spec, rest, open)
	if err != nil {
		return nil, err
	}
	p := NewRulesPerfect(spec, r, path)
	if path != "" {
		_, err = p.Table()
	}
	return p, err
}

// RulesRegret is [Regret] under the rules of a table.
func RulesRegret(ctx context.Context, p Player, t solve.Ranked, o solve.RegretOptions) (solve.RegretStats, error) {
	r, err := t.Index().Rules().WithPieces(t.Pieces())
	if err == nil {
		err = checkRules(p, r)
	}
	if err != nil {
		return solve.RegretStats{}, err
	}
	o.Pieces = cmp.Or(o.Pieces, t.Pieces())
	if err := Prepare(ctx, o.Pieces, p); err != nil {
		return solve.RegretStats{}, err
	}
	return solve.RulesRegret(ctx, t, seats(ctx, p, FastestChooser(), o.Seed), o)
}

// leaf implements [valuer].
func (p RulesPerfect) leaf(ctx context.Context, r *board.Rules) (func() lookahead.Leaf, func() error, error) {
	if err := p.Prepare(ctx, r.Pieces()); err != nil {
		return nil, nil, err
	}
	t, err := p.Table()
	if err != nil {
		return nil, nil, err
	}
	return lookahead.TableLeaf(t), t.Err, nil
}
