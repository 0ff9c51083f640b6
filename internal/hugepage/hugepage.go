// Package hugepage requests huge pages for large tables: a lookup in a random place misses the
// TLB as well as the cache when pages are small.
package hugepage

import "unsafe"

// size of a huge page on most processors. Smaller tables do not fill one.
const size = 2 << 20

// Advise requests huge pages for a table that has not been used yet. Where they are not
// supported the request is ignored.
func Advise[T any](table []T) {
	if bytes := len(table) * int(unsafe.Sizeof(*new(T))); bytes >= size {
		advise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), bytes))
	}
}
