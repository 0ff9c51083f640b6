package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether w is a terminal and not a file, pipe or buffer.
func IsTerminal(w io.Writer) bool {
	if out, ok := w.(*Output); ok {
		w = out.To
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// WantsColor reports whether w shows colour and the user has not disabled it, by NO_COLOR
// (https://no-color.org) or a dumb terminal.
func WantsColor(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
