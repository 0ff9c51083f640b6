//go:build !purego

package valuenet

import "github.com/seed-09dcdc84/ur/internal/cpu"

//go:generate go -C ../_asm run . -out ../valuenet/integer_amd64.s -stubs ../valuenet/integer_stubs_amd64.go -pkg valuenet integer

// assembled are the engines in assembly, from the slowest on.
var assembled = []*Engine{
	{
		name: "avx2", needs: []cpu.Feature{cpu.AVX2},
		sets: setsAVX2, outputs: outputsAVX2, hidden: [2]hiddenKernel{hidden4AVX2, hidden2AVX2},
	},
	{
		name: "avx512", needs: []cpu.Feature{cpu.AVX2, cpu.AVX512F, cpu.AVX512BW, cpu.AVX512VNNI, cpu.POPCNT},
		sets: setsAVX512, outputs: outputsAVX512, hidden: [2]hiddenKernel{hidden4AVX512, hidden2AVX512},
	},
}
