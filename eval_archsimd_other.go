//go:build !goexperiment.simd || !amd64 || purego

package ur

// Array16Archsimd exists only with GOEXPERIMENT=simd; here it is nil.
var Array16Archsimd Engine
