package train

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/plot"
)

// WriteSVG draws the curve: the share of games won against each rival over the games learned
// from, with the 95 % confidence interval as a band; or the regret, if measured. The origin of
// the curve, such as the command, is below the title.
func (c Curve) WriteSVG(w io.Writer, from string) error {
	if c.hasRegret() {
		_, err := w.Write(regretCurves{Title: from, Curves: []namedCurve{{"regret", c}}}.SVG())
		return err
	}
	curves := plot.Curves{
		Text: plot.Text{
			Title: "Strength as it grows while learning", Subtitle: from,
			Caption: "Bands are 95 % intervals. The dashed line is that of equals.",
			Label:   "Share of games won against each rival over the games learned from.",
		},
		XAxis: "games learned from", Y: "games won, %", Reference: 50,
	}
	for i := range c.rivals() {
		curves.Curves = append(curves.Curves, c.against(i))
	}
	_, err := w.Write(curves.SVG(true))
	return err
}

// rivals returns the number of rivals shared by all points.
func (c Curve) rivals() int {
	n := 0
	for i, p := range c {
		if i == 0 || len(p.Scores) < n {
			n = len(p.Scores)
		}
	}
	return n
}

// against returns the scores against one rival, in percent.
func (c Curve) against(rival int) plot.Curve {
	last := c[len(c)-1].Scores[rival]
	curve := plot.Curve{Name: fmt.Sprintf("%.1f %% %s", 100*last.Rate(), last.Rival)}
	for _, p := range c {
		low, high := p.Scores[rival].Interval()
		rate := plot.Interval{Middle: 100 * p.Scores[rival].Rate(), Lo: 100 * low, Hi: 100 * high, Text: p.Scores[rival].String()}
		curve.Points = append(curve.Points, plot.Point{X: float64(p.Games), Y: rate})
	}
	return curve
}
