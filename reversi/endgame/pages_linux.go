package endgame

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise asks for huge pages for a table: a look-up in a random place else misses the
// processor's record of pages as well as its cache. Where that cannot be the advice is
// ignored.
func advise(b []bucket) {
	size := len(b) * int(unsafe.Sizeof(bucket{}))
	if size >= 1<<21 {
		_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), size), unix.MADV_HUGEPAGE)
	}
}
