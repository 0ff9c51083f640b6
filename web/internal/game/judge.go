package game

import (
	"sync"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/analysis"
)

// judges are those that nobody uses, by the number of pieces.
var judges [board.MaxPieces + 1]sync.Pool

// withJudge lets do use a judge for games of a number of pieces: the exact solution where
// its table is at hand, and else the built-in net.
func withJudge(pieces int, do func(analysis.Judge) error) error {
	j, ok := judges[pieces].Get().(analysis.Judge)
	if !ok {
		var err error
		if j, err = analysis.FindJudge(pieces); err != nil {
			return err
		}
	}
	defer judges[pieces].Put(j)
	return do(j)
}
