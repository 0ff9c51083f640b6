package cpu

import "golang.org/x/sys/unix"

func adviseHugePages(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
