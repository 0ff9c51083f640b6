//go:build !amd64 || purego

package incremental

import "github.com/seed-09dcdc84/ur"

// AVX2 is nil: this build has no assembly.
var AVX2 ur.Engine

// addRow is state.add: this build has no other.
func addRow(s *state, row *row) { s.add(row) }
