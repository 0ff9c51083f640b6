package reversi

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
)

// Errors holds the accuracy with which shallow searches predict deeper ones, for Multi-ProbCut.
// [Calibrate] measures it for an evaluation.
type Errors struct {
	pairs []prediction
}

// prediction is one line of Errors: at a stage of the game, deep = Slope * shallow +
// Offset with a standard error, in values; and the deviation of the shallow value from the
// static one.
type prediction struct {
	stage, deep, shallow        int
	slope, offset, sigma, quick float64
}

// cutDepths are the calibrated pairs of depths. Both have the same parity: the value swings
// with the side that moves last.
var cutDepths = [...][2]int{{3, 1}, {4, 2}, {5, 1}, {6, 2}, {7, 3}, {8, 4}, {9, 3}, {10, 4}, {11, 5}, {12, 6}}

// DeepestCut is the most plies [Calibrate] searches.
const DeepestCut = 12

// phases is how many stretches of the game have predictions of their own.
const phases = 6

func phase(discs int) int { return min(phases-1, (discs-4)*phases/60) }

//go:embed probcut.txt
var builtInErrorsText string

// builtInErrors are those of the built-in weights.
var builtInErrors = func() Errors {
	e, err := readErrors(strings.NewReader(builtInErrorsText))
	if err != nil {
		panic(err) // the file comes with the package
	}
	return *e
}()

// readErrors reads the output of Write.
func readErrors(from io.Reader) (*Errors, error) {
	e := new(Errors)
	in := bufio.NewScanner(from)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var p prediction
		var rest string
		got, _ := fmt.Sscanf(line+" .", "%d %d %d %f %f %f %f %s", &p.stage, &p.deep, &p.shallow, &p.slope, &p.offset, &p.sigma, &p.quick, &rest)
		if got != 8 || rest != "." {
			return nil, fmt.Errorf("errors of searches, line %d: %q (want phase, deep, shallow, slope, offset, sigma, quick)", n, line)
		}
		if p.stage < 0 || p.stage >= phases || p.shallow < 1 || p.shallow >= p.deep || p.deep > search.MaxDepth || !(p.slope > 0.1 && p.slope < 10) || !(p.sigma > 0) || !(p.quick > 0) || !(math.Abs(p.offset) < 1e5) {
			return nil, fmt.Errorf("errors of searches, line %d: invalid line %q", n, line)
		}
		e.pairs = append(e.pairs, p)
	}
	return e, in.Err()
}

// Write writes one prediction a line.
func (e *Errors) Write(to io.Writer) error {
	if _, err := fmt.Fprintln(to, "# How well a shallow search predicts a deep one: deep = slope * shallow + offset, in 32nds of a disc;\n# quick is the deviation of the shallow value from the static one.\n# phase deep shallow slope offset sigma quick"); err != nil {
		return err
	}
	for _, p := range e.pairs {
		if _, err := fmt.Fprintf(to, "%d %d %d %.4f %.2f %.2f %.2f\n", p.stage, p.deep, p.shallow, p.slope, p.offset, p.sigma, p.quick); err != nil {
			return err
		}
	}
	return nil
}

// ProbCuts returns the predictions for a search of a depth. A depth beyond the calibrated ones
// uses the predictions of the greatest calibrated depth of the same parity.
func (g *Midgame) ProbCuts(s *State, depth int) []search.ProbCut {
	empties := bits.OnesCount64(s.board.Empty())
	if depth < 3 || depth >= empties || s.moves == 0 {
		return nil
	}
	if g.cuts[empties][depth] == nil {
		g.cuts[empties][depth] = g.errors.predictions(phase(64-empties), depth)
	}
	return g.cuts[empties][depth]
}

// reach is how many deviations of the shallow value from the static one a bound may lie away to
// be tried.
const reach = 0.5

func (e *Errors) predictions(stage, depth int) []search.ProbCut {
	list := []search.ProbCut{}
	most := 0
	for _, p := range e.pairs {
		if p.stage == stage && p.deep <= depth && (depth-p.deep)%2 == 0 {
			most = max(most, p.deep)
		}
	}
	for _, p := range e.pairs {
		if p.stage == stage && p.deep == most {
			// Beyond the calibrated depths, the shallow search follows and errs more.
			beyond := depth - p.deep
			list = append(list, search.ProbCut{Depth: p.shallow + beyond/4*2, Slope: p.slope, Offset: p.offset,
				Sigma: p.sigma * (1 + 0.05*float64(beyond)), Reach: reach * p.quick})
		}
	}
	return list
}

