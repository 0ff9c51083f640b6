package bench

import (
	"github.com/seed-09dcdc84/ur/internal/bench/nets"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// netsSuite measures decisions and whole games of value networks on every engine of
// package valuenet, decisions of the built-in brain and, with a table, their regret.
func netsSuite() Suite {
	return Suite{
		Name: "nets", Short: "decisions and games of value networks",
		Package: "github.com/seed-09dcdc84/ur/bench/nets", list: selectNets,
	}
}

func selectNets(of Selection) (set Set, err error) {
	list, err := nets.Nets()
	if of.Nets != nil {
		if list, err = nets.Open(of.Nets); err != nil {
			return set, &config.Error{Config: "selection", Field: "Nets", Err: err}
		}
	}
	if err != nil {
		return set, err
	}
	subjects, err := nets.Subjects(list)
	if err != nil {
		return set, err
	}
	brain, err := nets.BrainDecision(list[0])
	if err != nil {
		return set, err
	}
	set.Subjects = append(subjectsOf(subjects), brain)
	if of.Table != nil {
		set.Samplers, err = nets.Regrets(list, of.Table)
	}
	return set, err
}
