//go:build !purego

package f32

import "github.com/seed-09dcdc84/ur/internal/cpu"

//go:generate go -C ../../../_asm run . -out ../train/internal/f32/f32_amd64.s -stubs ../train/internal/f32/f32_stubs_amd64.go -pkg f32 f32

// assembled are the tiers in assembly, from the slowest on.
var assembled = []*Kernels{
	{
		name:  "avx2",
		needs: []cpu.Feature{cpu.AVX2, cpu.FMA},
		tiles: []tile{
			{4, 16, tile4x16AVX2},
			{1, 16, tile1x16AVX2},
		},
		sumSets: sumSetsAVX2, addToSets: addToSetsAVX2, clip: clipAVX2, clipBack: clipBackAVX2, dots: dotsAVX2, addScaled: addScaledAVX2, follow: followAVX2, adam: adamAVX2,
	},
	{
		name:  "avx512",
		needs: []cpu.Feature{cpu.AVX512F},
		tiles: []tile{
			{8, 32, tile8x32AVX512},
			{8, 16, tile8x16AVX512},
			{1, 32, tile1x32AVX512},
			{1, 16, tile1x16AVX512},
		},
		sumSets: sumSetsAVX512, addToSets: addToSetsAVX512, clip: clipAVX512, clipBack: clipBackAVX512, dots: dotsAVX512, addScaled: addScaledAVX512, follow: followAVX512, adam: adamAVX512,
	},
}
