//go:build unix

package ab

import (
	"os"
	"syscall"
)

// isMine reports whether a folder belongs to the user.
func isMine(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
