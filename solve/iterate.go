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
	number := map[board.Position]int32{}
	add := func(p board.Position) {
		if _, known := number[p]; !known {
			number[p] = 0 // until all are known
			g.Positions = append(g.Positions, p)
		}
	}
	add(r.Start())
	for i := 0; i < len(g.Positions); i++ {
		for roll := range r.MaxRoll() + 1 {
			for _, next := range r.Futures(nil, g.Positions[i], roll) {
				add(lightToMove(next))
			}
		}
	}
	walked := func(p board.Position) int { return r.Walked(p, board.Light) + r.Walked(p, board.Dark) }
	slices.SortStableFunc(g.Positions, func(p, q board.Position) int { return cmp.Compare(walked(q), walked(p)) })
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

// after returns the value of a move to a numbered position.
func after(win []float64, next int32) float64 {
	if next < 0 {
		return 1 - win[-next-1]
	}
	return win[next]
}

// best returns the best move of a roll, by its place in rolls, and its value.
func (g *Iterations) best(win []float64, at int) (move int32, value float64) {
	value = -1
	for k, next := range g.next[g.rolls[at].first:g.rolls[at].last] {
		if v := after(win, next); v > value {
			move, value = int32(k), v
		}
	}
	return move, value
}

// run calls a method with the values before the first sweep: the results of finished games, and even chances.
func (g *Iterations) run(method string, do func(r *Iteration) error) (Iteration, error) {
	begin := time.Now()
	r := Iteration{Method: method, Win: slices.Repeat([]float64{0.5}, len(g.Positions))}
	for i, p := range g.Positions {
		if winner, over := p.Winner(); over {
			r.Win[i] = float64(1 - winner)
		}
	}
	err := do(&r)
	r.Elapsed, r.Start = time.Since(begin), r.Win[slices.Index(g.Positions, g.rules.Start())]
	return r, err
}

// settle computes every value from the newest ones, by the value of a roll, until none changes.
func (g *Iterations) settle(ctx context.Context, r *Iteration, value func(at int) float64) error {
	for change := 1.0; change > settled; r.Sweeps++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		change = 0
		at := 0
		for i, end := range g.ends {
			if at == int(end) {
				continue // the game is over
			}
			sum := 0.0
			for ; at < int(end); at++ {
				sum += float64(g.rolls[at].chance * value(at))
			}
			change = max(change, math.Abs(sum-r.Win[i]))
			r.Win[i] = sum
		}
	}
	return nil
}

// ByValue sweeps with the value of the best move until no value changes.
func (g *Iterations) ByValue(ctx context.Context) (Iteration, error) {
	return g.run("value", func(r *Iteration) error {
		return g.settle(ctx, r, func(at int) float64 {
			_, value := g.best(r.Win, at)
			return value
		})
	})
}

// ByPolicy evaluates a policy, the first move of every roll, until no value changes, then changes it to the best
// moves by these values, and so on until no other move is better.
func (g *Iterations) ByPolicy(ctx context.Context) (Iteration, error) {
	return g.run("policy", func(r *Iteration) error {
		policy := make([]int32, len(g.rolls))
		chosen := func(at int) float64 { return after(r.Win, g.next[g.rolls[at].first+policy[at]]) }
		for changed := true; changed; r.Sweeps++ {
			if err := g.settle(ctx, r, chosen); err != nil {
				return err
			}
			changed = false
			for at := range g.rolls {
				const equal = 1e-13 // rounding
				if move, value := g.best(r.Win, at); value > chosen(at)+equal {
					policy[at], changed = move, true
				}
			}
			if changed {
				r.Improvements++
			}
		}
		return nil
	})
}
