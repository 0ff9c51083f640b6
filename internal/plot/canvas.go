package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// canvas collects the elements of one drawing. Lengths are in user units, which are
// CSS pixels when nothing scales the drawing; y goes down.
type canvas struct {
	body bytes.Buffer
}

// anchor is where a text stands relative to its point.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

// number prints a length in tenths, which is precise enough.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10+0, 'f', -1, 64) // +0 makes -0 plain
}

// escape makes text safe between tags and in attributes.
func escape(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a Builder does not fail
	return out.String()
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.body, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n",
		class, number(x1), number(y1), number(x2), number(y2))
}

func (c *canvas) circle(class string, x, y, r float64) {
	fmt.Fprintf(&c.body, "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", class, number(x), number(y), number(r))
}

func (c *canvas) text(class string, at anchor, x, y float64, text string) {
	fmt.Fprintf(&c.body, "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n",
		class, at, number(x), number(y), escape(text))
}

// vertical writes text from bottom to top, centred at a point.
func (c *canvas) vertical(class string, x, y float64, text string) {
	fmt.Fprintf(&c.body, "<text class=\"%s\" text-anchor=\"middle\" transform=\"translate(%s %s) rotate(-90)\">%s</text>\n",
		class, number(x), number(y), escape(text))
}

// shaded draws a circle in a colour outside of the classes.
func (c *canvas) shaded(class, fill string, x, y, r float64) {
	fmt.Fprintf(&c.body, "<circle class=\"%s\" fill=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n",
		class, fill, number(x), number(y), number(r))
}

// polyline joins points, given as x, y, x, y, ...
func (c *canvas) polyline(class string, points []float64) {
	fmt.Fprintf(&c.body, "<polyline class=\"%s\" points=\"%s\"/>\n", class, joined(points))
}

// area fills the polygon of points, given as x, y, x, y, ..., translucently.
func (c *canvas) area(class string, points []float64) {
	fmt.Fprintf(&c.body, "<polygon class=\"%s\" fill-opacity=\"0.2\" points=\"%s\"/>\n", class, joined(points))
}

// joined writes points, given as x, y, x, y, ..., as a drawing has them.
func joined(points []float64) string {
	var list []string
	for i := 0; i+1 < len(points); i += 2 {
		list = append(list, number(points[i])+","+number(points[i+1]))
	}
	return strings.Join(list, " ")
}

// group opens a group with a tooltip.
func (c *canvas) group(title string) {
	fmt.Fprintf(&c.body, "<g><title>%s</title>\n", escape(title))
}

func (c *canvas) endGroup() { c.body.WriteString("</g>\n") }

// svg returns the drawing: with its style, as a standalone file, or without, for a page with
// the style.
func (c *canvas) svg(width, height float64, label string, style bool) []byte {
	var out bytes.Buffer
	w, h := number(width), number(height)
	space := "" // a page of HTML knows it
	if style {
		space = " xmlns=\"http://www.w3.org/2000/svg\""
	}
	fmt.Fprintf(&out, "<svg%s class=\"ur-plot\" role=\"img\" aria-label=\"%s\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n",
		space, escape(label), w, h, w, h)
	if style {
		fmt.Fprintf(&out, "<style>\n%s</style>\n", Style)
	}
	fmt.Fprintf(&out, "<rect class=\"paper\" width=\"%s\" height=\"%s\" rx=\"6\"/>\n", w, h)
	out.Write(c.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}
