package cpu

import "unsafe"

// CacheLine is the size of a cache line in bytes, on every machine with kernels in this module.
const CacheLine = 64

// NewAligned returns a zero T that starts at a cache line, so no register-sized part crosses
// one.
func NewAligned[T any]() *T {
	var zero T
	buffer := make([]byte, unsafe.Sizeof(zero)+CacheLine)
	offset := -uintptr(unsafe.Pointer(&buffer[0])) % CacheLine
	return (*T)(unsafe.Pointer(&buffer[offset]))
}
