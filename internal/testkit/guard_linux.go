package testkit

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// GuardedSlice returns n values next to an inaccessible page: behind them when atEnd, before them
// otherwise. An access beyond crashes the test program.
func GuardedSlice[T any](t *testing.T, n int, atEnd bool) []T {
	t.Helper()
	var zero T
	page, bytes := uintptr(os.Getpagesize()), uintptr(n)*unsafe.Sizeof(zero)
	size := (bytes + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, int(size+2*page), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{memory[:page], memory[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	offset := page
	if atEnd {
		offset = page + size - bytes
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[offset])), n)
}
