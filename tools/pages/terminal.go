package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/plot"
)

// screenFile holds the screen of "ur play" that README.md shows, and screenColumns is the width of
// its window. A test of the interface keeps it equal to the interface's drawing.
const (
	screenFile    = "cmd/ur/internal/tui/testdata/picture.txt"
	screenColumns = 120
)

// terminal draws this screen.
func terminal(root string) (file, error) {
	screen, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(screenFile)))
	return file{"docs/plots/terminal.svg",
		drawTerminal("ur play on a terminal", strings.ReplaceAll(string(screen), `\e`, "\x1b"), screenColumns)}, err
}

// The measures of a terminal's cell and its margin, in pixels.
const (
	cellWidth      = 8.4
	cellHeight     = 18
	terminalMargin = 14
	terminalSize   = 14 // letter size
)

// palette are the 16 colours that a terminal names by number.
var palette = [16]string{
	"#1b2028", "#e06c75", "#98c379", "#d7a65f", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
	"#6b7380", "#ff7b85", "#b5e890", "#f0c674", "#7fc1ff", "#d8a0ee", "#7fdbe6", "#ffffff",
}

// drawTerminal draws a terminal's screen, text with the escape codes of colours (SGR), in a
// window of some columns. The same text gives the same bytes.
func drawTerminal(title, screen string, columns int) []byte {
	text := uv.NewStyledString(strings.TrimRight(screen, "\n"))
	cells := uv.NewScreenBuffer(columns, text.Height())
	text.Draw(cells, cells.Bounds())
	width, height := 2*terminalMargin+cellWidth*float64(columns), 2*terminalMargin+cellHeight*len(cells.Lines)
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" role="img" aria-label=%q>`+"\n",
		width, height, html.EscapeString(title))
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" rx="8" fill="#12161c"/>`+"\n")
	fmt.Fprintf(&out, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d" fill="#d7dce4">`+"\n", terminalSize)
	for y, line := range cells.Lines {
		for x := 0; x < len(line); {
			first, text := x, ""
			for ; x < len(line) && line[x].Style.Equal(&line[first].Style); x++ {
				text += line[x].Content
			}
			drawRun(&out, line[first].Style, text, first, y)
		}
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}

// fillOf is the attribute of a colour, or "" for that of the window.
func fillOf(c color.Color) string {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return fmt.Sprintf(` fill="%s"`, palette[c])
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf(` fill="rgb(%d,%d,%d)"`, r>>8, g>>8, b>>8)
}

// apart matches words with single spaces between them.
var apart = regexp.MustCompile(`[^ ]+( [^ ]+)*`)

// drawRun draws a text of one style.
func drawRun(out *bytes.Buffer, style uv.Style, text string, column, line int) {
	x, top := terminalMargin+cellWidth*float64(column), terminalMargin+cellHeight*line
	if back := fillOf(style.Bg); back != "" {
		wide := cellWidth * float64(utf8.RuneCountInString(text))
		fmt.Fprintf(out, `<rect x="%.1f" y="%d" width="%.1f" height="%.1f"%s/>`+"\n", x, top, wide+0.3,
			cellHeight+0.3, back)
	}
	attributes := fillOf(style.Fg)
	if style.Attrs&uv.AttrBold != 0 {
		attributes += ` font-weight="bold"`
	}
	// Words that stand apart are drawn apart: not every viewer keeps the space between them.
	for _, at := range apart.FindAllStringIndex(text, -1) {
		words := text[at[0]:at[1]]
		fmt.Fprintf(out, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
			x+cellWidth*float64(utf8.RuneCountInString(text[:at[0]])), top+terminalSize,
			cellWidth*float64(utf8.RuneCountInString(words)), attributes, html.EscapeString(words))
	}
}

// squares draws the numbers of the squares under Finkel's rules.
func squares() file {
	r := board.Finkel()
	t := plot.Tiles{Text: plot.Text{
		Title:    "Squares",
		Subtitle: "Light walks row A and row B, Dark row C and row B",
		Caption: "Square 0 is the hand, 15 is home. Squares 5 to 12 belong to both sides. Orange frames are rosettes. In the " +
			"33 numbers of a board, Light's squares 0 to 15 come first, then Dark's, then the side to move.",
		Label: "The tiles of the board with the numbers of the squares on both paths.",
	}}
	for side := board.Light; side <= board.Dark; side++ {
		for square := 1; square < r.Finish(); square++ {
			if side == board.Dark && r.IsShared(square) {
				continue
			}
			letter, number := r.TileAt(side, square)
			t.Tiles = append(t.Tiles, plot.Tile{Column: number, Row: 2 - letter, Large: fmt.Sprint(square),
				Small: r.Tile(side, square), Strong: r.IsRosette(square)})
		}
	}
	return file{"docs/plots/squares.svg", t.SVG()}
}
