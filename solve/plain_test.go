package solve

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// This file is a second solver, written to be read against the rules and to share
// nothing with the first: no index, no layers, no pairs. It finds the positions by
// walking from the start of the game, writes down what every roll can lead to, and
// repeats value iteration over all of them until nothing moves.

// plainSolution is a game solved plainly: what every position that can be reached is
// worth to Light, with Light to move. Positions with Dark to move are seen in the
// mirror.
type plainSolution struct {
	positions []board.Position
	win       []float64

	number  map[board.Position]int32
	futures []int32 // of all positions and rolls, one list after another; see flip
	lists   []int32 // where list 5*position+roll ends in futures
}

// flip marks a future in which the other side is to move.
const flip = 1 << 30

func solvePlainly(pieces int) *plainSolution {
	s := &plainSolution{number: map[board.Position]int32{}}
	s.add(board.StartPosition(pieces))
	for i := 0; i < len(s.positions); i++ {
		s.expand(s.positions[i])
	}
	order := make([]int32, len(s.positions))
	for i := range order {
		order[i] = int32(i)
	}
	// Any order will do; from the end of the game it takes the fewest sweeps.
	slices.SortStableFunc(order, func(i, j int32) int {
		return cmp.Compare(walked(s.positions[j]), walked(s.positions[i]))
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
func walked(p board.Position) (sum int) {
	for square := range board.Finish + 1 {
		sum += square * (board.Finkel().Count(p, board.Light, square) + board.Finkel().Count(p, board.Dark, square))
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
	var futures [board.FinkelMoves]board.Position
	for roll := range board.RollWays {
		for _, f := range board.Finkel().Futures(futures[:0], p, roll) {
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
	begin := int32(0)
	if i > 0 {
		begin = s.lists[5*i-1]
	}
	if begin == s.lists[5*i+4] {
		if winner, _ := s.positions[i].Winner(); winner == board.Light {
			return 1
		}
		return 0
	}
	sum := 0.0
	for roll, ways := range board.RollWays {
		end := s.lists[5*int(i)+roll]
		best := 0.0
		for _, f := range s.futures[begin:end] {
			value := s.win[f&^flip]
			if f&flip != 0 {
				value = 1 - value
			}
			best = max(best, value)
		}
		sum += float64(ways) / 16 * best
		begin = end
	}
	return sum
}
