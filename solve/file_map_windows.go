package solve

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapping is the whole of a file in memory, to be read only.
type mapping struct {
	bytes  []byte
	handle windows.Handle
}

// mapFile maps a file of a size that must not be 0.
func mapFile(f *os.File, size int64) (mapping, error) {
	if int64(int(size)) != size {
		return mapping{}, fmt.Errorf("%s has %d bytes, too many to map on this computer", f.Name(), size)
	}
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return mapping{}, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	address, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		windows.CloseHandle(h)
		return mapping{}, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	// The address is of memory that Go does not manage. It is read as a pointer, and
	// not converted, because vet rightly warns of converting just any number.
	start := *(**byte)(unsafe.Pointer(&address))
	return mapping{unsafe.Slice(start, int(size)), h}, nil
}

// close ends the mapping.
func (m mapping) close() error {
	return errors.Join(
		windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(m.bytes)))),
		windows.CloseHandle(m.handle))
}
