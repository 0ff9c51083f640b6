//go:build unix

package solve

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// mapping is the whole of a file in memory, to be read only.
type mapping struct{ bytes []byte }

// mapFile maps a file of a size that must not be 0.
func mapFile(f *os.File, size int64) (mapping, error) {
	if int64(int(size)) != size {
		return mapping{}, fmt.Errorf("%s has %d bytes, too many to map on this computer", f.Name(), size)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return mapping{}, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	advise(b)
	return mapping{b}, nil
}

// close ends the mapping.
func (m mapping) close() error { return unix.Munmap(m.bytes) }
