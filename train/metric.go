package train

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// A metric measures a brain's change by its effect instead of by its weights: by the covariance, over decisions in
// games, between the differences of alternatives. A change of length 1 adds to every value an amount that varies by
// about 1 among a decision's moves. Rarely used weights are short in this metric, and redundant ones are not counted
// twice.
//
// Steps and perturbations of equal length change about as many decisions, so their cost near
// the optimum is about the same in every direction: the natural gradient's idea (Amari,
// "Natural gradient works efficiently in learning", 1998) for a player who takes the highest value.
type metric struct {
	covariance samebits.Triangle // symmetric
	directions samebits.Triangle // see invert
	dimension  int               // how many coordinates, the first, may change
}

// How a metric is measured.
const (
	metricGames  = 128
	metricTurns  = 1000 // observed turns in a game, at most
	metricShards = 16   // results are added up in their order, on any number of threads
	metricEvery  = 4    // one turn in n counts: the next is much like it
	metricRidge  = 0.01 // share of the mean variance added to every coordinate
)

// newMetric plays a brain's games against itself and measures its choices. Only the
// first coordinates of s may then change.
func newMetric(ctx context.Context, s *space, b *ur.Brain, seed uint64, dimension, parallel int) (*metric, error) {
	shards, counts := make([]samebits.Triangle, metricShards), make([]int, metricShards)
	err := callEach(ctx, parallel, metricShards, func(i int) (err error) {
		shards[i], counts[i], err = observeChoices(s, b, seed, i)
		return err
	})
	if err != nil {
		return nil, err
	}
	m := &metric{covariance: samebits.NewTriangle(s.dimension()), dimension: dimension}
	decisions := 1.0
	for n, shard := range shards {
		for i, x := range shard {
			m.covariance[i] += x
		}
		decisions += float64(counts[n])
	}
	for i := range m.covariance {
		m.covariance[i] /= decisions
	}
	return m, m.invertCovariance()
}

// invertCovariance finds the directions: with L L^T the covariance and a ridge (Cholesky), the columns
// in the inverse of L^T.
func (m *metric) invertCovariance() error {
	part := slices.Clone(m.covariance[:m.dimension*(m.dimension+1)/2]) // covariance between the first coordinates
	mean := 0.0
	for i := range m.dimension {
		mean += part.Row(i)[i] / float64(m.dimension)
	}
	if mean == 0 { // a player with one piece decides nothing
		mean = 1
	}
	for i := range m.dimension {
		part.Row(i)[i] += float64(metricRidge * mean)
	}
	var positive bool
	if m.directions, positive = part.Factor(); !positive {
		return fmt.Errorf("the covariance of %d features cannot be decomposed", m.dimension)
	}
	return nil
}

// changeLength returns a change's length.
func (m *metric) changeLength(change []float64) float64 {
	return math.Sqrt(m.covariance.Square(change))
}

// perturbBy returns the change of about the given length for signs +1 and -1, one for each
// dimension. With random signs, changes are equally long in every direction of the metric.
func (m *metric) perturbBy(signs []float64, length float64) []float64 {
	change := m.directions.SolveTransposed(signs)
	scale := length / math.Sqrt(float64(m.dimension))
	for i := range change {
		change[i] = float64(scale * change[i])
	}
	return append(change, make([]float64, m.covariance.Rows()-m.dimension)...)
}

// observeChoices plays every metricShards-th game from a seed, from the given one on. It observes
// an endless game up to the turn limit. It returns the sum, over decisions, of products between
// differences among alternatives, and the number of decisions.
func observeChoices(s *space, b *ur.Brain, seed uint64, first int) (sum samebits.Triangle, decisions int, err error) {
	dimension := s.dimension()
	sum = samebits.NewTriangle(dimension)
	engine, err := engine.Lookup("bits/incremental")
	if err != nil {
		return nil, 0, err
	}
	game, err := engine.New(ur.Setup{Light: b, Dark: b, Pieces: s.pieces})
	if err != nil {
		return nil, 0, err
	}
	rows := make([]float64, 0, board.FinkelMoves*dimension)
	var futures []ur.Future
	for n := first; n < metricGames; n += metricShards {
		dice, p := board.Finkel().Dice(seed, uint64(n)), board.StartPosition(s.pieces)
		for turn := range metricTurns {
			game.Set(p)
			if futures = game.Futures(futures[:0], dice.Roll()); len(futures) == 0 {
				break
			}
			if len(futures) > 1 && turn%metricEvery == n/metricShards%metricEvery {
				rows = s.appendAlternatives(rows[:0], futures)
				decisions++
				for at := 0; at < len(rows); at += dimension {
					sum.AddSquare(rows[at : at+dimension])
				}
			}
			p = futures[ur.Choose(futures, p.Turn())].Position
		}
	}
	return sum, decisions, nil
}

// appendAlternatives appends a feature row for each future, less their mean.
func (s *space) appendAlternatives(rows []float64, futures []ur.Future) []float64 {
	dimension, begin := s.dimension(), len(rows)
	rows = rows[:begin+len(futures)*dimension]
	for i, f := range futures {
		s.writeFeatures(f.Position, rows[begin+i*dimension:][:dimension])
	}
	for k := range dimension {
		mean := 0.0
		for i := range futures {
			mean += rows[begin+i*dimension+k]
		}
		mean /= float64(len(futures))
		for i := range futures {
			rows[begin+i*dimension+k] -= mean
		}
	}
	return rows
}
