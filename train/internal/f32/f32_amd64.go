//go:build !purego

package f32

import "github.com/seed-09dcdc84/ur/internal/cpu"

//go:generate go -C ../../../_asm run . -out ../train/internal/f32/f32_amd64.s -stubs ../train/internal/f32/f32_stubs_amd64.go -pkg f32 f32

// assembled are the tiers in assembly, from the slowest on. Only products of matrices gain by the
// wider registers of AVX-512: the other kernels wait for memory.
var assembled = []*Kernels{
	withTiles("avx2", []cpu.Feature{cpu.AVX2, cpu.FMA}, tile{4, 16, tile4x16AVX2}, tile{1, 16, tile1x16AVX2}),
	withTiles("avx512", []cpu.Feature{cpu.AVX2, cpu.FMA, cpu.AVX512F},
		tile{8, 32, tile8x32AVX512}, tile{8, 16, tile8x16AVX512}, tile{1, 32, tile1x32AVX512}, tile{1, 16, tile1x16AVX512}),
}

func withTiles(name string, needs []cpu.Feature, tiles ...tile) *Kernels {
	return &Kernels{
		name: name, needs: needs, tiles: tiles,
		sumSets: sumSetsAVX2, addToSets: addToSetsAVX2, clip: clipAVX2, clipBack: clipBackAVX2, dots: dotsAVX2,
		addScaled: addScaledAVX2, follow: followAVX2, adam: adamAVX2,
	}
}
