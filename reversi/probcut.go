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

// Errors describes the accuracy with which a search of few plies predicts one of more, for
// Multi-ProbCut. [Calibrate] measures it for an evaluation.
type Errors struct {
	pairs []prediction
}

// prediction is one line of Errors: at a stage of the game, deep = Slope * shallow +
// Offset with a standard error, in values.
type prediction struct {
	stage, deep, shallow int
	slope, offset, sigma float64
}

// cutDepths are the calibrated pairs of depths. Both have the same parity: the value swings
// with the side that moves last.
var cutDepths = [...][2]int{{3, 1}, {4, 2}, {5, 1}, {6, 2}, {7, 3}, {8, 4}, {9, 3}, {10, 4}}

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
		got, _ := fmt.Sscanf(line+" .", "%d %d %d %f %f %f %s", &p.stage, &p.deep, &p.shallow, &p.slope, &p.offset, &p.sigma, &rest)
		if got != 7 || rest != "." {
			return nil, fmt.Errorf("errors of searches, line %d: want phase, deep, shallow, slope, offset, sigma", n)
		}
		if p.stage < 0 || p.stage >= phases || p.shallow < 1 || p.shallow >= p.deep || p.deep > search.MaxDepth || !(p.slope > 0.1 && p.slope < 10) || !(p.sigma > 0) || !(math.Abs(p.offset) < 1e5) {
			return nil, fmt.Errorf("errors of searches, line %d: %q makes no sense", n, line)
		}
		e.pairs = append(e.pairs, p)
	}
	return e, in.Err()
}

// Write writes one prediction a line.
func (e *Errors) Write(to io.Writer) error {
	if _, err := fmt.Fprintln(to, "# How well a shallow search predicts a deep one: deep = slope * shallow + offset, in 32nds of a disc.\n# phase deep shallow slope offset sigma"); err != nil {
		return err
	}
	for _, p := range e.pairs {
		if _, err := fmt.Fprintf(to, "%d %d %d %.4f %.2f %.2f\n", p.stage, p.deep, p.shallow, p.slope, p.offset, p.sigma); err != nil {
			return err
		}
	}
	return nil
}

// ProbCuts returns the predictions for a search of a depth. Depths beyond the calibrated ones
// take the predictions of the greatest of the same parity.
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
				Sigma: p.sigma * (1 + 0.05*float64(beyond))})
		}
	}
	return list
}

// Calibrate measures the accuracy with which shallow searches predict deep ones of at most 10
// plies, over a number of positions drawn by a seed. Each is searched to all depths, and lines
// are fitted by least squares.
func Calibrate(ctx context.Context, w *eval.Weights, seed uint64, positions, deepest int) (*Errors, error) {
	var sums [phases][len(cutDepths)]moments
	random := rand.New(rand.NewPCG(seed, 61))
	table, err := search.NewTable(1<<22, search.Buckets)
	if err != nil {
		return nil, err
	}
	game := NewMidgame(w)
	s, err := search.New[State](game, search.Options{Table: table, Static: true, TableMove: true, ETC: true})
	if err != nil {
		return nil, err
	}
	for range positions {
		stretch := random.IntN(phases)
		b, ok := randomBoard(random, 4+stretch*60/phases+random.IntN(60/phases))
		if !ok || b.Empties() < 12 || b.Moves() == 0 {
			continue
		}
		var values [11]float64
		for depth := 1; depth <= min(deepest, len(values)-1); depth++ {
			r, err := s.Search(ctx, game.State(b), search.Limits{Depth: depth, First: depth})
			if err != nil {
				return nil, err
			}
			values[depth] = float64(r.Value)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, d := range cutDepths {
			if d[0] <= deepest {
				sums[phase(64-b.Empties())][i].add(values[d[1]], values[d[0]])
			}
		}
	}
	e := new(Errors)
	for stage := range sums {
		for i, d := range cutDepths {
			if m := sums[stage][i]; m.n >= 20 {
				slope, offset, sigma := m.line()
				e.pairs = append(e.pairs, prediction{stage, d[0], d[1], slope, offset, sigma})
			}
		}
	}
	return e, nil
}

// moments are sums for a line of regression.
type moments struct{ n, x, y, xx, xy, yy float64 }

func (m *moments) add(x, y float64) {
	m.n++
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

// randomBoard plays half-random moves up to a number of discs: of two random moves the one that
// turns over fewer, so positions are not too wild.
func randomBoard(random *rand.Rand, discs int) (board.Board, bool) {
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
		x, y := anyOf(random, moves), anyOf(random, moves)
		if bits.OnesCount64(b.Flips(y)) < bits.OnesCount64(b.Flips(x)) {
			x = y
		}
		b = b.Play(x, b.Flips(x))
	}
	return b, true
}

// anyOf returns a random square of a set.
func anyOf(random *rand.Rand, set uint64) board.Square {
	for range random.IntN(bits.OnesCount64(set)) {
		set &= set - 1
	}
	return board.First(set)
}
