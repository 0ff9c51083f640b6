// Package results embeds the recorded figures, so that a program without its sources can show
// them.
package results

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

// Records are the folders of machines, for record.ReadFS.
//
//go:embed */engines.json */pieces.json */scaling.json */history.json
var Records embed.FS

//go:embed */levels.json
var levels embed.FS

// LevelRegrets returns the measured regret of the graded players in points of win probability, the
// weakest player first. It is the latest record. The page's program in WebAssembly uses it, so it
// decodes these fields alone and does not import package record, with all engines behind it.
func LevelRegrets() (regrets []float64, err error) {
	names, err := fs.Glob(levels, "*/levels.json")
	if err != nil {
		return nil, err
	}
	latest := ""
	for _, name := range names {
		var f struct {
			Rows []struct {
				Median     float64
				Provenance struct{ Date string }
			}
		}
		text, err := levels.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &f)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(f.Rows) == 0 || f.Rows[0].Provenance.Date < latest {
			continue
		}
		latest, regrets = f.Rows[0].Provenance.Date, nil
		for _, row := range f.Rows {
			regrets = append(regrets, row.Median)
		}
	}
	return regrets, nil
}
