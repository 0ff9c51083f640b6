package ab

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// commandSampler runs two commands in turns. A command prints all its benchmarks at once.
type commandSampler struct {
	*job
	commands [2][]string
	labels   [2]string
	units    map[string]int        // better directions, as the commands print them
	first    *[2]map[string]sample // output of the first run; nil once it was a sample
}

// compareCommands compares two commands printing benchmarks.
func compareCommands(ctx context.Context, j *job) (*report.Report, error) {
	load := report.Load()
	s := &commandSampler{job: j, labels: [2]string{j.Old, j.New}, units: make(map[string]int)}
	for side, text := range s.labels {
		var err error
		if s.commands[side], err = findCommand(text); err != nil {
			return nil, fieldError(sideNames[side], "%v", err)
		}
	}
	limited, cancel := context.WithDeadline(ctx, j.end)
	defer cancel()
	first, err := s.runBoth(limited)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("%w: the two commands take longer than %v", ErrTime, j.Time)
	case err != nil:
		return nil, err
	}
	s.first = &first
	benchmarks, added := pairPrinted(first)
	if !slices.ContainsFunc(benchmarks, (*benchmark).isOpen) {
		return nil, inputError("the two commands have no judgeable benchmark in common")
	}
	v := newJudges(&j.Options, s.units, false)
	err = takeRounds(ctx, j, s, benchmarks, v)
	r := newResult(j, v, benchmarks)
	r.Base, r.Head, r.Named, r.New, r.CPUClock = j.Old, j.New, true, added, report.NoClock
	r.Load = append(load, report.Load()...)
	r.finish(ctx, j)
	return r.Report, err
}

// Sample implements [Sampler].
func (s *commandSampler) Sample(ctx context.Context, benchmarks []*benchmark) (pairs []Pair, err error) {
	printed := s.first
	if s.first = nil; printed == nil {
		both, err := s.runBoth(ctx)
		if err != nil {
			return nil, err
		}
		printed = &both
	}
	for _, b := range benchmarks {
		before, ok := printed[oldSide][b.name]
		after, also := printed[newSide][b.name]
		if !ok || !also {
			return pairs, fmt.Errorf("%s: missing from the output (want it in every round on both sides)", b.name)
		}
		b.expected = before.elapsed + after.elapsed
		b.advance(stateTimed)
		pairs = append(pairs, Pair{Benchmark: b, sides: [2]sample{before, after}, clock: report.Wall})
	}
	return pairs, nil
}

// findCommand splits a command of the user into words, and finds its program.
func findCommand(text string) ([]string, error) {
	args, err := process.SplitWords(text, os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	if args[0], err = exec.LookPath(args[0]); err == nil {
		args[0], err = filepath.Abs(args[0])
	}
	return args, err
}

// runBoth runs both commands once, in random order, and returns their benchmarks by name.
func (s *commandSampler) runBoth(ctx context.Context) (printed [2]map[string]sample, err error) {
	for _, side := range s.rng.Perm(2) {
		p := program{args: s.commands[side], dir: s.Dir, core: noCore, most: 1 << 26}
		out, err := p.run(ctx)
		if err == nil {
			if printed[side] = readSamples(out.out); len(printed[side]) == 0 {
				err = errors.New(`no benchmarks in the output (want lines in Go's format, as in "BenchmarkHash 1000 350 ns/op")`)
			}
		}
		if err != nil {
			return printed, fmt.Errorf("%s command %q: %w", sideNames[side], s.labels[side], err)
		}
		for name, k := range printed[side] {
			k.elapsed = out.wall / time.Duration(len(printed[side]))
			printed[side][name] = k
		}
		maps.Copy(s.units, declaredUnits(string(out.out)))
	}
	return printed, nil
}

// readSamples reads a command's output. A benchmark printed several times has the medians of
// its figures.
func readSamples(out []byte) map[string]sample {
	samples, figures := make(map[string]sample), make(map[string]map[string][]float64)
	for _, s := range parseSamples(out, 0) {
		name := s.name
		if s.pkg != "" {
			name = path.Base(s.pkg) + "." + name
		}
		if figures[name] == nil {
			samples[name], figures[name] = s, make(map[string][]float64)
		}
		for unit, x := range s.figures {
			figures[name][unit] = append(figures[name][unit], x)
		}
	}
	for name, s := range samples {
		for unit, all := range figures[name] {
			s.figures[unit] = verdict.Median(all)
		}
		s.wall = s.figures[timePrinted] * 1e-9
		samples[name] = s
	}
	return samples
}

// pairPrinted lists the benchmarks of the old side, and the names of those that only the new side prints. A
// benchmark without a figure in common is not judged.
func pairPrinted(printed [2]map[string]sample) (benchmarks []*benchmark, added []string) {
	packages := make(map[string]*testPackage)
	for _, name := range slices.Sorted(maps.Keys(printed[oldSide])) {
		s, other := printed[oldSide][name], printed[newSide][name]
		if packages[s.pkg] == nil {
			packages[s.pkg] = &testPackage{Package: &report.Package{Path: s.pkg}}
		}
		b := &benchmark{pkg: packages[s.pkg], printed: s.name, name: name, procs: 1}
		shared := func(unit string) bool { _, ok := other.figures[unit]; return ok }
		switch {
		case other.figures == nil:
			b.abandon(verdict.Missing, "the new side does not print it")
		case !slices.ContainsFunc(slices.Collect(maps.Keys(s.figures)), shared):
			b.abandon(verdict.NotJudged, "the sides print no unit in common")
		}
		benchmarks = append(benchmarks, b)
	}
	for name := range printed[newSide] {
		if printed[oldSide][name].figures == nil {
			added = append(added, name)
		}
	}
	slices.Sort(added)
	slices.SortStableFunc(benchmarks, func(a, b *benchmark) int { return strings.Compare(a.pkg.Path, b.pkg.Path) })
	return benchmarks, added
}
