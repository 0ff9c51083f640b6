//go:build !amd64 || purego

package eval

import "github.com/seed-09dcdc84/ur/reversi/board"

// vectors reports whether features are updated by kernels: this build has none.
const vectors = false

func (f *Features) playVector(*Features, int, board.Square, uint64) {}

func sumOf(t *table, f *Features) int { return sum(t, f) }
