// Package bench has the benchmark suites: engines, moves, pieces, scaling, search, nets and Reversi.
// Every engine does the same work, checked before it is timed, in one run, interleaved in random
// order, with confidence intervals.
//
// # Scopes
//
// A [Workload] is fixed work, identical for every engine, at three scopes:
//
//   - [Value]: getValue for positions the engine already holds, in ns/eval;
//   - [Turn]: whole turns, from a position and a roll to the chosen move, in
//     ns/turn, and the time for each candidate move;
//   - [Moves]: the futures of a turn without their values, in ns/turn, on engines that generate
//     them apart;
//   - [Game]: whole games on the shared dice, in us/game and games/s.
//
// Turns in engines that play games side by side, which implement [ur.Batch], are measured in
// whole games: their time is the games' time divided by the turns and candidates in them, since
// one turn in one game is not representative for such an engine.
//
// [Workload.Benchmark] is one engine at one scope. "go test -bench" and "ur bench run" run the same
// benchmarks under the same names, so benchstat compares either's output.
//
// # Method
//
// [Suites] lists the suites. A [Suite] is a list of [sample.Benchmark], and package sample takes
// samples from all in rounds, each in a newly drawn order. The results are medians with their
// non-parametric confidence intervals, and ratios to a baseline within each round. The engines'
// baseline is the oracle.
//
// Each scope has a separate [Workload.Signature], so a new scope leaves the others' records
// comparable.
package bench

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Suite is a list of benchmarks under a name.
type Suite struct {
	Name    string
	Short   string // description, for a list
	Package string // package of its benchmarks in Go's format

	Count     int           // samples by default; 0 means [sample.DefaultCount]
	BenchTime time.Duration // default time for a sample; 0 means [sample.DefaultBenchTime]

	list func(Selection) (Set, error)
}

// The suites' names.
const (
	EnginesSuite = "engines"
	ReversiSuite = "reversi"
)

// Suites lists the suites. To add one, add an entry here and a file.
func Suites() []Suite {
	const bench, search, nets, reversi = "github.com/seed-09dcdc84/ur/bench", "github.com/seed-09dcdc84/ur/search",
		"github.com/seed-09dcdc84/ur/bench/nets", "github.com/seed-09dcdc84/ur/reversi"
	return []Suite{
		{EnginesSuite, "every engine at every level", bench, 0, 0, selectEngines},
		{"moves", "getValue and move generation as shares of a turn", bench, 0, 0, selectMoves},
		{"pieces", "getValue by the number of pieces on the board", bench, 0, 5 * time.Millisecond, selectPieces},
		{"scaling", "games/s over the number of cores", bench, 0, 100 * time.Millisecond, selectScaling},
		{"search", "algorithms and techniques of search", search, 0, 0, selectSearch},
		{"nets", "decisions of value networks", nets, 0, 0, selectNets},
		// A round takes half a minute, so the suite has fewer rounds than others.
		{ReversiSuite, "move generators, perft, solver and search of Reversi", reversi, 9, 20 * time.Millisecond,
			selectReversi},
	}
}

// SuiteNames lists all suites' names.
func SuiteNames() []string {
	return text.List(Suites(), func(s Suite) string { return s.Name })
}

// LookupSuite returns a suite by name.
func LookupSuite(name string) (Suite, error) {
	all := Suites()
	if i := slices.IndexFunc(all, func(s Suite) bool { return s.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Suite{}, fmt.Errorf("unknown suite %q (want %s)", name, strings.Join(SuiteNames(), ", "))
}

// Selection is the part to measure in a suite, and the engines to measure it with. The zero value
// selects everything.
type Selection struct {
	Match *regexp.Regexp // matches benchmarks' names; nil for all

	Engines []ur.Engine      // engines in the suites engines, moves, pieces and scaling; nil for all, or the fastest
	Skipped []record.Skipped // engines left out, for the record
	Scopes  []Scope          // scopes in the suite engines, in any order; nil for all
	Size    Size             // size of the work in the suite engines; zero for [DefaultSize]
	Workers int              // most workers in the suite scaling; 0 for one on each core
}

// Set holds the benchmarks that a [Selection] takes from a suite.
type Set struct {
	Benchmarks []sample.Benchmark
	Work       []report.Setting // settings of all
	Skipped    []record.Skipped
}

// ErrNoMatch is the error for a [Selection] without a benchmark.
var ErrNoMatch = errors.New("no benchmark matches")

// Select returns a selection's benchmarks.
func (s Suite) Select(of Selection) (Set, error) {
	set, err := s.list(of)
	if err != nil {
		return set, err
	}
	set.Benchmarks = slices.DeleteFunc(set.Benchmarks,
		func(b sample.Benchmark) bool { return of.Match != nil && !of.Match.MatchString(b.Name) })
	if len(set.Benchmarks) == 0 {
		return set, fmt.Errorf("suite %s: %w %q", s.Name, ErrNoMatch, of.Match)
	}
	return set, nil
}

// Complete fills in how a set is measured: its benchmarks, and defaults in fields that are
// 0.
func (s Suite) Complete(o sample.Options, set Set) sample.Options {
	o.Benchmarks = set.Benchmarks
	o.Count = cmp.Or(o.Count, s.Count, sample.DefaultCount)
	o.BenchTime = cmp.Or(o.BenchTime, s.BenchTime, sample.DefaultBenchTime)
	return o
}

// Heading is the heading above a set's samples in a file.
func (s Suite) Heading(e record.Environment, set Set) sample.Heading {
	return sample.Heading{
		Environment: e, Suite: s.Name, Package: s.Package,
		Settings: slices.Concat(set.Work, []report.Setting{{Key: "cpu-features", Value: featureNames(e.Features)}}),
	}
}

// featureNames lists CPU features in a line that benchstat prints whole: those in AVX-512
// together.
func featureNames(features []cpu.Feature) string {
	var names, wide []string
	for _, f := range features {
		if name, ok := strings.CutPrefix(string(f), "AVX512"); ok {
			wide = append(wide, name)
		} else {
			names = append(names, string(f))
		}
	}
	if wide != nil {
		names = append(names, "AVX512("+strings.Join(wide, " ")+")")
	}
	return cmp.Or(strings.Join(names, " "), "none")
}

// Runnable splits engines into those that can run here and the others, with the reason.
func Runnable(all []ur.Engine) (engines []ur.Engine, skipped []record.Skipped) {
	for _, e := range all {
		if err := ur.Available(e); err != nil {
			skipped = append(skipped,
				record.Skipped{Engine: e.Name(), Reason: strings.TrimPrefix(err.Error(), e.Name()+" ")})
			continue
		}
		engines = append(engines, e)
	}
	return engines, skipped
}

// engines returns the selected engines that can run here, each once, and the baseline before them
// if it is not among them: every ratio refers to it.
func (of Selection) engines() (engines []ur.Engine, skipped []record.Skipped) {
	some, skipped := of.Engines, of.Skipped
	if some == nil {
		some, skipped = Runnable(engine.All())
	}
	if !slices.ContainsFunc(some, func(e ur.Engine) bool { return e.Name() == Baseline }) {
		some = slices.Insert(slices.Clone(some), 0, engine.Oracle())
	}
	for _, same := range text.Groups(some, ur.Engine.Name) {
		engines = append(engines, same[0])
	}
	return engines, skipped
}
