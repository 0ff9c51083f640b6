//go:build !unix

package ab

import (
	"os"
	"os/exec"
)

// ownGroup does nothing without process groups: only the process itself is killed.
func ownGroup(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}

// isMine reports whether a folder belongs to the user: the folder of temporary files
// does.
func isMine(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir()
}
