// Package hugepage requests huge pages for large tables: a lookup in a random place misses the
// TLB as well as the cache when pages are small.
package hugepage

import "unsafe"

// size of a huge page on most processors. Smaller tables do not fill one.
const size = 2 << 20

// Make returns a table of n zero entries that begins with a huge page. Without the alignment both
// ends of a table are in small pages: up to 2 MB, another part in every run of a program.
func Make[T any](n int) []T {
	each := int(unsafe.Sizeof(*new(T)))
	if each == 0 || n*each < size {
		return make([]T, n)
	}
	room := make([]T, n+size/each)
	behind := int(uintptr(unsafe.Pointer(unsafe.SliceData(room))) & (size - 1))
	first := ((size - behind) & (size - 1)) / each
	table := room[first : first+n : first+n]
	Advise(table)
	return table
}

// Advise requests huge pages for a table that has not been used yet. Where they are not
// supported the request is ignored.
func Advise[T any](table []T) {
	if bytes := len(table) * int(unsafe.Sizeof(*new(T))); bytes >= size {
		advise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), bytes))
	}
}
