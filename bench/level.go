package bench

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/engine"
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

// descriptors lists the levels in the order of reports, with the name of the benchmark without its
// prefix and the unit of its time. To add a level, add an entry here and its work.
func descriptors() []descriptor {
	return []descriptor{
		{Value, "Value", "ns/eval", newValueWork},
		{Turn, "Turn", "ns/turn", newTurnWork},
		{Game, "Game", "us/game", func(w *Workload) (work, error) { return w.equalGames() }},
		{Match, "Match", "us/game", newMatchWork},
	}
}

type descriptor struct {
	level     Level
	benchmark string
	unit      string
	newWork   func(*Workload) (work, error)
}

// descriptor returns the descriptor of a level, zero for an unknown level.
func (l Level) descriptor() (d descriptor) {
	for _, d := range descriptors() {
		if d.level == l {
			return d
		}
	}
	return d
}

// Unit is the unit of time at the level: "ns/eval", "ns/turn", or "us/game" for the
// last two.
func (l Level) Unit() string { return l.descriptor().unit }

// Levels returns all levels, in the order of reports.
func Levels() (levels []Level) {
	for _, d := range descriptors() {
		levels = append(levels, d.level)
	}
	return levels
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

// Baseline is the reference engine of ratios: the oracle. It runs everywhere.
const Baseline = engine.OracleName

// BenchmarkName is the name of the benchmark of an engine at a level, without its prefix and
// the number of threads: "Value/board=array16/eval=avx2".
func BenchmarkName(level Level, engine string) string {
	return level.descriptor().benchmark + "/" + SubName(engine)
}

// SubName is the part of a benchmark's name that identifies the engine. benchstat reads the
// keys, as in "benchstat -col /eval".
func SubName(engine string) string {
	representation, eval, _ := strings.Cut(engine, "/")
	return "board=" + representation + "/eval=" + eval
}

// MismatchError reports an engine whose answer differs from the oracle's, so its speed is
// meaningless.
type MismatchError struct {
	Engine string
	Level  Level
	What   string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s does not agree with %s at the %s level: %s", e.Engine, engine.OracleName, e.Level, e.What)
}

// Benchmark binds an engine that can run here to the work of a level, and converts the work's
// inputs for it.
func (w *Workload) Benchmark(e ur.Engine, level Level) (sample.Benchmark, error) {
	b, err := benchmarkOf(e, level, w.works[level], w.Size)
	b.Work = w.signatures[level]
	return b, err
}

// benchmarkOf binds an engine to the work of a level. The baseline is the same of [Baseline].
func benchmarkOf(e ur.Engine, level Level, of work, size Size) (b sample.Benchmark, err error) {
	if of == nil {
		return b, fmt.Errorf("unknown level %q: it has no workload", level)
	}
	c := &instance{engine: e, size: size}
	if batch, ok := e.(ur.Batch); ok {
		c.lanes = batch.Lanes()
	}
	t, err := of.bind(c)
	return sample.Benchmark{
		Name: BenchmarkName(level, e.Name()), Unit: level.Unit(), Base: BenchmarkName(level, Baseline),
		Engine: e.Name(), Level: string(level), Pass: t.pass, Metrics: t.metrics,
		Check: func() error {
			difference, err := t.check()
			switch {
			case err != nil:
				return fmt.Errorf("%s: %w", e.Name(), err)
			case difference != "":
				return &MismatchError{e.Name(), level, difference}
			}
			return nil
		},
		Annotate: func(row *record.Row) {
			row.NsPerCandidate = row.Metrics[unitCandidate]
			row.SetMetric("bytes", float64(c.game.Bytes()))
			if c.lanes > 0 {
				row.SetMetric("lanes", float64(c.lanes))
			}
		},
	}, err
}
