package search

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
)

// NoRoll stands for dice that are not thrown yet.
const NoRoll = -1

// maxWeights bounds the weights' sum, so that no weighted sum of values overflows.
const maxWeights = 1 << 14

// DiceSearcher searches a game with dice. A depth counts plies, each a roll and a move.
// It serves one goroutine, and after its first search it allocates nothing.
type DiceSearcher[P any, G DiceGame[P]] struct {
	driver[P]

	game    G
	weights []Value
	total   Value // sum of the weights
	shift   int   // total is 1<<shift, or -1
	rolls   []int // search order: the likeliest first

	last   LastRoll[P] // nil when the game has none, or it is not to be used
	probes bool        // star2

	frames [MaxDepth + 1]chanceFrame[P]
}

// chanceFrame is a position's scratch memory, for all its rolls, during a search.
type chanceFrame[P any] struct {
	lists []List[P] // moves by roll
	low   []Value   // bounds of each roll's best move
	high  []Value
	best  []Value // the highest of the moves tried
	tried []uint8 // how many moves of each roll were searched
	ranks [][]int64
	order [][]uint8
}

// NewDice returns a searcher for a game with dice.
func NewDice[P any, G DiceGame[P]](game G, o Options) (*DiceSearcher[P, G], error) {
	o, err := o.withDefaults(true)
	if err != nil {
		return nil, err
	}
	total, err := sumWeights(game.Weights())
	if err != nil {
		return nil, err
	}
	s := newDiceSearcher[P](game, o, total)
	for range o.Threads - 1 {
		s.addHelper(&newDiceSearcher[P](fork(game), o, total).driver)
	}
	return s, nil
}

// sumWeights returns the sum of the weights of the rolls.
func sumWeights(weights []Value) (total Value, err error) {
	for roll, w := range weights {
		if w < 1 || w > maxWeights {
			return 0, fmt.Errorf("weight of roll %d is %d, must be 1 to %d", roll, w, maxWeights)
		}
		total += w
	}
	if total < 1 || total > maxWeights {
		return 0, fmt.Errorf("weights of the rolls sum to %d, must be 1 to %d", total, maxWeights)
	}
	return total, nil
}

func newDiceSearcher[P any, G DiceGame[P]](game G, o Options, total Value) *DiceSearcher[P, G] {
	s := &DiceSearcher[P, G]{game: game, weights: game.Weights(), total: total, shift: -1, probes: o.Algorithm == Star2}
	s.driver.setUp(s, o, new(List[P]))
	for roll := range s.weights {
		s.rolls = append(s.rolls, roll)
	}
	slices.SortStableFunc(s.rolls, func(a, b int) int { return cmp.Compare(s.weights[b], s.weights[a]) })
	if s.total&(s.total-1) == 0 {
		s.shift = bits.TrailingZeros64(uint64(s.total))
	}
	s.setRun()
	if !o.NoLast {
		s.last, _ = any(game).(LastRoll[P])
	}
	for i := range s.frames {
		n := len(s.weights)
		s.frames[i] = chanceFrame[P]{
			lists: make([]List[P], n), low: make([]Value, n), high: make([]Value, n), best: make([]Value, n),
			tried: make([]uint8, n), ranks: make([][]int64, n), order: make([][]uint8, n),
		}
	}
	return s
}

// Game returns the game that is searched.
func (s *DiceSearcher[P, G]) Game() G { return s.game }

// Table returns the table of the search, nil for none.
func (s *DiceSearcher[P, G]) Table() *Table { return s.options.Table }

// Search searches a position as [Searcher.Search] does, before its dice are thrown (roll is
// [NoRoll]) or after.
func (s *DiceSearcher[P, G]) Search(ctx context.Context, root P, roll int, l Limits) (Result, error) {
	if roll < NoRoll || roll >= len(s.weights) {
		return Result{}, fmt.Errorf("roll is %d, must be 0 to %d, or %d before the dice are thrown",
			roll, len(s.weights)-1, NoRoll)
	}
	return s.searchPosition(ctx, root, roll, l)
}

// generateMoves implements [algorithm].
func (s *DiceSearcher[P, G]) generateMoves() Value {
	s.key = s.game.Key(&s.root)
	s.moves.clear()
	if result := s.game.Moves(&s.root, max(0, s.roll), s.moves); s.moves.n == 0 {
		return result
	}
	return s.game.Value(&s.root)
}

// rootMoveValue implements [algorithm].
func (s *DiceSearcher[P, G]) rootMoveValue(m *Move[P], depth int, alpha, beta Value, _ bool) Value {
	return s.moveValue(m, depth, 0, alpha, beta)
}

// weightedMean divides a weighted sum by the weights, rounded down.
func (s *DiceSearcher[P, G]) weightedMean(sum Value) Value {
	if s.shift >= 0 {
		return sum >> s.shift
	}
	return floorDiv(sum, s.total)
}

// floorDiv returns a/b rounded down, for b > 0.
func floorDiv(a, b Value) Value {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// tableKey returns a position's table key at a depth. A value counts for its own depth only,
// so each depth has a key.
func (s *DiceSearcher[P, G]) tableKey(key Key, depth int) Key {
	key.Index += uint64(depth) * mixData
	return key
}
