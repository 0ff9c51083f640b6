package bench

import (
	"fmt"
	"strings"
)

// Level is one of the things measured, from the inside out.
type Level string

// The levels. The first three are those of the interface
// [github.com/seed-09dcdc84/ur.Game]; the last is the third again, with a brain for
// each side, since an engine may gain from having only one.
const (
	Value Level = "value" // getValue of positions that the engine holds
	Turn  Level = "turn"  // a whole turn: futures, values, choice, move
	Game  Level = "game"  // a whole game on the shared dice, one brain on both sides
	Match Level = "match" // a whole game on the shared dice between two brains
)

// Levels returns all levels, in the order in which they are reported.
func Levels() []Level { return []Level{Value, Turn, Game, Match} }

// LevelNames lists the names of all levels: "value, turn, game, match".
func LevelNames() string {
	var names []string
	for _, level := range Levels() {
		names = append(names, string(level))
	}
	return strings.Join(names, ", ")
}

// ParseLevel returns the level of a name, or an error that lists the names.
func ParseLevel(name string) (Level, error) {
	for _, level := range Levels() {
		if name == string(level) {
			return level, nil
		}
	}
	return "", fmt.Errorf("unknown level %q, want one of %s", name, LevelNames())
}

// Unit is the unit of time at the level: "ns/eval", "ns/turn", or "us/game" for the
// last two.
func (l Level) Unit() string {
	switch l {
	case Value:
		return "ns/eval"
	case Turn:
		return "ns/turn"
	}
	return "us/game"
}

// work names the unit of work at the level: "eval", "turn" or "game".
func (l Level) work() string {
	_, work, _ := strings.Cut(l.Unit(), "/")
	return work
}

// heading names the level's figure in a table.
func (l Level) heading() string {
	if l == Match {
		return "two brains"
	}
	return l.Unit()
}

// nanoseconds is how many of them the unit of time at the level has.
func (l Level) nanoseconds() float64 {
	if l == Game || l == Match {
		return 1000
	}
	return 1
}

// benchmark is the name of the level's benchmark without its prefix.
func (l Level) benchmark() string {
	switch l {
	case Value:
		return "Value"
	case Turn:
		return "Turn"
	case Game:
		return "Game"
	}
	return "Match"
}

// Units of the figures beside the unit of time of each level.
const (
	unitCandidate = "ns/candidate" // turn level: for each legal move
	unitGames     = "games/s"      // game and match level
)
