//go:build unix

package tablefile

import (
	"os"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"golang.org/x/sys/unix"
)

// mapFile maps a file of a size above 0, for reading, until close is called. f may be closed before.
func mapFile(f *os.File, size int) (data []byte, close func() error, err error) {
	if data, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED); err != nil {
		return nil, nil, err
	}
	// A table of seven pieces fills 67,000 small pages, more than the TLB holds, but 132 huge ones.
	// Pages still to be read from disk become huge; those in memory stay as they were written.
	cpu.AdviseHuge(data)
	return data, func() error { return unix.Munmap(data) }, nil
}
