package verdict

import (
	"math"
)

// The verdicts on implementations of one thing, beside [Slower]: slower than the best one, significantly, and by an
// estimate that exceeds the limit by more than likely chance.
const (
	Fastest Verdict = "fastest" // each other one is slower, or its interval lies above
	Equal   Verdict = "equal"   // no other one can be faster by the limit
)

// Groups compares implementations in groups, each measured in turns with the others of its group. All comparisons of
// pairs share one error rate, so claims and intervals hold for an implementation that the same figures chose as the
// fastest.
//
// The first look comes when the signed-rank test can reject at the level of a pair, which takes 12 rounds of one group of
// five, and 18 of ten groups of nine. Where the time is too short for them, Student's interval for the mean stands in, and
// shows only differences beyond [MustDetect]: it assumes that the noise is no lasting state of the machine that is as large.
type Groups struct {
	Rule
	Groups   []*Group
	Expected int  // pairs of groups that are added later: they share the error rate as well
	Hurry    bool // looks begin after a few rounds, at what Student's interval can show
}

// hurriedLook is the number of rounds before a first look by Student's interval.
const hurriedLook = 5

// Add adds a group of n implementations with the rule's limit.
func (r *Groups) Add(n int) *Group {
	g := &Group{Limit: r.Limit, pairs: make(map[[2]int]ratio)}
	for range n {
		g.Implementations = append(g.Implementations, &Implementation{Verdict: Undecided})
	}
	r.Groups = append(r.Groups, g)
	return g
}

// comparisons counts the pairs with noise, in all groups.
func (r *Groups) comparisons() (n int) {
	for _, g := range r.Groups {
		for i := range g.Implementations {
			for j := range i {
				if !g.steady(i, j) {
					n++
				}
			}
		}
	}
	return n
}

// FirstLook returns the rounds before the first look.
func (r *Groups) FirstLook() int {
	if r.Hurry {
		return hurriedLook
	}
	return r.firstRanks(0)
}

// firstRanks is the smallest number of rounds where the signed-rank test can reject at the level of a look.
func (r *Groups) firstRanks(look int) int {
	level := r.level(r.comparisons()+r.Expected, look, false)
	return max(FirstLook, int(math.Ceil(-math.Log2(level)-1e-9)))
}

// level is the one-sided level of one of n comparisons at a look.
func (r *Groups) level(n, look int, last bool) float64 {
	return r.Alpha / 2 / float64(max(1, n)) * spent(look, last)
}

// Look judges the groups whose look is due. The last look judges all that have an implementation without a verdict.
func (r *Groups) Look(last bool) {
	n := r.comparisons()
	if !last {
		n += r.Expected
	}
	for _, g := range r.Groups {
		due := max(g.next, r.firstRanks(g.looks))
		if r.Hurry && g.looks == 0 {
			due = hurriedLook
		}
		switch rounds := g.Rounds(); {
		case rounds == 0 || g.looks > 0 && g.Open() == nil:
		case last || rounds >= due:
			g.look(r.level(n, g.looks, last), last)
			g.looks++
			g.looked, g.next = rounds, nextLook(rounds)
		}
	}
}
