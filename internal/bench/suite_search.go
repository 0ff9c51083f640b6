package bench

import (
	"github.com/seed-09dcdc84/ur/internal/bench/searching"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// searchDecisions is how many decisions of Ur the suite search takes at depth 4.
const searchDecisions = 20

// searchSuite measures every algorithm and technique of package search: on the empty
// board of tic-tac-toe, and over decisions of Ur at depth 4, and at depth 3 with leaves of
// a net; the time at depth 6, overruns of a time limit, the gain of a second thread and,
// with a table, the regret by depth.
func searchSuite() Suite {
	return Suite{
		Name: "search", Short: "algorithms and techniques of search",
		Package: "github.com/seed-09dcdc84/ur/search", list: selectSearch,
	}
}

func selectSearch(of Selection) (set Set, err error) {
	subjects, err := searching.Subjects(searchDecisions)
	set.Subjects = subjectsOf(subjects)
	set.Samplers = searching.Figures(of.Table)
	return set, err
}

// subjectsOf converts subjects of one kind.
func subjectsOf[S experiment.Subject](list []S) (subjects []experiment.Subject) {
	for _, s := range list {
		subjects = append(subjects, s)
	}
	return subjects
}
