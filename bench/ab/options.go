package ab

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Options configures a comparison. Begin with [DefaultOptions].
type Options struct {
	Dir      string   // where the user stands; "" is the current folder
	Base     string   // commit that Head is compared with; "" is the merge base with the main branch
	Head     string   // commit; "" is the work tree
	Packages []string // patterns as "go test" takes them; none is ./...

	// Two commands that print benchmarks, instead of commits. They are split into words like a
	// shell command, but run without a shell.
	Old, New string
	Whole    bool // measure these programs as a whole, in any language: wall-clock time, CPU time and peak memory

	Limit  float64            // largest slowdown that passes: 0.03 is 3 %
	limits []judge.NamedLimit // limits for single benchmarks; the last match counts
	floors map[string]float64 // largest passing increases of the units of memory, in the unit
	parts  map[string]float64 // the same as parts of the old figures

	Ignore       []string         // settings that files and commands may differ in, as in pkg
	HigherBetter []*regexp.Regexp // units of ReportMetric whose larger values are better

	// Prove demands a proof for each benchmark that it is not slower by the limit. Without it,
	// a benchmark not shown to be slower passes, if a large slowdown would have been seen.
	Prove bool

	Time time.Duration // total time, builds included

	// Horizon is the work of a benchmark, in one process, that a verdict covers: what runs later is not seen. Where the
	// time does not suffice for all benchmarks, it is shorter, but never below 100 ms.
	Horizon time.Duration

	Seed uint64 // seed for all orders; 0 is another one each time

	Bench   string       // regular expression of benchmarks, as of go test -bench
	CPU     string       // values for go test -cpu: 1,2,4
	Tags    string       // tags for go build -tags
	Tests   report.Tests // source of the test files of both sides, if they compile with it
	Judge   Judges       // instruments that judge
	Exclude string       // regular expression of benchmarks to leave out
	Args    string       // arguments of the test programs, as of go test: -short -args -config FILE
	Prepare string       // command of a shell that runs in Dir of each side before it is built

	IgnoreMissing bool // ignore benchmarks of only one side, and packages that only one side can build

	Explain  bool   // profile both sides of slower rows
	Profiles string // folder that keeps these profiles; "" keeps none

	// Progress receives the progress of every slow step. It may be nil.
	Progress func(Progress)

	// Of tests: whether each round has links of its own; the largest number of rounds, if not 0;
	// the work of a sample, chosen by the time if empty; whether failing rows are measured again;
	// a profile's time.
	layouts     bool
	rounds      int
	sample      timing.Work
	confirm     bool
	profileTime time.Duration
}

// Judges are the judging instruments.
type Judges string

// The judges. Counts decide in seconds and at any load where times cannot.
const (
	BothJudges Judges = "both"
	TimeOnly   Judges = "time"
	CountOnly  Judges = "count"
)

// rules returns the user's demands on verdicts.
func (o *Options) rules() judge.Rules {
	return judge.Rules{Limit: o.Limit, Limits: o.limits, Floors: o.floors, Parts: o.parts, HigherBetter: o.HigherBetter, Prove: o.Prove,
		Confirm: o.confirm, OnlyCounts: o.Judge == CountOnly, Printed: o.Old != "", IsFixed: o.sample != timing.Work{}}
}

// fileRules returns the user's demands on result files, and on the output of commands.
func (o *Options) fileRules() *judge.FileRules {
	return &judge.FileRules{Rules: o.rules(), Bench: o.Bench, Exclude: o.Exclude, IgnoreMissing: o.IgnoreMissing}
}

// DefaultOptions compare the work tree with the merge base for a minute at most.
func DefaultOptions() Options {
	return Options{Limit: verdict.DefaultRule().Limit, Time: time.Minute, Horizon: judge.UsualHorizon, Bench: ".", Tests: report.HeadTests,
		Judge: BothJudges, layouts: true, confirm: true, profileTime: 5 * time.Second}
}

// InputError is an error in the options, or in the commits and packages they name. Its Field is the name in [Options], or ""
// if it is no single field's, and its Msg describes the problem.
type InputError = frame.InputError

// notInTag matches what no list of build tags has.
var notInTag = text.Regexp(`[^\pL\pN_., ]`)

