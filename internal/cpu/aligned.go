package cpu

import "unsafe"

// CacheLine is the size of a line of the processor's caches, in bytes, on every machine
// that kernels of this module are written for.
const CacheLine = 64

// NewAligned returns a zero T that starts at a cache line, so that no register's worth of
// it crosses one. T must not hold pointers: the collector does not look into it.
func NewAligned[T any]() *T {
	var zero T
	buffer := make([]byte, unsafe.Sizeof(zero)+CacheLine)
	offset := -uintptr(unsafe.Pointer(&buffer[0])) % CacheLine
	return (*T)(unsafe.Pointer(&buffer[offset]))
}
