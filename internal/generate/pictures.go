package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/plot"
)

// screenFile holds the screen of "ur play" that README.md shows. A test of the interface keeps it
// equal to what the interface draws.
const screenFile = "cmd/ur/internal/tui/testdata/picture.txt"

// screenColumns is the width of its window.
const screenColumns = 120

// terminalPicture draws the screen.
func terminalPicture(root string) (file, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(screenFile)))
	if err != nil {
		return file{}, err
	}
	screen := strings.ReplaceAll(string(text), `\e`, "\x1b")
	return file{plotFolder + "/terminal.svg", plot.Terminal("ur play on a terminal", screen, screenColumns)}, nil
}
