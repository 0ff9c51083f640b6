package solve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/board"
)

// Iteration is a run of a textbook's method over all positions of a game: value iteration, or policy
// iteration (Sutton and Barto, "Reinforcement learning", 2nd edition, 2018, sections 4.3 and 4.4).
type Iteration struct {
	Method       string        `json:"method"`       // value or policy
	Sweeps       int           `json:"sweeps"`       // passes over all positions, improvements included
	Improvements int           `json:"improvements"` // policies after the first one
	Elapsed      time.Duration `json:"elapsed_ns"`
	Start        float64       `json:"start"` // probability that the first player wins
	Win          []float64     `json:"-"`     // values of the positions, for the side to move
}

// Iterations is a game with all its positions for both methods.
type Iterations struct {
	rules     *board.Rules
	Positions []board.Position // positions that can be reached, turned so that Light is to move, the last ones of a game first
	rolls     []iterationRoll  // rolls of each position, one list after another
	ends      []int32          // ends of the lists in rolls
	next      []int32          // numbers of positions after moves; negative, less one, if the other side is to move
}

// iterationRoll is the list of moves of a position after a roll, or the pass.
type iterationRoll struct {
	chance      float64
	first, last int32 // in next
}

// NewIterations lists the positions of a game with few pieces.
func NewIterations(r *board.Rules) *Iterations {
	g := &Iterations{rules: r}
	known := map[board.Position]bool{}
	add := func(p board.Position) {
		if p = lightToMove(p); !known[p] {
			known[p] = true
			g.Positions = append(g.Positions, p)
		}
	}
	add(r.Start())
	for i := 0; i < len(g.Positions); i++ {
		for roll := range r.MaxRoll() + 1 {
			for _, next := range r.Futures(nil, g.Positions[i], roll) {
				add(next)
			}
		}
	}
	walked := func(p board.Position) int { return r.Walked(p, board.Light) + r.Walked(p, board.Dark) }
	slices.SortStableFunc(g.Positions, func(p, q board.Position) int { return cmp.Compare(walked(q), walked(p)) })
	number := map[board.Position]int32{}
	for i, p := range g.Positions {
		number[p] = int32(i)
	}
	for _, p := range g.Positions {
		for roll := range r.MaxRoll() + 1 {
			first := int32(len(g.next))
			for _, next := range r.Futures(nil, p, roll) {
				n := number[lightToMove(next)]
				if next.Turn() != p.Turn() {
					n = -n - 1
				}
				g.next = append(g.next, n)
			}
			if last := int32(len(g.next)); last > first && r.Weight(roll) > 0 {
				g.rolls = append(g.rolls, iterationRoll{r.Probability(roll), first, last})
			}
		}
		g.ends = append(g.ends, int32(len(g.rolls)))
	}
	return g
}

func lightToMove(p board.Position) board.Position {
	if p.Turn() == board.Dark {
		return p.Mirror()
	}
	return p
}

// rollsOf returns the rolls of a position; none when the game is over.
func (g *Iterations) rollsOf(i int) (rolls []iterationRoll, first int) {
	if i > 0 {
		first = int(g.ends[i-1])
	}
	return g.rolls[first:g.ends[i]], first
}

// after returns the value of a move to a numbered position.
func after(win []float64, next int32) float64 {
	if next < 0 {
		return 1 - win[-next-1]
	}
	return win[next]
}

// start returns the values before the first sweep: the results of finished games, and even chances.
func (g *Iterations) start() []float64 {
	win := slices.Repeat([]float64{0.5}, len(g.Positions))
	for i, p := range g.Positions {
		if winner, over := p.Winner(); over {
			win[i] = float64(1 - winner)
		}
	}
	return win
}

// sweep computes every value once from the newest values of the positions after it, by the value of a
// roll, and returns the largest change.
func (g *Iterations) sweep(win []float64, value func(at int, roll iterationRoll) float64) (change float64) {
	for i := range win {
		rolls, first := g.rollsOf(i)
		if len(rolls) == 0 {
			continue
		}
		sum := 0.0
		for k, roll := range rolls {
			sum += float64(roll.chance * value(first+k, roll))
		}
		change = max(change, math.Abs(sum-win[i]))
		win[i] = sum
	}
	return change
}

// best returns the best move of a roll and its value.
func (g *Iterations) best(win []float64, roll iterationRoll) (move int32, value float64) {
	value = -1
	for k, next := range g.next[roll.first:roll.last] {
		if v := after(win, next); v > value {
			move, value = int32(k), v
		}
	}
	return move, value
}

// ByValue sweeps with the value of the best move until no value changes.
func (g *Iterations) ByValue(ctx context.Context) (Iteration, error) {
	begin, r, win := time.Now(), Iteration{Method: "value"}, g.start()
	for change := 1.0; change > settled; r.Sweeps++ {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		change = g.sweep(win, func(_ int, roll iterationRoll) float64 {
			_, value := g.best(win, roll)
			return value
		})
	}
	return g.finish(r, begin, win), nil
}

// ByPolicy evaluates a policy, the first move of every roll, until no value changes, then changes it to the best
// moves by these values, and so on until no other move is better.
func (g *Iterations) ByPolicy(ctx context.Context) (Iteration, error) {
	begin, r, win := time.Now(), Iteration{Method: "policy"}, g.start()
	policy := make([]int32, len(g.rolls))
	for changed := true; changed; {
		for change := 1.0; change > settled; r.Sweeps++ {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			change = g.sweep(win, func(at int, roll iterationRoll) float64 { return after(win, g.next[roll.first+policy[at]]) })
		}
		changed = false
		r.Sweeps++
		for at, roll := range g.rolls {
			const equal = 1e-13 // rounding
			move, value := g.best(win, roll)
			if value > after(win, g.next[roll.first+policy[at]])+equal {
				policy[at], changed = move, true
			}
		}
		if changed {
			r.Improvements++
		}
	}
	return g.finish(r, begin, win), nil
}

func (g *Iterations) finish(r Iteration, begin time.Time, win []float64) Iteration {
	r.Elapsed, r.Win = time.Since(begin), win
	r.Start = win[slices.Index(g.Positions, g.rules.Start())]
	return r
}
