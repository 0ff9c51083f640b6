package trials

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Planted is the change of the timed part of benchmarks that exclude most of their work.
const Planted = 0.3

// WriteTimed writes a row for each benchmark of a planted change, measured several times.
func WriteTimed(w io.Writer, runs []Commit) error {
	rows := make(map[string][]Claim)
	var names []string
	least, most := 0.0, 0.0
	for _, run := range runs {
		least, most = min(cmp.Or(least, run.Load), run.Load), max(most, run.Load)
		for _, row := range run.Rows {
			if rows[row.Benchmark] == nil {
				names = append(names, row.Benchmark)
			}
			rows[row.Benchmark] = append(rows[row.Benchmark], row)
		}
	}
	t := text.Table{Header: []string{"benchmark", "median estimate", "estimates", "intervals with the change"}}
	for _, name := range names {
		claims := rows[name]
		slices.SortFunc(claims, func(a, b Claim) int { return cmp.Compare(a.Delta, b.Delta) })
		n, held := len(claims), 0
		for _, c := range claims {
			if c.Lo <= Planted && Planted <= c.Hi {
				held++
			}
		}
		_, short, _ := strings.Cut(name, ".")
		t.Add(short, percent((claims[(n-1)/2].Delta+claims[n/2].Delta)/2), percent(claims[0].Delta)+" to "+percent(claims[n-1].Delta), fmt.Sprintf("%d of %d", held, n))
	}
	if err := t.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d runs, with %.0f to %.0f runnable processes on the machine.\n", len(runs), least, most)
	return err
}
