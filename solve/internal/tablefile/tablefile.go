// Package tablefile holds the common parts of the table formats: errors that name a byte, the
// memory-mapping of a file, and the checks of sizes, metadata and values.
package tablefile

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Error reports a file that is truncated, corrupted or no table.
type Error struct {
	Offset int64 // first faulty byte, counted from the start of the file; -1 if there is no single one
	Msg    string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Offset < 0 {
		return e.Msg
	}
	return fmt.Sprintf("at byte %d: %s", e.Offset, e.Msg)
}

// Errorf returns an [*Error].
func Errorf(offset int64, format string, args ...any) error {
	return &Error{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

// Truncated reports a file that ends in its header, after size bytes.
func Truncated(size int) error {
	return Errorf(int64(size), "truncated: the file ends in the middle of its header")
}

// CheckSize compares a file's size with the size required by its header.
func CheckSize(got, want int64) error {
	switch {
	case got < want:
		return Errorf(got, "truncated: the file ends here (want %d bytes)", want)
	case got > want:
		return Errorf(want, "the table ends here, but the file goes on to byte %d", got)
	}
	return nil
}

// MaxMeta is the size of the largest metadata, in bytes.
const MaxMeta = 1 << 20

// ParseMeta reads metadata, a JSON object; empty metadata have no members.
func ParseMeta(meta json.RawMessage) (text.Object, error) {
	switch {
	case len(meta) > MaxMeta:
		return nil, fmt.Errorf("metadata of %d bytes (want at most %d)", len(meta), MaxMeta)
	case len(meta) == 0:
		return nil, nil
	}
	return text.ParseObject(meta, "metadata")
}

// FixedOne is the probability 1 in 16-bit fixed point.
const FixedOne = 65535

// RoundToFixed converts a probability to fixed point, rounded to nearest.
func RoundToFixed(v float64) uint16 { return uint16(float64(v*FixedOne) + 0.5) }

// IsProbability reports whether v is 0 to 1. It is false for not-a-number.
func IsProbability(v float64) bool { return v >= 0 && v <= 1 }

// Map maps a regular file into memory, for reading only, until unmap is called.
func Map(path string) (data []byte, unmap func() error, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular(): // opening a pipe would block until it has a writer
		return nil, nil, fmt.Errorf("%s: not a regular file (want a table file)", path)
	case info.Size() == 0: // no system maps an empty file
		return nil, nil, Truncated(0)
	case int64(int(info.Size())) != info.Size():
		return nil, nil, fmt.Errorf("%s: %d bytes are too many to map on this computer", path, info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if data, unmap, err = mapFile(f, int(info.Size())); err != nil {
		return nil, nil, &fs.PathError{Op: "map", Path: path, Err: err}
	}
	return data, unmap, nil
}

// ReadMapped calls read to read a mapped file from an offset. A page that cannot be read, because
// the disk fails or the file was shortened, is an [*Error] instead of a crash.
func ReadMapped(offset int64, read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = Errorf(offset, "cannot be read: %v", fault)
		default:
			panic(fault)
		}
	}()
	return read()
}
