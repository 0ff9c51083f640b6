package plot

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The measures of a terminal's cell and its margin, in pixels.
const (
	cellWidth      = 8.4
	cellHeight     = 18
	terminalMargin = 14
	terminalSize   = 14 // of the letters
)

// palette are the 16 colours that a terminal names by number.
var palette = [16]string{
	"#1b2028", "#e06c75", "#98c379", "#d7a65f", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
	"#6b7380", "#ff7b85", "#b5e890", "#f0c674", "#7fc1ff", "#d8a0ee", "#7fdbe6", "#ffffff",
}

// pen is the state of the escape codes of a text.
type pen struct {
	fore, back string // "" for those of the window
	bold       bool
}

// Terminal draws the screen of a terminal, text with the escape codes of colours (SGR), in a
// window of some columns. The same text gives the same bytes.
func Terminal(title, screen string, columns int) []byte {
	lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	width := 2*terminalMargin + cellWidth*float64(columns)
	height := 2*terminalMargin + cellHeight*len(lines)
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" role="img" aria-label=%q>`+"\n", width, height, html.EscapeString(title))
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" rx="8" fill="#12161c"/>`+"\n")
	fmt.Fprintf(&out, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d" fill="#d7dce4">`+"\n", terminalSize)
	var state pen
	for y, line := range lines {
		column := 0
		for line != "" {
			code, rest, isCode := cutCode(line)
			if isCode {
				state.apply(code)
				line = rest
				continue
			}
			end := strings.IndexByte(line, '\x1b')
			if end < 0 {
				end = len(line)
			}
			drawRun(&out, state, line[:end], column, y)
			column += utf8.RuneCountInString(line[:end])
			line = line[end:]
		}
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}

// cutCode cuts an escape code of colours off the beginning of a text, and returns its numbers.
func cutCode(text string) (numbers []string, rest string, ok bool) {
	body, found := strings.CutPrefix(text, "\x1b[")
	if !found {
		return nil, text, false
	}
	code, rest, found := strings.Cut(body, "m")
	if !found {
		return nil, text, false
	}
	return strings.Split(code, ";"), rest, true
}

// apply changes the pen by the numbers of a code.
func (p *pen) apply(numbers []string) {
	for i := 0; i < len(numbers); i++ {
		n, _ := strconv.Atoi(numbers[i]) // "" is 0
		switch {
		case n == 0:
			*p = pen{}
		case n == 1:
			p.bold = true
		case n >= 30 && n <= 37:
			p.fore = palette[n-30]
		case n >= 90 && n <= 97:
			p.fore = palette[n-90+8]
		case n >= 40 && n <= 47:
			p.back = palette[n-40]
		case n >= 100 && n <= 107:
			p.back = palette[n-100+8]
		case (n == 38 || n == 48) && i+4 < len(numbers) && numbers[i+1] == "2":
			color := "rgb(" + strings.Join(numbers[i+2:i+5], ",") + ")"
			if n == 38 {
				p.fore = color
			} else {
				p.back = color
			}
			i += 4
		}
	}
}

// apart matches words with single spaces between them.
var apart = regexp.MustCompile(`[^ ]+( [^ ]+)*`)

// drawRun draws a text of one pen.
func drawRun(out *bytes.Buffer, p pen, text string, column, line int) {
	x := terminalMargin + cellWidth*float64(column)
	wide := cellWidth * float64(utf8.RuneCountInString(text))
	if p.back != "" {
		fmt.Fprintf(out, `<rect x="%.1f" y="%d" width="%.1f" height="%.1f" fill="%s"/>`+"\n", x, terminalMargin+cellHeight*line, wide+0.3, cellHeight+0.3, p.back)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	style := ""
	if p.fore != "" {
		style += fmt.Sprintf(` fill="%s"`, p.fore)
	}
	if p.bold {
		style += ` font-weight="bold"`
	}
	// Words that stand apart are drawn apart: not every viewer keeps the space between them.
	for _, at := range apart.FindAllStringIndex(text, -1) {
		words := text[at[0]:at[1]]
		fmt.Fprintf(out, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
			x+cellWidth*float64(utf8.RuneCountInString(text[:at[0]])), terminalMargin+cellHeight*line+terminalSize,
			cellWidth*float64(utf8.RuneCountInString(words)), style, html.EscapeString(words))
	}
}
