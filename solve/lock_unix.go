//go:build unix && !solaris && !aix

package solve

import (
	"os"
	"syscall"
)

// lockFile locks a file until it is closed, or fails at once.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
