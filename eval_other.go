//go:build !amd64 || purego

package ur

// The engines of assembly, which this build is without.
var Array8AVX2, Array16AVX2, Array16AVX512 Engine
