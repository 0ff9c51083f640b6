package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"golang.org/x/perf/benchfmt"
)

// Go's benchmark format (https://go.dev/design/14313-benchmark-format), which
// benchstat reads. What must not be compared, because it is of other work or of
// another machine, differs in a configuration line, and benchstat keeps it apart;
// what may be compared, such as two commits, stands in comments.

// Configuration is a line "key: value" of the format.
type Configuration struct{ Key, Value string }

// Configuration returns the lines that say what the work is, and which features
// the CPU has.
func (w *Workload) Configuration(features []ur.Feature) []Configuration {
	var names []string
	for _, f := range features {
		names = append(names, string(f))
	}
	return []Configuration{
		{"workload", w.Description()},
		{"corpus", CorpusVersion()},
		{"signature", w.Signature},
		{"cpu-features", cmp.Or(strings.Join(names, " "), "none")},
	}
}

// unitDirection says of a unit whether "lower" or "higher" is better.
type unitDirection struct{ unit, better string }

// unitsBetter says of every unit which direction is better.
var unitsBetter = []unitDirection{
	{Value.Unit(), "lower"},
	{Turn.Unit(), "lower"},
	{unitCandidate, "lower"},
	{Game.Unit(), "lower"},
	{unitGames, "higher"},
}

// WriteHeader writes what stands before the benchmarks of a workload: its
// configuration, and of every unit which direction is better.
func (w *Workload) WriteHeader(out io.Writer) {
	for _, c := range w.Configuration(ur.DetectedFeatures()) {
		fmt.Fprintf(out, "%s: %s\n", c.Key, c.Value)
	}
	for _, u := range unitsBetter {
		fmt.Fprintf(out, "Unit %s better=%s\n", u.unit, u.better)
	}
}

// WriteBenchmarks writes the samples of a run in Go's benchmark format, under the
// names that "go test -bench" gives them. Sample k of every benchmark is of round
// k.
func (r *Run) WriteBenchmarks(w io.Writer, e Environment) error {
	if err := r.writeComments(w, e); err != nil {
		return err
	}
	out := benchfmt.NewWriter(w)
	for _, u := range append(slices.Clone(unitsBetter), r.counterUnits()...) {
		key := benchfmt.UnitMetadataKey{Unit: u.unit, Key: "better"}
		if err := out.Write(&benchfmt.UnitMetadata{UnitMetadataKey: key, OrigUnit: u.unit, Value: u.better}); err != nil {
			return err
		}
	}
	configuration := r.fileConfiguration(e)
	for _, s := range r.Series {
		for _, sample := range s.Samples {
			result := benchfmt.Result{
				Config: configuration,
				Name:   benchfmt.Name(s.Name()),
				Iters:  s.Passes,
			}
			for _, m := range s.metrics(sample) {
				result.Values = append(result.Values, benchfmt.Value{Value: stat.Significant(m.Value), Unit: m.Unit})
			}
			if err := out.Write(&result); err != nil {
				return err
			}
		}
	}
	return nil
}

// counterUnits says which direction is better of what the processor counted.
func (r *Run) counterUnits() []unitDirection {
	if len(r.Counting.Events) == 0 {
		return nil
	}
	units := []unitDirection{{unitIPC, "higher"}}
	for _, event := range r.Counting.Events {
		for _, level := range []Level{Value, Turn, Game} {
			units = append(units, unitDirection{unitEvent(event, level), "lower"})
		}
	}
	return units
}

// writeComments writes what is worth knowing and no ground for keeping figures
// apart. [ReadSamples] reads the first two lines.
func (r *Run) writeComments(w io.Writer, e Environment) error {
	rounds := fmt.Sprint(r.Rounds)
	if r.Interrupted {
		rounds = fmt.Sprintf("%d of %d", r.Rounds, r.Options.Count)
	}
	lines := []string{
		fmt.Sprintf("ur bench run: %s interleaved samples of %v, seed %d", rounds, r.Options.BenchTime, r.Options.Seed),
		fmt.Sprintf("commit %s, %s, %s", cmp.Or(e.Commit, unknownCommit), e.Go, e.Date),
	}
	lines = append(lines, fmt.Sprintf("clock %s", r.Options.TimedBy))
	for _, c := range r.Options.Commands {
		lines = append(lines, fmt.Sprintf("command %s: %q", c.Name, c.Args))
	}
	_, err := fmt.Fprintf(w, "# %s\n", strings.Join(lines, "\n# "))
	return err
}

// unknownCommit stands for the commit of a program that does not know it.
const unknownCommit = "unknown"

// fileConfiguration is the configuration of a run, the lines that "go test" writes
// among it.
func (r *Run) fileConfiguration(e Environment) []benchfmt.Config {
	lines := []Configuration{
		{"goos", e.OS},
		{"goarch", e.Arch},
		{"pkg", "github.com/seed-09dcdc84/ur/bench"},
		{"cpu", e.CPU},
	}
	var configuration []benchfmt.Config
	for _, c := range append(lines, r.Workload.Configuration(e.Features)...) {
		configuration = append(configuration, benchfmt.Config{Key: c.Key, Value: []byte(c.Value), File: true})
	}
	return configuration
}
