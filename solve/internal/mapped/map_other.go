//go:build !unix && !windows

package mapped

import (
	"io"
	"os"
)

// Memory is the whole of a file in memory, to be read only. Where files cannot be
// mapped they are read.
type Memory struct{ Bytes []byte }

// File reads a file.
func File(f *os.File, size int64) (Memory, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, size), b)
	return Memory{b}, err
}

// Close does nothing: the garbage collector frees the memory.
func (m Memory) Close() error { return nil }
