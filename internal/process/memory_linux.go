package process

import (
	"fmt"
	"syscall"
)

// MemoryInstalled returns the machine's memory in bytes, or 0 if unknown.
func MemoryInstalled() int64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}

// CheckMemory returns an error if the process cannot take n more bytes of memory, because the
// machine has less or the address space is limited, as by ulimit -v. The runtime would end the
// process with a dump.
func CheckMemory(n int64) error {
	const mib = 1 << 20
	if installed := MemoryInstalled(); installed > 0 && n > installed {
		return fmt.Errorf("takes %d MiB of memory (this machine has %d MiB)", n/mib, installed/mib)
	}
	space := n + n/4 + 256*mib // garbage and stacks included
	if int64(int(space)) != space {
		return fmt.Errorf("takes %d MiB of memory, more than this process can address", n/mib)
	}
	if room, err := syscall.Mmap(-1, 0, int(space), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE); err != nil {
		return fmt.Errorf("takes %d MiB of memory, more than the limit of the process leaves (see ulimit -v)", n/mib)
	} else if err := syscall.Munmap(room); err != nil {
		return err
	}
	return nil
}
