package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/tools/study"
)

// studyRows returns the rows of a study.
func studyRows(s study.Study, rows []record.Row) (own []record.Row) {
	for _, row := range record.Suite(rows, study.Suite) {
		if row.Keys["study"] != cmp.Or(s.Figure.Of, s.Name) {
			continue
		}
		if s.Figure.Of != "" {
			row.Median = row.Metrics[s.Figure.Paths[0]]
			row.Lo, row.Hi = row.Median, row.Median
		}
		own = append(own, row)
	}
	return own
}

// studyFile is the file of the chart of a study.
func studyFile(s study.Study) string { return "docs/plots/study-" + s.Name + ".svg" }

// studyCharts draws all studies with rows.
func studyCharts(rows []record.Row) (files []file) {
	for _, s := range study.List() {
		if own := studyRows(s, rows); len(own) > 0 {
			files = append(files, file{studyFile(s), studyChart(s, own).SVG()})
		}
	}
	return files
}

// studyChart has a line for each value of the key of lines.
func studyChart(s study.Study, rows []record.Row) plot.Chart {
	f := s.Figure
	chart := plot.Chart{
		Text: plot.Text{Title: s.Title, Subtitle: record.Origin(rows, ""), Label: f.Label + " over " + s.Axis},
		X:    plot.Axis{Label: s.Axis, Log: s.Log}, Y: plot.Axis{Label: f.Label, Log: !f.Most},
	}
	for _, group := range text.Groups(rows, func(row record.Row) string { return row.Keys[s.Lines] }) {
		line := plot.Line{Name: s.Lines + " " + group[0].Keys[s.Lines]}
		for _, row := range group {
			line.Points = append(line.Points, plot.Point{X: abscissa(s, row), Interval: plot.Interval{
				Middle: f.Scale * row.Median, Lo: f.Scale * row.Lo, Hi: f.Scale * row.Hi,
				Text: fmt.Sprintf("%s: %s", settings(row), text.Figure(f.Scale*row.Median))}})
		}
		slices.SortStableFunc(line.Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) })
		chart.Lines = append(chart.Lines, line)
	}
	return chart
}

// abscissa is a metric of a row or a key with a number.
func abscissa(s study.Study, row record.Row) float64 {
	if x, err := strconv.ParseFloat(row.Keys[s.X], 64); err == nil {
		return x
	}
	return row.Metrics[s.X]
}

// settings describes a row by its keys but the study.
func settings(row record.Row) string {
	_, keys, _ := strings.Cut(strings.TrimPrefix(row.Name, "Study/"), "/")
	return strings.ReplaceAll(strings.ReplaceAll(keys, "/", ", "), "=", " ")
}

// eloOf lists the Elo differences of shares of games won over games, by line; "" for other figures.
func eloOf(s study.Study, rows []record.Row) (text string) {
	if s.Figure.Unit != "wins/game" || s.X != "games" {
		return ""
	}
	for _, line := range studyChart(s, rows).Lines {
		text += "; " + line.Name + ":"
		for _, p := range line.Points {
			text += fmt.Sprintf(" %+.0f", rating.Elo(p.Middle/100))
		}
	}
	return " Elo from left to right" + strings.Replace(text, ";", ",", 1) + "."
}

// writeStudies writes each study: its chart, its best run, and the CPU time of its runs.
func writeStudies(w io.Writer, rows []record.Row) error {
	for i, s := range study.List() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		own := studyRows(s, rows)
		if len(own) == 0 {
			fmt.Fprintf(w, "### %s\n\nNot measured; `go run ./tools/records measure study %s` measures it.\n", s.Title,
				cmp.Or(s.Figure.Of, s.Name))
			continue
		}
		sign := 1.0
		if s.Figure.Most {
			sign = -1
		}
		best := slices.MinFunc(own, func(a, b record.Row) int { return cmp.Compare(sign*a.Median, sign*b.Median) })
		spent, mark := 0.0, ""
		counted := map[string]bool{} // a command may have several rows
		for _, row := range own {
			if command := row.Provenance.Command; !counted[command] {
				counted[command] = true
				spent += row.Metrics["cpu_seconds"]
			}
			if row.Stale {
				mark = stale
			}
		}
		command := "`" + s.Name + "`"
		if s.Figure.Of != "" {
			command = "the runs of `" + s.Figure.Of + "`"
		}
		note := eloOf(s, own)
		if s.Note != "" {
			note += " " + s.Note
		}
		_, err := fmt.Fprintf(w, "### %s\n\n![%s over %s](plots/study-%s.svg)\n\nBest of %d runs: %s, %s %s (%s, %.0f s)%s.%s\n",
			s.Title, s.Figure.Label, s.Axis, s.Name, len(own), settings(best), s.Figure.Label,
			text.Figure(s.Figure.Scale*best.Median), command, spent, mark, note)
		if err != nil {
			return err
		}
	}
	return nil
}
