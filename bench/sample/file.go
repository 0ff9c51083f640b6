package sample

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"golang.org/x/perf/benchfmt"
)

// The file is in Go's benchmark format (https://go.dev/design/14313-benchmark-format), as read
// by benchrecord. Facts that make figures incomparable, such as different work or another
// machine, are configuration lines, by which benchstat separates figures. Facts that may differ
// in a comparison, such as two commits, are comments.

// Configuration is a line "key: value" of the format.
type Configuration struct{ Key, Value string }

// Heading is the part of a file above the samples of a run.
type Heading struct {
	Environment   record.Environment
	Suite         string          // of the benchmarks
	Package       string          // of the benchmarks
	Configuration []Configuration // of all benchmarks
}

// Write writes the samples of a run in Go's benchmark format, under their names in "go test
// -bench". Sample k of every benchmark is of round k. The last line is a comment with a
// checksum of the lines above, so package gate recognises a
// damaged file.
func (r *Run) Write(w io.Writer, h Heading) error {
	var text bytes.Buffer // does not fail
	r.writeComments(&text, h)
	out := benchfmt.NewWriter(&text)
	for _, unit := range r.units() {
		key := benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}
		if err := out.Write(&benchfmt.UnitMetadata{UnitMetadataKey: key, OrigUnit: unit, Value: Better(unit)}); err != nil {
			return err
		}
	}
	// The writer states a configuration once for neighbours that share it.
	series := slices.Clone(r.Series)
	slices.SortStableFunc(series, func(a, b Series) int { return cmp.Compare(a.Work, b.Work) })
	for _, s := range series {
		if err := s.write(out, h.config(s.Work)); err != nil {
			return err
		}
	}
	fmt.Fprintf(&text, "# sha256 %x\n", sha256.Sum256(text.Bytes()))
	_, err := w.Write(text.Bytes())
	return err
}

// write writes a line for each sample.
func (s Series) write(out *benchfmt.Writer, config []benchfmt.Config) error {
	for _, x := range s.Times {
		result := benchfmt.Result{Config: config, Name: benchfmt.Name(fullName(s.Name)), Iters: s.Passes}
		for _, m := range s.metrics(x) {
			result.Values = append(result.Values, benchfmt.Value{Value: record.Significant(m.Value), Unit: m.Unit})
		}
		if err := out.Write(&result); err != nil {
			return err
		}
	}
	return nil
}

// config is the configuration of a benchmark with a signature of its work.
func (h Heading) config(signature string) (config []benchfmt.Config) {
	e := h.Environment
	lines := slices.Concat([]Configuration{{"goos", e.OS}, {"goarch", e.Arch}, {"pkg", h.Package}, {"cpu", e.CPU}}, h.Configuration,
		[]Configuration{{keySignature, signature}})
	for _, line := range lines {
		if line.Value != "" {
			config = append(config, benchfmt.Config{Key: line.Key, Value: []byte(line.Value), File: true})
		}
	}
	return config
}

// keySignature is the key of [Benchmark.Work].
const keySignature = "signature"

// units lists the units of all samples.
func (r *Run) units() (units []string) {
	for _, s := range r.Series {
		for _, m := range s.metrics(1) {
			if !slices.Contains(units, m.Unit) {
				units = append(units, m.Unit)
			}
		}
	}
	return units
}

// Better returns the better direction of a unit, "higher" or "lower".
func Better(unit string) string {
	if strings.HasSuffix(unit, "/s") {
		return "higher"
	}
	return "lower"
}

// writeComments writes the facts that do not separate figures.
func (r *Run) writeComments(w io.Writer, h Heading) {
	rounds := fmt.Sprint(r.Rounds)
	if r.Rounds < r.Options.Count {
		rounds = fmt.Sprintf("%d of %d", r.Rounds, r.Options.Count)
	}
	e := h.Environment
	fmt.Fprintf(w, "# ur bench run: %s interleaved samples of %v, seed %d\n# commit %s, %s, %s\n# clock %s\n# GOMAXPROCS %d\n# suite %s\n",
		rounds, r.Options.BenchTime, r.Options.Seed, cmp.Or(e.Commit, "unknown"), e.Go, e.Date, DefaultClock(), runtime.GOMAXPROCS(0), h.Suite)
}
