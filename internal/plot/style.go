package plot

import (
	"fmt"
	"sync"
)

// styleSheet is the style sheet of every drawing. A page that holds drawings has it once.
// No variables are used: renderers that are not browsers do not know them.
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
		series: [seriesColours]string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#b58100", "#cf222e", "#1b7c83", "#bf3989"},
	}
	dark = colours{
		paper: "#0d1117", ink: "#e6edf3", muted: "#9198a1", faint: "#3d444d", grid: "#21262d",
		series: [seriesColours]string{"#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#e3b341", "#ff7b72", "#39c5cf", "#f778ba"},
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
.ur-plot .strong { font-weight: 600 }
.ur-plot .grid, .ur-plot .minor, .ur-plot .axis { stroke-width: 1 }
.ur-plot .reference { stroke-width: 1; stroke-dasharray: 4 3; fill: none }
.ur-plot .series { stroke-width: 1.8; stroke-linejoin: round; fill: none }
.ur-plot .dashed { stroke-dasharray: 6 3 }
.ur-plot .bar { stroke-width: 1.8 }
.ur-plot .leader { stroke-width: 0.8; stroke-opacity: 0.6 }
.ur-plot .ring { stroke-width: 1 }
`
