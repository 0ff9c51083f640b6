package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// The verdicts on instruction counts.
const (
	MoreWork    Verdict = "more-work"
	LessWork    Verdict = "less-work"
	NotMoreWork Verdict = "not-more-work" // than the limit
)

// A count is judged by at least [FewestPairs], and called more or less work with at least [ClaimSeeds].
const (
	FewestPairs = 2
	ClaimSeeds  = 2
)

// SameWork is the largest change in a count that the same code shows in another layout, where chance
// is fixed: no smaller change is called more or less work.
const SameWork = 0.005

// mostSpread is how far the pairs' changes may spread, greatest minus least, to still count: beyond it
// goroutines race, and a count describes the race.
const mostSpread = 0.1

// Count is one benchmark whose instructions were counted on both sides with the same seeds. Runs in one
// process share its seed: maps get other random numbers in each, and their hash keys stay.
//
// The interval is the wider one between the range over all pairs and Student's interval for their mean. It
// covers the program's random numbers; the code's layout is one for all seeds, and adds at
// most [SameWork] in a program without races. An outlier among many pairs, such as a first run with
// empty pools, does not widen it: more work would show in all pairs.
type Count struct {
	Limit float64 // largest increase that passes

	// The results at the last Judge. Changes are relative to old.
	Verdict       Verdict
	Reason        string // reason for an undecided count
	Delta, Lo, Hi float64

	old, new []float64
	seeds    []uint64 // different ones
	varies   bool     // by more than mostSpread
}

// Add adds the instructions an operation from a run with a seed. It returns an error for a negative
// figure, NaN and 0: no operation is free, so nothing was counted there.
func (c *Count) Add(seed uint64, before, after float64) error {
	if err := checkFigures(before, after); err != nil {
		return err
	}
	if before == 0 || after == 0 {
		return fmt.Errorf("invalid counts %v and %v (want both above 0)", before, after)
	}
	c.old, c.new = append(c.old, before), append(c.new, after)
	if !slices.Contains(c.seeds, seed) {
		c.seeds = append(c.seeds, seed)
	}
	return nil
}

// Reset removes all pairs: those with more iterations replace them.
func (c *Count) Reset() { *c = Count{Limit: c.Limit} }

// Pairs returns how many pairs there are.
func (c *Count) Pairs() int { return len(c.old) }

// Sides returns both sides' median instructions an operation.
func (c *Count) Sides() (before, after float64) { return Median(c.old), Median(c.new) }

// Judge computes the interval and the verdict:
//
//   - more work: the whole interval, and so each pair, lies above the limit, with more than one seed, and
//     chance alone hardly explains it: among hundreds of benchmarks with random work, some lie there;
//   - less work: the whole interval lies below 0, by more than [SameWork], likewise;
//   - not more work: the upper end lies below the limit;
//   - undecided: none of these.
func (c *Count) Judge() {
	c.Verdict, c.Reason = Undecided, ""
	c.Delta, c.Lo, c.Hi = math.NaN(), math.NaN(), math.NaN()
	if len(c.old) == 0 {
		c.Reason = "no counts"
		return
	}
	d := make([]float64, len(c.old))
	for k := range d {
		d[k] = LogRatio(c.old[k], c.new[k])
	}
	c.setInterval(d)
	if rest := withoutOutlier(d); c.Lo <= max(c.Limit, SameWork) && c.Hi >= -SameWork {
		if _, hi := meanInterval(rest); math.Expm1(hi) < c.Limit {
			d = rest
			c.setInterval(d)
		}
	}
	spread := math.Expm1(slices.Max(d) - slices.Min(d))
	switch {
	case len(d) < FewestPairs:
		c.Reason = fmt.Sprintf("%d of %d runs are counted", len(d), FewestPairs)
	case c.Lo > max(c.Limit, SameWork) && c.LacksSeed():
		c.Reason = "more work, but only one seed is counted"
	case c.Lo > max(c.Limit, SameWork) && !mayBeChance(d):
		c.Verdict = MoreWork
	case c.Hi < -SameWork && !mayBeChance(d) && !c.LacksSeed() && len(d) == len(c.old):
		c.Verdict = LessWork
	case c.Hi < c.Limit:
		c.Verdict = NotMoreWork
	case c.Lo > max(c.Limit, SameWork):
		c.Reason = "more work, but the counts vary too much for so few runs"
	default:
		c.Reason = "the interval contains the limit"
	}
	if c.varies = len(d) >= FewestPairs && spread > mostSpread; c.varies {
		c.Verdict = Undecided
		c.Reason = fmt.Sprintf("counts vary by %.0f%% between runs", 100*spread)
	}
}

