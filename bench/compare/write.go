package compare

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Formats are the formats of [Comparison.Write].
func Formats() []string { return []string{"text", "markdown", "csv", "json", "html"} }

// Write writes the comparison in one of [Formats].
func (c *Comparison) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return c.writeText(w)
	case "markdown":
		return c.writeMarkdown(w)
	case "csv":
		return c.writeCSV(w)
	case "json":
		return c.writeJSON(w)
	case "html":
		return c.writeHTML(w)
	}
	return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(Formats(), ", "))
}

// writeText writes tables for a terminal.
func (c *Comparison) writeText(w io.Writer) error {
	out := &text.Writer{To: w}
	for i, t := range c.Tables {
		for _, line := range c.changedConfiguration(i) {
			fmt.Fprintf(out, "%s: %s\n", line.Key, line.Value)
		}
		fmt.Fprintln(out)
		t.text(c.Sides).WriteText(out)
	}
	fmt.Fprintf(out, "\n%s\n", c.legend())
	for _, note := range c.Notes {
		fmt.Fprintf(out, "%s.\n", note)
	}
	return out.Err
}

// writeMarkdown writes tables of GitHub's markdown.
func (c *Comparison) writeMarkdown(w io.Writer) error {
	out := &text.Writer{To: w}
	for i, t := range c.Tables {
		for _, line := range c.changedConfiguration(i) {
			fmt.Fprintf(out, "- %s: %s\n", line.Key, text.Markdown(line.Value))
		}
		if len(c.changedConfiguration(i)) > 0 {
			fmt.Fprintln(out)
		}
		t.text(c.Sides).WriteMarkdown(out)
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, c.legend())
	for _, note := range c.Notes {
		fmt.Fprintf(out, "\n%s.\n", note)
	}
	return out.Err
}

// comparisonJSON is the object of the format json.
type comparisonJSON struct {
	Schema string      `json:"schema"` // ur.compare/1
	Sides  []Side      `json:"sides"`  // the compared files
	Tables []tableJSON `json:"tables"` // one for each configuration and unit
	Notes  []string    `json:"notes,omitempty"`

	Tested   int      `json:"tested"`    // changes that could be significant by chance
	ByChance *float64 `json:"by_chance"` // significant changes for the worse to expect by chance; null if unknown
}

type tableJSON struct {
	Configuration map[string]string `json:"configuration"` // values that the rows share
	Unit          string            `json:"unit"`
	Better        string            `json:"better,omitempty"`   // better direction: lower or higher, if known
	Exact         bool              `json:"exact,omitempty"`    // whether samples have no noise
	Paired        bool              `json:"paired,omitempty"`   // whether sample k of all sides was taken side by side
	Rows          []rowJSON         `json:"rows"`               // one for each benchmark
	Common        int               `json:"common"`             // rows behind the means
	Geomeans      []*float64        `json:"geomeans,omitempty"` // by side
}

type rowJSON struct {
	Name  string      `json:"name"`
	Sides []*cellJSON `json:"sides"` // null where a side lacks the benchmark
}

// cellJSON has null for values missing for lack of samples. Changes are relative to the first
// side: 0.05 is 5 % more.
type cellJSON struct {
	Samples []float64 `json:"samples"`
	Center  float64   `json:"center"` // center of the samples
	Lo      *float64  `json:"lo"`
	Hi      *float64  `json:"hi"`

	Delta       *float64 `json:"delta,omitempty"`
	DeltaLo     *float64 `json:"delta_lo,omitempty"`
	DeltaHi     *float64 `json:"delta_hi,omitempty"`
	P           *float64 `json:"p,omitempty"`
	Significant *bool    `json:"significant,omitempty"` // whether the change is significant
}

// writeJSON writes one object on one line.
func (c *Comparison) writeJSON(w io.Writer) error {
	out := comparisonJSON{Schema: "ur.compare/1", Sides: c.Sides, Tables: []tableJSON{}, Notes: c.Notes,
		Tested: c.Tested, ByChance: finite(c.expectedByChance())}
	for _, t := range c.Tables {
		out.Tables = append(out.Tables, t.json())
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

func (t Table) json() tableJSON {
	out := tableJSON{
		Configuration: make(map[string]string),
		Unit:          t.Unit,
		Better:        betterName(t.Better),
		Exact:         t.Exact,
		Paired:        t.Paired,
		Common:        t.Common,
	}
	for _, line := range t.configuration {
		out.Configuration[line.Key] = line.Value
	}
	for _, row := range t.Rows {
		r := rowJSON{Name: row.Name}
		for _, cell := range row.Cells {
			r.Sides = append(r.Sides, cell.json())
		}
		out.Rows = append(out.Rows, r)
	}
	if t.Common > 0 {
		for _, mean := range t.Geomeans {
			if mean == 0 {
				mean = math.NaN()
			}
			out.Geomeans = append(out.Geomeans, finite(mean))
		}
	}
	return out
}

func (c Cell) json() *cellJSON {
	if len(c.Samples) == 0 {
		return nil
	}
	out := &cellJSON{Center: tenDigits(c.Center), Lo: finite(c.Lo), Hi: finite(c.Hi)}
	for _, x := range c.Samples {
		out.Samples = append(out.Samples, tenDigits(x))
	}
	if change := c.Change; change != nil {
		out.Delta, out.DeltaLo, out.DeltaHi = finite(change.Delta), finite(change.Lo), finite(change.Hi)
		out.P, out.Significant = finite(change.P), &change.Significant
	}
	return out
}

// betterName names the better direction, "" when unknown.
func betterName(better int) string {
	switch better {
	case -1:
		return "lower"
	case 1:
		return "higher"
	}
	return ""
}

// finite returns ten digits of a figure, or nil for a value JSON cannot represent.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	x = tenDigits(x)
	return &x
}

// tenDigits rounds away the digits added by a change of unit: a measurement has fewer.
func tenDigits(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// comparisonCSVHeader names the columns of the format csv.
var comparisonCSVHeader = []string{
	"configuration", "benchmark", "unit", "better", "side", "samples", "center", "lo", "hi",
	"delta", "delta_lo", "delta_hi", "p", "significant",
}

// writeCSV writes a line for every benchmark, unit and side (RFC 4180, with line feeds).
// Unknown values are empty; changes are relative, 0.05 for 5 % more.
func (c *Comparison) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(comparisonCSVHeader); err != nil {
		return err
	}
	for _, t := range c.Tables {
		var configuration []string
		for _, line := range t.configuration {
			configuration = append(configuration, line.Key+": "+line.Value)
		}
		for _, row := range t.Rows {
			for side, cell := range row.Cells {
				if len(cell.Samples) == 0 {
					continue
				}
				start := []string{strings.Join(configuration, "; "), row.Name, t.Unit, betterName(t.Better), c.Sides[side].Label}
				if err := out.Write(slices.Concat(start, cell.csv())); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// csv returns the fields of a cell.
func (c Cell) csv() []string {
	fields := []string{strconv.Itoa(len(c.Samples)), formatField(c.Center), formatField(c.Lo), formatField(c.Hi)}
	change := c.Change
	if change == nil {
		return append(fields, "", "", "", "", "")
	}
	return append(fields, formatField(change.Delta), formatField(change.Lo), formatField(change.Hi),
		formatField(change.P), strconv.FormatBool(change.Significant))
}

// formatField prints up to ten digits, and nothing for infinities and NaN.
func formatField(x float64) string {
	if finite(x) == nil {
		return ""
	}
	return strconv.FormatFloat(tenDigits(x), 'g', -1, 64)
}
