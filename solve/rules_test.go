package solve

import (
	"cmp"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// plainRules is the plain solver for any rule set: see plain_test.go.
type plainRules struct {
	*board.Rules
	positions []board.Position
	win       []float64
	number    map[board.Position]int32
	futures   []int32
	lists     []int32 // where list of position and roll ends in futures
}

func solveRulesPlainly(r *board.Rules) *plainRules {
	s := &plainRules{Rules: r, number: map[board.Position]int32{}}
	s.add(r.Start())
	for i := 0; i < len(s.positions); i++ {
		s.expand(s.positions[i])
	}
	order := make([]int32, len(s.positions))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		return cmp.Compare(s.walked(s.positions[j]), s.walked(s.positions[i]))
	})
	s.win = make([]float64, len(s.positions))
	for change := 1.0; change > 1e-15; {
		change = 0
		for _, i := range order {
			value := s.look(i)
			change = max(change, math.Abs(value-s.win[i]))
			s.win[i] = value
		}
	}
	return s
}

func (s *plainRules) walked(p board.Position) (sum int) {
	for square := range s.Finish() + 1 {
		sum += square * (s.Count(p, board.Light, square) + s.Count(p, board.Dark, square))
	}
	return sum
}

func (s *plainRules) add(p board.Position) int32 {
	if p.Turn() == board.Dark {
		p = p.Mirror()
	}
	n, known := s.number[p]
	if !known {
		n = int32(len(s.positions))
		s.number[p] = n
		s.positions = append(s.positions, p)
	}
	return n
}

func (s *plainRules) expand(p board.Position) {
	for roll := range s.MaxRoll() + 1 {
		for _, f := range s.Futures(nil, p, roll) {
			n := s.add(f)
			if f.Turn() != p.Turn() {
				n |= flip
			}
			s.futures = append(s.futures, n)
		}
		s.lists = append(s.lists, int32(len(s.futures)))
	}
}

func (s *plainRules) look(i int32) float64 {
	rolls := s.MaxRoll() + 1
	begin, first := int32(0), int(i)*rolls
	if i > 0 {
		begin = s.lists[first-1]
	}
	if begin == s.lists[first+rolls-1] {
		if winner, _ := s.positions[i].Winner(); winner == board.Light {
			return 1
		}
		return 0
	}
	sum := 0.0
	for roll := range rolls {
		end := s.lists[first+roll]
		best := 0.0
		for _, f := range s.futures[begin:end] {
			value := s.win[f&^flip]
			if f&flip != 0 {
				value = 1 - value
			}
			best = max(best, value)
		}
		sum += s.Probability(roll) * best
		begin = end
	}
	return sum
}

