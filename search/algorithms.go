package search

import (
	"fmt"
	"slices"
	"strings"
)

// Algorithm names an algorithm.
type Algorithm string

// The algorithms for games without dice, and Expectiminimax, Star1 and Star2 for games with
// dice.
const (
	Minimax        Algorithm = "minimax"
	Negamax        Algorithm = "negamax"
	AlphaBeta      Algorithm = "alphabeta"
	Aspiration     Algorithm = "aspiration"
	PVS            Algorithm = "pvs"
	MTDF           Algorithm = "mtdf"
	SSS            Algorithm = "sss"
	Expectiminimax Algorithm = "expectiminimax"
	Star1          Algorithm = "star1"
	Star2          Algorithm = "star2"
)

// implementation is an algorithm of searchers of type S.
type implementation[S any] struct {
	name  Algorithm
	about string
	run   func(s S, depth int) Value
}

// withoutDice lists the algorithms for games without dice, the plainest first.
func withoutDice[P any, G Game[P]]() []implementation[*Searcher[P, G]] {
	return []implementation[*Searcher[P, G]]{
		{Minimax, "the oracle: visits everything, one side for the highest value, the other for the lowest", (*Searcher[P, G]).minimaxRoot},
		{Negamax, "minimax in one function: every side for the highest, with signs exchanged", (*Searcher[P, G]).negamaxRoot},
		{AlphaBeta, "leaves out what cannot change the value (fail-soft)", (*Searcher[P, G]).alphaBetaRoot},
		{Aspiration, "alphabeta in a narrow window around the value of the depth before", (*Searcher[P, G]).aspirationRoot},
		{PVS, "principal variation search, or NegaScout: proves that all moves but the first are no better", (*Searcher[P, G]).alphaBetaRoot},
		{MTDF, "MTD(f): null windows alone, from the value of the depth before", (*Searcher[P, G]).mtdfRoot},
		{SSS, "SSS* as MTD(infinity): null windows from above, best-first by memory", (*Searcher[P, G]).sssRoot},
	}
}

// withDice lists the algorithms for games with dice, the plainest first.
func withDice[P any, G DiceGame[P]]() []implementation[*DiceSearcher[P, G]] {
	return []implementation[*DiceSearcher[P, G]]{
		{Expectiminimax, "the oracle: visits everything, and weighs the rolls", (*DiceSearcher[P, G]).expectiminimaxRoot},
		{Star1, "leaves out rolls that cannot bring the mean into the window", (*DiceSearcher[P, G]).starRoot},
		{Star2, "star1 that first tries one good move of each roll", (*DiceSearcher[P, G]).starRoot},
	}
}

// method returns the method of the algorithm of options.
func method[S any](list []implementation[S], o Options) func(s S, depth int) Value {
	return list[slices.IndexFunc(list, func(i implementation[S]) bool { return i.name == o.Algorithm })].run
}

// Algorithms returns all algorithms, those without dice first, each kind the plainest first.
func Algorithms() (list []Algorithm) {
	for _, a := range withoutDice[struct{}, noGame]() {
		list = append(list, a.name)
	}
	for _, a := range withDice[struct{}, noDice]() {
		list = append(list, a.name)
	}
	return list
}

// DiceGame reports whether the algorithm is for games with dice.
func (a Algorithm) Dice() bool {
	_, dice := a.lookup()
	return dice
}

// About returns a short description of the algorithm, "" for an unknown name.
func (a Algorithm) About() string {
	about, _ := a.lookup()
	return about
}

func (a Algorithm) lookup() (about string, dice bool) {
	for _, i := range withoutDice[struct{}, noGame]() {
		if i.name == a {
			return i.about, false
		}
	}
	for _, i := range withDice[struct{}, noDice]() {
		if i.name == a {
			return i.about, true
		}
	}
	return "", false
}

// ParseAlgorithm returns the algorithm of a name.
func ParseAlgorithm(name string) (Algorithm, error) {
	a := Algorithm(name)
	if a.About() == "" {
		return "", fmt.Errorf("unknown algorithm %q (want one of %s)", name, strings.Join(append(names(false), names(true)...), ", "))
	}
	return a, nil
}

// names returns the names of the algorithms with or without dice.
func names(dice bool) (list []string) {
	for _, a := range Algorithms() {
		if a.Dice() == dice {
			list = append(list, string(a))
		}
	}
	return list
}

// noGame and noDice stand for a game where the lists are read.
type noGame struct{}

func (noGame) Key(*struct{}) Key                          { return Key{} }
func (noGame) Moves(*struct{}, *List[struct{}]) (v Value) { return v }
func (noGame) Value(*struct{}) (v Value)                  { return v }

type noDice struct{ noGame }

func (noDice) Weights() []Value                                { return nil }
func (noDice) Moves(*struct{}, int, *List[struct{}]) (v Value) { return v }