// Check reports the first invalid option.
func (o *Options) Check() error {
	if err := verdict.CheckLimit(o.Limit); err != nil {
		return &InputError{Msg: err.Error()}
	}
	switch {
	case o.Time <= 0:
		return frame.FieldErrorf("Time", "invalid time %v (want a positive one)", o.Time)
	case o.Horizon < judge.LeastHorizon:
		return frame.FieldErrorf("Horizon", "invalid horizon %v (want at least %v)", o.Horizon, judge.LeastHorizon)
	case o.Horizon > max(o.Time, judge.UsualHorizon) && o.Old == "":
		return frame.FieldErrorf("Horizon", "a horizon of %v does not fit into a time of %v (want a shorter one, or more time)",
			o.Horizon, o.Time)
	case !slices.Contains([]report.Tests{report.HeadTests, report.BaseTests, report.OwnTests}, o.Tests):
		return frame.FieldErrorf("Tests", "unknown origin %q (want head, base or own)", o.Tests)
	case !slices.Contains([]Judges{BothJudges, TimeOnly, CountOnly}, o.Judge):
		return frame.FieldErrorf("Judge", "unknown judge %q (want both, time or count)", o.Judge)
	case o.Old != "" && o.Judge == CountOnly:
		return frame.FieldErrorf("Judge", "commands cannot be counted (want both or time)")
	case o.Old != "" && o.New == "":
		return frame.FieldErrorf("Old", "only one side is a command (want both or none)")
	case o.Whole && o.Old == "":
		return frame.FieldErrorf("Whole", "no programs to measure (want two commands, as in --old 'sort a' --new './sort a')")
	case o.New != "" && o.Old == "":
		return frame.FieldErrorf("New", "only one side is a command (want both or none)")
	case notInTag().MatchString(o.Tags):
		return frame.FieldErrorf("Tags", "invalid build tags %q (want names separated by commas)", o.Tags)
	case o.Old != "" && (o.Base != "" || o.Head != "" || len(o.Packages) > 0):
		return frame.FieldErrorf("Old", "commands cannot be combined with commits or packages")
	case o.Old != "" && (o.Args != "" || o.Prepare != ""):
		return frame.FieldErrorf("Old", "commands cannot be combined with Args or Prepare: they are run as they are")
	}
	if _, err := source.ParseTestArgs(o.Args); err != nil {
		return frame.FieldErrorf("Args", "%q: %v", o.Args, err)
	}
	if o.Prepare != "" {
		if out, err := exec.Command("sh", "-n", "-c", o.Prepare).CombinedOutput(); err != nil {
			return frame.FieldErrorf("Prepare", "%q: %s (want a command of a shell, as in 'go generate ./...')", o.Prepare, cmp.Or(text.LastLine(string(out)), err.Error()))
		}
	}
	for _, pattern := range []struct{ field, text string }{{"Bench", o.Bench}, {"Exclude", o.Exclude}} {
		if _, err := regexp.Compile(pattern.text); err != nil {
			return frame.FieldErrorf(pattern.field, "%v", err)
		}
	}
	for _, key := range o.Ignore {
		if !report.IsSetting(key) {
			return frame.FieldErrorf("Ignore", "invalid key %q (want that of a setting, as in pkg)", key)
		}
	}
	for _, unit := range o.HigherBetter {
		switch name := unit.String(); {
		case name == "":
			return frame.FieldErrorf("HigherBetter", "empty unit (want one of ReportMetric, as in hits/s)")
		case judge.IsLessBetter(name):
			return frame.FieldErrorf("HigherBetter", "less of %s is always better (want a unit of ReportMetric, as in hits/s)", name)
		}
	}
	_, err := o.procs()
	return err
}

// procs returns the values of -cpu, nil for the default.
func (o *Options) procs() ([]int, error) {
	if o.CPU == "" {
		return nil, nil
	}
	var procs []int
	for text := range strings.SplitSeq(o.CPU, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return nil, frame.FieldErrorf("CPU", "invalid number of processors %q (want numbers, as in 1,4)", text)
		}
		procs = append(procs, n)
	}
	return procs, nil
}

// ParseLimit reads the limit of all benchmarks, as "3%" or "0.03", of those whose names match a pattern, as "REGEXP=3%", or of
// a unit of memory, as "B/op=3%" or "B/op=64". A pattern may contain a "=".
func (o *Options) ParseLimit(text string) error {
	pattern, number := "", text
	if at := strings.LastIndexByte(text, '='); at >= 0 {
		pattern, number = text[:at], text[at+1:]
	}
	if pattern == "" && number != text {
		return fmt.Errorf("invalid limit %q: no pattern in front of = (want one, as in 'Parse=10%%', or a percentage alone)", text)
	}
	if report.IsMemory(pattern) {
		delete(o.parts, pattern)
		if more, err := strconv.ParseFloat(strings.TrimSuffix(number, "B"), 64); err == nil && report.IsMeasurement(more) {
			if o.floors == nil {
				o.floors = make(map[string]float64)
			}
			o.floors[pattern] = more
			return nil
		}
	}
	part, err := parsePart(number)
	if err == nil {
		err = verdict.CheckLimit(part)
	}
	if err != nil {
		return fmt.Errorf("invalid limit %q (want a percentage above 0, as in 3%% or 'Parse=10%%')", text)
	}
	switch {
	case pattern == "":
		o.Limit = part
		return nil
	case report.IsMemory(pattern):
		if o.parts == nil {
			o.parts = make(map[string]float64)
		}
		delete(o.floors, pattern)
		o.parts[pattern] = part
		return nil
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	o.limits = append(o.limits, judge.NamedLimit{Pattern: expression, Part: part})
	return nil
}

// isExcluded reports whether a benchmark is not measured.
func (o *Options) isExcluded(name string) bool { return judge.IsExcluded(o.Exclude, name) }

// parsePart reads "3%", or a part below 1 such as "0.03".
func parsePart(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	part, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case percent:
		part /= 100
	case part >= 1:
		err = strconv.ErrRange
	}
	return part, err
}

// Progress is how far a run is.
type Progress = frame.Progress

// ErrTime is the error of a run whose time ends before the measurement begins.
var ErrTime = errors.New("no time to measure")

// Normalize returns the compiled part of a source: without comments and positions. The name of the file
// determines the language.
func Normalize(name string, text []byte) []byte { return source.Normalize(name, text) }