// variants are rule sets with the features that the built-in ones lack.
func variants(t testing.TB) []*board.Rules {
	t.Helper()
	change := func(name string, d board.Definition, f func(*board.Definition)) *board.Rules {
		d.Name = name
		f(&d)
		r, err := board.New(d)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	masters, err := board.Lookup("masters")
	if err != nil {
		t.Fatal(err)
	}
	finkel := board.Finkel().Definition()
	return []*board.Rules{
		change("six", finkel, func(d *board.Definition) { d.Dice = []int{0, 1, 1, 1, 1, 1, 1} }),
		change("odd", finkel, func(d *board.Definition) { d.Dice = []int{3, 5, 0, 2, 0, 1} }),
		change("plain", finkel, func(d *board.Definition) { d.RollAfterRosette = false }),
		change("crossed", masters.Definition(), func(d *board.Definition) { d.SafeRosettes, d.RollAfterCapture = true, true }),
	}
}

// Every position of small games of every rule set has the value that the plain solver finds.
func TestRulesEqualPlainSolver(t *testing.T) {
	most := *plainPieces
	if testing.Short() {
		most = 1
	}
	for _, r := range append(board.List(), variants(t)...) {
		for pieces := 1; pieces <= min(most, 3); pieces++ {
			if pieces == 3 && most == 3 {
				continue // a minute for all: go test -plain 4
			}
			t.Run(r.Name(), func(t *testing.T) { compareWithPlain(t, r, pieces) })
		}
	}
}

func compareWithPlain(t *testing.T, r *board.Rules, pieces int) {
	r, err := r.WithPieces(pieces)
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewIndex(r)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := SolveRules(t.Context(), x, Options{})
	if err != nil {
		t.Fatal(err)
	}
	plain := solveRulesPlainly(r)
	for i, p := range plain.positions {
		if got, want := Win(v, p), plain.win[i]; math.Abs(got-want) > 2e-13 {
			t.Fatalf("%d pieces, %s: %.16f, plain solver %.16f", pieces, r.FormatPosition(p), got, want)
		}
	}
	residual, err := Certify(t.Context(), v, 0)
	if err != nil || residual > 4e-15 {
		t.Errorf("%d pieces: residual %g, %v", pieces, residual, err)
	}
	t.Logf("%d pieces: %d positions agree, start %.12f, residual %.1e", pieces, len(plain.positions), Win(v, r.Start()), residual)
}

func TestRanksOfRulesRoundTrip(t *testing.T) {
	for _, r := range append(board.List(), variants(t)...) {
		r, err := r.WithPieces(2)
		if err != nil {
			t.Fatal(err)
		}
		x, err := NewIndex(r)
		if err != nil {
			t.Fatal(err)
		}
		for rank := range x.Positions(2) {
			p := x.Unrank(rank, 2)
			if err := r.Check(p); err != nil {
				t.Fatalf("%s: rank %d is no position: %v", r.Name(), rank, err)
			}
			if got, ok := x.Rank(p); got != rank || !ok {
				t.Fatalf("%s: rank %d is %s, whose rank is %d, %v", r.Name(), rank, r.FormatPosition(p), got, ok)
			}
			if got, _ := x.Rank(p.Mirror()); got != rank {
				t.Fatalf("%s: rank %d is %s, whose mirror has rank %d", r.Name(), rank, r.FormatPosition(p), got)
			}
		}
	}
}

// game_of_ur counts the games that the mover has won besides the unfinished ones: one for each
// way to place the opponent's pieces, except all of them at home.
func TestPositionsOfRules(t *testing.T) {
	for name, want := range map[string]int{"finkel": 137_892_016, "blitz": 41_254_034, "masters": 500_981_472} {
		r, err := board.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		x, err := indexOf(r)
		if err != nil {
			t.Fatal(err)
		}
		won := -1
		for opp := range row(x.rowSets()) {
			won += max(0, r.Pieces()-opp.pieces()+1)
		}
		if got := x.Positions(r.Pieces()) + won; got != want {
			t.Errorf("%s: %d positions and %d won, together %d, want %d", name, got-won, won, got, want)
		}
		t.Logf("%s: %d positions and %d won", name, x.Positions(r.Pieces()), won)
	}
}

// A table of any rules names them, and is refused where others are wanted.
func TestTableNamesItsRules(t *testing.T) {
	all := append(board.List(), variants(t)...)
	for i, r := range all {
		r, err := r.WithPieces(1)
		if err != nil {
			t.Fatal(err)
		}
		x, err := NewIndex(r)
		if err != nil {
			t.Fatal(err)
		}
		v := RulesValues{x, make([]float64, x.Positions(1))}
		v.Values[7] = 1
		name := filepath.Join(t.TempDir(), FileName(r))
		if err := WriteTable(t.Context(), name, v, WriteOptions{Encoding: Float64, Meta: []byte(`{"rules":"of the game","by":"a test"}`)}); err != nil {
			t.Fatal(err)
		}
		f, err := OpenRules(name, all[i])
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Info(); !got.Rules.Equal(r) || got.Rules.Pieces() != 1 || string(got.Meta) != `{"by":"a test"}` || f.At(7) != 1 {
			t.Errorf("%s: %+v", r.Name(), got)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		var other *OtherRulesError
		want := all[(i+1)%len(all)]
		if _, err := OpenRules(name, want); !errors.As(err, &other) || other.Have != r.Name() || other.Want != want.Name() {
			t.Errorf("%s: opened as %s: %v", r.Name(), want.Name(), err)
		}
		if _, err := OpenTable(name); (err == nil) != (i == 0) {
			t.Errorf("%s: opened as finkel: %v", r.Name(), err)
		}
	}
}

// Rules under which a game may never end are refused, not solved wrongly.
func TestSolveRefusesEndlessGames(t *testing.T) {
	r, err := board.New(board.Definition{
		Name: "blocked", Board: []string{"####"}, Light: []string{"A1", "A2", "A3", "A4"}, Dark: []string{"A4", "A3", "A2", "A1"},
		Rosettes: []string{"A1", "A2", "A3", "A4"}, Pieces: 1, Dice: []int{0, 1}, SafeRosettes: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewIndex(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := SolveRules(t.Context(), x, Options{}); err == nil || !strings.Contains(err.Error(), "neither side can ever move") {
		t.Errorf("error %v", err)
	}
}

// The regret over all decisions of a rule set is that of its rules, written out.
func TestRulesRegretOfAllDecisions(t *testing.T) {
	list := append(board.List(), variants(t)...)
	if testing.Short() {
		list = list[:2]
	}
	for _, r := range list {
		r, err := r.WithPieces(2)
		if err != nil {
			t.Fatal(err)
		}
		x, err := NewIndex(r)
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := SolveRules(t.Context(), x, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var decisions int64
		sum, largest := 0.0, 0.0
		for rank := range x.Positions(2) {
			for _, p := range []board.Position{x.Unrank(rank, 2), x.Unrank(rank, 2).Mirror()} {
				for roll := 1; roll <= r.MaxRoll(); roll++ {
					moves := r.Moves(nil, p, roll)
					if len(moves) < 2 || r.Weight(roll) == 0 {
						continue
					}
					_, best := BestRulesMove(v, p, moves)
					regret := 100 * (best - RulesAfter(v, p, moves[0]))
					decisions, sum, largest = decisions+1, sum+regret, max(largest, regret)
				}
			}
		}
		mean := sum / float64(max(decisions, 1))
		legal := chooserFunc(func(d *Decision) (int, error) {
			if !slices.Equal(d.Moves, r.Moves(nil, d.State, d.Roll)) {
				t.Errorf("%s: moves %v of %s with a %d", r.Name(), d.Moves, r.FormatPosition(d.State), d.Roll)
			}
			return 0, nil
		})
		s, err := RulesRegret(t.Context(), v, func() (Chooser, error) { return legal, nil }, RegretOptions{All: true})
		if err != nil {
			t.Fatal(err)
		}
		if s.Decisions != decisions || math.Abs(s.Mean-mean) > 1e-9 || math.Abs(s.Max-largest) > largest/4000 {
			t.Errorf("%s: %+v, want %d decisions, mean %v, max %v", r.Name(), s, decisions, mean, largest)
		}
	}
}
