package experiment

import (
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// firstLook is the first round that may end a run by the width of its intervals.
const firstLook = MinRecordCount

// looksAfter reports whether the width of the intervals is checked after a round: rarely, at
// rounds that grow by a quarter.
func (s *stopper) looksAfter(round int) bool {
	if s.within == 0 {
		return false
	}
	look := firstLook
	for look < round {
		look += (look + 3) / 4
	}
	return look == round
}

// stopper decides when a run ends by the width of its intervals (a fixed-width sequential
// procedure: Chow and Robbins, "On the Asymptotic Theory of Fixed-Width Sequential Confidence
// Intervals for the Mean", 1965).
//
// A run that checks an interval again and again, and stops when it is narrow, stops more often
// when it is narrow by chance, and then the interval covers the truth less often than claimed.
// So a run checks for the first time after [firstLook] rounds, then rarely, and ends when the
// interval was narrow twice in succession, with a quarter more rounds in between. In
// simulations of noise with outliers, 92.6 % of the intervals of such runs covered the true
// ratio, against 94.2 % when the count was spent, and 91.3 % when a run ended the first time it
// was narrow. A test repeats the simulation with fewer runs.
type stopper struct {
	within float64 // as in [Options]; 0 never ends a run
	before bool    // the last look found all intervals narrow
}

// ends reports whether a run ends after a round; narrow is true if all intervals are narrow
// now.
func (s *stopper) ends(round int, narrow func() bool) bool {
	if !s.looksAfter(round) {
		return false
	}
	now := narrow()
	ends := now && s.before
	s.before = now
	return ends
}

// narrow reports whether there are ratios to a base, all with intervals as narrow as asked.
func (r *Run) narrow() bool {
	compared := false
	for _, s := range r.Series {
		ratio, ok := r.ratio(s)
		if !ok || s.Name == s.Base {
			continue
		}
		if compared = true; ratio.Reach() > r.Options.Within {
			return false
		}
	}
	return compared
}

// ratio compares a series with its base in the same rounds. ok is false where there is
// nothing to compare with.
func (r *Run) ratio(s Series) (ratio stat.Interval, ok bool) {
	base, ok := r.Find(s.Base)
	n := min(len(base.Samples), len(s.Samples))
	if !ok || n == 0 {
		return ratio, false
	}
	return stat.RatioOfPairs(base.Times()[:n], s.Times()[:n], r.Options.Seed), true
}
