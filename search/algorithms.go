package search

import (
	"fmt"
	"strings"
)

// Algorithm is an entry of the list of algorithms.
type Algorithm struct {
	Name  string
	About string
	Dice  bool // for games with dice
}

// algorithm is an Algorithm of searchers of type S.
type algorithm[S any] struct {
	Name, About string
	run         func(s S, depth int) Value
}

// withoutDice lists the algorithms for games without dice, the plainest first.
func withoutDice[P any, G Game[P]]() []algorithm[*Searcher[P, G]] {
	return []algorithm[*Searcher[P, G]]{
		{"minimax", "the oracle: visits everything, one side for the highest value, the other for the lowest", (*Searcher[P, G]).minimaxRoot},
		{"negamax", "minimax in one function: every side for the highest, with signs exchanged", (*Searcher[P, G]).negamaxRoot},
		{"alphabeta", "leaves out what cannot change the value (fail-soft)", (*Searcher[P, G]).alphaBetaRoot},
		{"aspiration", "alphabeta in a narrow window around the value of the depth before", (*Searcher[P, G]).aspirationRoot},
		{"pvs", "principal variation search, or NegaScout: proves that all moves but the first are no better", (*Searcher[P, G]).alphaBetaRoot},
		{"mtdf", "MTD(f): null windows alone, from the value of the depth before", (*Searcher[P, G]).mtdfRoot},
		{"sss", "SSS* as MTD(infinity): null windows from above, best-first by memory", (*Searcher[P, G]).sssRoot},
	}
}

// withDice lists the algorithms for games with dice, the plainest first.
func withDice[P any, G Dice[P]]() []algorithm[*DiceSearcher[P, G]] {
	return []algorithm[*DiceSearcher[P, G]]{
		{"expectiminimax", "the oracle: visits everything, and weighs the rolls", (*DiceSearcher[P, G]).expectiminimaxRoot},
		{"star1", "leaves out rolls that cannot bring the mean into the window", (*DiceSearcher[P, G]).starRoot},
		{"star2", "star1 that first tries one good move of each roll", (*DiceSearcher[P, G]).starRoot},
	}
}

// Algorithms returns the list of all algorithms, those without dice first.
func Algorithms() []Algorithm {
	var list []Algorithm
	for _, a := range withoutDice[struct{}, noGame]() {
		list = append(list, Algorithm{a.Name, a.About, false})
	}
	for _, a := range withDice[struct{}, noDice]() {
		list = append(list, Algorithm{a.Name, a.About, true})
	}
	return list
}

// Lookup returns the algorithm of a name.
func Lookup(name string) (Algorithm, error) {
	for _, a := range Algorithms() {
		if a.Name == name {
			return a, nil
		}
	}
	return Algorithm{}, fmt.Errorf("unknown algorithm %q, want one of %s",
		name, strings.Join(append(names(false), names(true)...), ", "))
}

// names returns the names of the algorithms with or without dice.
func names(dice bool) (list []string) {
	for _, a := range Algorithms() {
		if a.Dice == dice {
			list = append(list, a.Name)
		}
	}
	return list
}

// noGame and noDice are games to ask the lists for names with.
type noGame struct{}

func (noGame) Key(*struct{}) Key                          { return Key{} }
func (noGame) Moves(*struct{}, *List[struct{}]) (v Value) { return v }
func (noGame) Value(*struct{}) (v Value)                  { return v }

type noDice struct{ noGame }

func (noDice) Weights() []Value                                { return nil }
func (noDice) Moves(*struct{}, int, *List[struct{}]) (v Value) { return v }
