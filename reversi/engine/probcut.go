package engine

import "github.com/seed-09dcdc84/ur/reversi/eval"

// Levels of selectivity, from bold to exact: how many standard errors a shallow search
// must lie outside of the window before it cuts. The last never cuts.
var levels = [...]float64{1.1, 1.5, 2.0, 2.6, 3.3}

const levelExact = uint8(len(levels))

// bold is the part of a level's standard errors for searches under a deadline that do not reach the
// end: more of their cuts are wrong, but they go deeper.
const bold = 0.7

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
// deep: it falls with the number of empty squares, rises with the distance of the depths and falls
// with the shallow one. A static value is worse for odd depths. It is fitted to positions of
// self-play of 11 to 52 empty squares by the built-in weights ("go test ./reversi/engine -run
// PredictionError -fit 1000 -v"), and never part of an exact score, only of the work that finds one.
func predictionError(empties, deep, shallow int) float64 {
	fall := 1.235 - float64(0.0168*float64(empties))
	if shallow == 0 {
		return fall * (5.69 + float64(0.245*float64(deep)) + float64(1.235*float64(deep&1)))
	}
	return fall * (3.323 + float64(0.398*float64(deep)) - float64(0.639*float64(shallow)))
}

// reduced returns the depth of the search that predicts one of depth plies, of the same parity.
func reduced(depth int) int { return min(2*(depth/4)+depth&1, depth-2) }

// probCut uses a shallow search to predict whether a deep one would almost surely leave the
// window (Multi-ProbCut, Buro 1997). If so it returns the deep search's predicted bound. moves are
// the legal moves. Two plies are predicted by the static value alone, three by a search of one, but
// not before an exact search: it would take a fifth more nodes, as its table orders moves worse.
func (s *searcher) probCut(n node, moves uint64, alpha, step, depth, empties int, level uint8) (int, bool) {
	if level >= levelExact || depth < shallow || depth < 4 && s.toEnd && !s.gradual || s.cutting >= 2 || moves == 0 {
		return 0, false
	}
	less := reduced(depth)
	t := levels[level] * eval.Disc
	if depth < empties && s.gradual {
		t *= bold
	}
	margin := int(t*predictionError(empties, depth, less) + 0.5)
	wide := int(t*0.5*(predictionError(empties, depth, 0)+predictionError(empties, depth, less)) + 0.5)
	if less == 0 { // the static value is the prediction
		wide = -margin
	}
	static := s.value(n, moves, empties)
	s.cutting++
	defer func() { s.cutting-- }()
	// The middle between a cut and none: half a step, which is a disc between scores.
	above, below := alpha+(step+1)/2, alpha+step/2
	if high := above + margin; static >= above-wide && high < most {
		if s.null(n, high-1, less, empties, level) >= high {
			return alpha + step, true
		}
	}
	if low := below - margin; static < below+wide && low > -most {
		if s.null(n, low, less, empties, level) <= low {
			return alpha, true
		}
	}
	return 0, false
}
