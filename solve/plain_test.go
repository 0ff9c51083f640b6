package solve

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// This file is a second solver, written to be read against the rules and to share
// nothing with the first: no index, no layers, no pairs. It finds the positions by
// walking from the start of the game, writes down what every roll can lead to, and
// repeats value iteration over all of them until nothing moves.

// plainSolution is a game solved plainly: what every position that can be reached is
// worth to Light, with Light to move. Positions with Dark to move are seen in the
// mirror.
type plainSolution struct {
	*board.Rules
	positions []board.Position
	win       []float64

	number  map[board.Position]int32
	futures []int32 // of all positions and rolls, one list after another; see flip
	lists   []int32 // where the list of a position and roll ends in futures
}

// flip marks a future in which the other side is to move.
const flip = 1 << 30

func solvePlainly(r *board.Rules) *plainSolution {
	s := &plainSolution{Rules: r, number: map[board.Position]int32{}}
	s.add(r.Start())
	for i := 0; i < len(s.positions); i++ {
		s.expand(s.positions[i])
	}
	order := make([]int32, len(s.positions))
	for i := range order {
		order[i] = int32(i)
	}
	// Any order will do; from the end of the game it takes the fewest sweeps.
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

// walked is how many squares all pieces have come.
func (s *plainSolution) walked(p board.Position) (sum int) {
	for square := range s.Finish() + 1 {
		sum += square * (s.Count(p, board.Light, square) + s.Count(p, board.Dark, square))
	}
	return sum
}

// add returns the number of a position, turned so that Light is to move.
func (s *plainSolution) add(p board.Position) int32 {
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

// expand lists what each roll can lead to from a position: nothing when the game is
// over.
func (s *plainSolution) expand(p board.Position) {
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

// look returns the value of a position that follows from those that come next.
func (s *plainSolution) look(i int32) float64 {
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

// positionsOf returns all positions of games of a number of pieces, by rank.
func positionsOf(t testing.TB, x *Index, pieces int) []board.Position {
	t.Helper()
	all := make([]board.Position, x.Positions(pieces))
	testkit.NoError(t, x.walkSpans(t.Context(), pieces, 1, func(float64) {}, func(_, _ int, s *span) (err error) {
		for safe := range s.n {
			opp := x.makeRow(s.opp, int(x.safeSet[safe]))
			if all[s.first+safe], err = x.positionAt(pieces, s.layer, s.own, opp); err != nil {
				break
			}
		}
		return err
	}))
	return all
}

// Every rank is that of a legal position, so that positions and ranks are one to one.
func TestRanksRoundTrip(t *testing.T) {
	for i, r := range append(board.List(), variants(t)...) {
		pieces := 2
		if i == 0 {
			pieces = testkit.Trials(3, 4)
		}
		x := testkit.Must(IndexOf(r))(t)
		for rank, p := range positionsOf(t, x, pieces) {
			err := r.Check(p)
			testkit.FatalIf(t, err != nil, "%s: rank %d is no position: %v", r.Name(), rank, err)
			for _, q := range []board.Position{p, p.Mirror()} {
				if got, ok := x.Rank(q); got != rank || !ok {
					t.Fatalf("%s: rank %d is %s, whose rank is %d, %v", r.Name(), rank, r.FormatPosition(q), got, ok)
				}
			}
		}
	}
}

// Positions of larger games have ranks of their own, too.
func TestRanksOfRandomPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	seen := map[int]board.Position{}
	for range 100_000 {
		pieces := 1 + rng.IntN(board.FinkelPieces)
		p := board.Finkel().Random(rng, pieces)
		rank, ok := finkel.Rank(p)
		if !ok || rank < 0 || rank >= finkel.Positions(pieces) {
			t.Fatalf("rank of %v is %d, %v", board.Finkel().FormatPosition(p), rank, ok)
		}
		if p.Turn() == board.Dark {
			p = p.Mirror()
		}
		if q, ok := seen[rank]; ok &&
			(q.Squares(board.Light) != p.Squares(board.Light) || q.Squares(board.Dark) != p.Squares(board.Dark)) {
			t.Fatalf("rank %d is that of %v and of %v", rank, board.Finkel().FormatPosition(p),
				board.Finkel().FormatPosition(q))
		}
		seen[rank] = p
	}
}

func TestRankOfFinishedGame(t *testing.T) {
	p := testkit.Must(board.Finkel().FromSquares(2, board.Light, [2]uint32{}, [2]int{0, 2}))(t)
	rank, ok := finkel.Rank(p)
	testkit.Equal(t, ok, false, "a finished game has rank %d", rank)
}
