//go:build !unix && !windows

package solve

import (
	"io"
	"os"
)

// mapping is the whole of a file in memory, to be read only. Where files cannot be
// mapped they are read.
type mapping struct{ bytes []byte }

// mapFile reads a file.
func mapFile(f *os.File, size int64) (mapping, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, size), b)
	return mapping{b}, err
}

// close does nothing: the garbage collector frees the memory.
func (m mapping) close() error { return nil }
