package cli

import (
	"io"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// writeFile writes a file whole or not at all.
func writeFile(name string, write func(io.Writer) error) error {
	return safefile.Write(name, write)
}
