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
	"sync"

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

// writeCaption writes the caption below a chart with its end at y.
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

// addText writes text whose start, middle or end is at a point.
func (d *drawing) addText(class, anchor string, x, y float64, text string) {
	d.addElement(`<text class="%v" text-anchor="%v" x="%v" y="%v">%v</text>`, class, anchor, x, y, text)
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

// openGroup opens a group with a tooltip. The result closes it.
func (d *drawing) openGroup(title string) (end func()) {
	d.addElement("<g><title>%v</title>", title)
	return func() { d.addElement("</g>") }
}

// writeSVG returns the drawing with its style, a file of its own.
func (d *drawing) writeSVG(width, height float64) []byte {
	all := &drawing{}
	all.addElement(
		`<svg xmlns="http://www.w3.org/2000/svg" class="ur-plot" role="img" aria-label="%v" width="%v" height="%v" viewBox="0 0 %v %v">`,
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

// clipText cuts a text to a width.
func clipText(text string, size, width float64) string {
	whole := []rune(text)
	for textWidth(text, size) > width {
		whole = whole[:len(whole)-1]
		text = string(whole) + "…"
	}
	return text
}

// wrapText breaks text into lines of a width at most, where words allow.
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

// styleSheet is the style sheet of every drawing. A page with drawings has it once.
// No variables are used: only browsers know them.
var styleSheet = sync.OnceValue(func() string {
	return colourRules(light, "") + "@media (prefers-color-scheme: dark) {\n" + colourRules(dark, "  ") + "}\n" + shapes
})

// colours of a scheme: of the paper, of text and lines, and of series.
type colours struct {
	paper, ink, muted, faint, grid string
	series                         [seriesColours]string
}

// seriesColours is how many series have a colour of their own. Those behind them
// start anew, with dashes.
const seriesColours = 8

// Contrast to the paper is 4.5 to 1 at least for text and 3 to 1 for series, which
// stand in an order in which neighbours differ for colour-blind readers too.
var (
	light = colours{
		paper: "#ffffff", ink: "#1f2328", muted: "#59636e", faint: "#c8ced6", grid: "#e6e9ed",
		series: [seriesColours]string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#b58100", "#cf222e",
			"#1b7c83", "#bf3989"},
	}
	dark = colours{
		paper: "#0d1117", ink: "#e6edf3", muted: "#9198a1", faint: "#3d444d", grid: "#21262d",
		series: [seriesColours]string{"#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#e3b341", "#ff7b72",
			"#39c5cf", "#f778ba"},
	}
)

// colourRules gives the classes a scheme's colours.
func colourRules(c colours, indent string) string {
	text := ""
	rule := func(selector, declarations string) {
		text += fmt.Sprintf("%s.ur-plot %s { %s }\n", indent, selector, declarations)
	}
	rule(".paper", "fill: "+c.paper)
	rule(".ink", "fill: "+c.ink)
	rule(".muted", "fill: "+c.muted)
	rule(".grid", "stroke: "+c.grid)
	rule(".minor", "stroke: "+c.grid+"; stroke-opacity: 0.5")
	rule(".axis", "stroke: "+c.faint)
	rule(".reference", "stroke: "+c.muted)
	rule(".ring", "stroke: "+c.paper)
	for i, colour := range c.series {
		rule(fmt.Sprintf(".s%d", i), "stroke: "+colour)
		rule(fmt.Sprintf(".f%d", i), "fill: "+colour)
	}
	return text
}

// shapes is the style common to both colour schemes.
const shapes = `.ur-plot text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-size: 12px; font-variant-numeric: tabular-nums }
.ur-plot .title { font-size: 16px; font-weight: 600 }
.ur-plot .small { font-size: 11px }
.ur-plot .tiny { font-size: 7px }
.ur-plot .strong { font-weight: 600 }
.ur-plot .grid, .ur-plot .minor, .ur-plot .axis { stroke-width: 1 }
.ur-plot .reference { stroke-width: 1; stroke-dasharray: 4 3; fill: none }
.ur-plot .series { stroke-width: 1.8; stroke-linejoin: round; fill: none }
.ur-plot .dashed { stroke-dasharray: 6 3 }
.ur-plot .bar { stroke-width: 1.8 }
.ur-plot .leader { stroke-width: 0.8; stroke-opacity: 0.6 }
.ur-plot .ring { stroke-width: 1 }
`

// Tree is a drawing of descent: a circle for each node, and a line to the one it comes
// from.
type Tree struct {
	Text
	Nodes []Node
}

// Node is a circle.
type Node struct {
	Parent int     // index of the node it comes from; its own, of one that comes from none
	X, Y   float64 // its place, from 0 to 1: from left to right, from top to bottom
	Size   float64 // its area, from 0 to 1
	Shade  float64 // its colour, from orange at 0 over grey to blue at 1
	Title  string  // that is shown under the pointer
	Label  string  // that is shown at its right; "" for none
}

// SVG draws the tree.
func (t Tree) SVG() []byte {
	const inset, height = margin + 15, 540 // the largest circle stays inside
	out, top := newDrawing(t.Text)
	at := func(n Node) (x, y float64) {
		return inset + float64((width-2*inset)*n.X), top + 15 + float64((height-30)*n.Y)
	}
	for _, n := range t.Nodes {
		x, y := at(n)
		fromX, fromY := at(t.Nodes[n.Parent])
		out.addLine("axis", fromX, fromY, x, fromY)
		out.addLine("axis", x, fromY, x, y)
	}
	for _, n := range t.Nodes {
		x, y := at(n)
		end := out.openGroup(n.Title)
		out.addElement(`<circle class="ring" fill="%v" cx="%v" cy="%v" r="%v"/>`, shadeColour(n.Shade),
			x, y, nodeRadius(n))
		if n.Label != "" {
			out.addText("tiny ink", "start", x+nodeRadius(n)+1, y+2.5, n.Label)
		}
		end()
	}
	return out.writeCaption(top + height)
}

// nodeRadius is the radius of a node's circle.
func nodeRadius(n Node) float64 { return 2.5 + float64(12*math.Sqrt(n.Size)) }

// shadeColour is a colour, as in "#0072b2": from orange at 0 or below over grey to blue at 1 or
// above, distinguishable by colour-blind readers too (the ends are of Okabe and Ito, "Color
// universal design", 2008).
func shadeColour(x float64) string {
	low, middle, high := [3]float64{213, 94, 0}, [3]float64{165, 165, 165}, [3]float64{0, 114, 178}
	x = 2 * max(0, min(1, x))
	if x > 1 {
		low, middle, x = middle, high, x-1
	}
	var mixed [3]int
	for i := range mixed {
		mixed[i] = int(math.Round(low[i] + float64(x*(middle[i]-low[i]))))
	}
	return fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2])
}
