package experiment

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"golang.org/x/perf/benchfmt"
)

// MaxFile is the maximum size of a benchmark file to read, in bytes: half a million lines.
const MaxFile = 64 << 20

// Saved is a complete or interrupted run written by [Run.Write], which another run can resume.
type Saved struct {
	Suite     string   // of the benchmarks; "" of files that do not name it
	Names     []string // of the benchmarks, in the order of the file
	Rounds    int      // complete ones
	Count     int      // planned number of samples
	BenchTime time.Duration
	Seed      uint64
	TimedBy   Clock

	commit, goVersion string
	procs             int                          // GOMAXPROCS; 0 if the file lacks it
	configuration     map[string]map[string]string // by name of the benchmark, then by key
	series            map[string]savedSeries       // by name of the benchmark
}

// savedSeries are the samples of one benchmark.
type savedSeries struct {
	unit    string
	passes  int
	samples []Sample
}

// The comments that identify a run.
var (
	runComment    = regexp.MustCompile(`(?m)^# ur bench run: (\d+)(?: of (\d+))? interleaved samples of (\S+), seed (\d+)$`)
	commitComment = regexp.MustCompile(`(?m)^# commit (\S+), (\S+), \S+$`)
	clockComment  = regexp.MustCompile(`(?m)^# clock (cpu|wall)$`)
	procsComment  = regexp.MustCompile(`(?m)^# GOMAXPROCS (\d+)$`)
	suiteComment  = regexp.MustCompile(`(?m)^# suite (\S+)$`)
)

// RoundsFromHeader returns the number of complete rounds declared in a file. ok is false for a file
// without the number, or of several runs.
func RoundsFromHeader(text []byte) (rounds int, ok bool) {
	runs := runComment.FindAllSubmatch(text, 2)
	if len(runs) != 1 {
		return 0, false
	}
	rounds, err := strconv.Atoi(string(runs[0][1]))
	return rounds, err == nil
}

