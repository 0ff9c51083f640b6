package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"

	"pgregory.net/rapid"
)

func about(title string) Text {
	return Text{Title: title, Subtitle: "a machine & its <load>", Caption: strings.Repeat("How to read it. ", 20), Label: `"label"`}
}

func exampleDots() Dots {
	return Dots{
		Text:   about("Dots"),
		Rows:   []Row{{"array16/scalar", 0, "baseline"}, {"a<b>&c", 1, "×12.3"}, {"lanes/avx512", 2, "×879"}},
		Groups: []string{"plain", "AVX2", "AVX-512"},
		Panels: []Panel{
			{"ns/eval", []Interval{{788, 786, 790, "788"}, {9.5, 9.1, 12, "9.50"}, {8.1, 8.1, 8.1, "8.10"}}, 788, false},
			{"us/game", []Interval{{323, 320, 325, "323"}, {}, {0.368, 0.36, 0.37, "0.368"}}, 323, false},
		},
	}
}

func exampleLines() Lines {
	return Lines{
		Text: about("Lines"), X: []string{"1", "2", "4"}, XAxis: "workers", Y: "games/s",
		Lines: []Line{
			{Name: "one", Values: []Interval{{1, 0.9, 1.1, "1"}, {1.9, 1.8, 2, "1.9"}, {3.5, 3, 3.9, "3.5"}}},
			{Name: "two", Values: []Interval{{1.1, 1, 1.2, "1.1"}, {}, {3.6, 3.5, 3.7, "3.6"}}},
			{Name: "begins late", Values: []Interval{{}, {}, {3.55, 3.5, 3.6, "3.55"}}},
			{Name: "ideal", Reference: true, Values: []Interval{{1, 1, 1, ""}, {2, 2, 2, ""}, {4, 4, 4, ""}}},
		},
	}
}

func exampleCurves() Curves {
	return Curves{
		Text: about("Curves"), XAxis: "games", Y: "won, %", Reference: 50,
		Curves: []Curve{
			{"random", []Point{{0, Interval{20, 13, 29, "20"}}, {2500, Interval{90, 83, 94, "90.0 %"}}}},
			{"<a>&b", []Point{{0, Interval{0, 0, 4, "0"}}, {1000, Interval{30, 25, 35, "30"}}, {2500, Interval{50, 40, 60, "50.0 %"}}}},
			{strings.Repeat("a long name ", 9), []Point{{2000, Interval{60, 55, 65, "60"}}}},
			{"nothing yet", nil},
		},
	}
}

func exampleTree() Tree {
	return Tree{
		Text: about("Tree"),
		Nodes: []Node{
			{0, 0.5, 0, 1, 0.5, "the first"}, {0, 0, 0.25, 0.5, 0, "loses & <ends>"}, {0, 0.75, 0.5, 0.25, 1, "wins"}, {2, 1, 1, 0, 0.75, "the last"},
		},
	}
}

