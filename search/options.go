package search

import (
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Options are a search's switches. The zero Options are the named algorithm
// alone: no table, and moves in the game's own order.
type Options struct {
	// Algorithm is one of [Algorithms]; "" means PVS, or Star2 with dice.
	Algorithm Algorithm

	// Table is where positions are remembered; nil for none. Several searches may
	// have one table after another, and at the same time when [Table.Share] was
	// called.
	Table *Table

	// TableDepth is the least depth at which the table is used.
	TableDepth int

	// Move order. All these apply to games without dice. Without any, moves are tried in
	// the game's order. With dice, Static and TableMove apply.
	Static    bool // highest Move.Order first
	TableMove bool // the best or cutting move of an earlier visit first
	Killers   bool // moves that caused cutoffs elsewhere at the same distance from the root
	History   bool // moves that often cause cutoffs

	// ETC looks before a node is searched whether the table entry for one of its
	// moves cuts it already: enhanced transposition cut-offs (Schaeffer and Plaat,
	// 1996).
	ETC bool

	// Window is half the width of the first window of [Aspiration], around the value of the depth
	// before; 0 means a 64th of that value, 1 at least.
	Window Value

	// NoScout disables null windows for all but a roll's first move, in [Star1] and
	// [Star2].
	NoScout bool

	// Bounds narrows windows by a [Bounder]'s bounds.
	Bounds bool

	// NoLast disables [LastRoll], to measure its gain.
	NoLast bool

	// These may change the value, and with it the best move.
	Quiescence int     // plies to search on, at most, where a [Quieter] is not quiet; 0 for none
	Extensions bool    // search moves deeper by their Move.Extend, lines up to twice as long; minimax and negamax do not
	ProbCut    float64 // Multi-ProbCut of a [ProbCutter], at this many deviations; 0 for none, as mtdf and sss require

	// Stable ends a search after this number of depths in a row, beyond the first, with the same value and
	// best move; 0 for never.
	Stable int

	// Threads is the number of threads in a search; 0 means 1. Threads share results by the
	// table, so more than one need a table. The node count depends on Threads. The value at a
	// depth does not, except with ProbCut: it uses entries left in the table by other
	// searches. The exhaustive algorithms use one thread.
	Threads int

	// Now is the clock; nil for the machine's. Several threads call it.
	Now func() time.Time
}

// maxThreads is the maximum number of threads in a search.
const maxThreads = 256

// withDefaults returns o with defaults filled in.
func (o Options) withDefaults(dice bool) (Options, error) {
	if o.Algorithm == "" {
		o.Algorithm = PVS
		if dice {
			o.Algorithm = Star2
		}
	}
	a := o.Algorithm
	switch {
	case !slices.Contains(Algorithms(), a):
		return o, fmt.Errorf("unknown algorithm %q (want one of %s)", a, text.Join(Algorithms(), ", "))
	case a.Dice() != dice:
		kind, list := "without", withoutDice()
		if dice {
			kind, list = "with", withDice()
		}
		return o, fmt.Errorf("algorithm %q: not for games %s dice (want one of %s)", a, kind, text.Join(list, ", "))
	case o.Threads < 0 || o.Threads > maxThreads:
		return o, fmt.Errorf("invalid number of threads %d (want 1 to %d, or 0 for 1)", o.Threads, maxThreads)
	case o.TableDepth < 0 || o.TableDepth > MaxDepth:
		return o, fmt.Errorf("invalid least depth of the table %d (want 0 to %d)", o.TableDepth, MaxDepth)
	case o.Quiescence < 0 || o.Quiescence > MaxDepth:
		return o, fmt.Errorf("invalid plies of quiescence %d (want 1 to %d, or 0 for none)", o.Quiescence, MaxDepth)
	case o.Window < 0 || o.Window > MaxValue:
		return o, fmt.Errorf("invalid half of a window %d (want 1 to %d, or 0 for the default)", o.Window, MaxValue)
	case o.Stable < 0 || o.Stable > MaxDepth:
		return o, fmt.Errorf("invalid number of stable depths %d (want 1 to %d, or 0 for none)", o.Stable, MaxDepth)
	case o.Table != nil && o.Table.varied.mask != 0 && o.Threads > 1:
		return o, fmt.Errorf("a table with KeyBits serves one thread, got %d", o.Threads)
	case !(o.ProbCut >= 0):
		return o, fmt.Errorf("invalid deviations of ProbCut %v (want 0 or more)", o.ProbCut)
	case o.ProbCut > 0 && (a == MTDF || a == SSS):
		// A forward cut proves only that the window is missed, so these algorithms would close
		// in on the value by one unit at a time.
		return o, fmt.Errorf("ProbCut cannot be combined with %q, a null-window driver (want another algorithm)", a)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Threads = max(1, o.Threads)
	if a == Minimax || a == Negamax || a == Expectiminimax {
		o.Threads, o.Extensions = 1, false
	}
	if o.Table != nil && o.Threads > 1 {
		o.Table.Share()
	}
	return o, nil
}

// Limits end a search at the first one reached. Without limits a search continues until its
// context is done or to [MaxDepth].
type Limits struct {
	Depth int           // plies, 1 to MaxDepth; 0 for no limit
	First int           // the first depth searched, up to Depth; 0 means 1
	Nodes uint64        // positions visited, of all threads together; 0 for no limit
	Time  time.Duration // 0 for no limit; a negative one is over at once

	// AllMoves requests every root move's value and not only the best.
	AllMoves bool
}

// check returns an error for invalid limits.
func (l Limits) check() error {
	if l.Depth < 0 || l.Depth > MaxDepth {
		return fmt.Errorf("invalid depth %d (want 1 to %d, or 0 for no limit)", l.Depth, MaxDepth)
	}
	if l.First < 0 || l.First > l.lastDepth() {
		return fmt.Errorf("invalid first depth %d (want 1 to %d, or 0 for 1)", l.First, l.lastDepth())
	}
	return nil
}

// lastDepth is the depth where deepening ends.
func (l Limits) lastDepth() int {
	if l.Depth == 0 {
		return MaxDepth
	}
	return l.Depth
}

// Result is a search's result. Its slices belong to the searcher and change with its next
// search.
type Result struct {
	Depth int   // plies of the last finished search; 0 when not even one was finished
	Value Value // value for the side to move

	// Best numbers the best move in the game's order, and ID its ID.
	// Best is -1 when the game is over or the roll is not known.
	Best int
	ID   uint8

	// Moves are, with Limits.AllMoves, every move's value in the game's order.
	Moves []Value

	Work                  // of all threads, since the search began
	Elapsed time.Duration // since it began
}

// Work counts the work of a search.
type Work struct {
	Nodes      uint64 // positions visited
	Hits       uint64 // visited positions that the table knew, at any depth
	Misses     uint64 // those it did not know
	Researches uint64 // searches repeated with another window, of the root or of a move
	Collisions uint64 // with KeyBits, entries of other positions that probes found
}

// Plus returns both summed.
func (w Work) Plus(other Work) Work {
	return Work{w.Nodes + other.Nodes, w.Hits + other.Hits, w.Misses + other.Misses, w.Researches + other.Researches,
		w.Collisions + other.Collisions}
}

// Algorithm names an algorithm.
type Algorithm string

// The algorithms for games without dice, the plainest first.
const (
	Minimax    Algorithm = "minimax"    // the oracle: visits everything, one side for the highest value, the other for the lowest
	Negamax    Algorithm = "negamax"    // minimax in one function: every side for the highest, with signs exchanged
	AlphaBeta  Algorithm = "alphabeta"  // leaves out what cannot change the value (fail-soft)
	Aspiration Algorithm = "aspiration" // alphabeta in a narrow window around the value of the depth before
	PVS        Algorithm = "pvs"        // principal variation search, or NegaScout: proves that all moves but the first are no better
	MTDF       Algorithm = "mtdf"       // MTD(f): null windows alone, from the value of the depth before
	SSS        Algorithm = "sss"        // SSS* as MTD(infinity): null windows from above, best-first by memory
)

// The algorithms for games with dice, the plainest first.
const (
	Expectiminimax Algorithm = "expectiminimax" // the oracle: visits everything, and weighs the rolls
	Star1          Algorithm = "star1"          // leaves out rolls that cannot bring the mean into the window
	Star2          Algorithm = "star2"          // star1 that first tries one good move of each roll
)

// setRun selects the root search by the algorithm.
func (s *Searcher[P, G]) setRun() {
	s.run = map[Algorithm]func(depth int) Value{
		Minimax: s.minimaxRoot, Negamax: s.negamaxRoot, AlphaBeta: s.alphaBetaRoot, Aspiration: s.aspirationRoot,
		PVS: s.alphaBetaRoot, MTDF: s.mtdfRoot, SSS: s.sssRoot,
	}[s.options.Algorithm]
}

// setRun selects the root search by the algorithm.
func (s *DiceSearcher[P, G]) setRun() {
	if s.run = s.starRoot; s.options.Algorithm == Expectiminimax {
		s.run = s.expectiminimaxRoot
	}
}

// Algorithms returns all algorithms, those without dice first, each kind the plainest first.
func Algorithms() []Algorithm { return append(withoutDice(), withDice()...) }

func withoutDice() []Algorithm {
	return []Algorithm{Minimax, Negamax, AlphaBeta, Aspiration, PVS, MTDF, SSS}
}

func withDice() []Algorithm { return []Algorithm{Expectiminimax, Star1, Star2} }

// Dice reports whether the algorithm is for games with dice.
func (a Algorithm) Dice() bool { return slices.Contains(withDice(), a) }
