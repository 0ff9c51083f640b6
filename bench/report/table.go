package report

import (
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// newTable makes a table from rows.
func newTable(rows []Row) text.Table {
	t := text.Table{Header: []string{"benchmark", "unit", "old", "new", "change", "95 % interval", "sees", "n", "verdict"}}
	for i := range rows {
		row := &rows[i]
		t.Add(row.Name, row.unitText(), Figure(row.Old, row.Unit), Figure(row.New, row.Unit),
			row.change(), row.interval(), row.detectableText(), fmt.Sprint(row.Rounds), row.verdictText())
	}
	return t
}

// fitTable makes a table from rows whose names, and then units, are shortened until it fits.
func fitTable(rows []Row) text.Table {
	t := newTable(rows)
	for column, widest := range []int{60, 30} {
		cells := text.List(t.Rows, func(cells []string) string { return cells[column] })
		for most := widest; t.Width() > columns && most >= widest/4; most -= 5 {
			for i, short := range shortenNames(cells, most) {
				t.Rows[i][column] = short
			}
		}
	}
	return t
}

// shortenNames cuts names in one place so that they have a number of characters at most, and different names
// stay different. Where no cut keeps them different, the names stay whole.
func shortenNames(names []string, most int) []string {
	for _, share := range []float64{0.5, 0.25, 0.75, 0.1, 0.9} {
		head := int(share * float64(most))
		short := text.List(names, func(name string) string {
			runes := []rune(name)
			if len(runes) <= most {
				return name
			}
			return string(runes[:head]) + "…" + string(runes[len(runes)-(most-head-1):])
		})
		if countDistinct(short) == countDistinct(names) {
			return short
		}
	}
	return names
}

// change prints the relative change. A ratio to nothing, or between a few allocations, is none.
func (r *Row) change() string {
	switch {
	case r.Verdict == verdict.New:
		return ""
	case !(r.Old > 0) && r.New > 0:
		return "new"
	}
	return Percent(r.Delta)
}

// detectableText prints the smallest detectable slowdown.
func (r *Row) detectableText() string {
	switch {
	case r.Verdict == verdict.Identical || r.Verdict == verdict.NotJudged || r.Verdict == verdict.New || r.Rounds == 0 || r.Judge == verdict.ByCount:
		return ""
	case !(r.Detectable <= 10):
		return "∞"
	}
	return fmt.Sprintf("%.0f%%", math.Ceil(100*float64(r.Detectable)))
}

// verdictText is the verdict as the table has it: "~" if no difference was shown.
func (r *Row) verdictText() string {
	if r.Verdict == verdict.Undecided && r.Detectable <= verdict.MustDetect {
		return "~"
	}
	return string(r.Verdict)
}

// interval prints the change's interval in percent: "[+3.60, +23.6]". It is "" without one.
func (r *Row) interval() string {
	if math.IsNaN(float64(r.Lo)) || math.IsNaN(float64(r.Hi)) || math.IsInf(float64(r.Delta), 0) || r.Rounds == 0 {
		return ""
	}
	return "[" + percentage(float64(r.Lo)) + ", " + percentage(float64(r.Hi)) + "]"
}

// unitText is the unit, with a time's clock.
func (r *Row) unitText() string {
	if r.Clock == CPU {
		return r.Unit + ", cpu"
	}
	return r.Unit
}
