//go:build !amd64 || purego

package f32

var assembled []*Kernels
