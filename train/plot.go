package train

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// The drawing of a curve, in pixels. It has few marks and the same bytes for the
// same curve on every machine, which is why it needs no library.
const (
	plotWidth, plotHeight = 760, 420
	plotLeft, plotRight   = 60, 20
	plotTop, plotBottom   = 44, 52
)

// plotColours tell rivals apart, also for most of those who do not see all colours
// (Okabe and Ito, "Color universal design", 2008).
var plotColours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7"}

// WriteSVG draws the curve: the share of games won against each rival over the
// games learned from, with the 95 % confidence interval as a band; or the regret, where it
// was measured.
func (c Curve) WriteSVG(w io.Writer, title string) error {
	if c.hasRegret() {
		_, err := w.Write(RegretCurves{Title: title, Curves: []NamedCurve{{"regret", c}}}.SVG())
		return err
	}
	out := new(bytes.Buffer)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(out, `<title>%s</title>`+"\n", html.EscapeString(title))
	fmt.Fprintf(out, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(out, `<text x="%d" y="24" font-size="14">%s</text>`+"\n", plotLeft, html.EscapeString(title))
	axes := plotAxes{most: 1}
	if last, ok := c.Last(); ok {
		axes.most = float64(max(1, last.Games))
	}
	axes.draw(out)
	for i := range c.rivals() {
		c.drawRival(out, axes, i)
	}
	out.WriteString("</svg>\n")
	_, err := out.WriteTo(w)
	return err
}

// rivals returns the number of rivals that all points have.
func (c Curve) rivals() int {
	n := 0
	for i, p := range c {
		if i == 0 || len(p.Scores) < n {
			n = len(p.Scores)
		}
	}
	return n
}

// drawRival draws the scores against one rival, and its name above the plot.
func (c Curve) drawRival(out *bytes.Buffer, axes plotAxes, i int) {
	colour := plotColours[i%len(plotColours)]
	var line, upper, lower []string
	for _, p := range c {
		low, high := p.Scores[i].Interval()
		line = append(line, axes.at(p.Games, p.Scores[i].Rate()))
		upper = append(upper, axes.at(p.Games, high))
		lower = append([]string{axes.at(p.Games, low)}, lower...)
	}
	band := append(upper, lower...)
	fmt.Fprintf(out, `<polygon points="%s" fill="%s" fill-opacity="0.2"/>`+"\n", strings.Join(band, " "), colour)
	fmt.Fprintf(out, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.Join(line, " "), colour)
	last := c[len(c)-1].Scores[i]
	fmt.Fprintf(out, `<text x="%d" y="%d" fill="%s" text-anchor="end">%s: %.1f %%</text>`+"\n",
		plotWidth-plotRight-8, plotHeight-plotBottom-12-18*i, colour, html.EscapeString(last.Rival), 100*last.Rate())
}

// plotAxes places games from 0 to most and rates from 0 to 1.
type plotAxes struct{ most float64 }

func (a plotAxes) x(games float64) float64 {
	return plotLeft + games/a.most*(plotWidth-plotLeft-plotRight)
}

func (a plotAxes) y(rate float64) float64 {
	return plotHeight - plotBottom - rate*(plotHeight-plotTop-plotBottom)
}

// at returns a point of a line.
func (a plotAxes) at(games int64, rate float64) string {
	return fmt.Sprintf("%.1f,%.1f", a.x(float64(games)), a.y(rate))
}

// draw draws the grid with its numbers.
func (a plotAxes) draw(out *bytes.Buffer) {
	const grid = `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>` + "\n"
	for percent := 0; percent <= 100; percent += 10 {
		y, colour := a.y(float64(percent)/100), "#ddd"
		if percent == 50 {
			colour = "#888" // even
		}
		fmt.Fprintf(out, grid, a.x(0), y, a.x(a.most), y, colour)
		fmt.Fprintf(out, `<text x="%d" y="%.1f" text-anchor="end">%d %%</text>`+"\n", plotLeft-8, y+4, percent)
	}
	step := niceStep(a.most)
	for games := 0.0; games <= a.most; games += step {
		fmt.Fprintf(out, grid, a.x(games), a.y(0), a.x(games), a.y(1), "#ddd")
		fmt.Fprintf(out, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", a.x(games), plotHeight-plotBottom+18, short(games))
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="middle">games learned from</text>`+"\n", (plotWidth+plotLeft-plotRight)/2, plotHeight-14)
}

// niceStep returns 1, 2 or 5 times a power of ten, so that there are 4 to 10 steps
// to most.
func niceStep(most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, part := range []float64{1, 0.5, 0.2, 0.1} {
		if step := power * part; most/step >= 4 {
			return step
		}
	}
	return power
}

// short writes a large number as in "2.5M".
func short(x float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if x >= unit.size {
			return fmt.Sprintf("%g%s", x/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%g", x)
}
