package safefile

import (
	"errors"
	"os"
)

// ErrLocked reports that another process, or another part of this one, holds the file.
var ErrLocked = errors.New("another process is using it")

// Lock locks an open file until it is closed, or returns [ErrLocked] at once. The locks of a
// dead process are released. Where the operating system cannot lock files, Lock does nothing.
// The lock is advisory: it keeps out only other callers of Lock.
func Lock(f *os.File) error {
	err := lockFile(f)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// lostName reports whether a file has lost the name under which it was opened, because it was
// removed or replaced. Check a file just after locking it: its previous holder may have removed
// it.
func lostName(f *os.File) bool {
	here, err := f.Stat()
	if err != nil {
		return true
	}
	there, err := os.Lstat(f.Name())
	return err != nil || !os.SameFile(here, there)
}

// OpenLocked opens a file for reading and writing, makes it if there is none, and takes its lock, or
// returns [ErrLocked]. More flags are those of [os.OpenFile], such as os.O_APPEND; 0 is none.
func OpenLocked(name string, flags int) (*os.File, error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|flags, 0o666)
		if err != nil {
			return nil, err
		}
		if err := Lock(f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		// The previous holder may have removed the file between opening and locking.
		if !lostName(f) {
			return f, nil
		}
		f.Close()
	}
}

// Hold takes a name's lock, by a file of that name that exists while the lock is held, or
// returns [ErrLocked]. Release gives it up and removes the file. After a process that died
// without release the file stays, and the next holder of the name takes it over.
func Hold(name string) (release func() error, err error) {
	f, err := OpenLocked(name, 0)
	return func() error { return RemoveLocked(f) }, err
}

// RemoveLocked removes an open file before its lock is given up, or where an open file cannot
// be removed, as on Windows, after; and closes it.
func RemoveLocked(f *os.File) error {
	if err := os.Remove(f.Name()); err == nil {
		return f.Close()
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
