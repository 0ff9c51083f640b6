package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// csvHeader names the columns of [Results.WriteCSV].
var csvHeader = []string{
	"engine", "level", "unit", "samples", "median", "lo", "hi", "ratio", "ratio_lo", "ratio_hi",
	"ns_per_candidate", "lanes", "bytes", "instructions", "cycles", "branch_misses", "ipc",
}

// WriteCSV writes the rows as comma-separated values (RFC 4180, with line feeds), in
// the fields that the JSON object has. What a row does not have is empty.
func (r Results) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvHeader); err != nil {
		return err
	}
	for _, row := range r.Rows {
		cells := []string{row.Engine, string(row.Level), row.Unit, strconv.Itoa(row.Samples)}
		for _, x := range []float64{row.Median, row.Lo, row.Hi, row.Ratio, row.RatioLo, row.RatioHi} {
			cells = append(cells, fmt.Sprint(x))
		}
		counted := Counted{}
		if row.Counted != nil {
			counted = *row.Counted
		}
		for _, x := range []float64{row.NsPerCandidate, float64(row.Lanes), float64(row.Bytes),
			counted.Instructions, counted.Cycles, counted.BranchMisses, counted.IPC} {
			cells = append(cells, orEmpty(x))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// orEmpty prints a figure, or nothing for 0.
func orEmpty(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprint(x)
}
