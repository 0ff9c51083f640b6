package judge

import (
	"cmp"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// CountedPair holds the instructions and the memory of an operation on both sides, in a run with a seed.
type CountedPair struct {
	Seed   uint64
	Sides  [2]float64
	Memory [2]count.Memory
}

// Counts are the counted pairs of a benchmark, with their verdict.
type Counts struct {
	Result       verdict.Count
	Earlier      verdict.Count       // result with less work, while more is counted
	Pairs        []CountedPair       // pairs in the result
	earlierPairs []CountedPair       // in the earlier one
	Functions    [2][]count.Function // costs of both sides with the last seed
	Reason       string              // reason of a benchmark without a count
	iterations   int                 // of the pairs
}

// IsDecided reports whether the count has a verdict.
func (c *Counts) IsDecided() bool {
	return c != nil && c.Result.Verdict != "" && c.Result.Verdict != verdict.Undecided
}

// worksMore reports whether the benchmark works more, by more than the limit.
func (c *Counts) worksMore() bool { return c.IsDecided() && c.Result.Verdict == verdict.MoreWork }

// passes reports whether the benchmark does not work more.
func (c *Counts) passes() bool { return c.IsDecided() && c.Result.Verdict.Passes() }

// IsLargeChange reports whether the benchmark works much more, or much less: short samples show it.
func (c *Counts) IsLargeChange() bool {
	return c.IsDecided() && (c.Result.Lo > verdict.ShouldDetect || c.Result.Hi < -verdict.ShouldDetect)
}

// Restart begins counts with n iterations. Much more work replaces a wide count when it is complete, otherwise pairs are
// added to it.
func (c *Counts) Restart(n int) {
	c.Reason = ""
	switch c.Earlier = (verdict.Count{}); {
	case c.Result.Pairs() == 0:
		c.iterations = n
	case n >= 2*c.iterations && c.Result.Wide():
		c.iterations = n
		c.Earlier, c.earlierPairs, c.Pairs = c.Result, c.Pairs, nil
		c.Result.Reset()
	}
}

// Reset removes all pairs, and why there were none.
func (c *Counts) Reset() {
	c.Result.Reset()
	c.Pairs, c.Reason = nil, ""
}

// Add adds a pair, and reports whether it could be added.
func (c *Counts) Add(p CountedPair) bool {
	if err := c.Result.Add(p.Seed, p.Sides[frame.Old], p.Sides[frame.New]); err != nil {
		c.Fail(err.Error())
		return false
	}
	c.Pairs = append(c.Pairs, p)
	return true
}

// Fail keeps why the benchmark cannot be counted.
func (c *Counts) Fail(why string) { c.Reason = cmp.Or(c.Reason, why) }

// Judge judges the pairs so far. If the time has ended before more work was counted with enough seeds, its pairs come
// to the earlier ones.
func (c *Counts) Judge() {
	c.Result.Judge()
	if c.Earlier.Pairs() > 0 && (c.Result.Pairs() < verdict.FewestPairs || c.Result.LacksSeed()) {
		for _, p := range c.Pairs {
			_ = c.Earlier.Add(p.Seed, p.Sides[frame.Old], p.Sides[frame.New]) // as before
		}
		c.Result, c.Pairs = c.Earlier, append(c.earlierPairs, c.Pairs...)
		c.Result.Judge()
	}
	if c.IsDecided() {
		c.Reason = ""
	}
}
