package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Level is one of the things measured, from the inside out.
type Level string

// The levels: those of the interface [github.com/seed-09dcdc84/ur.Game].
const (
	Value Level = "value" // getValue of positions held by the engine
	Turn  Level = "turn"  // a whole turn: futures, values, choice, move
	Game  Level = "game"  // a whole game on the shared dice, one brain on both sides
)

// works makes the work of each level. To add a level, add it to the lists here and its work.
var works = map[Level]func(*Workload) (work, error){
	Value: newValueWork, Turn: newTurnWork, Game: func(w *Workload) (work, error) { return w.games() },
}

// Unit is the unit of time at the level: "ns/eval", "ns/turn" or "us/game".
func (l Level) Unit() string {
	return map[Level]string{Value: "ns/eval", Turn: "ns/turn", Game: "us/game"}[l]
}

// Levels returns all levels, in the order of reports.
func Levels() []Level { return []Level{Value, Turn, Game} }

// ParseLevel returns the level with a name, or an error that lists the names.
func ParseLevel(name string) (Level, error) {
	if slices.Contains(Levels(), Level(name)) {
		return Level(name), nil
	}
	return "", fmt.Errorf("unknown level %q (want one of %s)", name, text.Join(Levels(), ", "))
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
	return strings.ToUpper(string(level[:1])) + string(level[1:]) + "/" + SubName(engine)
}

// SubName is the part of a benchmark's name that identifies the engine. benchstat reads the
// keys, as in "benchstat -col /eval".
func SubName(engine string) string {
	representation, eval, _ := strings.Cut(engine, "/")
	return "board=" + representation + "/eval=" + eval
}

// Benchmark binds an engine that can run here to the work of a level, and converts the work's
// inputs for it.
func (w *Workload) Benchmark(e ur.Engine, level Level) (sample.Benchmark, error) {
	b, err := benchmarkOf(e, level, w.works[level])
	b.Work = w.signatures[level]
	return b, err
}

// benchmarkOf binds an engine to the work of a level. The baseline is the same of [Baseline].
func benchmarkOf(e ur.Engine, level Level, of work) (b sample.Benchmark, err error) {
	if of == nil {
		return b, fmt.Errorf("unknown level %q: it has no workload", level)
	}
	t, err := of.bind(e)
	if err != nil {
		return b, fmt.Errorf("%s: %w", e.Name(), err)
	}
	return sample.Benchmark{
		Name: BenchmarkName(level, e.Name()), Unit: level.Unit(), Base: BenchmarkName(level, Baseline),
		Engine: e.Name(), Level: string(level), Check: t.check, Pass: t.pass, Metrics: t.metrics,
		Annotate: func(row *record.Row) {
			row.NsPerCandidate = row.Metrics[unitCandidate]
			row.SetMetric("bytes", float64(t.game.Bytes()))
			if n := lanes(e); n > 0 {
				row.SetMetric("lanes", float64(n))
			}
		},
	}, nil
}

// lanes is the number of games that an engine plays side by side, 0 if it is not a [ur.Batch].
func lanes(e ur.Engine) int {
	if batch, ok := e.(ur.Batch); ok {
		return batch.Lanes()
	}
	return 0
}

// selectEngines binds the engines to the work of the selected levels.
func selectEngines(of Selection) (set Set, err error) {
	if of.Size == (Size{}) {
		of.Size = DefaultSize()
	}
	w, err := NewWorkload(of.Size, of.Levels...)
	if err != nil {
		return set, err
	}
	engines, skipped := of.engines()
	set.Work, set.Skipped = of.Size.configuration(), skipped
	for _, e := range engines {
		for _, level := range Levels() {
			if len(of.Levels) > 0 && !slices.Contains(of.Levels, level) {
				continue
			}
			b, err := w.Benchmark(e, level)
			if err != nil {
				return set, err
			}
			set.Benchmarks = append(set.Benchmarks, b)
		}
	}
	return set, nil
}

// configuration returns the lines that describe the work of all levels.
func (s Size) configuration() []report.Setting {
	return []report.Setting{{Key: "workload", Value: s.description()}, {Key: "corpus", Value: fmt.Sprintf("%.6x", sha256.Sum256([]byte(corpusText)))}}
}

// WriteHeader writes the lines above the benchmarks of "go test -bench" on work of the default
// size: the work, and the better direction of every unit. The caller adds a line "signature: " with
// the [Workload.Signature] above the benchmarks of each level, as in a file of [Suite.Heading].
func WriteHeader(out io.Writer) error {
	to := &text.Writer{To: out}
	for _, c := range append(DefaultSize().configuration(), report.Setting{Key: "cpu-features", Value: featureNames(cpu.Detected())}) {
		fmt.Fprintf(to, "%s: %s\n", c.Key, c.Value)
	}
	for _, unit := range []string{"ns/eval", "ns/turn", unitCandidate, "us/game", unitGames} {
		fmt.Fprintf(to, "Unit %s better=%s\n", unit, report.Direction(unit))
	}
	return to.Err
}
