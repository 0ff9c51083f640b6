// Package lanes holds the engines lanes/go and lanes/avx512: they play many games in lockstep.
package lanes

import "github.com/seed-09dcdc84/ur"

// AVX512 is lanes/avx512; nil in a build without it.
var AVX512 ur.Engine
