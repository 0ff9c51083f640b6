//go:build !purego

package ur

import (
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernel must not read beyond the boards and the brain, nor write beyond the values, for any
// number of boards.
func TestAVX2StopsAtGuardPages(t *testing.T) {
	testkit.SkipOn(t, Available(Array16AVX2))
	brain, draw := randomBoards()
	testkit.CheckGuardPages(t, draw, func(atEnd bool) func([]int32, []board.Array16) {
		weights := testkit.Guarded[AVX2Weights](t, atEnd)
		*weights = *NewAVX2Weights(brain)
		return (*array16AVX2)(weights).Values
	})
}
