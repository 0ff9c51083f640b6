// Package mapped reads files as memory.
package mapped

import (
	"fmt"
	"os"
)

// File maps a whole file of a size, to be read only, or reads it where files cannot be mapped.
// The file may be closed before close ends the mapping.
func File(f *os.File, size int64) (data []byte, close func() error, err error) {
	switch {
	case size == 0: // systems map no empty file
		return nil, func() error { return nil }, nil
	case int64(int(size)) != size:
		return nil, nil, fmt.Errorf("%s has %d bytes, too many to map on this computer", f.Name(), size)
	}
	if data, close, err = mapFile(f, int(size)); err != nil {
		return nil, nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	return data, close, nil
}
