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

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// compareCommands runs two commands in turns. A command prints all its benchmarks at once, so it runs
// until the last one is decided.
func (r *runner) compareCommands(ctx context.Context) error {
	var commands [2][]string
	r.labels = [2]string{r.options.Old, r.options.New}
	for side, text := range r.labels {
		var err error
		if commands[side], err = findCommand(text); err != nil {
			return fieldError(sideNames[side], "%v", err)
		}
	}
	r.report.Base, r.report.Head, r.report.named = r.labels[oldSide], r.labels[newSide], true
	r.noCPU, r.target.iterations = "commands print wall-clock times", 1
	limited, cancel := context.WithDeadline(ctx, r.end)
	defer cancel()
	first, err := r.runBoth(limited, commands)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("%w: the two commands take longer than %v", ErrTime, r.options.Time)
	case err != nil:
		return err
	}
	r.pairPrinted(first)
	if len(r.benchmarks) == 0 {
		return inputError("the two commands have no judgeable benchmark in common")
	}
	r.report.measuring = true
	return r.repeat(ctx, r.end, func(ctx context.Context, open []*benchmark) (err error) {
		printed := first
		if first = [2]map[string]sample{}; printed[oldSide] == nil {
			if printed, err = r.runBoth(ctx, commands); err != nil {
				return err
			}
		}
		for _, b := range open {
			before, ok := printed[oldSide][b.name]
			after, also := printed[newSide][b.name]
			if !ok || !also {
				return fmt.Errorf("%s: missing from the output (want it in every round on both sides)", b.name)
			}
			r.take(b, [2]sample{before, after}, true)
		}
		return nil
	})
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
func (r *runner) runBoth(ctx context.Context, commands [2][]string) (printed [2]map[string]sample, err error) {
	for _, side := range r.rng.Perm(2) {
		p := program{args: commands[side], dir: r.options.Dir, core: noCore, most: 1 << 26}
		out, err := p.run(ctx)
		if err == nil {
			if printed[side] = readSamples(out.out); len(printed[side]) == 0 {
				err = errors.New(`no benchmarks in the output (want lines in Go's format, as in "BenchmarkHash 1000 350 ns/op")`)
			}
		}
		if err != nil {
			return printed, fmt.Errorf("%s command %q: %w", sideNames[side], r.labels[side], err)
		}
		for name, s := range printed[side] {
			s.elapsed = out.wall / time.Duration(len(printed[side]))
			printed[side][name] = s
		}
		maps.Copy(r.units, declaredUnits(string(out.out)))
	}
	return printed, nil
}

// readSamples reads the output of a command. A benchmark printed several times has the medians of
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

// pairPrinted lists the benchmarks both commands print, and reports those of only one.
func (r *runner) pairPrinted(printed [2]map[string]sample) {
	packages := make(map[string]*Package)
	for _, name := range slices.Sorted(maps.Keys(printed[oldSide])) {
		s, other := printed[oldSide][name], printed[newSide][name]
		switch shared := func(unit string) bool { _, ok := other.figures[unit]; return ok }; {
		case other.figures == nil:
			r.missing(name, "the new side does not print it")
		case slices.ContainsFunc(slices.Collect(maps.Keys(s.figures)), shared):
			p := packages[s.pkg]
			if p == nil {
				p = &Package{Path: s.pkg}
				packages[s.pkg] = p
			}
			r.benchmarks = append(r.benchmarks, &benchmark{pkg: p, printed: s.name, name: name, procs: 1, full: true,
				sight: r.options.sight(r.options.limit(name))})
		}
	}
	for name := range printed[newSide] {
		if printed[oldSide][name].figures == nil {
			r.report.New = append(r.report.New, name)
		}
	}
	slices.Sort(r.report.New)
	slices.SortStableFunc(r.benchmarks, func(a, b *benchmark) int { return strings.Compare(a.pkg.Path, b.pkg.Path) })
}
