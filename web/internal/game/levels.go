package game

import (
	"sync"

	"github.com/seed-09dcdc84/ur/results"
)

// LevelRegret is the measured strength of a level.
type LevelRegret struct {
	Level  int     `json:"level"`  // number of the level
	Regret float64 `json:"regret"` // in percentage points, mean of a decision
}

// levels returns the measured strength of all levels, from the embedded record.
var levels = sync.OnceValue(func() []LevelRegret {
	list := []LevelRegret{}
	regrets, _ := results.LevelRegrets() // a test keeps errors from happening
	for i, regret := range regrets {
		list = append(list, LevelRegret{i + 1, regret})
	}
	return list
})
