// Package results embeds the recorded figures, so that a program without its sources can show
// them.
package results

import "embed"

// Records are the folders of machines, for record.ReadFS.
//
//go:embed */engines.json */pieces.json */scaling.json */history.jsonl
var Records embed.FS

// Levels is the measured strength of the graded players, the output of "ur levels --json".
//
//go:embed levels.json
var Levels []byte
