package match

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
)

//go:embed sheet.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("sheet").Funcs(template.FuncMap{
	"tenths":  tenths,
	"percent": func(score float64) string { return fmt.Sprintf("%.1f", 100*score) },
}).Parse(pageText))

// WriteHTML writes the sheet as one HTML page that needs nothing else: ratings as a
// plot and as a table, the cross table and the pairings. The same sheet gives the same
// bytes.
func (s Sheet) WriteHTML(w io.Writer) error {
	return pageTemplate.Execute(w, struct {
		Title string
		Notes []string
		Sheet Sheet
		Chart ratingChart
		Cross []crossRow
	}{s.Title(), s.notes(), s, s.chart(), s.crossRows()})
}

// ratingChart is the plot of the ratings, a row for each player, in the units of the
// drawing.
type ratingChart struct {
	Width, Height, Bottom int
	Ticks                 []chartTick
	Rows                  []chartRow
}

type chartTick struct{ X, Label string }

type chartRow struct {
	Name, Label  string
	Low, X, High string
	Y            int
}

// chart draws the ratings.
func (s Sheet) chart() ratingChart {
	const width, rowHeight, top, margin = 880, 28, 26, 30
	longest := 0
	for _, p := range s.Players {
		longest = max(longest, len([]rune(chartName(p.Name))))
	}
	left := min(24+8*float64(longest), width/2) + margin
	low, high := s.eloRange()
	at := func(elo float64) string {
		return strconv.FormatFloat(left+(width-margin-left)*(elo-low)/(high-low), 'f', 1, 64)
	}
	c := ratingChart{Width: width, Bottom: top + rowHeight*len(s.Players)}
	c.Height = c.Bottom + 30
	step := tickStep(high - low)
	for tick := math.Ceil(low / step); tick*step <= high; tick++ {
		c.Ticks = append(c.Ticks, chartTick{at(tick * step), fmt.Sprintf("%g", tick*step)})
	}
	for i, p := range s.Players {
		c.Rows = append(c.Rows, chartRow{
			Name: chartName(p.Name), Label: fmt.Sprintf("%s: %s (%s to %s)", p.Name, tenths(p.Elo), tenths(p.EloLow), tenths(p.EloHigh)),
			Low: at(p.EloLow), X: at(p.Elo), High: at(p.EloHigh), Y: top + rowHeight*i + rowHeight/2 - 6,
		})
	}
	return c
}

// chartName shortens a name so that it leaves room for the plot. The middle of names
// like "greedy:1,2,..." and of long paths is what can be missed.
func chartName(name string) string {
	const most, end = 44, 20
	text := []rune(name)
	if len(text) <= most {
		return name
	}
	return string(text[:most-end-1]) + "…" + string(text[len(text)-end:])
}

// eloRange returns the ends of all intervals, with some room where they are close.
func (s Sheet) eloRange() (low, high float64) {
	low, high = s.Players[0].EloLow, s.Players[0].EloHigh
	for _, p := range s.Players {
		low, high = min(low, p.EloLow), max(high, p.EloHigh)
	}
	if room := 20 - (high - low); room > 0 {
		low, high = low-room/2, high+room/2
	}
	return low, high
}

// tickStep returns a round distance, of which about six to eight fit the range.
func tickStep(size float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(size/8)))
	for _, factor := range []float64{1, 2, 5} {
		if size/(step*factor) <= 8 {
			return step * factor
		}
	}
	return 10 * step
}

// crossRow is a player's line of the cross table.
type crossRow struct {
	Rank  int
	Name  string
	Cells []crossCell
}

// crossCell is a score in percent, and its colour: the greener the better.
type crossCell struct {
	Score string
	Style template.CSS
}

// crossRows returns the cross table in colours.
func (s Sheet) crossRows() (rows []crossRow) {
	for i, scores := range s.cross() {
		row := crossRow{Rank: s.Players[i].Rank, Name: s.Players[i].Name}
		for _, score := range scores {
			cell := crossCell{Score: score}
			if percent, err := strconv.ParseFloat(score, 64); err == nil {
				rgb := "46,160,67"
				if percent < 50 {
					rgb = "218,54,51"
				}
				cell.Style = template.CSS(fmt.Sprintf("background: rgba(%s,%.2f)", rgb, math.Abs(percent-50)/100))
			}
			row.Cells = append(row.Cells, cell)
		}
		rows = append(rows, row)
	}
	return rows
}
