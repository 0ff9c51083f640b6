package verdict

import (
	"fmt"
	"math"
)

// A suspected row has at least fewestRepeats rounds before it is called slower, and fewestToPass before it passes; it has
// mostRepeats at most.
const (
	fewestRepeats = 5
	fewestToPass  = 3
	mostRepeats   = 12
)

// repeat judges a suspected row, by the rounds so far.
func (r *Row) repeat(last bool) {
	n := len(r.worse)
	mean, half := r.worse[0], math.Inf(1)
	if n > 1 {
		mean, half = studentInterval(r.worse, studentQuantiles)
	}
	r.Delta, r.Lo, r.Hi = r.change(mean), r.change(mean-half), r.change(mean+half)
	if r.Higher {
		r.Lo, r.Hi = r.Hi, r.Lo
	}
	r.P, r.Family = math.NaN(), math.NaN()
	excluded := half
	if n >= fewestToPass && r.Noise > 0 {
		deviation := half / studentQuantiles[min(n-1, len(studentQuantiles))-1] * math.Sqrt(float64(n))
		excluded = min(half, normal95*max(r.Noise, deviation)/math.Sqrt(float64(n)))
	}
	r.Detectable = max(r.Limit, math.Abs(r.change(max(mean, 0)+excluded)))
	if r.decided {
		return // further rounds narrow the interval
	}
	r.Verdict, r.Reason = Undecided, ""
	r.Suspect = mean > r.limit()
	if n < fewestToPass || n < fewestRepeats && r.Suspect {
		r.Reason, r.Detectable = fmt.Sprintf("too few rounds repeat a suspicion: at least %d are needed", fewestRepeats), math.Inf(1)
		return
	}
	_, claim := studentInterval(r.worse, claimQuantiles) // the mean that chance hardly explains
	switch {
	case mean > max(r.limit(), claim):
		r.Verdict, r.decided, r.Detectable = Slower, true, max(r.Limit, math.Abs(r.change(half)))
	case mean+half < r.limit():
		r.Verdict, r.decided = NotSlower, true
	case last || n >= mostRepeats:
		if r.decided = true; r.Suspect {
			r.Detectable = math.Inf(1)
		}
	}
	r.looks, r.doubt = 1, r.Suspect
}
