//go:build !unix

package ab

import (
	"os"
)

// isMine reports whether a folder belongs to the user: the folder of temporary files
// does.
func isMine(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir()
}
