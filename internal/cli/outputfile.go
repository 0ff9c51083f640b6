package cli

import (
	"os"
	"path/filepath"
)

// CheckOutput finds out whether the file of -o could be written; "" is none.
func CheckOutput(file string) error {
	if file == "" {
		return nil
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return UsageError("-o: there is no folder %s", folder)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return UsageError("-o: %s is a folder, want the name of a file", file)
	}
	return nil
}
