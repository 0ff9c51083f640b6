package suite

import (
	"context"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/reversi"
)

// Match is the score of the learned patterns against the hand-set rules, 50 ms a move,
// from random openings of 8 discs. It takes two minutes.
func Match() *experiment.Figure {
	const pairs = 20
	f := &experiment.Figure{Rare: true, Benchmark: experiment.Benchmark{
		Name: "Match/player=search-50ms/against=hand", Unit: experiment.UnitScore, Most: 1,
	}}
	f.Measure = func(ctx context.Context) (float64, error) {
		out, err := reversi.Match{
			Players: [2]string{"search:time=50ms", "search:time=50ms,eval=hand"}, Pairs: pairs, Seed: 1,
		}.Play(ctx)
		if err != nil {
			return 0, err
		}
		score := out.Scores[0]
		f.Annotate = func(row *experiment.Row) {
			lo, hi := score.Pairs.Interval()
			row.Lo, row.Hi = stat.Significant(lo), stat.Significant(hi)
			row.Metrics = map[string]float64{"games": 2 * pairs, "discs/game": float64(score.Discs) / (2 * pairs)}
		}
		return score.Pairs.Score(), nil
	}
	return f
}
