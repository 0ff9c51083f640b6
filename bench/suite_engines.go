package bench

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// Baseline is the reference engine in ratios: the oracle. It runs everywhere.
const Baseline = engine.OracleName

// BenchmarkName is the name for an engine's benchmark at a scope, without its prefix and
// the number of threads: "Value/board=array16/eval=avx2".
func BenchmarkName(scope Scope, engine string) string {
	return strings.ToUpper(string(scope[:1])) + string(scope[1:]) + "/" + SubName(engine)
}

// SubName is the part in a benchmark's name that identifies the engine. benchstat reads the
// keys, as in "benchstat -col /eval".
func SubName(engine string) string {
	representation, eval, _ := strings.Cut(engine, "/")
	return "board=" + representation + "/eval=" + eval
}

// Benchmark binds an engine that can run here to a scope's work, and converts the work's
// inputs for it.
func (w *Workload) Benchmark(e ur.Engine, scope Scope) (sample.Benchmark, error) {
	of := w.works[scope]
	if of == nil {
		return sample.Benchmark{}, fmt.Errorf("unknown scope %q: it has no workload", scope)
	}
	b, err := of.bind(e)
	if err != nil {
		return b, fmt.Errorf("%s: %w", e.Name(), err)
	}
	b.Name, b.Unit, b.Base = BenchmarkName(scope, e.Name()), scope.Unit(), BenchmarkName(scope, Baseline)
	b.Engine, b.Scope, b.Work = e.Name(), string(scope), w.signatures[scope]
	return b, nil
}

// selectEngines binds the engines to the work in the selected scopes.
func selectEngines(of Selection) (set Set, err error) {
	if of.Size == (Size{}) {
		of.Size = DefaultSize()
	}
	w, err := NewWorkload(of.Size, of.Scopes...)
	if err != nil {
		return set, err
	}
	engines, skipped := of.engines()
	set.Work, set.Skipped = of.Size.configuration(), skipped
	for _, e := range engines {
		for _, scope := range Scopes() {
			if len(of.Scopes) > 0 && !slices.Contains(of.Scopes, scope) {
				continue
			}
			b, err := w.Benchmark(e, scope)
			if errors.Is(err, ErrNoMoves) {
				continue
			}
			if err != nil {
				return set, err
			}
			set.Benchmarks = append(set.Benchmarks, b)
		}
	}
	return set, nil
}

// configuration returns the lines that describe the work in all scopes.
func (s Size) configuration() []report.Setting {
	return []report.Setting{{Key: "workload",
		Value: fmt.Sprintf("%d positions, %d games by turns, %d games or the first %d, of seed %d",
			s.Positions, s.TurnGames, s.Games, s.FirstGames, workloadSeed)},
		{Key: "corpus", Value: fmt.Sprintf("%.6x", sha256.Sum256([]byte(corpusText)))}}
}

// WriteHeader writes the lines above the benchmarks by "go test -bench" on work with the default
// size: the work, and every unit's better direction. The caller adds a line "signature: " with
// the [Workload.Signature] above each scope's benchmarks, as in a file by [Suite.Heading].
func WriteHeader(out io.Writer) error {
	to := report.NewWriter(out)
	for _, c := range append(DefaultSize().configuration(),
		report.Setting{Key: "cpu-features", Value: featureNames(cpu.Detected())}) {
		fmt.Fprintf(to, "%s: %s\n", c.Key, c.Value)
	}
	for _, unit := range []string{"ns/eval", "ns/turn", unitCandidate, "us/game", unitGames} {
		to.Unit(unit)
	}
	return to.Err
}
