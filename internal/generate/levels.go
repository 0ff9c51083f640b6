package main

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
)

// levelRecord is the output of "ur levels --json".
type levelRecord struct {
	Pieces, Games int
	Seed          uint64
	Levels        []struct {
		Level       int
		Temperature float64
		Regret      float64
		Optimal     float64
		Score       float64
		Low         float64 `json:"score_lo"`
		High        float64 `json:"score_hi"`
	}
}

// write writes the table of the levels. Figures of other levels than those of this tree are
// an error: they must be measured again.
func (r levelRecord) write(w io.Writer) error {
	if len(r.Levels) != play.MaxLevel {
		return fmt.Errorf("%d levels on record (want %d: run ur levels --json > results/levels.json)", len(r.Levels), play.MaxLevel)
	}
	fmt.Fprintf(w, "%d pieces, %s games, seed %d\n\n", r.Pieces, text.Grouped(r.Games), r.Seed)
	table := text.Table{Header: []string{"level", "temperature", "regret", "optimal", "score"}}
	for i, x := range r.Levels {
		temperature, score := "perfect", "-"
		if x.Level < play.MaxLevel {
			l, err := play.NewLevel(x.Level)
			if err != nil {
				return err
			}
			if x.Level != i+1 || l.Temperature() != x.Temperature {
				return fmt.Errorf("level %d: temperature %v on record, not %v (run ur levels --json > results/levels.json)", x.Level, x.Temperature, l.Temperature())
			}
			temperature = fmt.Sprint(x.Temperature)
			score = fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*x.Score, 100*x.Low, 100*x.High)
		}
		table.Add(fmt.Sprint(x.Level), temperature, fmt.Sprintf("%.3f", x.Regret), fmt.Sprintf("%.1f %%", 100*x.Optimal), score)
	}
	return table.WriteMarkdown(w)
}
