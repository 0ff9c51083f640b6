//go:build !goexperiment.simd || !amd64 || purego

package ur

// Array16Archsimd is an engine that is there with GOEXPERIMENT=simd only, and nil here.
var Array16Archsimd Engine
