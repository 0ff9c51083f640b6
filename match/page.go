package match

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"sync"
)

//go:embed sheet.html.tmpl
var pageText string

var sheetPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"tenths":  formatTenths,
		"shade":   shadeScore,
		"points":  func(half int64) string { return strconv.FormatFloat(float64(half)/2, 'f', -1, 64) },
		"percent": func(score float64) string { return fmt.Sprintf("%.1f", 100*score) },
	}).Parse(pageText))
})

// WriteHTML writes the sheet as one HTML page, which needs no network and no script: ratings, the cross
// table and the pairings. The same sheet gives the same bytes.
func (s Sheet) WriteHTML(w io.Writer) error {
	return sheetPage().Execute(w, struct {
		Title string
		Notes []string
		Sheet Sheet
		Cross [][]string
	}{s.title(), s.footnotes(), s, s.crossTable()})
}

// shadeScore returns the colour for a score in percent: the greener the better.
func shadeScore(score string) template.CSS {
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
