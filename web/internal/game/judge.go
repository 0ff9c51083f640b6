package game

import (
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
)

// judges are the idle judges, by rule set and number of pieces: pools of [analysis.GameJudge].
var judges sync.Map

// withJudge calls do with a judge for games of a rule set: the exact solution if its table is
// available, otherwise the built-in net.
func withJudge(r *rules.Rules, do func(analysis.GameJudge) error) error {
	if !isBuiltIn(r) {
		return fmt.Errorf("the rule set %q has neither a table nor a net here: its games are not judged", r.Name())
	}
	idle, _ := judges.LoadOrStore(fmt.Sprint(r.Name(), r.Pieces()), new(sync.Pool))
	pool := idle.(*sync.Pool)
	j, ok := pool.Get().(analysis.GameJudge)
	if !ok {
		var err error
		if j, err = findJudge(r); err != nil {
			return withoutFolder(err)
		}
	}
	defer pool.Put(j)
	return withoutFolder(do(j))
}

// findJudge returns the judge of a rule set.
func findJudge(r *rules.Rules) (analysis.GameJudge, error) {
	if play.OtherRules(r) != nil {
		if t, err := rulesTable(r); err == nil {
			return analysis.ByRulesTable(t), nil
		}
	}
	return analysis.FindGameJudge(r)
}

// isBuiltIn reports whether a rule set is a built-in one.
func isBuiltIn(r *rules.Rules) bool { return record.RulesText(r) == r.Name() }
