//go:build !unix && !windows

package tablefile

import (
	"io"
	"os"
)

// mapFile reads a file: here files cannot be mapped.
func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), b)
	return b, func() error { return nil }, err
}
