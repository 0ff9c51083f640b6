// Package results embeds the recorded strength of the levels, so that a program without its sources
// can show it: [LevelRegrets].
package results

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

//go:embed */levels.json
var levels embed.FS

// LevelRegrets returns the measured regret of the graded players in points of win probability, the
// weakest player first. It is the latest of the longest records: one whose measurement was interrupted lacks
// levels. The page's program in WebAssembly uses it, so it
// decodes these fields alone and does not import package record.
func LevelRegrets() (regrets []float64, err error) {
	names, err := fs.Glob(levels, "*/levels.json")
	if err != nil {
		return nil, err
	}
	latest := ""
	for _, name := range names {
		var f struct {
			Runs []struct {
				Date string
				Rows []struct {
					Median float64
					Unit   string
				}
			}
		}
		text, err := levels.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &f)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var some []float64
		for _, run := range f.Runs {
			for _, row := range run.Rows {
				if row.Unit == "points/decision" { // the others are scores against the next level
					some = append(some, row.Median)
				}
			}
		}
		if len(some) > len(regrets) || len(some) == len(regrets) && len(some) > 0 && f.Runs[0].Date >= latest {
			latest, regrets = f.Runs[0].Date, some
		}
	}
	return regrets, nil
}
