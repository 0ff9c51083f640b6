package bench

import "fmt"

// Level is one of the three things measured, from the inside out.
type Level string

// The levels, named as in the interface [github.com/seed-09dcdc84/ur.Game].
const (
	Value Level = "value" // getValue of positions that the engine holds
	Turn  Level = "turn"  // a whole turn: futures, values, choice, move
	Game  Level = "game"  // a whole game on the shared dice
)

// Levels returns all levels, in the order in which they are reported.
func Levels() []Level { return []Level{Value, Turn, Game} }

// ParseLevel returns the level of a name, or an error that lists the names.
func ParseLevel(name string) (Level, error) {
	for _, level := range Levels() {
		if name == string(level) {
			return level, nil
		}
	}
	return "", fmt.Errorf("unknown level %q, want one of value, turn, game", name)
}

// Unit is the unit of time at the level: "ns/eval", "ns/turn" or "us/game".
func (l Level) Unit() string {
	switch l {
	case Value:
		return "ns/eval"
	case Turn:
		return "ns/turn"
	}
	return "us/game"
}

// nanoseconds is how many of them the unit of time at the level has.
func (l Level) nanoseconds() float64 {
	if l == Game {
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
	}
	return "Game"
}

// Units of the figures beside the unit of time of each level.
const (
	unitCandidate = "ns/candidate" // turn level: for each legal move
	unitGames     = "games/s"      // game level
)
