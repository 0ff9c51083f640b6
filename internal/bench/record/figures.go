package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// figureSuites lists the suites of figures other than samples of benchmarks, such as matches and
// regrets. The command internal/measure makes them, and "ur solve --record" the last.
func figureSuites() []string {
	return []string{"connectfour", "fleet", "levels", "players", "projects", "reversi-ablation", "reversi-matches", "reversi-training", "rules", "td-study", "timed", "trials", "solve"}
}

// Figures returns the numbers in the JSON form of a value by their paths: those of
// {"a":{"b":1},"c":[2]} are a.b and c.0.
func Figures(value any) (map[string]float64, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	figures := make(map[string]float64)
	addFigures(figures, "", tree)
	return figures, nil
}

// addFigures adds the numbers of a tree of JSON whose path is given, with a point at its end.
func addFigures(figures map[string]float64, path string, tree any) {
	switch tree := tree.(type) {
	case float64:
		figures[path[:max(0, len(path)-1)]] = tree
	case map[string]any:
		for key, value := range tree {
			addFigures(figures, path+key+".", value)
		}
	case []any:
		for i, value := range tree {
			addFigures(figures, fmt.Sprintf("%s%d.", path, i), value)
		}
	}
}

// Suite returns the rows of a suite of all records: of rows with one name the latest.
func Suite(records []Record, name string) (rows []experiment.Row) {
	for _, r := range records {
		for _, row := range r.Suite(name) {
			i := slices.IndexFunc(rows, func(old experiment.Row) bool { return old.Name == row.Name })
			switch {
			case i < 0:
				rows = append(rows, row)
			case rows[i].Provenance.Date < row.Provenance.Date:
				rows[i] = row
			}
		}
	}
	return rows
}
