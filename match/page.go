package match

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/plot"
)

//go:embed sheet.html.tmpl
var pageText string

var sheetPage = plot.NewPage(pageText, template.FuncMap{
	"tenths":  tenths,
	"shade":   shade,
	"points":  func(half int64) string { return strconv.FormatFloat(float64(half)/2, 'f', -1, 64) },
	"percent": func(score float64) string { return fmt.Sprintf("%.1f", 100*score) },
})

// WriteHTML writes the sheet as one self-contained HTML page: ratings as a plot and as a table,
// the cross table and the pairings. The same sheet gives the same bytes.
func (s Sheet) WriteHTML(w io.Writer) error {
	return sheetPage.Write(w, struct {
		Title string
		Notes []string
		Sheet Sheet
		Chart template.HTML
		Cross [][]string
	}{s.title(), s.notes(), s, plot.HTML(s.chart()), s.cross()})
}

// chart draws the ratings, a row for each player.
func (s Sheet) chart() []byte {
	chart := plot.Rows{
		Text:   plot.Text{Title: "Ratings", Caption: "Elo, with 95 % confidence intervals.", Label: "Elo of the players, with 95 % confidence intervals"},
		Panels: []plot.Axis{{Label: "Elo"}},
	}
	for _, p := range s.Players {
		elo := plot.Interval{Middle: p.Elo, Lo: p.EloLow, Hi: p.EloHigh, Text: tenths(p.Elo)}
		chart.Rows = append(chart.Rows, plot.Row{Name: chartName(p.Name), Values: []plot.Interval{elo}})
	}
	return chart.SVG(false)
}

// chartName shortens a name to leave room for the plot. It cuts the middle, the least useful
// part of names like "greedy:1,2,..." and of long paths.
func chartName(name string) string {
	const most, end = 44, 20
	text := []rune(name)
	if len(text) <= most {
		return name
	}
	return string(text[:most-end-1]) + "…" + string(text[len(text)-end:])
}

// shade returns the colour of a score in percent: the greener the better.
func shade(score string) template.CSS {
	percent, err := strconv.ParseFloat(score, 64)
	if err != nil {
		return ""
	}
	rgb := "46,160,67"
	if percent < 50 {
		rgb = "218,54,51"
	}
	return template.CSS(fmt.Sprintf("background: rgba(%s,%.2f)", rgb, math.Abs(percent-50)/100))
}
