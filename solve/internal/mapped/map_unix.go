//go:build unix

package mapped

import (
	"fmt"
	"os"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"golang.org/x/sys/unix"
)

// Memory is the whole of a file in memory, to be read only.
type Memory struct{ Bytes []byte }

// File maps a file of a size that must not be 0.
func File(f *os.File, size int64) (Memory, error) {
	if int64(int(size)) != size {
		return Memory{}, fmt.Errorf("%s has %d bytes, too many to map on this computer", f.Name(), size)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return Memory{}, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	// A table of seven pieces fills 67,000 small pages, more than the TLB holds, but 132 huge
	// ones. Pages still to be read from disk become huge; those in memory stay as they were
	// written.
	cpu.AdviseHuge(b)
	return Memory{b}, nil
}

// Close ends the mapping.
func (m Memory) Close() error { return unix.Munmap(m.Bytes) }
