package mapped

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Memory is the whole of a file in memory, to be read only.
type Memory struct {
	Bytes  []byte
	handle windows.Handle
}

// File maps a file of a size that must not be 0.
func File(f *os.File, size int64) (Memory, error) {
	if int64(int(size)) != size {
		return Memory{}, fmt.Errorf("%s has %d bytes, too many to map on this computer", f.Name(), size)
	}
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return Memory{}, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	address, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		windows.CloseHandle(h)
		return Memory{}, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	// The address points to memory outside of the Go heap. It is read as a pointer, not
	// converted, because vet rightly warns of converting arbitrary numbers.
	start := *(**byte)(unsafe.Pointer(&address))
	return Memory{unsafe.Slice(start, int(size)), h}, nil
}

// Close ends the mapping.
func (m Memory) Close() error {
	return errors.Join(
		windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes)))),
		windows.CloseHandle(m.handle))
}
