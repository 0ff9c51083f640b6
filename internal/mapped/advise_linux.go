package mapped

import "golang.org/x/sys/unix"

// advise requests huge pages: a table of seven pieces fills 67,000 small ones, more than the
// TLB holds, but 132 huge ones. Pages still to be read from disk become huge; those in memory
// stay as they were written. Where it is unsupported the advice is ignored.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
