package cli

import (
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// CheckOutput checks early that the file of a flag can be written; "" is none. It leaves an
// existing file unchanged.
func CheckOutput(flag, file string) error {
	if file == "" {
		return nil
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return UsageError("%s: there is no folder %s", flag, folder)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return UsageError("%s: %s is a folder, want the name of a file", flag, file)
	}
	if err := wholefile.Check(file); err != nil {
		return UsageError("%s: %w", flag, err)
	}
	return nil
}

// CheckNew returns a usage error if the file of a flag exists, unless it may be overwritten. A
// pipe or device always may.
func CheckNew(flag, file string, overwrite bool) error {
	if info, err := os.Stat(file); overwrite || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return UsageError("%s: %s is there: name another file, or replace it with --overwrite", flag, file)
}
