package game

import (
	"encoding/json"
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
	var r struct{ Levels []LevelRegret }
	if err := json.Unmarshal(results.Levels, &r); err != nil {
		return []LevelRegret{} // a test keeps this from happening
	}
	return r.Levels
})
