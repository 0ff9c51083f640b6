package train

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/plot"
)

// namedCurve is a learning curve with its name.
type namedCurve struct {
	Name  string
	Curve Curve
}

// regretCurves are curves of regret side by side, on a log axis.
type regretCurves struct {
	Title  string
	Unit   string // what is counted; "" means moves or games, as it may be
	Curves []namedCurve
}

// maxPlaces is how many places the drawing has along its axis.
const maxPlaces = 12

// SVG draws the curves at places equidistant in the logarithm of the amount of learning. A
// curve without a measurement near a place has no point there.
func (r regretCurves) SVG() []byte {
	lines := plot.Lines{
		Text:  plot.Text{Title: r.Title, Caption: "Regret in percentage points a decision of perfect play, on a log axis.", Label: "Regret as it falls while learning."},
		XAxis: "learned from", Y: "regret, points", Log: true,
	}
	if r.Unit != "" {
		lines.XAxis = r.Unit + " learned from"
	}
	places := r.places()
	for _, place := range places {
		lines.X = append(lines.X, short(float64(place)))
	}
	for _, c := range r.Curves {
		line := plot.Line{Name: c.Name, Values: make([]plot.Interval, len(places))}
		for i, place := range places {
			if regret, ok := c.Curve.regretNear(place); ok {
				line.Values[i] = plot.Interval{Middle: regret, Lo: regret, Hi: regret, Text: fmt.Sprintf("%.3f", regret)}
			}
		}
		lines.Lines = append(lines.Lines, line)
	}
	return lines.SVG(true)
}

// places returns numbers with one digit, 1, 2 and 5 times powers of ten, up to the longest
// curve: the last of them.
func (r regretCurves) places() []int64 {
	most := int64(0)
	for _, c := range r.Curves {
		if last, ok := c.Curve.Last(); ok {
			most = max(most, last.Games)
		}
	}
	var places []int64
	for power := int64(1); power <= most && power < 1<<60; power *= 10 {
		for _, digit := range []int64{1, 2, 5} {
			if digit*power <= most {
				places = append(places, digit*power)
			}
		}
	}
	return places[max(0, len(places)-maxPlaces):]
}

// regretNear returns the regret of the last point up to a place, if it is not far before it.
func (c Curve) regretNear(place int64) (float64, bool) {
	i, _ := slices.BinarySearchFunc(c, place+1, func(p Point, n int64) int { return int(min(1, max(-1, p.Games-n))) })
	if i == 0 || c[i-1].Regret == nil || c[i-1].Games < place/2 {
		return 0, false
	}
	return *c[i-1].Regret, true
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
