package cpu

import "unsafe"

// hugePage is the size of a huge page on most processors. A lookup in a random place of a large
// table misses the TLB as well as the cache when pages are small. Smaller tables do not fill one.
const hugePage = 2 << 20

// MakeHuge returns a table of n zero entries that begins with a huge page. Without the alignment both
// ends of a table are in small pages: up to 2 MB, another part in every run of a program.
func MakeHuge[T any](n int) []T {
	each := int(unsafe.Sizeof(*new(T)))
	if each == 0 || n*each < hugePage {
		return make([]T, n)
	}
	room := make([]T, n+hugePage/each)
	behind := int(uintptr(unsafe.Pointer(unsafe.SliceData(room))) & (hugePage - 1))
	first := ((hugePage - behind) & (hugePage - 1)) / each
	table := room[first : first+n : first+n]
	AdviseHuge(table)
	return table
}

// AdviseHuge requests huge pages for a table that has not been used yet. Where they are not
// supported the request is ignored.
func AdviseHuge[T any](table []T) {
	if bytes := len(table) * int(unsafe.Sizeof(*new(T))); bytes >= hugePage {
		adviseHugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), bytes))
	}
}

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
