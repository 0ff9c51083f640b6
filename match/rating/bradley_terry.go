package rating

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// Rating is a player's strength among others in Elo points, relative to an
// anchor, with its 95 % confidence interval. A player that is the anchor has 0, with no
// width.
type Rating struct {
	Elo, Low, High float64
}

// Ratings are all players' ratings, by maximum likelihood under the model by Bradley
// and Terry ("Rank analysis of incomplete block designs", Biometrika 1952): a player
// who is d Elo points stronger than another has the expected score
// 1/(1+10^(-d/400)) against it. The likelihood is concave, and Newton's method finds
// its top in a few steps.
//
// The intervals come from the observed information. The two games in a pair are not
// independent, so the score variance is estimated from pairs. The covariance is H^-1 J
// H^-1, with H the model's information and J the observed variance of its gradient (White,
// "Maximum likelihood estimation of misspecified models", Econometrica 1982). With independent
// games J is H.
type Ratings struct {
	Players []Rating

	// Prior reports that the results alone have no finite estimate, because a player or a group
	// of players won or lost every game against all others (Ford, "Solution of a ranking
	// problem from binary comparisons", American Mathematical Monthly 1957). One win and one
	// loss are then added to each encounter.
	Prior bool
}

// Encounter is the results between two players.
type Encounter struct {
	First, Second int // players, by number from 0
	Pairs         Pairs
}

// MeanAnchor is the anchor that gives all players the mean 0.
const MeanAnchor = -1

// Rate rates n players by their encounters, which must connect them all. The anchor
// is a player, or [MeanAnchor].
func Rate(n int, encounters []Encounter, anchor int) (Ratings, error) {
	if err := checkEncounters(n, encounters, anchor); err != nil {
		return Ratings{}, err
	}
	m := bradleyTerry{n: n, encounters: encounters, prior: !hasFiniteRatings(n, encounters)}
	strength, factor, err := m.maximise()
	if err != nil {
		return Ratings{}, err
	}
	origin := slices.Repeat([]float64{-1 / float64(n)}, n) // the anchor, as a mean of players, less
	if anchor != MeanAnchor {
		clear(origin)
		origin[anchor] = -1
	}
	r := Ratings{Players: make([]Rating, n), Prior: m.prior}
	for i := range r.Players {
		contrast, at := slices.Clone(origin), 0.0
		contrast[i]++
		for j, share := range contrast {
			at += float64(share * strength[j])
		}
		elo := float64(perNeper * at)
		width := float64(perNeper * quantile * math.Sqrt(m.variance(factor, contrast)))
		r.Players[i] = Rating{elo, elo - width, elo + width}
	}
	return r, nil
}

// checkEncounters rejects encounters that cannot be rated.
func checkEncounters(n int, encounters []Encounter, anchor int) error {
	if n < 1 {
		return fmt.Errorf("ratings of %d players (want 1 or more)", n)
	}
	if anchor < MeanAnchor || anchor >= n {
		return fmt.Errorf("anchor %d of %d players is out of range", anchor, n)
	}
	for i, e := range encounters {
		if e.First < 0 || e.First >= n || e.Second < 0 || e.Second >= n || e.First == e.Second {
			return fmt.Errorf("encounter %d is of players %d and %d (want two of %d)", i, e.First, e.Second, n)
		}
	}
	if countReached(n, encounters, func(Pairs) (forth, back bool) { return true, true }) < n {
		return fmt.Errorf("ratings of %d players: no chain of games connects all of them", n)
	}
	return nil
}

// hasFiniteRatings reports Ford's condition: every player can be reached from every other by
// steps from a player to one it has scored against.
func hasFiniteRatings(n int, encounters []Encounter) bool {
	scored := func(p Pairs) (forth, back bool) { return p.HalfPoints() > 0, p.HalfPoints() < 4*p.N() }
	lost := func(p Pairs) (forth, back bool) { back, forth = scored(p); return forth, back }
	return countReached(n, encounters, scored) == n && countReached(n, encounters, lost) == n
}

// countReached counts the players reachable from player 0. The function steps reports whether an encounter's
// pairs lead from its first player to the second, and back.
func countReached(n int, encounters []Encounter, steps func(p Pairs) (forth, back bool)) int {
	seen := make([]bool, n)
	seen[0] = true
	for count := 1; ; {
		before := count
		for _, e := range encounters {
			forth, back := steps(e.Pairs)
			if a, b := seen[e.First], seen[e.Second]; a && !b && forth || b && !a && back {
				seen[e.First], seen[e.Second] = true, true
				count++
			}
		}
		if count == before {
			return count
		}
	}
}

