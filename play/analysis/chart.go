package analysis

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// chart is the probability over the game.
func (a *Game) chart() plot.Chart {
	caption := "Light's chance to win after each turn. The dashed line is that of equals."
	if turning := a.TurningWords(); turning != "" {
		caption += " It turned most in " + turning + "."
	}
	wins := []float64{0.5}
	if len(a.Moves) > 0 {
		wins[0] = a.Moves[0].WinBefore // Light begins
	}
	line := plot.Line{Name: "Light"}
	for i, w := range append(wins, a.Light()...) {
		line.Points = append(line.Points, plot.Point{X: float64(i), Interval: plot.Exactly(100*w, fmt.Sprintf("%.0f %%", 100*w))})
	}
	return plot.Chart{
		Text: plot.Text{
			Title:    a.Title(),
			Subtitle: fmt.Sprintf("judged by %s; result: %s", a.ByWords(), a.Result),
			Caption:  caption,
			Label:    "Light's chance to win over the turns of the game.",
		},
		X: plot.Axis{Label: "turn"}, Y: plot.Axis{Label: "chance of Light, %", Reference: 50, Top: 100},
		Lines: []plot.Line{line},
	}
}

// Title returns the players, safe to print, as in "brain (light) against human (dark)".
func (a *Game) Title() string {
	return fmt.Sprintf("%s (light) against %s (dark)", a.name(0), a.name(1))
}

// name returns the name of a player, or a placeholder.
func (a *Game) name(side int) string {
	if a.Players[side].Name == "" {
		return "somebody"
	}
	return text.Plain(a.Players[side].Name)
}

// ByWords describes the method that judged the game.
func (a *Game) ByWords() string { return byWords(a.By) }

func byWords(by string) string {
	if by == "table" {
		return "the exact solution"
	}
	return "search by the built-in net"
}

// ByWords describes the methods that judged games, given the number judged by the
// exact solution and by search.
func ByWords(table, search int) string {
	switch {
	case search == 0:
		return byWords("table")
	case table == 0:
		return byWords("search")
	}
	return fmt.Sprintf("%s (%s) and by %s (%d)", byWords("table"), text.Plural(table, "game"), byWords("search"), search)
}

// TurningWords lists the turning points in their order, as in "turns 14, 29" or "turn 8", or
// returns "".
func (a *Game) TurningWords() string {
	if len(a.Turning) == 0 {
		return ""
	}
	words := "turns "
	if len(a.Turning) == 1 {
		words = "turn "
	}
	return words + strings.Join(text.List(slices.Sorted(slices.Values(a.Turning)), strconv.Itoa), ", ")
}

// WriteSVG draws the probability over the game. The same game gives the same bytes.
func (a *Game) WriteSVG(w io.Writer) error {
	_, err := w.Write(a.chart().SVG())
	return err
}

// Sign returns a mark's annotation sign: "?!", "?" or "??", or "".
func Sign(mark string) string {
	return map[string]string{"inaccuracy": "?!", "mistake": "?", "blunder": "??"}[mark]
}
