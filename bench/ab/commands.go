package ab

import (
	"cmp"
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

// command is a program that prints benchmarks.
type command struct {
	text string // as the user gave it
	args []string
}

// place is a benchmark in one unit.
type place struct{ name, unit string }

// compareCommands runs two commands in turns and judges their output: every benchmark and unit
// with a known better direction. A command prints all its benchmarks at once, so all are
// measured until the last one is decided.
func (r *runner) compareCommands(ctx context.Context) error {
	var commands [2]command
	for side, text := range []string{r.options.Old, r.options.New} {
		var err error
		if commands[side], err = r.command(side, text); err != nil {
			return err
		}
	}
	r.labels = [2]string{commands[oldSide].text, commands[newSide].text}
	r.report.Base, r.report.Head = r.labels[oldSide], r.labels[newSide]
	limited, cancel := context.WithDeadline(ctx, r.end)
	defer cancel()
	look := verdict.FirstLook
	for {
		printed, took, err := r.runBoth(limited, commands)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case limited.Err() != nil && r.report.measuring:
			return nil
		case limited.Err() != nil:
			return fmt.Errorf("%w: the two commands take longer than %v", ErrTime, r.options.Time)
		case err != nil:
			return err
		}
		if !r.report.measuring {
			if err := r.shared(printed); err != nil {
				return err
			}
			r.report.measuring = true
		}
		if err := r.addPrinted(printed); err != nil {
			return err
		}
		r.report.Rounds++
		open := r.openPlaces()
		r.options.tell(Progress{Doing: "measuring", Round: r.report.Rounds + 1, Rows: len(r.places), Decided: len(r.places) - open,
			Left: max(0, time.Until(r.end))})
		if r.report.Rounds == look {
			r.family.Look(false)
			open, look = r.openPlaces(), verdict.NextLook(look)
		}
		if open == 0 || r.options.rounds > 0 && r.report.Rounds >= r.options.rounds || time.Now().Add(took/2).After(r.end) {
			return nil
		}
	}
}

// command reads a command of the user, and finds its program.
func (r *runner) command(side int, text string) (command, error) {
	args, err := process.SplitWords(text, os.Getenv)
	if err != nil {
		return command{}, fieldError(sideFields[side], "%q: %v", text, err)
	}
	c := command{text: text, args: args}
	if c.args[0], err = exec.LookPath(args[0]); err != nil {
		return c, fieldError(sideFields[side], "%v", err)
	}
	if c.args[0], err = filepath.Abs(c.args[0]); err != nil {
		return c, err
	}
	return c, nil
}

// runBoth runs both commands once, in random order, and returns the median of each
// place for both.
func (r *runner) runBoth(ctx context.Context, commands [2]command) (printed [2]map[place]float64, took time.Duration, err error) {
	for _, side := range r.rng.Perm(2) {
		c := commands[side]
		p := program{args: c.args, dir: r.options.Dir, core: noCore, most: 1 << 26}
		out, err := p.run(ctx, r.scratch)
		took += out.wall
		if err == nil {
			printed[side], err = r.medians(string(out.out))
		}
		if err != nil {
			if ctx.Err() != nil {
				return printed, took, ctx.Err()
			}
			return printed, took, fmt.Errorf("%s command %q: %w", sideNames[side], c.text, err)
		}
		r.keep(side, string(out.out))
		maps.Copy(r.units, declaredUnits(string(out.out)))
	}
	return printed, took, nil
}

// keep stores the output of a command for the file of its side.
func (r *runner) keep(side int, text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "Benchmark") || strings.Contains(line, ": ") || strings.HasPrefix(line, "Unit ") {
			r.report.printed[side] += line + "\n"
		}
	}
}

// medians parses the output of a command.
func (r *runner) medians(out string) (map[place]float64, error) {
	values := make(map[place][]float64)
	for _, l := range parseLines(out) {
		name := l.name
		if l.pkg != "" {
			name = path.Base(l.pkg) + "." + name
		}
		for _, f := range l.figures {
			value, unit := tidy(f.value, f.unit)
			r.printedUnits[unit] = f.unit
			values[place{name, unit}] = append(values[place{name, unit}], value)
		}
	}
	if len(values) == 0 {
		return nil, errors.New(`no benchmarks in the output (want lines in Go's format, as in "BenchmarkHash 1000 350 ns/op")`)
	}
	medians := make(map[place]float64)
	for at, x := range values {
		medians[at] = verdict.Median(x)
	}
	return medians, nil
}

// shared lists the places printed by both sides that can be judged, and reports those of only
// one side.
func (r *runner) shared(printed [2]map[place]float64) error {
	gone := make(map[string]bool)
	for at := range printed[oldSide] {
		_, ok := printed[newSide][at]
		switch {
		case !ok:
			gone[at.name] = true
		case r.direction(r.printedUnits[at.unit]) == 0:
			r.note("%s is not judged: its better direction is unknown (want --higher-better, or a line such as \"Unit %s better=lower\")", at.unit, at.unit)
		case !r.options.isHigherBetter(r.printedUnits[at.unit]) && repeatsPrintedTime(at, printed):
		default:
			r.places = append(r.places, at)
		}
	}
	for at := range printed[newSide] {
		if _, ok := printed[oldSide][at]; !ok && !slices.Contains(r.report.New, at.name) {
			r.report.New = append(r.report.New, at.name)
		}
	}
	slices.Sort(r.report.New)
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		r.missing(name, "the new side does not print it")
	}
	if len(r.places) == 0 {
		return inputError("the two commands have no judgeable benchmark in common")
	}
	slices.SortFunc(r.places, func(a, b place) int { return cmp.Or(cmp.Compare(a.name, b.name), -cmp.Compare(a.unit, b.unit)) })
	for _, at := range r.places {
		row := r.family.Add(r.direction(r.printedUnits[at.unit]) > 0)
		row.Limit = r.options.limit(at.name)
		r.placeRows = append(r.placeRows, row)
	}
	return nil
}

// addPrinted adds a round. A benchmark missing from the output is an error: its rounds would no
// longer match those of the others.
func (r *runner) addPrinted(printed [2]map[place]float64) error {
	for i, at := range r.places {
		before, ok := printed[oldSide][at]
		after, also := printed[newSide][at]
		if !ok || !also {
			return fmt.Errorf("%s %s: missing from the output (want it in every round on both sides)", at.name, at.unit)
		}
		row := r.placeRows[i]
		if row.Decided() {
			continue
		}
		if err := row.Add(before, after); err != nil {
			return fmt.Errorf("%s: %w", at.name, err)
		}
	}
	return nil
}

// openPlaces counts the places that need more rounds.
func (r *runner) openPlaces() int {
	open := 0
	for _, row := range r.placeRows {
		if row.Open(r.options.sight(row.Limit)) {
			open++
		}
	}
	return open
}

// repeatsPrintedTime reports whether a place is a rate computed from the time of its benchmark: MB/s, or
// one whose product with the time is the same on both sides.
func repeatsPrintedTime(at place, printed [2]map[place]float64) bool {
	if at.unit == "B/s" {
		return true
	}
	if !strings.HasSuffix(at.unit, "/s") && !strings.HasSuffix(at.unit, "/sec") {
		return false
	}
	var products []float64
	for _, figures := range printed {
		products = append(products, figures[at]*figures[place{at.name, timeUnit}])
	}
	return isConstant(products) && printed[oldSide][at] != printed[newSide][at]
}
