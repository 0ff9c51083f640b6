package search

import "slices"

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
