// Package plot draws measurements as SVG: charts of lines with their intervals, and trees of
// descent.
//
// The same data give the same bytes, so a check can detect an outdated file. Text stays text,
// in the reader's font. Colours follow the reader's light or dark setting, by the media query
// prefers-color-scheme, which works in a page and in a file shown as an image in a page.
// gonum.org/v1/plot, which draws much more than this, sets fixed colours and a fixed serif
// font.
package plot

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Text is the text around a chart.
type Text struct {
	Title    string
	Subtitle string // where and how it was measured
	Caption  string // how to read it
	Label    string // a description in a sentence, for readers who cannot see it
}

// Interval is a figure with its interval, and its text.
type Interval struct {
	Middle, Lo, Hi float64
	Text           string
}

// Exactly returns a figure without an interval.
func Exactly(x float64, text string) Interval { return Interval{x, x, x, text} }

// Measures of a drawing in user units, which are CSS pixels when nothing scales it. The sizes of
// text are those of the style sheet.
const (
	width      = 860 // that of a page of text
	margin     = 18  // around everything
	lineHeight = 15
	textSize   = 12
	smallSize  = 11
)

// drawing collects the elements of a drawing. y goes down.
type drawing struct {
	about Text
	body  bytes.Buffer
}

// newDrawing writes title and subtitle and returns where the chart may begin.
func newDrawing(t Text) (*drawing, float64) {
	d := &drawing{about: t}
	y := float64(margin + 14)
	d.addText("title ink", "start", margin, y, t.Title)
	for _, line := range wrapText(t.Subtitle, textSize, width-2*margin) {
		y += lineHeight + 3
		d.addText("muted", "start", margin, y, line)
	}
	return d, y + 18
}

// writeCaption writes the caption below a chart that ends at y.
func (d *drawing) writeCaption(y float64) []byte {
	y += 6
	for _, line := range wrapText(d.about.Caption, smallSize, width-2*margin) {
		y += lineHeight
		d.addText("small muted", "start", margin, y, line)
	}
	return d.writeSVG(width, y+margin)
}

// addElement adds an element. It writes lengths in tenths, which is precise enough, and makes strings safe
// between tags and in attributes.
func (d *drawing) addElement(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case float64:
			args[i] = strconv.FormatFloat(math.Round(arg*10)/10+0, 'f', -1, 64) // +0 makes -0 plain
		case string:
			args[i] = html.EscapeString(text.Plain(arg))
		}
	}
	fmt.Fprintf(&d.body, format+"\n", args...)
}

func (d *drawing) addLine(class string, x1, y1, x2, y2 float64) {
	d.addElement(`<line class="%v" x1="%v" y1="%v" x2="%v" y2="%v"/>`, class, x1, y1, x2, y2)
}

func (d *drawing) addCircle(class string, x, y, r float64) {
	d.addElement(`<circle class="%v" cx="%v" cy="%v" r="%v"/>`, class, x, y, r)
}

// addText writes text whose start, middle or end is at a point.
func (d *drawing) addText(class, anchor string, x, y float64, text string) {
	d.addElement(`<text class="%v" text-anchor="%v" x="%v" y="%v">%v</text>`, class, anchor, x, y, text)
}

// addPolyline joins points, given as x, y, x, y, ...
func (d *drawing) addPolyline(class string, points []float64) {
	d.addElement(`<polyline class="%v" points="%v"/>`, class, path(points))
}

// path writes points, given as x, y, x, y, ...
type path []float64

func (p path) String() string {
	var list []string
	for i := 0; i+1 < len(p); i += 2 {
		list = append(list, fmt.Sprintf("%g,%g", math.Round(p[i]*10)/10, math.Round(p[i+1]*10)/10))
	}
	return strings.Join(list, " ")
}

// openGroup opens a group with a tooltip, which the result closes.
func (d *drawing) openGroup(title string) (end func()) {
	d.addElement("<g><title>%v</title>", title)
	return func() { d.addElement("</g>") }
}

// writeSVG returns the drawing with its style, a file of its own.
func (d *drawing) writeSVG(width, height float64) []byte {
	all := &drawing{}
	all.addElement(`<svg xmlns="http://www.w3.org/2000/svg" class="ur-plot" role="img" aria-label="%v" width="%v" height="%v" viewBox="0 0 %v %v">`,
		d.about.Label, width, height, width, height)
	all.body.WriteString("<style>\n" + styleSheet() + "</style>\n")
	all.addElement(`<rect class="paper" width="%v" height="%v" rx="6"/>`, width, height)
	all.body.Write(d.body.Bytes())
	all.addElement("</svg>")
	return all.body.Bytes()
}

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

// clipText leaves out the end of a text that is wider than a width.
func clipText(text string, size, width float64) string {
	whole := []rune(text)
	for textWidth(text, size) > width {
		whole = whole[:len(whole)-1]
		text = string(whole) + "…"
	}
	return text
}

// wrapText breaks text into lines that are not wider than a width, where words allow.
func wrapText(text string, size, width float64) []string {
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