// bradleyTerry is the model. Strengths are log odds; player 0 has 0.
type bradleyTerry struct {
	n          int
	encounters []Encounter
	prior      bool
}

// gamesAndPoints returns an encounter's games and the first player's points.
func (m bradleyTerry) gamesAndPoints(e Encounter) (games, points float64) {
	games = float64(2 * e.Pairs.N())
	points = float64(e.Pairs.Score() * games)
	if m.prior {
		return games + 2, points + 1
	}
	return games, points
}

// logLikelihood returns the encounters' log-likelihood, but for a constant.
func (m bradleyTerry) logLikelihood(strength []float64) float64 {
	sum := 0.0
	for _, e := range m.encounters {
		games, points := m.gamesAndPoints(e)
		d := strength[e.First] - strength[e.Second]
		sum -= float64(points*logOfOnePlusExp(-d)) + float64((games-points)*logOfOnePlusExp(d))
	}
	return sum
}

// logOfOnePlusExp returns log(1+e^x). For large x this is x.
func logOfOnePlusExp(x float64) float64 {
	return max(0, x) + samebits.Log1p(samebits.Exp(-math.Abs(x)))
}

// derivatives returns the gradient and the information (the negative second derivative) of
// players 1 to n-1.
func (m bradleyTerry) derivatives(strength []float64) (gradient []float64, information samebits.Triangle) {
	gradient, information = make([]float64, m.n-1), samebits.NewTriangle(m.n-1)
	for _, e := range m.encounters {
		games, points := m.gamesAndPoints(e)
		p := expectedScore(strength[e.First] - strength[e.Second])
		more, amount := points-float64(games*p), float64(games*p*(1-p))
		a, b := e.First-1, e.Second-1
		if a >= 0 {
			gradient[a] += more
			information.Row(a)[a] += amount
		}
		if b >= 0 {
			gradient[b] -= more
			information.Row(b)[b] += amount
		}
		if a >= 0 && b >= 0 {
			information.Row(max(a, b))[min(a, b)] -= amount
		}
	}
	return gradient, information
}

// maximise finds the strengths with the highest likelihood, by Newton's method with
// shorter steps where a full one would go too far, and the factored information
// there.
func (m bradleyTerry) maximise() (strength []float64, factor samebits.Triangle, err error) {
	const most, enough = 200, 1e-12
	strength = make([]float64, m.n)
	for range most {
		gradient, information := m.derivatives(strength)
		var positive bool
		if factor, positive = information.Factor(); !positive {
			return nil, nil, fmt.Errorf("ratings of %d players: the strengths are too far apart to compute", m.n)
		}
		step := factor.Solve(gradient)
		if !slices.ContainsFunc(step, func(s float64) bool { return !(math.Abs(s) < enough) }) {
			break // or as near as numbers of this width come
		}
		strength = m.addStep(strength, step)
	}
	return strength, factor, nil
}

// addStep adds a step, halved until the likelihood does not fall.
func (m bradleyTerry) addStep(strength, step []float64) []float64 {
	before := m.logLikelihood(strength)
	for scale := 1.0; ; scale /= 2 {
		next := make([]float64, m.n)
		for i, s := range step {
			next[i+1] = strength[i+1] + float64(scale*s)
		}
		if scale < 1e-6 || m.logLikelihood(next) >= before-float64(1e-9*math.Abs(before)) {
			return next
		}
	}
}

// variance returns the variance of weighted strengths. With v = H^-1 times the
// weights it is v J v, to which each encounter contributes by the difference between its two
// players.
func (m bradleyTerry) variance(factor samebits.Triangle, times []float64) float64 {
	v := append([]float64{0}, factor.Solve(times[1:])...) // player 0 does not vary
	sum := 0.0
	for _, e := range m.encounters {
		pairs := float64(e.Pairs.N())
		if m.prior {
			pairs++
		}
		d := v[e.First] - v[e.Second]
		sum += float64(4 * pairs * e.Pairs.variance() * float64(d*d)) // a pair has twice as many points
	}
	return sum
}
