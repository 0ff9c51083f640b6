package plot

import (
	"strings"
	"unicode/utf8"
)

// textWidth estimates the width of text of a size, on the side of too wide: the
// reader's font is not known here. The shares of the size are those of Helvetica and
// its like, and a tenth more.
func textWidth(text string, size float64) float64 {
	const spare = 1.1
	width := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune("iljI.,:;|!'()[]/ -tfr", r):
			width += 0.34
		case strings.ContainsRune("mwMW%@×", r):
			width += 0.85
		case r >= 'A' && r <= 'Z':
			width += 0.69
		default:
			width += 0.56
		}
	}
	return width * size * spare
}

// clipped leaves out the end of a text that is wider than a width.
func clipped(text string, size, width float64) string {
	whole := text
	for textWidth(text, size) > width {
		_, last := utf8.DecodeLastRuneInString(whole)
		whole = whole[:len(whole)-last]
		text = whole + "…"
	}
	return text
}

// wrapped breaks text into lines that are not wider than a width, where words allow.
func wrapped(text string, size, width float64) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && textWidth(longer, size) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
