package verdict

import (
	"cmp"
	"math"
	"slices"
)

// The verdicts on implementations of one thing, beside [Slower]: slower than the best one, significantly, and by an
// estimate whose lower 70 % bound exceeds the limit.
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

// Group is implementations of one thing, measured in one unit.
type Group struct {
	Limit           float64 // largest ratio above 1 that is called equal: 0.03 is 3 %
	Higher          bool    // more is better
	Implementations []*Implementation

	pairs  map[[2]int]ratio
	looks  int
	next   int // number of rounds at the next look
	looked int // number of rounds at the last look
}

// Implementation is one of a group.
type Implementation struct {
	Verdict Verdict // Fastest, Equal, Slower or Undecided
	Gone    bool    // by [Group.Drop]: no verdict is given, and the others are judged without it

	figures []float64 // by round, NaN where it missed one
}

// ratio is the evidence on the logarithm of the ratio between two implementations, above 0 where the first one is worse.
type ratio struct {
	center, lo, hi float64
	likely         float64 // lower end that a ratio at the limit exceeds rather often; see likely
}

// Add adds a round: the figure of each implementation, NaN of those that are not in [Group.Open]. It returns an error for
// another figure that is no measurement, and leaves the round out.
func (g *Group) Add(figures []float64) error {
	for _, x := range figures {
		if err := checkFigures(x); err != nil && !math.IsNaN(x) {
			return err
		}
	}
	rounds := g.Rounds()
	for i, m := range g.Implementations {
		if math.IsNaN(figures[i]) {
			continue
		}
		for len(m.figures) < rounds { // it was slower than one that is gone
			m.figures = append(m.figures, math.NaN())
		}
		m.figures = append(m.figures, figures[i])
	}
	return nil
}

// Drop leaves an implementation out that cannot be measured any more. What was slower than no other one is open again.
func (g *Group) Drop(i int) {
	if g.Implementations[i].Gone {
		return
	}
	g.Implementations[i].Gone = true
	for k, m := range g.Implementations {
		if m.Verdict == Slower && !slices.ContainsFunc(g.remaining(), func(j int) bool { return g.isSlower(k, j) }) {
			m.Verdict = Undecided
		}
	}
}

// isSlower reports whether an implementation was significantly slower than another one at the last look.
func (g *Group) isSlower(i, j int) bool {
	p := g.pairs[[2]int{i, j}]
	return p.lo > 0 && p.likely > g.limit()
}

// remaining returns the indices of the implementations that are not gone.
func (g *Group) remaining() (all []int) {
	for i, m := range g.Implementations {
		if !m.Gone {
			all = append(all, i)
		}
	}
	return all
}

// IsAlone reports whether at most one implementation remains.
func (g *Group) IsAlone() bool { return len(g.remaining()) < 2 }

// Rounds is the number of rounds of the group.
func (g *Group) Rounds() (most int) {
	for _, m := range g.Implementations {
		most = max(most, len(m.figures))
	}
	return most
}

// Figures returns an implementation's figures, those of its rounds.
func (m *Implementation) Figures() []float64 {
	return slices.DeleteFunc(slices.Clone(m.figures), math.IsNaN)
}

// Open returns the indices of the implementations that need further rounds: none if all have a verdict, or only one can
// be measured, otherwise all but the slower ones.
func (g *Group) Open() []int {
	isUndecided := func(i int) bool { return g.Implementations[i].Verdict == Undecided }
	if all := g.remaining(); len(all) > 1 && slices.ContainsFunc(all, isUndecided) {
		return slices.DeleteFunc(all, func(i int) bool { return g.Implementations[i].Verdict == Slower })
	}
	return nil
}

// steady reports whether each of two implementations repeated one figure in all of at least three rounds.
func (g *Group) steady(i, j int) bool {
	const fewest = 3
	for _, k := range []int{i, j} {
		x := g.Implementations[k].Figures()
		if len(x) < fewest || slices.Min(x) != slices.Max(x) {
			return false
		}
	}
	return true
}

// look compares all pairs at a level, and gives verdicts.
func (g *Group) look(level float64, last bool) {
	for i, a := range g.Implementations {
		for j, b := range g.Implementations[:i] {
			n := min(len(a.figures), len(b.figures))
			if n > 0 && (last || n > g.looked) {
				g.setPair(i, j, n, level)
			}
		}
	}
	best := g.Best()
	for i, m := range g.Implementations {
		if m.Verdict == Undecided && !m.Gone && i != best && g.isSlower(i, best) {
			m.Verdict = Slower
		}
	}
	for i, m := range g.Implementations {
		if m.Verdict == Undecided && !m.Gone || m.Verdict == Equal { // which others may leave behind later
			m.Verdict = cmp.Or(g.verdict(i), m.Verdict)
		}
	}
}

