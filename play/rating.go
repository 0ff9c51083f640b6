package play

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Rating is the strength of a player of a tournament in points of Elo, relative to an
// anchor, with its 95 % confidence interval. A player that is the anchor has 0, with no
// width.
type Rating struct {
	Elo, Low, High float64
}

// ratings are those of all players, by maximum likelihood under the model of Bradley
// and Terry ("Rank analysis of incomplete block designs", Biometrika 1952): a player
// who is d points of Elo stronger than another has the expected score
// 1/(1+10^(-d/400)) against it. The likelihood is concave, and Newton's method finds
// its top in a few steps.
//
// The intervals come from the observed information. Because the two games of a pair
// are not independent, the variance of the scores is that of the pairs: the covariance
// is H^-1 J H^-1, with H the information of the model and J the variance of its
// gradient as observed (White, "Maximum likelihood estimation of misspecified models",
// Econometrica 1982). With independent games J is H.
type ratings struct {
	players []Rating

	// prior tells that the results alone have no finite estimate, since a player or a
	// group of them won or lost every game against all others (Ford, "Solution of a
	// ranking problem from binary comparisons", American Mathematical Monthly 1957).
	// The ratings are then those with one more pair of games in each pairing, in which
	// each player wins one.
	prior bool
}

// encounter is what two players scored against each other.
type encounter struct {
	first, second int // players
	pairs         Pairs
}

// meanAnchor is the anchor that gives all players the mean 0.
const meanAnchor = -1

// rate rates n players by their encounters, which must connect all of them. The anchor
// is a player, or meanAnchor.
func rate(n int, encounters []encounter, anchor int) (ratings, error) {
	m := bradleyTerry{n: n, encounters: encounters, prior: !hasFiniteRatings(n, encounters)}
	strength, err := m.maximise()
	if err != nil {
		return ratings{}, err
	}
	covariance, err := m.covariance(strength)
	if err != nil {
		return ratings{}, err
	}
	r := ratings{players: make([]Rating, n), prior: m.prior}
	origin := make([]float64, n) // what a rating is relative to, as a mean of players
	for i := range origin {
		switch anchor {
		case meanAnchor:
			origin[i] = 1 / float64(n)
		case i:
			origin[i] = 1
		}
	}
	for i := range r.players {
		contrast := mat.NewVecDense(n, nil)
		for j := range origin {
			contrast.SetVec(j, -origin[j])
		}
		contrast.SetVec(i, contrast.AtVec(i)+1)
		const z, elo = 1.959963984540054, 400 / math.Ln10
		at := elo * mat.Dot(contrast, strength)
		width := z * elo * math.Sqrt(max(0, mat.Inner(contrast, covariance, contrast)))
		r.players[i] = Rating{at, at - width, at + width}
	}
	return r, nil
}

// hasFiniteRatings reports whether every player can be reached from every other by
// steps from one to another that it has scored against: the condition of Ford.
func hasFiniteRatings(n int, encounters []encounter) bool {
	scored := make([][]bool, n)
	for i := range scored {
		scored[i] = make([]bool, n)
	}
	for _, e := range encounters {
		points := e.pairs.Score() * float64(4*e.pairs.N())
		scored[e.first][e.second] = points > 0
		scored[e.second][e.first] = points < float64(4*e.pairs.N())
	}
	forth := func(i, j int) bool { return scored[i][j] }
	back := func(i, j int) bool { return scored[j][i] }
	return reached(n, forth) == n && reached(n, back) == n
}

