package mapped

import "golang.org/x/sys/unix"

// advise asks for huge pages: a table of seven pieces fills 67,000 small ones, for which
// the processor has no room to remember where they are, but 132 huge ones. Pages that
// have to be read from the disk become huge by it; those in memory are as they were
// written. Where that cannot be the advice is ignored.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
