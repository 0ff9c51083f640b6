package bench

import (
	"time"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/reversi/suite"
)

// ReversiSuite is the name of the suite of the second game.
const ReversiSuite = "reversi"

// reversiSuite measures Reversi: move generators, perft, the endgame solver and the midgame
// search. A round takes half a minute, so the suite has fewer rounds than others.
func reversiSuite() Suite {
	return Suite{
		Name: ReversiSuite, Short: "move generators, perft, solver and search of Reversi",
		Package: "github.com/seed-09dcdc84/ur/reversi", Count: 9, BenchTime: 20 * time.Millisecond,
		list: func(Selection) (set Set, err error) {
			subjects, err := suite.All()
			return Set{Subjects: subjectsOf(subjects), Samplers: []experiment.Sampler{suite.Match()}}, err
		},
	}
}
