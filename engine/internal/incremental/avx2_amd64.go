//go:build !purego

package incremental

import "github.com/seed-09dcdc84/ur"

//go:generate go -C ../../../_asm run . -out ../engine/internal/incremental/avx2_amd64.s -stubs ../engine/internal/incremental/avx2_stubs_amd64.go -pkg incremental incremental

func init() { AVX2 = vectorEngine{"bits/incremental-avx2", ur.AVX2} }

// addRow is state.add by AVX2.
func addRow(s *state, row *row) { addRowAVX2(s, row) }
