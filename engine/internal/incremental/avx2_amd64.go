//go:build !purego

package incremental

import "github.com/seed-09dcdc84/ur"

//go:generate go -C ../../../_asm run . -out ../engine/internal/incremental/avx2_amd64.s -stubs ../engine/internal/incremental/avx2_stubs_amd64.go -pkg incremental incremental

// AVX2 is bits/incremental-avx2.
var AVX2 ur.Engine = vectorEngine{}

// vectorEngine is bits/incremental with the row of a move added by AVX2: eight additions of 32
// bytes instead of 28 of 8. Choosing stays in Go, and the call, which no compiler inlines,
// costs part of the gain.
type vectorEngine struct{}

func (vectorEngine) Name() string        { return "bits/incremental-avx2" }
func (vectorEngine) Needs() []ur.Feature { return []ur.Feature{ur.AVX2} }

func (vectorEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := newGame(s)
	if err != nil {
		return nil, err
	}
	g.vector = true
	return g, nil
}

// addRow is state.add by AVX2.
func addRow(s *state, row *row) { addRowAVX2(s, row) }
