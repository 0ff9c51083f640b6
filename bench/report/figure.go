package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Significant rounds to five significant digits: no machine is more stable. Infinities and NaN
// become 0, since JSON has neither.
func Significant(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// Percent prints a relative change with its sign: "+2.50%". It is "" for NaN.
func Percent[N ~float64](x N) string {
	switch {
	case math.IsNaN(float64(x)):
		return ""
	case x > 1e6:
		return "+∞"
	case x >= 100:
		return fmt.Sprintf("×%.0f", 1+float64(x))
	case x <= -1:
		return "-100%"
	}
	return text.Percent(float64(x))
}

// scales are the prefixes for times.
var scales = []struct {
	factor float64
	unit   string
}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}

// Figure prints a figure in a tidied unit: "1.21 µs" for sec/op, "2,500" for B/op. It is "" for NaN.
func Figure[N ~float64](figure N, unit string) string {
	x := float64(figure)
	if math.IsNaN(x) {
		return ""
	}
	if !strings.HasPrefix(unit, "sec/") {
		return text.GroupedFigure(x)
	}
	for _, scale := range scales {
		if x >= scale.factor {
			return text.Figure(x/scale.factor) + " " + scale.unit
		}
	}
	return text.Figure(x*1e9) + " ns"
}

// IntervalText prints a figure with its interval: "0.250 [0.240–0.260]".
func IntervalText(figure, lo, hi float64) string {
	return text.Figure(figure) + " [" + text.Figure(lo) + "–" + text.Figure(hi) + "]"
}
