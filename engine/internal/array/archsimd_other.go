//go:build !goexperiment.simd || !go1.27 || !amd64 || purego

package array

import "github.com/seed-09dcdc84/ur"

// Archsimd exists only with GOEXPERIMENT=simd and Go 1.27; here it is nil.
var Archsimd ur.Engine