// ReadSaved reads a file written by [Run.Write]. Its errors report missing or invalid parts of
// the file.
func ReadSaved(name string) (*Saved, error) {
	text, err := wholefile.Read(name, MaxFile)
	if err != nil {
		return nil, err
	}
	saved, err := ParseSaved(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return saved, nil
}

// ParseSaved reads the text of such a file.
func ParseSaved(text []byte) (*Saved, error) {
	s := &Saved{configuration: make(map[string]map[string]string), series: make(map[string]savedSeries)}
	if err := s.readComments(text); err != nil {
		return nil, err
	}
	if err := checkSum(text); err != nil {
		return nil, err
	}
	reader := benchfmt.NewReader(bytes.NewReader(text), "samples")
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("line %d: %s", record.Line, record.Msg)
		case *benchfmt.Result:
			if err := s.add(record); err != nil {
				return nil, err
			}
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	return s, s.checkComplete()
}

// checkSum compares the checksum in the last line of a file with that of the lines above.
func checkSum(text []byte) error {
	at := bytes.LastIndex(text, []byte("\n"+checksumPrefix)) + 1
	if at == 0 {
		return errors.New("missing checksum in the last line: the file is truncated, or another version wrote it")
	}
	if want := fmt.Sprintf("%s%x\n", checksumPrefix, sha256.Sum256(text[:at])); string(text[at:]) != want {
		return errors.New("checksum mismatch: the file was edited or damaged")
	}
	return nil
}

// readComments reads the plan of the run.
func (s *Saved) readComments(text []byte) error {
	run, commit := runComment.FindSubmatch(text), commitComment.FindSubmatch(text)
	if run == nil || commit == nil {
		return errors.New(`missing comments (want a file written by "ur bench run -o")`)
	}
	if len(runComment.FindAllIndex(text, 2)) > 1 {
		return errors.New("it holds the samples of several suites (want one)")
	}
	s.commit, s.goVersion = string(commit[1]), string(commit[2])
	s.TimedBy = WallClock // of files from before there was a choice
	if clock := clockComment.FindSubmatch(text); clock != nil {
		s.TimedBy = Clock(clock[1])
	}
	if suite := suiteComment.FindSubmatch(text); suite != nil {
		s.Suite = string(suite[1])
	}
	if len(run[2]) == 0 {
		run[2] = run[1] // the count was spent
	}
	var errs [5]error
	s.Rounds, errs[0] = strconv.Atoi(string(run[1]))
	s.Count, errs[1] = strconv.Atoi(string(run[2]))
	s.BenchTime, errs[2] = time.ParseDuration(string(run[3]))
	s.Seed, errs[3] = strconv.ParseUint(string(run[4]), 10, 64)
	if procs := procsComment.FindSubmatch(text); procs != nil {
		s.procs, errs[4] = strconv.Atoi(string(procs[1]))
	}
	err := errors.Join(errs[:]...)
	if err == nil && (s.Rounds < 1 || s.Count < s.Rounds || s.BenchTime <= 0) {
		err = errors.New("no such run can be")
	}
	if err != nil {
		return fmt.Errorf("comment %q: %w", run[0], err)
	}
	return nil
}

// add adds one benchmark line.
func (s *Saved) add(result *benchfmt.Result) error {
	name := s.ShortName(result.Name.String())
	sample, unit, err := savedSample(result)
	if err != nil {
		return err
	}
	series, seen := s.series[name]
	switch {
	case !seen:
		s.Names = append(s.Names, name)
		s.configuration[name] = make(map[string]string)
		series = savedSeries{unit: unit, passes: result.Iters}
	case series.passes != result.Iters || series.unit != unit:
		return fmt.Errorf("benchmark %s has samples of %d passes in %s and of %d in %s",
			name, series.passes, series.unit, result.Iters, unit)
	}
	for _, c := range result.Config {
		s.configuration[name][c.Key] = string(c.Value)
	}
	series.samples = append(series.samples, sample)
	s.series[name] = series
	return nil
}

// ShortName is the name of a benchmark without the GOMAXPROCS after it. An engine's own name
// may end like that too.
func (s *Saved) ShortName(name string) string {
	if s.procs > 1 {
		return strings.TrimSuffix(name, fmt.Sprintf("-%d", s.procs))
	}
	return name
}

// savedSample reads the figures of a line, of which the first is its time.
func savedSample(result *benchfmt.Result) (sample Sample, unit string, err error) {
	if result.Iters < 1 {
		return sample, "", fmt.Errorf("benchmark %s: sample of %d passes (want 1 or more)", result.Name, result.Iters)
	}
	for i, value := range result.Values {
		number, of := value.Value, value.Unit
		if value.OrigUnit != "" {
			number, of = value.OrigValue, value.OrigUnit
		}
		if i == 0 {
			sample.PerUnit, unit = number, of
			continue
		}
		event, work, _ := strings.Cut(of, "/")
		if work == Work(unit) && slices.Contains([]Event{Instructions, Cycles, BranchMisses}, Event(event)) {
			if sample.Counts == nil {
				sample.Counts = make(Counts)
			}
			sample.Counts[Event(event)] = number
		}
	}
	if Nanoseconds(unit) != 0 && !IsTime(sample.PerUnit) || Work(unit) == "" {
		return sample, unit, fmt.Errorf("benchmark %s has no time above 0 in front, as in %s", result.Name, "5 ns/eval")
	}
	return sample, unit, nil
}

// IsTime reports whether a figure can be a time.
func IsTime(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// checkComplete finds out whether a part of the file is missing.
func (s *Saved) checkComplete() error {
	if len(s.series) == 0 {
		return errors.New("the file holds no samples")
	}
	for _, name := range s.Names {
		series := s.series[name]
		switch n := len(series.samples); {
		case n > 1 && Nanoseconds(series.unit) == 0:
			return fmt.Errorf("benchmark %s has no time above 0 in front, as in %s", name, "5 ns/eval")
		case n > 1 && n != s.Rounds: // some figures are measured once
			return fmt.Errorf("%s has %d samples (want %d): a part of the file is missing", name, n, s.Rounds)
		}
	}
	return nil
}

// Times returns the times of a benchmark, or nil when it has none.
func (s *Saved) Times(name string) []float64 {
	return Series{Samples: s.series[name].samples}.Times()
}

// Configured returns a value of the configuration of a benchmark, or "".
func (s *Saved) Configured(name, key string) string { return s.configuration[name][key] }

// Check reports why a run of subjects by this program on this machine cannot continue the saved
// run: its samples would be of different work. The heading is the new run's heading.
func (s *Saved) Check(h Heading, subjects []Subject) error {
	e := h.Environment
	lines := slices.Concat([]Configuration{{"cpu", e.CPU}, {"goos", e.OS}, {"goarch", e.Arch}}, h.Configuration)
	for _, name := range s.Names {
		here := lines
		if i := slices.IndexFunc(subjects, func(s Subject) bool { return s.Name() == name }); i >= 0 {
			here = append(lines[:len(lines):len(lines)], Configuration{keySignature, Describe(subjects[i]).Work})
		}
		for _, line := range here {
			if was := s.Configured(name, line.Key); was != line.Value {
				return fmt.Errorf("different %s: %q in the file, %q here", line.Key, was, line.Value)
			}
		}
	}
	commit := cmp.Or(e.Commit, unknownCommit)
	if s.commit != commit || s.goVersion != e.Go {
		return fmt.Errorf("different program: commit %s with %s in the file, commit %s with %s here", s.commit, s.goVersion, commit, e.Go)
	}
	if procs := runtime.GOMAXPROCS(0); s.procs != 0 && s.procs != procs {
		return fmt.Errorf("different GOMAXPROCS: %d in the file, %d here", s.procs, procs)
	}
	return nil
}

// takeOver puts the samples of a saved run before those to come. Samples must be as
// long as they were, so the calibration is taken over too.
func (r *Run) takeOver(saved *Saved) error {
	if saved == nil {
		return nil
	}
	for i := range r.Series {
		name := r.Series[i].Name
		series, ok := saved.series[name]
		if !ok {
			return fmt.Errorf("the interrupted run has no samples of %s", name)
		}
		if series.unit != r.Series[i].Unit {
			return fmt.Errorf("different unit of %s: %s in the file, %s here", name, series.unit, r.Series[i].Unit)
		}
		if n, want := len(series.samples), r.Series[i].count(saved.Rounds); n != want {
			return fmt.Errorf("%s has %d samples (want %d): a part of the file is missing", name, n, want)
		}
		r.Series[i].Passes = series.passes
		r.Series[i].Samples = slices.Clone(series.samples)
	}
	if len(r.Series) != len(saved.series) {
		return fmt.Errorf("different benchmarks: %d in the file, %d here", len(saved.series), len(r.Series))
	}
	r.Rounds = saved.Rounds
	return nil
}
