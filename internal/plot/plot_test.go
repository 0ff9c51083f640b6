package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"pgregory.net/rapid"
)

func about(title string) Text {
	return Text{Title: title, Subtitle: "a machine & its <load>", Caption: strings.Repeat("How to read it. ", 20),
		Label: `"label"`}
}

func exampleChart() Chart {
	return Chart{
		Text: about("Chart"), X: Axis{Label: "workers"}, Y: Axis{Label: "games/s"},
		Lines: []Line{
			{Name: "one",
				Points: []Point{{1, Interval{1, 0.9, 1.1, "1"}}, {2, Interval{1.9, 1.8, 2, "1.9"}},
					{4, Interval{3.5, 3, 3.9, "3.5"}}}},
			{Name: "two", Points: []Point{{1, Interval{1.1, 1, 1.2, "1.1"}}, {4, Interval{3.6, 3.5, 3.7, "3.6"}}}},
			{Name: strings.Repeat("begins <late> ", 9), Points: []Point{{4, Exactly(3.55, "3.55")}}},
			{Name: "nothing yet"},
		},
	}
}

// exampleBand is a line of many points, over names.
func exampleBand() Chart {
	chart := Chart{Text: about("Band"), Y: Axis{Label: "won, %", Reference: 50, Top: 100},
		Lines: []Line{{Name: "random"}}}
	for i := range 2 * mostDots {
		chart.X.Names = append(chart.X.Names, fmt.Sprint("commit", i))
		x := float64(i) / 2
		chart.Lines[0].Points = append(chart.Lines[0].Points, Point{float64(i), Interval{x, x - 2, x + 3, "won"}})
	}
	return chart
}

func exampleTree() Tree {
	return Tree{
		Text: about("Tree"),
		Nodes: []Node{
			{0, 0.5, 0, 1, 0.5, "the first", ""}, {0, 0, 0.25, 0.5, 0, "loses & <ends>", "1: 0/2"},
			{0, 0.75, 0.5, 0.25, 1, "wins", ""}, {2, 1, 1, 0, 0.75, "the last", "<3>"},
		},
	}
}

func exampleMatrix() Matrix {
	return Matrix{Text: about("Matrix"), Names: []string{"A4", "<B1>", "hand"},
		At: func(row, column int) int { return []int{4, -1, 0, 2, 0, -4}[row*(row+1)/2+column] }}
}

func exampleTiles() Tiles {
	return Tiles{Text: about("Tiles"), Tiles: []Tile{{0, 0, "1", "A1", false}, {1, 1, "<8>", "B4", true}}}
}

func TestGolden(t *testing.T) {
	log := exampleChart()
	log.X.Log, log.Y.Log = true, true
	for name, svg := range map[string][]byte{
		"chart.svg": exampleChart().SVG(), "log.svg": log.SVG(), "band.svg": exampleBand().SVG(),
		"tree.svg": exampleTree().SVG(), "matrix.svg": exampleMatrix().SVG(),
		"tiles.svg": exampleTiles().SVG(),
	} {
		testkit.Golden(t, name, svg)
	}
	page := string(Page("A <brain>", exampleMatrix().SVG()))
	testkit.WantText(t, page, "<title>A &lt;brain&gt;</title>\n<svg", "</svg>\n</html>\n")
}

// The style uses nothing that renderers other than browsers do not know.
func TestStyle(t *testing.T) {
	svg := string(exampleChart().SVG())
	testkit.ErrorIf(t, !strings.Contains(svg, "prefers-color-scheme: dark") ||
		strings.Contains(svg, "font-family: ui") || strings.Contains(svg, "var("), "the style of\n%s", svg)
}

// box is the place that a text takes.
type box struct {
	text                     string
	left, right, top, bottom float64
}

// boxes reads the horizontal texts of a drawing, which must be well-formed.
func boxes(t testkit.T, svg []byte) []box {
	var found []box
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		testkit.NoError(t, err)
		element, ok := token.(xml.StartElement)
		if !ok || element.Name.Local != "text" {
			continue
		}
		attributes := make(map[string]string)
		for _, a := range element.Attr {
			attributes[a.Name.Local] = a.Value
		}
		var text string
		testkit.NoError(t, decoder.DecodeElement(&text, &element))
		if attributes["transform"] != "" || text == "" {
			continue
		}
		x := testkit.Must(strconv.ParseFloat(attributes["x"], 64))(t)
		y := testkit.Must(strconv.ParseFloat(attributes["y"], 64))(t)
		size := 12.0
		switch {
		case strings.Contains(attributes["class"], "title"):
			size = 16
		case strings.Contains(attributes["class"], "small"):
			size = 11
		}
		wide := textWidth(text, size) / 1.1 // without what is to spare
		left := x
		switch attributes["text-anchor"] {
		case "middle":
			left = x - wide/2
		case "end":
			left = x - wide
		}
		found = append(found, box{text, left, left + wide, y - 0.75*size, y + 0.2*size})
	}
}

