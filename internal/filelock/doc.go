// Package filelock lets one process at a time have a file.
package filelock

import (
	"errors"
	"os"
)

// ErrLocked says that another process has the file, or another part of this one.
var ErrLocked = errors.New("another process is using it")

// Lock locks an open file until it is closed, or returns [ErrLocked] at once. A process
// that dies, however it does, gives up its locks. Where the operating system cannot lock
// files, Lock does nothing. The lock is advisory: it keeps out only those who ask for it.
func Lock(f *os.File) error { return lock(f) }
