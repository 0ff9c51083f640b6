package bench

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve"
)

// Suite is a list of benchmarks under a name.
type Suite struct {
	Name    string
	Short   string // description, for a list
	Package string // of its benchmarks in Go's format

	Count     int           // samples by default; 0 means [experiment.DefaultCount]
	BenchTime time.Duration // of a sample by default; 0 means [experiment.DefaultBenchTime]

	list func(Selection) (Set, error)
}

// Suites lists the suites. To add one, add an entry here and a file.
func Suites() []Suite {
	return []Suite{enginesSuite(), piecesSuite(), scalingSuite(), searchSuite(), netsSuite(), reversiSuite()}
}

// SuiteNames lists the names of the suites.
func SuiteNames() []string {
	return text.List(Suites(), func(s Suite) string { return s.Name })
}

// LookupSuite returns the suite of a name.
func LookupSuite(name string) (Suite, error) {
	all := Suites()
	if i := slices.IndexFunc(all, func(s Suite) bool { return s.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Suite{}, fmt.Errorf("unknown suite %q (want %s)", name, strings.Join(SuiteNames(), ", "))
}

// Selection is the part of a suite to measure, and the engines to measure it with. The zero value selects everything except figures that take long.
type Selection struct {
	Match *regexp.Regexp // of the names of benchmarks; nil for all

	Engines []ur.Engine          // of the suites engines, pieces and scaling; nil for all, or the fastest
	Skipped []experiment.Skipped // engines left out, for the record
	Levels  []Level              // of the suite engines, in any order; nil for all
	Size    Size                 // of the work of the suite engines; zero for [DefaultSize]
	Workers int                  // at most, of the suite scaling; 0 for one on each core
	Nets    []string             // files of the suite nets; nil for those always measured
	Table   solve.Table          // for regret, in the suites search and nets; nil measures none

	names []string // of the benchmarks of a resumed run; nil for all
}

// Set holds the benchmarks of a [Selection] of a suite.
type Set struct {
	Subjects []experiment.Subject
	Samplers []experiment.Sampler
	Clock    experiment.Clock           // of all; "" for the default
	Work     []experiment.Configuration // of all
	Skipped  []experiment.Skipped
}

// Select returns the benchmarks of a selection.
func (s Suite) Select(of Selection) (Set, error) {
	set, err := s.list(of)
	if err != nil {
		return set, err
	}
	set.Subjects = slices.DeleteFunc(set.Subjects, func(x experiment.Subject) bool { return !of.matches(x.Name()) })
	set.Samplers = slices.DeleteFunc(set.Samplers, func(x experiment.Sampler) bool {
		f, ok := x.(*experiment.Figure)
		return ok && (!of.matches(f.Name) || f.Rare && of.Match == nil)
	})
	if len(set.Subjects)+len(set.Samplers) == 0 {
		return set, fmt.Errorf("suite %s: no benchmark matches %q", s.Name, of.Match)
	}
	return set, nil
}

func (of Selection) matches(name string) bool {
	return (of.Match == nil || of.Match.MatchString(name)) && (of.names == nil || slices.Contains(of.names, name))
}

// Resume selects the benchmarks of a saved run of the suite. The error reports an engine that
// is unknown or cannot run here; the caller adds the name of the file.
func (of *Selection) Resume(s Suite, saved *experiment.Saved) error {
	of.names = saved.Names
	if s.Name != EnginesSuite {
		return nil
	}
	of.Engines, of.Levels = []ur.Engine{}, []Level{}
	for _, name := range saved.Names {
		level, e, err := ParseName(name)
		if err != nil {
			return fmt.Errorf("contains other lines: %w", err)
		}
		of.Levels = append(of.Levels, level)
		found, err := engine.Lookup(e)
		if err != nil {
			return fmt.Errorf("has samples of %s (unknown engine)", e)
		}
		if err := ur.Available(found); err != nil {
			return fmt.Errorf("has samples of an engine that cannot run here: %w", err)
		}
		of.Engines = append(of.Engines, found)
	}
	return nil
}

// Complete fills in the measurement of a set: its subjects, and the defaults of fields that are
// 0.
func (s Suite) Complete(o experiment.Options, set Set) experiment.Options {
	o.Subjects, o.Samplers = set.Subjects, set.Samplers
	o.TimedBy = cmp.Or(o.TimedBy, set.Clock)
	o.Count = cmp.Or(o.Count, s.Count, experiment.DefaultCount)
	o.BenchTime = cmp.Or(o.BenchTime, s.BenchTime, experiment.DefaultBenchTime)
	return o
}

// Heading is the heading of the suite's samples of a set in a file.
func (s Suite) Heading(e experiment.Environment, set Set) experiment.Heading {
	return experiment.Heading{
		Environment: e, Suite: s.Name, Package: s.Package,
		Configuration: slices.Concat(set.Work, []experiment.Configuration{{Key: "cpu-features", Value: featureNames(e.Features)}}),
	}
}

// featureNames lists features of a CPU.
func featureNames(features []cpu.Feature) string {
	return cmp.Or(text.Join(features, " "), "none")
}
