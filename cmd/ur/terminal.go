package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether w is a terminal and not a file, pipe or buffer.
func isTerminal(w io.Writer) bool {
	if out, ok := w.(*output); ok {
		w = out.to
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// wantsColor reports whether w shows colour and the user has not switched it off,
// by NO_COLOR (https://no-color.org) or a terminal that can do nothing.
func wantsColor(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
