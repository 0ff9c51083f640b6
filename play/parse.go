package play

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur"
)

// Names that ParsePlayer knows but cannot seat.
const (
	humanName   = "human"
	perfectName = "perfect"
)

// brainPrefix stands before the name of a file in the spec of a brain.
const brainPrefix = "brain:"

// PlayerNames returns the specs that [ParsePlayer] reads, with "brain:FILE" for all
// brains from files.
func PlayerNames() []string {
	return []string{"brain", brainPrefix + "FILE", "greedy", "first", "random"}
}

// ParsePlayer returns the player that a spec names: one of [PlayerNames]. The brain
// of "brain:FILE" is read at once; what is wrong with its text is reported as
// "FILE:LINE: message".
func ParsePlayer(spec string) (Player, error) {
	switch spec {
	case "brain":
		return Brain{spec, ur.DefaultBrain()}, nil
	case "greedy":
		return Greedy{}, nil
	case "first":
		return First{}, nil
	case "random":
		return Random{}, nil
	case humanName:
		return nil, errors.New(`player "human" needs a keyboard: only "ur play" has one`)
	case perfectName:
		return nil, errors.New(`player "perfect" needs the exact solution of the game, which this version does not have yet`)
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
