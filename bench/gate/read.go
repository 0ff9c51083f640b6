package gate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
)

// key identifies a figure: the same key on both sides is comparable.
type key struct{ configuration, name, unit string }

// side is the content of a file.
type side struct {
	order    []key
	samples  map[key][]float64
	units    benchfmt.UnitMetadataMap
	occasion string   // common value of [pairedKey], "" for none
	failed   []string // tests and packages that the file reports as failed
	skipped  int      // lines that begin like benchmarks but are logs
}

// readSide reads a file in Go's benchmark format. Configuration keys to ignore do not separate
// figures.
func readSide(name string, text []byte, ignore []string) (*side, error) {
	if err := checkSums(text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := &side{samples: make(map[key][]float64), failed: failures(text)}
	reader := benchfmt.NewReader(bytes.NewReader(text), name)
	occasions := make(map[string]bool)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			if !strings.Contains(record.Msg, "iteration count") {
				return nil, fmt.Errorf("%s:%d: %s", name, record.Line, record.Msg)
			}
			s.skipped++ // Go prints the name of a benchmark before its log
		case *benchfmt.Result:
			occasions[record.GetConfig(pairedKey)] = true
			if err := s.add(record, ignore); err != nil {
				return nil, err
			}
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	s.units = reader.Units()
	for _, k := range s.order {
		if m := s.units.Get(k.unit, "assume"); m != nil && m.Value == "exact" && slices.Min(s.samples[k]) == slices.Max(s.samples[k]) {
			s.samples[k] = slices.Repeat(s.samples[k][:1], verdict.FirstLook) // without noise one sample tells all
		}
	}
	if len(s.order) == 0 {
		return nil, fmt.Errorf(`%s: no benchmarks (want Go's benchmark format, as written by "go test -bench" or "ur bench run -o")`, name)
	}
	if len(occasions) == 1 {
		for s.occasion = range occasions {
		}
	}
	return s, nil
}

// add adds the samples of a line.
func (s *side) add(result *benchfmt.Result, ignore []string) error {
	var configuration strings.Builder
	for _, c := range result.Config {
		if c.File && c.Key != pairedKey && !slices.Contains(ignore, c.Key) {
			fmt.Fprintf(&configuration, "%s: %s\n", c.Key, c.Value)
		}
	}
	for _, v := range result.Values {
		x, unit := ab.Tidy(v.Value, v.Unit)
		if !(x >= 0) || math.IsInf(x, 0) {
			file, line := result.Pos()
			return fmt.Errorf("%s:%d: invalid measurement %v %s (want a finite number of at least 0)", file, line, v.Value, v.Unit)
		}
		k := key{configuration.String(), result.Name.String(), unit}
		if s.samples[k] == nil {
			s.order = append(s.order, k)
		}
		s.samples[k] = append(s.samples[k], x)
	}
	return nil
}

// better returns the better direction of a unit: 1 if more is better, -1 if less is, 0 if
// unknown. Lines "Unit" of the file come first.
func (s *side) better(unit string) int {
	written := []string{unit}
	if of, ok := strings.CutPrefix(unit, "sec/"); ok {
		for _, scale := range []string{"ns", "us", "ms", "s"} {
			written = append(written, scale+"/"+of)
		}
	}
	for _, u := range written {
		if s.units.Get(u, "better") != nil {
			return s.units.GetBetter(u)
		}
	}
	return cmp.Or(ab.Better(unit), s.units.GetBetter(unit))
}

// The comments of "ur bench run -o": the first line of a run, and its last, the checksum of the
// lines before it.
var (
	runLine = text.Regexp(`(?m)^# ur bench run: `)
	sumLine = text.Regexp(`(?m)^# sha256 ([0-9a-f]*)\n?`)
)

// checkSums compares the checksum at the end of each run with its lines.
func checkSums(text []byte) error {
	if runs, sums := len(runLine().FindAll(text, -1)), len(sumLine().FindAll(text, -1)); runs > sums {
		return errors.New("missing checksum in the last line: the file is truncated")
	}
	begin := 0
	for _, at := range sumLine().FindAllSubmatchIndex(text, -1) {
		if want := fmt.Sprintf("%x", sha256.Sum256(text[begin:at[0]])); string(text[at[2]:at[3]]) != want {
			return errors.New("checksum mismatch: the file was edited or damaged")
		}
		begin = at[1]
	}
	return nil
}

// failedLine matches the line "go test" prints for a failed test or package.
var failedLine = text.Regexp(`(?m)^(?:--- FAIL: (\S+)|FAIL\s+(\S+)|FAIL$)`)

// failures lists the failures in a text.
func failures(text []byte) (failed []string) {
	for _, parts := range failedLine().FindAllSubmatch(text, -1) {
		name := string(slices.Concat(parts[1], parts[2]))
		if name == "" {
			name = "a test"
		}
		if !slices.Contains(failed, name) {
			failed = append(failed, name)
		}
	}
	return failed
}
