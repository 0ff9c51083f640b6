package rating

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// SPRT is a sequential probability ratio test between two hypotheses about the strength of the first
// player: H0, that it is Elo0 points stronger than the second, and H1, that it is Elo1. It
// continues until the two likelihoods differ enough, so it ends soon if the answer is
// plain (Abraham Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
// Statistics 1945).
//
// It is a generalised SPRT on pair scores: a hypothesis's likelihood is the
// likelihood for the most likely distribution of pair scores with its expected score, whatever
// the variance (Michel Van den Bergh, "A Practical Introduction to the GSPRT" and "Comments on
// Normalized Elo", as in Stockfish's fishtest).
//
// A test is decided after a batch of pairs, not within it, so the ratio oversteps the
// bounds a little. Overstepping makes the test somewhat longer, and its errors rarer than Alpha
// and Beta.
type SPRT struct {
	Elo0  float64 `json:"elo0"`  // Elo difference of hypothesis H0
	Elo1  float64 `json:"elo1"`  // above Elo0
	Alpha float64 `json:"alpha"` // probability of accepting H1 where H0 holds
	Beta  float64 `json:"beta"`  // probability of accepting H0 where H1 holds
}

// DefaultSPRT returns the test between 0 and 5 Elo points with error probabilities of 5 %.
func DefaultSPRT() SPRT { return SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05} }

// ParseSPRT parses a test such as "elo0=0,elo1=5,alpha=0.05,beta=0.05". Missing values are
// those of [DefaultSPRT]; "default" stands for all.
func ParseSPRT(text string) (SPRT, error) {
	s := DefaultSPRT()
	if text == "default" {
		return s, nil
	}
	fields := map[string]*float64{"elo0": &s.Elo0, "elo1": &s.Elo1, "alpha": &s.Alpha, "beta": &s.Beta}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		field, ok := fields[name]
		if !ok {
			return s, fmt.Errorf("%q is not one of elo0=, elo1=, alpha=, beta=, each at most once, as in %q",
				part, DefaultSPRT())
		}
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return s, fmt.Errorf("%s is %q (want a number)", name, value)
		}
		*field = number
		delete(fields, name)
	}
	return s, s.Check()
}

// String returns the test as [ParseSPRT] reads it.
func (s SPRT) String() string {
	return fmt.Sprintf("elo0=%g,elo1=%g,alpha=%g,beta=%g", s.Elo0, s.Elo1, s.Alpha, s.Beta)
}

// Check returns an error if the test is invalid: Elo0 must be below Elo1, both within 2000
// points, and Alpha and Beta above 0 and below 0.5.
func (s SPRT) Check() error {
	const most = 2000
	switch {
	case !(-most <= s.Elo0 && s.Elo0 < s.Elo1 && s.Elo1 <= most):
		return fmt.Errorf("elo0 must be below elo1 and both from -%d to %d, got %g and %g", most, most, s.Elo0, s.Elo1)
	case !(0 < s.Alpha && s.Alpha < 0.5 && 0 < s.Beta && s.Beta < 0.5):
		return fmt.Errorf("alpha and beta must be above 0 and below 0.5, got %g and %g", s.Alpha, s.Beta)
	}
	return nil
}

// Bounds returns the log-likelihood ratios that accept H0 and H1.
func (s SPRT) Bounds() (lower, upper float64) {
	return samebits.Log(s.Beta / (1 - s.Alpha)), samebits.Log((1 - s.Beta) / s.Alpha)
}

// TestDecision is a test's state.
type TestDecision string

// The test decisions.
const (
	Undecided  TestDecision = "none"
	AcceptedH0 TestDecision = "H0"
	AcceptedH1 TestDecision = "H1"
)

// Decide returns the test's decision after the given pairs.
func (s SPRT) Decide(p Pairs) TestDecision {
	lower, upper := s.Bounds()
	switch llr := s.LLR(p); {
	case llr >= upper:
		return AcceptedH1
	case llr <= lower:
		return AcceptedH0
	}
	return Undecided
}

// LLR returns the logarithm of how much more likely the pairs are under H1 than under
// H0.
func (s SPRT) LLR(p Pairs) float64 {
	if p.N() == 0 {
		return 0
	}
	counts := p.regularisedCounts()
	s0, s1 := Expected(s.Elo0), Expected(s.Elo1)
	x0, x1 := solveTilt(counts, s0), solveTilt(counts, s1)
	llr := 0.0
	for i, n := range counts {
		if n > 0 {
			likelier := (1 + float64(x0*(pairScore(i)-s0))) / (1 + float64(x1*(pairScore(i)-s1)))
			llr += float64(n * samebits.Log(likelier))
		}
	}
	return llr
}

// regularisedCounts returns the counts, with 0.001 pairs in every empty category that a
// game without draws can fill. Without them, some expected scores have no likelihood at all.
func (p Pairs) regularisedCounts() (counts [5]float64) {
	for i, n := range p {
		counts[i] = float64(n)
		if n == 0 && i%2 == 0 {
			counts[i] = 1e-3
		}
	}
	return counts
}

// solveTilt returns the x where the distribution in proportion to
// counts[i]/(1+x*(a[i]-s)), with a[i] the category's score, has the mean s: among all
// distributions with that mean it is the most likely one. The sum of
// counts[i]*(a[i]-s)/(1+x*(a[i]-s)) falls with x from +Inf to -Inf between the ends
// below, so halving finds its zero.
func solveTilt(counts [5]float64, s float64) float64 {
	low, high := -1/(1-s), 1/s
	for range 100 { // 2^-98 is far below a float's precision
		x := low + (high-low)/2
		sum := 0.0
		for i, n := range counts {
			d := pairScore(i) - s
			sum += float64(n*d) / (1 + float64(x*d))
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	return low + (high-low)/2
}