// setInterval sets the change and its interval by the pairs' changes as logarithms.
func (c *Count) setInterval(d []float64) {
	lo, hi := meanInterval(d)
	c.Delta, c.Lo, c.Hi = math.Expm1(Median(d)), math.Expm1(lo), math.Expm1(hi)
}

// withoutOutlier returns the changes of at least five pairs without one that lies more than five times as far from the
// median as all others.
func withoutOutlier(d []float64) []float64 {
	const fewest, far = 5, 5
	if len(d) < fewest {
		return d
	}
	middle := Median(d)
	sorted := slices.Clone(d)
	slices.SortFunc(sorted, func(a, b float64) int { return cmp.Compare(math.Abs(a-middle), math.Abs(b-middle)) })
	last := len(sorted) - 1
	if math.Abs(sorted[last]-middle) > far*math.Abs(sorted[last-1]-middle) {
		return sorted[:last]
	}
	return d
}

// LacksSeed reports whether the interval is a claim that another seed must confirm.
func (c *Count) LacksSeed() bool {
	return len(c.seeds) < ClaimSeeds && (c.Lo > max(c.Limit, SameWork) || c.Hi < -SameWork)
}

// Races reports whether the pairs vary so much that further ones do not help.
func (c *Count) Races() bool {
	const enough = 8
	return c.Verdict == Undecided && c.varies && len(c.old) >= enough
}

// Wide reports whether more iterations may narrow the interval enough to matter.
func (c *Count) Wide() bool {
	const narrow = 0.01
	return len(c.old) >= FewestPairs && (c.Hi-c.Lo > narrow || c.Verdict == Undecided && !c.LacksSeed())
}

// studentQuantiles are those of Student's distribution for [Confidence], by degrees of freedom
// from 1.
var studentQuantiles = []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262}

// claimQuantiles are those of Student's distribution that one of 10,000 samples without a change exceeds, by degrees of
// freedom from 1.
var claimQuantiles = []float64{3183.1, 70.70, 22.20, 13.03, 9.678, 8.025, 7.063, 6.442, 6.010}

// mayBeChance reports whether changes without a common cause are this far from 0 more often than once in 10,000 times:
// a run has hundreds of benchmarks.
func mayBeChance(d []float64) bool {
	if len(d) < 2 {
		return true
	}
	mean, half := studentInterval(d, claimQuantiles)
	return math.Abs(mean) <= half
}

// meanInterval returns the wider one between the range and Student's interval for the mean.
func meanInterval(d []float64) (lo, hi float64) {
	lo, hi = slices.Min(d), slices.Max(d)
	if len(d) < 2 {
		return lo, hi
	}
	mean, half := studentInterval(d, studentQuantiles)
	return min(lo, mean-half), max(hi, mean+half)
}

// studentInterval returns the mean of at least two numbers, and half the width of its interval by these quantiles.
func studentInterval(d, quantiles []float64) (mean, half float64) {
	n, squares := float64(len(d)), 0.0
	for _, x := range d {
		mean += x / n
	}
	for _, x := range d {
		squares += (x - mean) * (x - mean)
	}
	deviation, freedom := math.Sqrt(squares/(n-1)), len(d)-1
	return mean, quantiles[min(freedom, len(quantiles))-1] * deviation / math.Sqrt(n)
}

// Instrument is a verdict's source.
type Instrument string

// The instruments.
const (
	ByTime  Instrument = "time"
	ByCount Instrument = "count"
)

// Combine returns the verdict on a benchmark from those by time and count, and its judge. Time
// comes first: a count passes or fails only what time cannot decide. A judge that has not spoken
// gives "" or [Undecided].
func Combine(time, count Verdict) (Verdict, Instrument) {
	switch {
	case time != "" && time != Undecided:
		return time, ByTime
	case count == MoreWork || count == LessWork || count == NotMoreWork:
		return count, ByCount
	}
	return Undecided, ByTime
}
