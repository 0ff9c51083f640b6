package analysis

import (
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// GameJudge is a [Judge] of a rule set.
type GameJudge interface {
	Moves(dst []float64, p rules.Position, moves []board.Move)
	Position(p rules.Position) float64
	By() string
	Err() error
}

// ByRulesTable judges by the exact solution of a rule set.
func ByRulesTable(t solve.Ranked) GameJudge { return rulesTableJudge{t} }

type rulesTableJudge struct{ table solve.Ranked }

func (j rulesTableJudge) By() string                        { return "table" }
func (j rulesTableJudge) Err() error                        { return j.table.Err() }
func (j rulesTableJudge) Position(p rules.Position) float64 { return solve.Win(j.table, p) }

func (j rulesTableJudge) Moves(dst []float64, p rules.Position, moves []board.Move) {
	for i, m := range moves {
		dst[i] = solve.RulesAfter(j.table, p, m)
	}
}

// byRulesSearch judges by a search of the given plies whose leaves the net of a rule set values.
func byRulesSearch(q *valuenet.Integer, plies int) GameJudge {
	return &rulesNetJudge{judge: valuenet.NewRulesJudge(valuenet.Fastest(), q), plies: plies}
}

type rulesNetJudge struct {
	judge *valuenet.RulesJudge
	plies int
}

func (j *rulesNetJudge) By() string { return "search" }
func (j *rulesNetJudge) Err() error { return nil }

// Position is the mean over the rolls of the best move of each.
func (j *rulesNetJudge) Position(p rules.Position) float64 { return j.judge.Position(p, j.plies) }

func (j *rulesNetJudge) Moves(dst []float64, p rules.Position, moves []board.Move) {
	j.judge.Win(dst, p, moves, j.plies)
}

// FindRulesJudge returns the judge for games of another rule set than Finkel's: the exact
// solution if the file, or for "" the cache, has it, otherwise a search with the built-in net
// of the rule set.
func FindRulesJudge(r *rules.Rules, file string) (GameJudge, error) {
	table, err := play.RulesTable(r, file)
	var missing *solve.MissingTableError
	switch {
	case err == nil:
		return ByRulesTable(table), nil
	case !errors.As(err, &missing):
		return nil, err
	}
	_, q, noNet := valuenet.BuiltinFor(r)
	if noNet != nil {
		return nil, fmt.Errorf("%w, and %w", err, noNet)
	}
	return byRulesSearch(q, SearchPlies), nil
}

// FindGameJudge returns the judge of [FindJudge] or [FindRulesJudge] for games under a rule set
// with its number of pieces.
func FindGameJudge(r *rules.Rules) (GameJudge, error) {
	if other := play.OtherRules(r); other != nil {
		return FindRulesJudge(other, "")
	}
	j, err := FindJudge(r.Pieces())
	return ForGames(j), err
}

// ForGames returns a judge of Finkel's rules as a judge of the rule set "finkel".
func ForGames(j Judge) GameJudge { return boardJudge{j} }

type boardJudge struct{ Judge }

func (j boardJudge) Position(p rules.Position) float64 {
	on, _ := p.Board() // the position is one of the rule set
	return j.Judge.Position(on)
}

func (j boardJudge) Moves(dst []float64, p rules.Position, moves []board.Move) {
	on, _ := p.Board()
	j.Judge.Moves(dst, on, moves)
}

// AnalyzeGame is [Analyze] for a game under any rule set, by a judge of that.
func AnalyzeGame(g *record.Game, j GameJudge) (*Game, error) {
	before, after := stateOf(g.Rules)
	return analyze(g, judgeOfSteps{
		By: j.By, Err: j.Err,
		moves:    func(dst []float64, s *record.Step) { j.Moves(dst, before(s), s.Moves) },
		position: func(s *record.Step) float64 { return j.Position(before(s)) },
		next:     func(s *record.Step) float64 { return j.Position(after(s)) },
	})
}

// stateOf returns the functions for the positions before and after a step of a rule set, nil for
// Finkel's.
func stateOf(r *rules.Rules) (before, after func(*record.Step) rules.Position) {
	if r == nil {
		return func(s *record.Step) rules.Position { return rules.FromBoard(s.Position) },
			func(s *record.Step) rules.Position { return rules.FromBoard(s.Next) }
	}
	return func(s *record.Step) rules.Position { return s.State }, func(s *record.Step) rules.Position { return s.NextState }
}
