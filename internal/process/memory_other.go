//go:build !linux

package process

// MemoryInstalled returns the machine's memory in bytes, or 0 if unknown.
func MemoryInstalled() int64 { return 0 }

// CheckMemory does nothing: the memory is not known here.
func CheckMemory(int64) error { return nil }
