// Package lanes holds the engines lanes/go, lanes/neon and lanes/avx512: they play many games in lockstep.
package lanes

import "github.com/seed-09dcdc84/ur"

// Engines that not every build has; nil elsewhere.
var (
	NEON   ur.Engine // lanes/neon
	AVX512 ur.Engine // lanes/avx512
)
