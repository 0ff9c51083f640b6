package train

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"gonum.org/v1/gonum/mat"
)

// A metric measures a change of a brain by what it does, not by the weights that it
// changes: by the covariance, over the decisions of games, of what sets the
// alternatives apart. A change of length 1 adds to every value something that varies
// by about 1 among the moves of a decision. Weights that hardly ever count are short
// in this metric, and those that say the same as others are not counted twice.
//
// Steps and perturbations of the same length in it turn about as many decisions, so
// that what they cost near the optimum is about the same in every direction: it is
// the natural gradient's idea (Amari, "Natural gradient works efficiently in
// learning", 1998) for a player of the highest value.
type metric struct {
	covariance *mat.SymDense
	directions *mat.TriDense // see invert
	dimension  int           // how many coordinates, the first, may change
}

// How a metric is measured.
const (
	metricGames  = 128
	metricTurns  = 1000 // of a game that are observed at most
	metricShards = 16   // results are added up in their order, on any number of threads
	metricEvery  = 4    // one turn in so many counts: the next is much like it
	metricRows   = 512  // alternatives that are added at a time
	metricRidge  = 0.01 // part of the mean variance that every coordinate gets
)

// newMetric plays games of a brain against itself and measures its choices. Only the
// first coordinates of s may then change.
func newMetric(ctx context.Context, s *space, b *ur.Brain, seed uint64, dimension, parallel int) (*metric, error) {
	shards := make([]choices, metricShards)
	err := each(ctx, parallel, metricShards, func(i int) (err error) {
		shards[i], err = observeChoices(s, b, seed, i)
		return err
	})
	if err != nil {
		return nil, err
	}
	m := &metric{covariance: mat.NewSymDense(s.dimension(), nil), dimension: dimension}
	decisions := 1.0
	for _, shard := range shards {
		m.covariance.AddSym(m.covariance, shard.sum)
		decisions += shard.decisions
	}
	m.covariance.ScaleSym(1/decisions, m.covariance)
	return m, m.invert()
}

// invert finds the directions: with U^T U the covariance and a ridge (Cholesky), they
// are the columns of U^-1.
func (m *metric) invert() error {
	part := mat.NewSymDense(m.dimension, nil)
	mean := 0.0
	for i := range m.dimension {
		mean += m.covariance.At(i, i) / float64(m.dimension)
		for j := range i + 1 {
			part.SetSym(i, j, m.covariance.At(i, j))
		}
	}
	if mean == 0 { // a player with one piece decides nothing
		mean = 1
	}
	for i := range m.dimension {
		part.SetSym(i, i, part.At(i, i)+metricRidge*mean)
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(part) {
		return fmt.Errorf("the covariance of %d features cannot be decomposed", m.dimension)
	}
	m.directions = new(mat.TriDense)
	var upper mat.TriDense
	cholesky.UTo(&upper)
	if err := m.directions.InverseTri(&upper); err != nil {
		return fmt.Errorf("the covariance of %d features cannot be inverted: %w", m.dimension, err)
	}
	return nil
}

// length returns the length of a change.
func (m *metric) length(change []float64) float64 {
	v := mat.NewVecDense(len(change), change)
	return math.Sqrt(mat.Inner(v, m.covariance, v))
}

// perturbation returns the change of the given length, about, that belongs to signs
// +1 and -1, one for each dimension: with signs drawn at random, changes are equally
// long in every direction of the metric.
func (m *metric) perturbation(signs []float64, length float64) []float64 {
	change := make([]float64, m.covariance.SymmetricDim())
	v := mat.NewVecDense(m.dimension, change[:m.dimension])
	v.MulVec(m.directions, mat.NewVecDense(m.dimension, signs))
	v.ScaleVec(length/math.Sqrt(float64(m.dimension)), v)
	return change
}

// choices is the sum, over decisions, of the products of what sets their
// alternatives apart.
type choices struct {
	sum       *mat.SymDense
	decisions float64
}

// observeChoices plays every metricShards-th game of a seed, from the given one on.
// A game that does not end is observed up to the turn limit.
func observeChoices(s *space, b *ur.Brain, seed uint64, first int) (choices, error) {
	dimension := s.dimension()
	c := choices{sum: mat.NewSymDense(dimension, nil)}
	engine, err := engine.Lookup("bits/incremental")
	if err != nil {
		return c, err
	}
	game, err := engine.New(ur.Setup{Light: b, Dark: b, Pieces: s.pieces})
	if err != nil {
		return c, err
	}
	rows := make([]float64, 0, (metricRows+board.MaxMoves)*dimension)
	var futures []ur.Future
	for n := first; n < metricGames; n += metricShards {
		dice, p := board.NewDice(seed, uint64(n)), board.StartPosition(s.pieces)
		for turn := range metricTurns {
			game.Set(p)
			if futures = game.Futures(futures[:0], dice.Roll()); len(futures) == 0 {
				break
			}
			if len(futures) > 1 && turn%metricEvery == n/metricShards%metricEvery {
				rows = s.appendAlternatives(rows, futures)
				c.decisions++
			}
			if len(rows) >= metricRows*dimension {
				rows = c.add(rows, dimension)
			}
			p = futures[ur.Choose(futures, p.Turn())].Position
		}
	}
	c.add(rows, dimension)
	return c, nil
}

// add adds rows of features, and returns no rows.
func (c *choices) add(rows []float64, dimension int) []float64 {
	if n := len(rows) / dimension; n > 0 {
		var products mat.SymDense
		products.SymOuterK(1, mat.NewDense(n, dimension, rows).T())
		c.sum.AddSym(c.sum, &products)
	}
	return rows[:0]
}

// appendAlternatives appends a row of features for each future, less their mean.
func (s *space) appendAlternatives(rows []float64, futures []ur.Future) []float64 {
	dimension, begin := s.dimension(), len(rows)
	rows = rows[:begin+len(futures)*dimension]
	for i, f := range futures {
		s.features(f.Position, rows[begin+i*dimension:][:dimension])
	}
	for k := range dimension {
		mean := 0.0
		for i := range futures {
			mean += rows[begin+i*dimension+k] / float64(len(futures))
		}
		for i := range futures {
			rows[begin+i*dimension+k] -= mean
		}
	}
	return rows
}
