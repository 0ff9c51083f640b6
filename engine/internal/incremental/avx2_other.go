//go:build !amd64 || purego

package incremental

import "github.com/seed-09dcdc84/ur"

// AVX2 is an engine of assembly, which this build is without.
var AVX2 ur.Engine

// addRow is state.add: this build has no engine that asks for another.
func addRow(s *state, row *row) { s.add(row) }
