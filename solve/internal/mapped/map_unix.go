//go:build unix

package mapped

import (
	"os"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"golang.org/x/sys/unix"
)

func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	b, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	// A table of seven pieces fills 67,000 small pages, more than the TLB holds, but 132 huge
	// ones. Pages still to be read from disk become huge; those in memory stay as they were
	// written.
	cpu.AdviseHuge(b)
	return b, func() error { return unix.Munmap(b) }, nil
}
