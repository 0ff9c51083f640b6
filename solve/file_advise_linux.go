package solve

import "golang.org/x/sys/unix"

// advise asks for huge pages.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
