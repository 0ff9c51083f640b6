//go:build go1.27 && !purego

package ur

import (
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernel must not read beyond the boards and the brain, nor write beyond the values, for any
// number of boards.
func TestNEONStopsAtGuardPages(t *testing.T) {
	testkit.SkipOn(t, Available(Array16NEON))
	brain, draw := randomBoards()
	testkit.CheckGuardPages(t, draw, func(atEnd bool) func([]int32, []board.Array16) {
		weights := testkit.Guarded[array16NEON](t, atEnd)
		*weights = *newArray16NEON(brain)
		return weights.Values
	})
}
