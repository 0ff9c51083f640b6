package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/board"
)

// RulesRegret is [Regret] under the rules of a table.
func RulesRegret(ctx context.Context, t Ranked, newChooser func() (Chooser, error), o RegretOptions) (RegretStats, error) {
	o.Pieces = cmp.Or(o.Pieces, t.Pieces())
	switch {
	case o.Pieces < 2 || o.Pieces > t.Pieces():
		return RegretStats{}, fmt.Errorf("regret in games of %d pieces (want 2 to %d, as the table has them)", o.Pieces, t.Pieces())
	case !o.All && o.Decisions < 1:
		return RegretStats{}, fmt.Errorf("regret over %d decisions (want at least 1)", o.Decisions)
	}
	m := &regretMeter{ranked: t, options: o, rules: t.Index().rulesOf(o.Pieces)}
	if o.All {
		return m.measure(ctx, newChooser, m.all)
	}
	return m.measure(ctx, newChooser, func(ctx context.Context) error {
		return m.onPolicy(ctx, func(j *judge, game uint64) (int, error) { return m.playRules(j, m.rules, game) })
	})
}

// playRules is playGame under any rules.
func (m *regretMeter) playRules(j *judge, r *board.Rules, game uint64) (decisions int, err error) {
	var buf [board.MaxMoves]board.Move
	d := &j.decision
	d.Rules, d.State = r, r.Start()
	dice := r.Dice(m.options.Seed, game)
	for turn := uint64(0); ; turn++ {
		d.Roll = dice.Roll()
		d.Moves = r.Moves(buf[:0], d.State, d.Roll)
		d.Number = board.GameKey(m.options.Seed, game) + turn
		if len(d.Moves) == 0 {
			d.State = d.State.Pass()
			continue
		}
		best := 0
		for i, move := range d.Moves {
			j.worth[i] = RulesAfter(m.ranked, d.State, move)
			if j.worth[i] > j.worth[best] {
				best = i
			}
		}
		if len(d.Moves) > 1 {
			decisions++
			if err := j.decide(); err != nil {
				return decisions, err
			}
		}
		d.State = r.Apply(d.State, d.Moves[best])
		if _, over := d.State.Winner(); over {
			return decisions, nil
		}
	}
}

// RulesAfter is [After] under the rules of a table.
func RulesAfter(t Ranked, p board.Position, m board.Move) float64 {
	return rulesSeenBy(t, t.Index().Rules().Apply(p, m), p.Turn())
}

// rulesSeenBy returns the probability that a side wins from a position.
func rulesSeenBy(t Ranked, p board.Position, side board.Side) float64 {
	w := Win(t, p)
	if p.Turn() != side {
		w = 1 - w
	}
	return w
}

// BestRulesMove is [BestMove] under the rules of a table.
func BestRulesMove(t Ranked, p board.Position, moves []board.Move) (best int, worth float64) {
	worth = -1
	for i, m := range moves {
		if w := RulesAfter(t, p, m); w > worth {
			best, worth = i, w
		}
	}
	return best, worth
}

// RulesLuck is [Luck] under the rules of a table.
func RulesLuck(t Ranked, p board.Position, moves []board.Move) float64 {
	if len(moves) == 0 {
		return rulesSeenBy(t, p.Pass(), p.Turn()) - Win(t, p)
	}
	_, worth := BestRulesMove(t, p, moves)
	return worth - Win(t, p)
}

// FindRules opens the table of a rule set in a folder: the file named by [FileName], or one of
// more pieces. Without one it returns a [*MissingTableError], and for a file of fewer pieces than
// its name promises a [*SmallTableError].
func FindRules(folder string, r *board.Rules) (RankedFile, error) {
	name, err := FindRulesFile(folder, r)
	if err != nil {
		return nil, err
	}
	t, err := OpenRules(name, r)
	if err == nil && t.Pieces() < r.Pieces() {
		return nil, errors.Join(&SmallTableError{name, t.Pieces(), r.Pieces()}, t.Close())
	}
	return t, err
}

// FindRulesFile returns the name of the file [FindRules] would open.
func FindRulesFile(folder string, r *board.Rules) (string, error) {
	for n := r.Pieces(); n <= board.MaxPieces && folder != ""; n++ {
		more, err := r.WithPieces(n)
		if err != nil {
			return "", err
		}
		name := filepath.Join(folder, FileName(more))
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, err
		}
	}
	return "", &MissingTableError{r.Pieces(), folder, r.Name()}
}