// setPair compares two implementations by their first n rounds.
func (g *Group) setPair(i, j, n int, level float64) {
	var d []float64 // of the rounds of both
	for k := range n {
		x := LogRatio(g.Implementations[j].figures[k], g.Implementations[i].figures[k])
		switch {
		case math.IsNaN(x):
		case g.Higher:
			d = append(d, -x)
		default:
			d = append(d, x)
		}
	}
	n = len(d)
	if g.steady(i, j) {
		g.pairs[[2]int{i, j}] = ratio{d[0], d[0], d[0], d[0]}
		g.pairs[[2]int{j, i}] = ratio{-d[0], -d[0], -d[0], -d[0]}
		return
	}
	s := NewShift(d)
	lo, hi := s.Lower(level), s.Upper(level)
	if n >= hurriedLook && math.IsInf(lo, -1) && math.IsInf(hi, 1) {
		mean, half := studentInterval(d, []float64{studentQuantile(n-1, level)})
		if least := math.Log1p(MustDetect); mean-half > least || mean+half < -least {
			lo, hi = min(mean-half, s.Center()), max(mean+half, s.Center())
		}
	}
	g.pairs[[2]int{i, j}] = ratio{s.Center(), lo, hi, s.Lower(likely)}
	g.pairs[[2]int{j, i}] = ratio{-s.Center(), -hi, -lo, -s.Upper(likely)}
}

// studentQuantile returns the number that Student's distribution exceeds with a probability, by bisection of the sums for
// whole degrees of freedom (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
func studentQuantile(freedom int, tail float64) float64 {
	exceeds := func(t float64) float64 {
		angle := math.Atan(t / math.Sqrt(float64(freedom)))
		sin, cos := math.Sincos(angle)
		odd, term, sum := freedom%2, 1.0, 0.0
		if odd == 1 {
			term = cos
		}
		for k := odd; k < freedom; k += 2 {
			sum += term
			term *= float64(k+1) / float64(k+2) * cos * cos
		}
		if odd == 1 {
			return (1 - 2/math.Pi*(angle+sin*sum)) / 2
		}
		return (1 - sin*sum) / 2
	}
	lo, hi := 0.0, 1e9
	for range 100 {
		if middle := lo/2 + hi/2; exceeds(middle) > tail {
			lo = middle
		} else {
			hi = middle
		}
	}
	return hi
}

// limit is the largest logarithm that is called equal.
func (g *Group) limit() float64 { return math.Log1p(g.Limit) }

// verdict judges an implementation that is not slower by its comparisons with all others that are not. A slower one is
// slower than one of these. Without a claim it returns "".
func (g *Group) verdict(i int) Verdict {
	fastest, equal, rivals := true, true, 0
	for j, other := range g.Implementations {
		if j == i || other.Gone {
			continue
		}
		if rivals++; other.Verdict == Slower {
			continue
		}
		p, ok := g.pairs[[2]int{i, j}]
		fastest = fastest && ok && p.hi < 0
		equal = equal && ok && p.hi < g.limit()
	}
	switch {
	case rivals == 0:
		return ""
	case fastest:
		return Fastest
	case equal:
		return Equal
	}
	return ""
}

// Best returns the index of the implementation with the best estimate, -1 if none has figures.
func (g *Group) Best() int {
	best := -1
	for i, m := range g.Implementations {
		if len(m.figures) > 0 && !m.Gone && m.Verdict != Slower && (best < 0 || g.isBetter(i, best)) {
			best = i
		}
	}
	return best
}

// isBetter reports whether an implementation's estimate is better than that of another one.
func (g *Group) isBetter(i, j int) bool {
	if p, ok := g.pairs[[2]int{i, j}]; ok && p.center != 0 {
		return p.center < 0
	}
	order := cmp.Compare(Median(g.Implementations[i].Figures()), Median(g.Implementations[j].Figures()))
	return order < 0 && !g.Higher || order > 0 && g.Higher
}

// Ratio returns the ratio of an implementation's figure to that of a baseline, with its interval at the last look that
// compared both: all intervals of a ranking hold together with [Confidence]. The ends are 0 and infinite where rounds are
// too few, and all three NaN without a comparison.
func (g *Group) Ratio(i, baseline int) (estimate, lo, hi float64) {
	if i == baseline {
		return 1, 1, 1
	}
	p, ok := g.pairs[[2]int{i, baseline}]
	switch {
	case !ok:
		return math.NaN(), math.NaN(), math.NaN()
	case g.Higher:
		return math.Exp(-p.center), math.Exp(-p.hi), math.Exp(-p.lo)
	}
	return math.Exp(p.center), math.Exp(p.lo), math.Exp(p.hi)
}
