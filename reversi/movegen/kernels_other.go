//go:build !amd64 || purego

package movegen

// kernels lists the generators in assembly that this build has.
var kernels []Generator
