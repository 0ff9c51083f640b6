//go:build !purego

package squares

import "github.com/seed-09dcdc84/ur"

//go:generate go -C ../../../_asm run . -out ../engine/internal/squares/squares_amd64.s -stubs ../engine/internal/squares/squares_stubs_amd64.go -pkg squares squares

func init() {
	AVX2 = engine{"squares/avx2", []ur.Feature{ur.AVX2, ur.BMI1, ur.BMI2}, ur.Array16AVX2, [2]kernel{playPacked, playPlain}}
}