func TestGolden(t *testing.T) {
	log := exampleLines()
	log.Log, log.At = true, []float64{0, 1, 3}
	log.Lines[1].Bridges = true
	for name, svg := range map[string][]byte{
		"dots.svg":  exampleDots().SVG(true),
		"lines.svg": exampleLines().SVG(true),
		"log.svg":   log.SVG(false),

		"curves.svg": exampleCurves().SVG(false),
		"tree.svg":   exampleTree().SVG(false),
	} {
		file := filepath.Join("testdata", name)
		if *testkit.Update {
			if err := os.WriteFile(file, svg, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(svg, want) {
			t.Errorf("%s: got\n%s\n(\"go test ./bench/internal/plot -update\" accepts it)", file, svg)
		}
	}
}

// A drawing without its style needs a page that has it, and says so by its class.
func TestStyleIsOnlyInFiles(t *testing.T) {
	with, without := string(exampleDots().SVG(true)), string(exampleDots().SVG(false))
	if !strings.Contains(with, "prefers-color-scheme: dark") || strings.Contains(without, "<style>") {
		t.Error("the style is not where it belongs")
	}
	if strings.Contains(with, "font-family: ui") || strings.Contains(with, "var(") {
		t.Error("the style uses what renderers other than browsers do not know")
	}
}

// box is the place that a text takes.
type box struct {
	text                     string
	left, right, top, bottom float64
}

// boxes reads the horizontal texts of a drawing, which must be well-formed.
func boxes(t interface{ Fatal(...any) }, svg []byte) []box {
	var found []box
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		element, ok := token.(xml.StartElement)
		if !ok || element.Name.Local != "text" {
			continue
		}
		attributes := make(map[string]string)
		for _, a := range element.Attr {
			attributes[a.Name.Local] = a.Value
		}
		var text string
		if err := decoder.DecodeElement(&text, &element); err != nil {
			t.Fatal(err)
		}
		if attributes["transform"] != "" || text == "" {
			continue
		}
		x, errX := strconv.ParseFloat(attributes["x"], 64)
		y, errY := strconv.ParseFloat(attributes["y"], 64)
		if errX != nil || errY != nil {
			t.Fatal(errX, errY)
		}
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
func checkBoxes(t interface {
	Fatal(...any)
	Errorf(string, ...any)
}, svg []byte) {
	all := boxes(t, svg)
	for i, a := range all {
		if a.left < 0 || a.right > width {
			t.Errorf("%q leaves the drawing: %.0f to %.0f", a.text, a.left, a.right)
		}
		for _, b := range all[:i] {
			if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
				t.Errorf("%q and %q overlap", a.text, b.text)
			}
		}
	}
}

func TestTextsDoNotOverlap(t *testing.T) {
	checkBoxes(t, exampleDots().SVG(true))
	checkBoxes(t, exampleLines().SVG(true))
	checkBoxes(t, exampleCurves().SVG(true))
	checkBoxes(t, exampleTree().SVG(true))
}

func TestClipped(t *testing.T) {
	for text, want := range map[string]string{"": "", "short": "short", strings.Repeat("é", 40): strings.Repeat("é", 12) + "…"} {
		if got := clipped(text, textSize, 100); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestShade(t *testing.T) {
	for x, want := range map[float64]string{-1: "#d55e00", 0: "#d55e00", 0.5: "#a5a5a5", 0.75: "#538cac", 1: "#0072b2", 9: "#0072b2"} {
		if got := Shade(x); got != want {
			t.Errorf("shade %v is %s, want %s", x, got, want)
		}
	}
}

// Whatever is measured, the drawing is well-formed, has no number that is none, and
// no two texts overlap.
func TestAnyFigures(t *testing.T) {
	interval := rapid.Custom(func(t *rapid.T) Interval {
		if rapid.IntRange(0, 9).Draw(t, "missing") == 0 {
			return Interval{}
		}
		x := math.Pow(10, rapid.Float64Range(-3, 6).Draw(t, "magnitude"))
		return Interval{x, x * rapid.Float64Range(0.5, 1).Draw(t, "lo"), x * rapid.Float64Range(1, 2).Draw(t, "hi"), fmt.Sprintf("%.3g", x)}
	})
	name := rapid.StringMatching(`[a-z0-9]{1,8}/[a-z0-9<&"-]{1,12}`)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "places")
		lines := Lines{Text: about("Any"), XAxis: "x", Y: "y", Log: rapid.Bool().Draw(t, "log")}
		for i := range n {
			lines.X = append(lines.X, fmt.Sprint("commit", i))
		}
		if rapid.Bool().Draw(t, "apart") {
			lines.At = rapid.SliceOfN(rapid.Float64Range(-9, 1e6), n, n).Draw(t, "at")
			slices.Sort(lines.At)
		}
		dots := Dots{Text: about("Any"), Groups: []string{"one", "two"}, Panels: []Panel{{Label: "a"}, {Label: "b"}}}
		for i := range rapid.IntRange(1, 18).Draw(t, "series") {
			lines.Lines = append(lines.Lines, Line{Name: name.Draw(t, "name"), Bridges: i%2 == 0, Values: rapid.SliceOfN(interval, n, n).Draw(t, "values")})
			dots.Rows = append(dots.Rows, Row{name.Draw(t, "row"), i, "×12.3"})
			for k := range dots.Panels {
				dots.Panels[k].Values = append(dots.Panels[k].Values, interval.Draw(t, "value"))
			}
		}
		curves := Curves{Text: about("Any"), XAxis: "x", Y: "y"}
		for _, line := range lines.Lines {
			curve := Curve{Name: line.Name}
			for _, v := range line.Values {
				curve.Points = append(curve.Points, Point{float64(rapid.IntRange(0, 1e7).Draw(t, "x")), v})
			}
			curves.Curves = append(curves.Curves, curve)
		}
		for _, svg := range [][]byte{lines.SVG(true), dots.SVG(true), curves.SVG(true)} {
			checkBoxes(t, svg)
			if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("the drawing has a number that is none:\n%s", svg)
			}
		}
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
		{nil, true, "1 2 5 10"},
	} {
		s, ticks := newScale(test.numbers, test.log, 0, 320)
		if got := labels(ticks); got != test.want {
			t.Errorf("ticks of %v: %s, want %s", test.numbers, got, test.want)
		}
		for _, x := range test.numbers {
			if at := s.at(x); at < 0 || at > 320 {
				t.Errorf("%v of %v is at %v, outside of the axis", x, test.numbers, at)
			}
		}
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct{ wanted, want []float64 }{
		{nil, []float64{}},
		{[]float64{50}, []float64{50}},
		{[]float64{20, 50}, []float64{20, 50}},
		{[]float64{50, 50}, []float64{45, 55}},
		{[]float64{50, 52, 54}, []float64{42, 52, 62}},
		{[]float64{0, 0, 50}, []float64{0, 10, 50}},
		{[]float64{99, 99}, []float64{90, 100}},
		{[]float64{40, 50, 51, 60}, []float64{35.25, 45.25, 55.25, 65.25}},
	} {
		if got := spread(test.wanted, 10, 0, 100); !slices.Equal(got, test.want) {
			t.Errorf("%v becomes %v, want %v", test.wanted, got, test.want)
		}
	}
}

// A span holds its numbers, of any sign, with three to eight ticks.
func TestSpan(t *testing.T) {
	for size := 0.01; size < 1e5; size *= 1.3 {
		for _, lo := range []float64{-3 * size, -size / 2, 0, 7 * size} {
			s, ticks := newSpan([]float64{lo, lo + size/3, lo + size}, 100, 500)
			if s.at(lo) < 100 || s.at(lo+size) > 500 || len(ticks) < 3 || len(ticks) > 8 {
				t.Errorf("%v to %v: from %v to %v, %d ticks", lo, lo+size, s.at(lo), s.at(lo+size), len(ticks))
			}
		}
	}
	if _, ticks := newSpan(nil, 0, 1); len(ticks) < 3 {
		t.Errorf("%d ticks of nothing", len(ticks))
	}
}
