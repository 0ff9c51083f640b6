package cli

import (
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/spf13/cobra"
)

// ForceFlag adds --force, the one flag to replace output files.
func ForceFlag(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "replace existing output files")
}

// CheckOutput checks early that a flag's file can be written; "" is none. A regular file is
// replaced only by force; a pipe or device is always written. An existing file stays unchanged.
func CheckOutput(flag, file string, force bool) error {
	if err := CheckWritable(flag, file); err != nil {
		return err
	}
	if info, err := os.Stat(file); force || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return UsageError("%s: %s exists (want another file, or --force)", flag, file)
}

// CheckFolder checks that a flag's folder is one, or does not exist yet; "" is none.
func CheckFolder(flag, folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return UsageError("%s: %s is a file (want a folder)", flag, folder)
	}
	return nil
}

// CheckWritable checks early that a flag's file can be written, where the command continues
// an existing file by itself.
func CheckWritable(flag, file string) error {
	if file == "" {
		return nil
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return UsageError("%s: folder %s does not exist", flag, folder)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return UsageError("%s: %s is a folder (want the name of a file)", flag, file)
	}
	if err := safefile.Check(file); err != nil {
		return UsageError("%s: %w", flag, err)
	}
	return nil
}