// reached counts the players that steps lead to from player 0.
func reached(n int, step func(from, to int) bool) int {
	seen, open := make([]bool, n), []int{0}
	seen[0] = true
	for k := 0; k < len(open); k++ {
		for to := range n {
			if !seen[to] && step(open[k], to) {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	return len(open)
}

// bradleyTerry is the model. Strengths are logarithms of odds; that of player 0 is 0.
type bradleyTerry struct {
	n          int
	encounters []encounter
	prior      bool
}

// points returns the games of an encounter and how many points the first player has.
func (m bradleyTerry) points(e encounter) (games, points float64) {
	games = float64(2 * e.pairs.N())
	points = e.pairs.Score() * games
	if m.prior {
		return games + 2, points + 1
	}
	return games, points
}

// expected is the expected score of a player who is so much stronger.
func expected(difference float64) float64 { return 1 / (1 + math.Exp(-difference)) }

// logLikelihood of the encounters, but for a constant.
func (m bradleyTerry) logLikelihood(strength *mat.VecDense) float64 {
	sum := 0.0
	for _, e := range m.encounters {
		games, points := m.points(e)
		d := strength.AtVec(e.first) - strength.AtVec(e.second)
		sum -= points*math.Log1p(math.Exp(-d)) + (games-points)*math.Log1p(math.Exp(d))
	}
	return sum
}

// derivatives returns the gradient and the information, which is the negative second
// derivative, of players 1 to n-1.
func (m bradleyTerry) derivatives(strength *mat.VecDense) (gradient *mat.VecDense, information *mat.SymDense) {
	gradient, information = mat.NewVecDense(m.n-1, nil), mat.NewSymDense(m.n-1, nil)
	for _, e := range m.encounters {
		games, points := m.points(e)
		p := expected(strength.AtVec(e.first) - strength.AtVec(e.second))
		addEncounter(information, e, games*p*(1-p))
		for i, more := range map[int]float64{e.first: points - games*p, e.second: games*p - points} {
			if i > 0 {
				gradient.SetVec(i-1, gradient.AtVec(i-1)+more)
			}
		}
	}
	return gradient, information
}

// addEncounter adds an amount, of information or of variance, about the difference of
// two players.
func addEncounter(s *mat.SymDense, e encounter, amount float64) {
	a, b := e.first-1, e.second-1
	if a >= 0 {
		s.SetSym(a, a, s.At(a, a)+amount)
	}
	if b >= 0 {
		s.SetSym(b, b, s.At(b, b)+amount)
	}
	if a >= 0 && b >= 0 {
		s.SetSym(a, b, s.At(a, b)-amount)
	}
}

// maximise finds the strengths of the highest likelihood, by Newton's method with
// shorter steps where a full one would go too far.
func (m bradleyTerry) maximise() (*mat.VecDense, error) {
	const most, enough = 200, 1e-12
	strength := mat.NewVecDense(m.n, nil)
	for range most {
		gradient, information := m.derivatives(strength)
		var factor mat.Cholesky
		if !factor.Factorize(information) {
			return nil, fmt.Errorf("ratings of %d players: the encounters do not connect them", m.n)
		}
		step := mat.NewVecDense(m.n-1, nil)
		if err := factor.SolveVecTo(step, gradient); err != nil {
			return nil, fmt.Errorf("ratings of %d players: %w", m.n, err)
		}
		if mat.Norm(step, math.Inf(1)) < enough {
			return strength, nil
		}
		strength = m.advance(strength, step)
	}
	return strength, nil // as near as numbers of this width come
}

// advance adds a step, halved until the likelihood does not fall.
func (m bradleyTerry) advance(strength, step *mat.VecDense) *mat.VecDense {
	before := m.logLikelihood(strength)
	for scale := 1.0; ; scale /= 2 {
		next := mat.VecDenseCopyOf(strength)
		for i := range m.n - 1 {
			next.SetVec(i+1, strength.AtVec(i+1)+scale*step.AtVec(i))
		}
		if scale < 1e-6 || m.logLikelihood(next) >= before-1e-9*math.Abs(before) {
			return next
		}
	}
}

// covariance returns the covariance of the strengths of all players, of which player 0
// has none.
func (m bradleyTerry) covariance(strength *mat.VecDense) (*mat.SymDense, error) {
	_, information := m.derivatives(strength)
	variance := mat.NewSymDense(m.n-1, nil)
	for _, e := range m.encounters {
		_, ofScore := e.pairs.moments() // of a game in a pair
		pairs := float64(e.pairs.N())
		if m.prior {
			pairs++
		}
		addEncounter(variance, e, pairs*4*ofScore) // a pair has twice as many points
	}
	var factor mat.Cholesky
	if !factor.Factorize(information) {
		return nil, fmt.Errorf("ratings of %d players: no information about them", m.n)
	}
	var inverse mat.SymDense
	if err := factor.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("ratings of %d players: %w", m.n, err)
	}
	var half, product mat.Dense
	half.Mul(&inverse, variance)
	product.Mul(&half, &inverse)
	all := mat.NewSymDense(m.n, nil)
	for i := range m.n - 1 {
		for j := i; j < m.n-1; j++ {
			all.SetSym(i+1, j+1, product.At(i, j))
		}
	}
	return all, nil
}
