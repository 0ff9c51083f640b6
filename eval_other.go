//go:build !amd64 || purego

package ur

// This build has no engines of assembly.
var Array8AVX2, Array16AVX2 Engine
