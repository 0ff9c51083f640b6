package record

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// WriteFile writes a game to a file in the given format, atomically, and replaces an existing
// file.
func WriteFile(name string, f Format, g *Game) error {
	return safefile.Write(name, func(w io.Writer) error {
		out := NewWriter(w, f)
		return errors.Join(out.Write(g), out.Close())
	})
}

// WriteNewFile writes a game to a new file, in the format of its extension. It fails if the
// file exists.
func WriteNewFile(name string, g *Game) error {
	f, err := FormatOf(name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s exists (want another name)", name)
	}
	return WriteFile(name, f, g)
}
