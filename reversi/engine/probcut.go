package engine

import (
	"math"

	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Levels of selectivity, from bold to exact: how many standard errors a shallow search
// must lie outside of the window before it cuts. The last never cuts.
var levels = [...]float64{1.1, 1.5, 2.0, 2.6, 3.3}

const levelExact = uint8(len(levels))

// firm and bold are the parts of a level's standard errors for searches that do not reach the end,
// without and under a deadline: more cuts are wrong than with all of them, but the searches go deeper.
// Static values need more than searches, staticPart times as much.
const (
	firm       = 0.9
	bold       = 0.8
	staticPart = 1.3
)

// confidences are the probabilities, in percent, that a normal error stays within a level's
// standard errors.
var confidences = [levelExact + 1]int{73, 87, 95, 98, 99, 100}

// levelOf returns the first level of at least a confidence; 0 means exact.
func levelOf(percent int) uint8 {
	for level, c := range confidences {
		if percent > 0 && c >= percent {
			return uint8(level)
		}
	}
	return levelExact
}

// predictionError returns the standard error, in discs, of a search of shallow plies for one of
// deep: it falls with the number of empty squares, and its square rises with the logarithm of the
// ratio of the depths. A static value counts as a third of a ply. It is fitted to positions of
// self-play of 14 to 53 empty squares by the built-in weights ("go test ./reversi/engine -run
// PredictionError -fit 1000 -v"), and never part of an exact score, only of the work that finds one.
func predictionError(empties, deep, shallow int) float64 {
	return (1.235 - float64(0.0168*float64(empties))) * ratioErrors[deep][shallow]
}

// ratioErrors holds the factor of predictionError that depends on the depths, to thousandths: no two
// libraries of mathematics differ in them.
var ratioErrors = func() (t [65][65]float64) {
	for deep := range t {
		for shallow := range deep {
			ratio := float64(deep) / max(float64(shallow), 1.0/3)
			t[deep][shallow] = math.Round(4500*math.Sqrt(math.Log(ratio))) / 1000
		}
	}
	return t
}()

// staticBias returns by how much, in values, a search of deep plies exceeds the static value on average.
func staticBias(empties, deep int) int {
	if deep&1 != 0 {
		return 160 - 3*empties/2
	}
	return (74 - empties) * (15 + deep) / 19
}

// part returns the part of a level's standard errors for a cut in the midgame by a search of less
// plies. Before an exact search without a deadline it is the whole: fewer would take a tenth more
// nodes, as that search orders moves by what this one leaves.
func (s *searcher) part(less int) float64 {
	part := 1.0
	switch {
	case s.gradual:
		part = bold
	case !s.toEnd:
		part = firm
	}
	if less == 0 {
		part *= staticPart
	}
	return part
}

// reduced returns the depth of the search that predicts one of depth plies, of the same parity.
func reduced(depth int) int { return min(2*(depth/4)+depth&1, depth-2) }

// probCut uses a shallow search to predict whether a deep one would almost surely leave the
// window (Multi-ProbCut, Buro 1997). If so it returns the deep search's predicted bound. One and
// two plies are predicted by the static value alone, three by a search of one, but not before an
// exact search: it would take a fifth more nodes, as its table orders moves worse.
func (s *searcher) probCut(n node, alpha, step, depth, empties int, level uint8) (int, bool) {
	less := max(0, reduced(depth))
	if level >= levelExact || depth < 1 || depth < 4 && s.solving() || less > 0 && s.cutting >= 2 || n.moves == 0 {
		return 0, false
	}
	t := levels[level] * eval.Disc
	if depth < empties {
		t *= s.part(less)
	}
	margin := int(t*predictionError(empties, depth, less) + 0.5)
	static := s.value(n, empties)
	if depth < empties {
		static += staticBias(empties, depth)
	}
	// The middle between a cut and none: half a step, a disc between scores.
	above, below := alpha+(step+1)/2, alpha+step/2
	high, low := above+margin, below-margin
	cut := func(value int) (int, bool) {
		switch {
		case value >= high && high < most:
			return alpha + step, true
		case value <= low && low > -most:
			return alpha, true
		}
		return 0, false
	}
	if less == 0 {
		return cut(static)
	}
	wide := 0 // how far beyond the middle the static value may lie for a try
	if s.solving() {
		wide = int(t*0.5*(predictionError(empties, depth, 0)+predictionError(empties, depth, less)) + 0.5)
	}
	s.cutting++
	defer func() { s.cutting-- }()
	if static >= above-wide && high < most {
		if bound, ok := cut(s.null(n, high-1, less, empties, level)); ok {
			return bound, true
		}
	}
	if static < below+wide && low > -most {
		return cut(s.null(n, low, less, empties, level))
	}
	return 0, false
}
