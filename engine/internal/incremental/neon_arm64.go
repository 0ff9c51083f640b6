//go:build go1.27 && !purego

package incremental

import "github.com/seed-09dcdc84/ur"

func init() { NEON = vectorEngine{"bits/incremental-neon", ur.NEON} }

// addRow adds a row to a game, the unused fields 16 to 19 among them. It must equal state.add in
// all fields that are read.
//
//go:noescape
func addRow(s *state, row *row)
