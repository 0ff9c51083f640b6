package game

import (
	"sync"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/analysis"
)

// judges are the idle judges, by the number of pieces.
var judges [board.MaxPieces + 1]sync.Pool

// withJudge calls do with a judge for games with a number of pieces: the exact solution if its
// table is available, otherwise the built-in net.
func withJudge(pieces int, do func(analysis.Judge) error) error {
	j, ok := judges[pieces].Get().(analysis.Judge)
	if !ok {
		var err error
		if j, err = analysis.FindJudge(pieces); err != nil {
			return withoutFolder(err)
		}
	}
	defer judges[pieces].Put(j)
	return withoutFolder(do(j))
}
