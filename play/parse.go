package play

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur"
)

// humanName is a player that ParsePlayer knows but cannot seat.
const humanName = "human"

// perfectName is the player of the exact solution.
const perfectName = "perfect"

// Prefixes of players with a parameter.
const (
	brainPrefix   = "brain:"   // before the name of a file
	greedyPrefix  = "greedy:"  // before square values
	perfectPrefix = "perfect:" // before the name of a table
)

// classicName is the brain that was set by hand, whatever the built-in one is.
const classicName = brainPrefix + "classic"

// treeName is the player of the built-in square values of the same name.
const treeName = "tree"

// PlayerNames returns the specs that [ParsePlayer] reads, with FILE for the name of
// any file of a brain, of square values or of a table, and "greedy:1,2,..." for any values.
func PlayerNames() []string {
	names := []string{"brain", classicName, brainPrefix + "FILE", "greedy"}
	for _, set := range BuiltinSquaresNames() {
		names = append(names, greedyPrefix+set)
	}
	names = append(names, greedyPrefix+"1,2,...", greedyPrefix+"FILE", "first", perfectName, perfectPrefix+"FILE", "random")
	if _, learned := BuiltinSquares(treeName); learned {
		names = append(names, treeName)
	}
	return names
}

// ParsePlayer returns the player that a spec names: one of [PlayerNames]. The brain
// of "brain:FILE" and the square values of "greedy:FILE" are read at once; what is
// wrong with their text is reported as "FILE:LINE: message". A player "greedy:" or
// "tree" is the [Brain] of its square values.
func ParsePlayer(spec string) (Player, error) {
	switch spec {
	case "brain":
		return Brain{spec, ur.DefaultBrain()}, nil
	case classicName:
		return Brain{spec, ur.ClassicBrain()}, nil
	case "greedy":
		return Greedy{}, nil
	case "first":
		return First{}, nil
	case "random":
		return Random{}, nil
	case treeName:
		if v, learned := BuiltinSquares(treeName); learned {
			return Brain{spec, v.Brain()}, nil
		}
	case humanName:
		return nil, errors.New(`player "human" needs a keyboard: only "ur play" has one`)
	case perfectName:
		return NewPerfect(spec, DefaultTables()), nil
	}
	if file, isPerfect := strings.CutPrefix(spec, perfectPrefix); isPerfect {
		return parsePerfect(spec, file)
	}
	if values, isGreedy := strings.CutPrefix(spec, greedyPrefix); isGreedy {
		return parseGreedy(values)
	}
	file, isBrain := strings.CutPrefix(spec, brainPrefix)
	switch {
	case !isBrain:
		return nil, fmt.Errorf("unknown player %q, want one of %s", spec, strings.Join(PlayerNames(), ", "))
	case file == "":
		return nil, fmt.Errorf("player %q names no file, want %sFILE", spec, brainPrefix)
	}
	weights, err := ReadBrainFile(file)
	if err != nil {
		return nil, err
	}
	return Brain{spec, weights}, nil
}

// ReadBrainFile reads a brain from a text file. What is wrong with its text is
// reported as "FILE:LINE: message".
func ReadBrainFile(name string) (*ur.Brain, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b, err := ur.ReadBrain(file)
	var syntax *ur.BrainSyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%s:%d: %s", name, syntax.Line, syntax.Msg)
	case err != nil:
		return nil, err
	}
	return b, nil
}