// Calibrate measures the accuracy with which shallow searches predict deep ones of at most
// [DeepestCut] plies, over a number of positions of self-play drawn by a seed. Each is searched to all depths,
// and lines are fitted by least squares. Every fourth position is held out: it also returns the
// deviation of these, in predicted ones; 1 where the predictions hold.
func Calibrate(ctx context.Context, w *eval.Weights, seed uint64, positions, deepest int) (*Errors, float64, error) {
	var sums [phases][len(cutDepths)]moments
	var held [][DeepestCut + 1]float64 // values by depth of the positions held out
	var stages []int                   // and their phases
	random := rand.New(rand.NewPCG(seed, 61))
	table, err := search.NewTable(1<<22, search.Buckets)
	if err != nil {
		return nil, 0, err
	}
	game := NewMidgame(w)
	s, err := search.New[State](game, search.Options{Table: table, Static: true, TableMove: true, ETC: true})
	if err != nil {
		return nil, 0, err
	}
	for n := range positions {
		b, ok := selfPlayed(random, game, 12+random.IntN(42))
		if !ok || b.Empties() < 12 || b.Moves() == 0 {
			continue
		}
		root := game.State(b)
		values := [DeepestCut + 1]float64{float64(game.Value(&root))}
		for depth := 1; depth <= min(deepest, len(values)-1); depth++ {
			r, err := s.Search(ctx, root, search.Limits{Depth: depth, First: depth})
			if err != nil {
				return nil, 0, err
			}
			values[depth] = float64(r.Value)
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		stage := phase(64 - b.Empties())
		if n%4 == 3 {
			held = append(held, values)
			stages = append(stages, stage)
			continue
		}
		for i, d := range cutDepths {
			if d[0] <= deepest {
				sums[stage][i].add(values[d[1]], values[d[0]], values[0])
			}
		}
	}
	e := new(Errors)
	for stage := range sums {
		for i, d := range cutDepths {
			if m := sums[stage][i]; m.n >= 20 {
				slope, offset, sigma := m.line()
				e.pairs = append(e.pairs, prediction{stage, d[0], d[1], slope, offset, sigma, m.deviation()})
			}
		}
	}
	return e, e.check(stages, held), nil
}

// check returns the root of the mean squared error of predictions, in their own deviations.
func (e *Errors) check(stages []int, held [][DeepestCut + 1]float64) float64 {
	sum, n := 0.0, 0.0
	for i, values := range held {
		for _, p := range e.pairs {
			if p.stage == stages[i] {
				z := (values[p.deep] - float64(p.slope*values[p.shallow]) - p.offset) / p.sigma
				sum += float64(z * z)
				n++
			}
		}
	}
	return math.Sqrt(sum / max(1, n))
}

// moments are sums for a line of regression.
type moments struct{ n, x, y, xx, xy, yy, apart float64 }

func (m *moments) add(x, y, static float64) {
	m.n++
	m.apart += float64((x - static) * (x - static))
	m.x += x
	m.y += y
	m.xx += float64(x * x)
	m.xy += float64(x * y)
	m.yy += float64(y * y)
}

// line returns the line of least squares and the standard error about it.
func (m *moments) line() (slope, offset, sigma float64) {
	sxx := m.xx - float64(m.x*m.x)/m.n
	sxy := m.xy - float64(m.x*m.y)/m.n
	syy := m.yy - float64(m.y*m.y)/m.n
	slope = max(0.2, min(5, sxy/max(1, sxx)))
	offset = (m.y - float64(slope*m.x)) / m.n
	rest := syy - float64(2*slope*sxy) + float64(slope*slope*sxx)
	return slope, offset, math.Sqrt(max(1, rest) / max(1, m.n-2))
}

// deviation returns the deviation of x from the static value.
func (m *moments) deviation() float64 { return math.Sqrt(max(1, m.apart) / max(1, m.n)) }

// selfPlayed plays a game up to a number of discs: a random opening, then moves of the highest
// value, with a random one among eight.
func selfPlayed(random *rand.Rand, game *Midgame, discs int) (board.Board, bool) {
	opening := 8 + random.IntN(8)
	return playTo(discs, func(b board.Board, moves uint64) board.Square {
		x := anyOf(random, moves)
		if 64-b.Empties() >= opening && random.IntN(8) != 0 {
			x = quickest(game, b, moves)
		}
		return x
	})
}

// playTo plays chosen moves up to a number of discs, or reports that the game ended before.
func playTo(discs int, choose func(b board.Board, moves uint64) board.Square) (board.Board, bool) {
	b := board.Start
	for 64-b.Empties() < discs {
		moves := b.Moves()
		if moves == 0 {
			if b.Over() {
				return b, false
			}
			b = b.Pass()
			continue
		}
		x := choose(b, moves)
		b = b.Play(x, b.Flips(x))
	}
	return b, true
}

// quickest returns the move with the highest value at once.
func quickest(game *Midgame, b board.Board, moves uint64) board.Square {
	best, least := board.None, search.MaxValue
	for ; moves != 0; moves &= moves - 1 {
		x := board.First(moves)
		next := game.State(b.Play(x, b.Flips(x)))
		if v := game.Value(&next); v < least {
			best, least = x, v
		}
	}
	return best
}

// anyOf returns a random square of a set.
func anyOf(random *rand.Rand, set uint64) board.Square {
	for range random.IntN(bits.OnesCount64(set)) {
		set &= set - 1
	}
	return board.First(set)
}
