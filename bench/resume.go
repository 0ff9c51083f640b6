package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// Saved is a run that was written by [Run.WriteBenchmarks], complete or
// interrupted, so that another can go on with it.
type Saved struct {
	Engines   []string // engines and commands, in the order measured
	Levels    []Level
	Rounds    int // complete ones
	Count     int // samples that were to be taken
	BenchTime time.Duration
	Seed      uint64
	TimedBy   Clock

	commit, goVersion string
	configuration     map[string]string
	series            map[string]savedSeries // by name of the benchmark
}

// savedSeries are the samples of one benchmark.
type savedSeries struct {
	passes  int
	samples []Sample
}

// The comments in which a run says what it is.
var (
	runComment    = regexp.MustCompile(`(?m)^# ur bench run: (\d+)(?: of (\d+))? interleaved samples of (\S+), seed (\d+)$`)
	commitComment = regexp.MustCompile(`(?m)^# commit (\S+), (\S+), \S+$`)
	clockComment  = regexp.MustCompile(`(?m)^# clock (cpu|wall)$`)
	engineName    = regexp.MustCompile(`^([A-Z][a-z]+)/board=([^/]+)/eval=(.+?)(?:-\d+)?$`)
)

// ReadSamples reads a file that [Run.WriteBenchmarks] wrote. Its errors say what is
// missing or wrong in the file.
func ReadSamples(name string) (*Saved, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	saved, err := parseSamples(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return saved, nil
}

// parseSamples reads the text of such a file.
func parseSamples(text []byte) (*Saved, error) {
	s := &Saved{configuration: make(map[string]string), series: make(map[string]savedSeries)}
	if err := s.readComments(text); err != nil {
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

// readComments reads what the run was to be.
func (s *Saved) readComments(text []byte) (err error) {
	run, commit := runComment.FindSubmatch(text), commitComment.FindSubmatch(text)
	if run == nil || commit == nil {
		return errors.New(`not a file that "ur bench run -o" wrote: its comments are missing`)
	}
	s.commit, s.goVersion = string(commit[1]), string(commit[2])
	s.TimedBy = WallClock // of files from before there was a choice
	if clock := clockComment.FindSubmatch(text); clock != nil {
		s.TimedBy = Clock(clock[1])
	}
	if len(run[2]) == 0 {
		run[2] = run[1] // the count was spent
	}
	var errs [4]error
	s.Rounds, errs[0] = strconv.Atoi(string(run[1]))
	s.Count, errs[1] = strconv.Atoi(string(run[2]))
	s.BenchTime, errs[2] = time.ParseDuration(string(run[3]))
	s.Seed, errs[3] = strconv.ParseUint(string(run[4]), 10, 64)
	if err := errors.Join(errs[:]...); err != nil {
		return fmt.Errorf("comment %q: %w", run[0], err)
	}
	return nil
}

// add adds one benchmark line.
func (s *Saved) add(result *benchfmt.Result) error {
	name := result.Name.String()
	parts := engineName.FindStringSubmatch(name)
	if parts == nil {
		return fmt.Errorf("benchmark %s is not one of \"ur bench run\"", name)
	}
	level, err := ParseLevel(strings.ToLower(parts[1]))
	if err != nil {
		return fmt.Errorf("benchmark %s: %w", name, err)
	}
	engine := parts[2] + "/" + parts[3]
	if parts[2] == execBoard {
		engine = parts[3]
	}
	sample, err := savedSample(result, level)
	if err != nil {
		return err
	}
	if !slices.Contains(s.Engines, engine) {
		s.Engines = append(s.Engines, engine)
	}
	if !slices.Contains(s.Levels, level) {
		s.Levels = append(s.Levels, level)
	}
	for _, c := range result.Config {
		s.configuration[c.Key] = string(c.Value)
	}
	series := s.series[name]
	s.series[name] = savedSeries{result.Iters, append(series.samples, sample)}
	return nil
}

// savedSample reads the figures of a line.
func savedSample(result *benchfmt.Result, level Level) (Sample, error) {
	sample := Sample{}
	for _, value := range result.Values {
		number, unit := value.Value, value.Unit
		if value.OrigUnit != "" {
			number, unit = value.OrigValue, value.OrigUnit
		}
		event, work, _ := strings.Cut(unit, "/")
		switch {
		case unit == level.Unit():
			sample.PerUnit = number
		case work == level.work() && slices.Contains([]Event{Instructions, Cycles, BranchMisses}, Event(event)):
			if sample.Counts == nil {
				sample.Counts = make(Counts)
			}
			sample.Counts[Event(event)] = number
		}
	}
	if !isTime(sample.PerUnit) {
		return sample, fmt.Errorf("benchmark %s has no time above 0 in %s", result.Name, level.Unit())
	}
	return sample, nil
}

// checkComplete finds out whether a part of the file is missing.
func (s *Saved) checkComplete() error {
	if len(s.series) == 0 {
		return errors.New("there are no samples in it")
	}
	for name, series := range s.series {
		if len(series.samples) != s.Rounds {
			return fmt.Errorf("%s has %d samples, want %d: a part of the file is missing", name, len(series.samples), s.Rounds)
		}
	}
	return nil
}

// Check says why a run with this work, on this machine and by this program cannot go
// on with the saved one: its samples would not be of the same thing.
func (s *Saved) Check(w *Workload, e Environment) error {
	here := map[string]string{"goos": e.OS, "goarch": e.Arch, "cpu": e.CPU}
	for _, c := range w.Configuration(e.Features) {
		here[c.Key] = c.Value
	}
	for _, key := range []string{"cpu", "cpu-features", "goos", "goarch", "workload", "corpus", "signature"} {
		if s.configuration[key] != here[key] {
			return fmt.Errorf("its %s is %q, and here %q", key, s.configuration[key], here[key])
		}
	}
	if commit := orUnknown(e.Commit); s.commit != commit || s.goVersion != e.Go {
		return fmt.Errorf("it is of commit %s with %s, this program of commit %s with %s", s.commit, s.goVersion, commit, e.Go)
	}
	return nil
}

// orUnknown is how a commit stands in a file.
func orUnknown(commit string) string {
	if commit == "" {
		return unknownCommit
	}
	return commit
}

// takeOver puts the samples of a saved run before those to come. Samples must be as
// long as they were, so the calibration is taken over too.
func (r *Run) takeOver(saved *Saved) error {
	if saved == nil {
		return nil
	}
	for i := range r.Series {
		name := r.Series[i].Name()
		series, ok := saved.series[name]
		if !ok {
			return fmt.Errorf("the run to go on with has no samples of %s", name)
		}
		r.Series[i].Passes = series.passes
		r.Series[i].Samples = slices.Clone(series.samples)
	}
	if len(r.Series) != len(saved.series) {
		return fmt.Errorf("the run to go on with has samples of %d benchmarks, and here are %d to measure", len(saved.series), len(r.Series))
	}
	r.Rounds = saved.Rounds
	return nil
}
