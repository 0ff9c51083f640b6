package bench

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
)

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
func (s Size) configuration() []sample.Configuration {
	return []sample.Configuration{{Key: "workload", Value: s.Description()}, {Key: "corpus", Value: CorpusVersion()}}
}

// WriteHeader writes the lines above the benchmarks of "go test -bench" on work of the default
// size: the work, and the better direction of every unit. The caller adds a line "signature: " with
// the [Workload.Signature] above the benchmarks of each level, as in a file of [Suite.Heading].
func WriteHeader(out io.Writer) error {
	to := &text.Writer{To: out}
	for _, c := range append(DefaultSize().configuration(), sample.Configuration{Key: "cpu-features", Value: featureNames(cpu.Detected())}) {
		fmt.Fprintf(to, "%s: %s\n", c.Key, c.Value)
	}
	for _, unit := range []string{"ns/eval", "ns/turn", unitCandidate, "us/game", unitGames} {
		fmt.Fprintf(to, "Unit %s better=%s\n", unit, sample.Better(unit))
	}
	return to.Err
}