// checkBoxes fails when texts overlap or leave the drawing.
func checkBoxes(t testkit.T, svg []byte) {
	all := boxes(t, svg)
	for i, a := range all {
		testkit.ErrorIf(t, a.left < 0 || a.right > width,
			"%q leaves the drawing: %.0f to %.0f", a.text, a.left, a.right)
		for _, b := range all[:i] {
			testkit.ErrorIf(t, a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
				"%q and %q overlap", a.text, b.text)
		}
	}
}

func TestTextsDoNotOverlap(t *testing.T) {
	for _, drawing := range []interface{ SVG() []byte }{exampleChart(), exampleBand(), exampleTree(), exampleMatrix(), exampleTiles()} {
		checkBoxes(t, drawing.SVG())
	}
}

func TestClipped(t *testing.T) {
	for text, want := range map[string]string{"": "", "short": "short",
		strings.Repeat("é", 40): strings.Repeat("é", 12) + "…"} {
		testkit.Equal(t, clipText(text, textSize, 100), want, "%q becomes", text)
	}
}

func TestShade(t *testing.T) {
	for x, want := range map[float64]string{-1: "#d55e00", 0: "#d55e00", 0.5: "#a5a5a5", 0.75: "#538cac",
		1: "#0072b2", 9: "#0072b2"} {
		testkit.Equal(t, shadeColour(x), want, "shade %v", x)
	}
}

// Whatever is measured, the drawing is well-formed, has no number that is none, and no two texts overlap.
func TestAnyFigures(t *testing.T) {
	interval := rapid.Custom(func(t *rapid.T) Interval {
		if rapid.IntRange(0, 9).Draw(t, "missing") == 0 {
			return Interval{}
		}
		x := math.Pow(10, rapid.Float64Range(-3, 6).Draw(t, "magnitude"))
		return Interval{x, x * rapid.Float64Range(0.5, 1).Draw(t, "lo"), x * rapid.Float64Range(1, 2).Draw(t, "hi"),
			fmt.Sprintf("%.3g", x)}
	})
	name := rapid.StringMatching(`[a-z0-9]{1,8}/[a-z0-9<&"-]{1,12}`)
	rapid.Check(t, func(t *rapid.T) {
		axis := func(label string) Axis {
			return Axis{Label: label, Log: rapid.Bool().Draw(t, "log"),
				Reference: rapid.SampledFrom([]float64{0, 0.5, 9}).Draw(t, "reference")}
		}
		chart := Chart{Text: about("Any"), X: axis("x"), Y: axis("y")}
		for range rapid.IntRange(1, 18).Draw(t, "series") {
			line := Line{Name: name.Draw(t, "name")}
			for _, v := range rapid.SliceOfN(interval, 0, 14).Draw(t, "values") {
				line.Points = append(line.Points, Point{float64(rapid.IntRange(0, 1e7).Draw(t, "x")), v})
			}
			chart.Lines = append(chart.Lines, line)
		}
		svg := chart.SVG()
		checkBoxes(t, svg)
		testkit.ErrorIf(t, bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")),
			"the drawing has a number that is none:\n%s", svg)
	})
}

func TestTicks(t *testing.T) {
	labels := func(ticks []tick) string {
		var all []string
		for _, t := range ticks {
			if t.label != "" {
				all = append(all, t.label)
			}
		}
		return strings.Join(all, " ")
	}
	for _, test := range []struct {
		numbers []float64
		log     bool
		want    string
	}{
		{[]float64{0.368, 323}, true, "1 10 100"},
		{[]float64{8, 800}, true, "10 20 50 100 200 500"},
		{[]float64{1, 1}, true, "1 2"},
		{[]float64{1000, 2e6}, true, "1,000 10,000 100,000 1,000,000"},
		{[]float64{0.0002, 0.0004}, true, "0.0002"},
		{[]float64{2.7, 10.4}, false, "0 2 4 6 8 10 12"},
		{[]float64{0.03}, false, "0 0.005 0.01 0.015 0.02 0.025 0.03"},
		{[]float64{1e6}, false, "0 200,000 400,000 600,000 800,000 1,000,000"},
		{[]float64{0}, false, "0 0.2 0.4 0.6 0.8 1"},
		{[]float64{-12, 31}, false, "-20 -10 0 10 20 30 40"},
		{nil, true, "1 2 5 10"},
	} {
		s := Axis{Log: test.log}.newScale(test.numbers, 0, 320)
		testkit.Equal(t, labels(s.ticks), test.want, "ticks of %v", test.numbers)
		for _, x := range test.numbers {
			at := s.at(x)
			testkit.ErrorIf(t, at < 0 || at > 320, "%v of %v is at %v, outside of the axis", x, test.numbers, at)
		}
	}
}
