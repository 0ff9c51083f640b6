package bench

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Level is one of the things measured, from the inside out.
type Level string

// The levels. The first three are those of the interface
// [github.com/seed-09dcdc84/ur.Game]; the last is the third again, with a brain for
// each side, since an engine may gain from having only one.
const (
	Value Level = "value" // getValue of positions held by the engine
	Turn  Level = "turn"  // a whole turn: futures, values, choice, move
	Game  Level = "game"  // a whole game on the shared dice, one brain on both sides
	Match Level = "match" // a whole game on the shared dice between two brains
)

// descriptors lists the levels in the order of reports. To add a level, add an entry here, and
// a file with the descriptor and its work.
func descriptors() []descriptor {
	return []descriptor{valueLevel(), turnLevel(), gameLevel(), matchLevel()}
}

// descriptor describes a level.
type descriptor struct {
	level     Level
	benchmark string // name without its prefix: "Value"
	unit      string // of time for each unit of work: "ns/eval"

	others []string // units reported beside the time

	// newWork makes the work with its right answers.
	newWork func(*Workload) (work, error)
}

// work is the work of one level, with the oracle's answers. It is not changed after it
// was made.
type work interface {
	// bind makes an engine ready to do the work.
	bind(*Case) (task, error)

	// answers are the answers covered by the signature of the level, for [binary.Write].
	answers() []any
}

// task is an engine prepared for the work of a level.
type task interface {
	// pass does the work once, and returns its number of units.
	pass() (units float64, err error)

	// check does the work once and returns the first difference from the oracle's
	// answers, "" for none.
	check() (difference string, err error)

	// metrics converts the time of a unit to other units.
	metrics(perUnit float64) []experiment.Metric
}

// sign hashes answers into one number, 16 hexadecimal digits, so a reader sees at a glance
// whether two records are of the same work.
func sign(answers []any) (string, error) {
	h := fnv.New64a()
	for _, answer := range answers {
		if err := binary.Write(h, binary.LittleEndian, answer); err != nil {
			return "", fmt.Errorf("signature: %w", err)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// Levels returns all levels, in the order of reports.
func Levels() []Level {
	var all []Level
	for _, d := range descriptors() {
		all = append(all, d.level)
	}
	return all
}

// LevelNames lists the names of all levels: "value, turn, game, match".
func LevelNames() string { return text.Join(Levels(), ", ") }

// ParseLevel returns the level with a name, or an error that lists the names.
func ParseLevel(name string) (Level, error) {
	if slices.Contains(Levels(), Level(name)) {
		return Level(name), nil
	}
	return "", fmt.Errorf("unknown level %q (want one of %s)", name, LevelNames())
}

// descriptor returns the descriptor of a level, zero for an unknown level.
func (l Level) descriptor() descriptor {
	all := descriptors()
	if i := slices.IndexFunc(all, func(d descriptor) bool { return d.level == l }); i >= 0 {
		return all[i]
	}
	return descriptor{}
}

// Unit is the unit of time at the level: "ns/eval", "ns/turn", or "us/game" for the
// last two.
func (l Level) Unit() string { return l.descriptor().unit }

// benchmark is the name of the level's benchmark without its prefix.
func (l Level) benchmark() string { return l.descriptor().benchmark }

// unitGames is the unit of a rate of games.
const unitGames = "games/s"

// GamesPerSecond is the inverse of a time in us/game.
func GamesPerSecond(perGame float64) float64 { return 1e6 / perGame }
