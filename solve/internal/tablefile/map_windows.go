package tablefile

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, nil, err
	}
	address, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, nil, errors.Join(err, windows.CloseHandle(h))
	}
	// The address points to memory outside of the Go heap. It is read as a pointer, not
	// converted, because vet rightly warns of converting arbitrary numbers.
	start := *(**byte)(unsafe.Pointer(&address))
	return unsafe.Slice(start, size), func() error {
		return errors.Join(windows.UnmapViewOfFile(address), windows.CloseHandle(h))
	}, nil
}
