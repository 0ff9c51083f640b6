package ab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// commandSampler runs two commands in turns. A command prints all its benchmarks at once.
type commandSampler struct {
	*frame.Run
	dir      string
	whole    bool     // programs are measured as a whole
	ignore   []string // settings that the outputs may differ in
	judges   *judge.Table
	commands [2][]string
	labels   [2]string
	first    *[2]printed     // output of the first run; nil once it was a sample
	files    [2]*report.File // output of the first run, with the failures and notes of all
	running  int             // side that runs, or ran last
	memory   *bool           // whether memory of whole programs has figures; nil before the first run
}

// printed is the output of a command.
type printed struct {
	*report.File
	samples map[report.BenchmarkID]listing.Sample
}

// compareCommands compares two commands printing benchmarks.
func compareCommands(ctx context.Context, o *Options, run *frame.Run) (*report.Report, error) {
	s := &commandSampler{Run: run, dir: o.Dir, whole: o.Whole, ignore: o.Ignore, labels: [2]string{o.Old, o.New}}
	for side, text := range s.labels {
		var err error
		if s.commands[side], err = findCommand(text); err != nil {
			return nil, frame.FieldErrorf(frame.SideNames[side], "%v", err)
		}
	}
	limited, cancel := run.Begin(frame.Builds).Context(ctx)
	defer cancel()
	first, err := s.runBoth(limited)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("%w: the two commands take longer than %v; the %s command %q was running", ErrTime, o.Time,
			frame.SideNames[s.running], s.labels[s.running])
	case err != nil && o.Whole:
		return nil, frame.InputErrorf("%v", err)
	case err != nil:
		return nil, err
	}
	if s.first = &first; o.Whole && time.Since(run.Begun()) < o.Time/20 {
		s.first = nil // it warmed the caches
	}
	s.files = [2]*report.File{first[frame.Old].File, first[frame.New].File}
	p, err := judge.PairFiles(s.files[frame.Old], s.files[frame.New], o.fileRules())
	if err != nil {
		return nil, err
	}
	benchmarks, rows := pairedBenchmarks(p)
	v := judge.NewTable(o.rules(), p.Units, false)
	s.judges = v
	r := timing.Rounds{Run: run, Judges: v, Sampler: s, Most: o.rounds}
	err = r.Take(ctx, benchmarks)
	out := o.newReport(run)
	out.Base, out.Head, out.Named, out.CPUClock, out.Rows = o.Old, o.New, true, report.NoClock, rows
	out.Whole = o.Whole
	out.AddNew(p.Added...)
	o.decide(ctx, out, v, benchmarks)
	p.NoteFiles(out)
	return out, err
}

// Sample implements [judge.Sampler].
func (s *commandSampler) Sample(ctx context.Context, benchmarks []*listing.Benchmark) (pairs []judge.Pair, err error) {
	printed := s.first
	if s.first = nil; printed == nil {
		both, err := s.runBoth(ctx)
		switch {
		case err != nil && s.whole && ctx.Err() == nil:
			for _, b := range benchmarks {
				s.judges.Of(b).Abandon(err.Error())
			}
			return nil, nil
		case err != nil:
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				s.Note("the %s command %q did not end within the time", frame.SideNames[s.running], s.labels[s.running])
			}
			return nil, err
		}
		printed = &both
		for side, f := range s.files {
			f.Failed, f.Notes = frame.Union(f.Failed, both[side].Failed), frame.Union(f.Notes, both[side].Notes)
		}
	}
	for _, b := range benchmarks {
		f := s.judges.Of(b)
		before, ok := printed[frame.Old].samples[b.ID]
		after, also := printed[frame.New].samples[b.ID]
		if !ok || !also {
			f.Abandon(frame.RoundNotPrinted)
			continue
		}
		f.Round = before.Elapsed + after.Elapsed
		f.Advance(judge.StateTimed)
		pairs = append(pairs, judge.Pair{Benchmark: b, Sides: [2]listing.Sample{before, after}, Clock: report.Wall})
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

// runBoth runs both commands once, in random order.
func (s *commandSampler) runBoth(ctx context.Context) (both [2]printed, err error) {
	var outcomes [2]frame.Result
	inherited := int64(0)
	for _, side := range s.Rand.Perm(2) {
		p := frame.Program{Args: s.commands[side], Dir: s.dir, Core: frame.NoCore, MaxOutput: 1 << 26, Discard: s.whole}
		if s.whole {
			inherited = max(inherited, process.InheritedPeak())
		}
		s.running = side
		outcomes[side], err = p.Run(ctx)
		if err != nil && ctx.Err() == nil {
			err = frame.FailureOf(outcomes[side].Output, err)
		}
		if err != nil {
			return both, s.nameError(side, err)
		}
	}
	if s.whole {
		s.describeWhole(&outcomes, inherited)
	}
	for side, out := range outcomes {
		if both[side].File, err = report.Read("the output", out.Output, s.ignore...); err != nil {
			return both, s.nameError(side, err)
		}
		both[side].Name = frame.SideNames[side] + " command"
		both[side].samples = medianSamples(both[side].File)
		for id, k := range both[side].samples {
			k.Elapsed = out.Wall / time.Duration(len(both[side].samples))
			both[side].samples[id] = k
		}
	}
	return both, nil
}

// nameError adds the command to its error.
func (s *commandSampler) nameError(side int, err error) error {
	return fmt.Errorf("%s command %q: %w", frame.SideNames[side], s.labels[side], err)
}

// describeWhole replaces the output of programs by their figures, as the benchmark Program. Memory has a figure in all runs
// where, in the first one, one of them needs more than what its peak begins with.
func (s *commandSampler) describeWhole(outcomes *[2]frame.Result, inherited int64) {
	const spread = 1.1 // of the peak that programs inherit
	if s.memory == nil {
		has := float64(max(outcomes[frame.Old].Peak, outcomes[frame.New].Peak)) > spread*float64(inherited)
		s.memory = &has
	}
	for side := range outcomes {
		out := &outcomes[side]
		line := fmt.Sprintf("BenchmarkProgram 1 %d %s %d cpu-ns/op", out.Wall.Nanoseconds(), listing.TimePrinted, out.CPU.Nanoseconds())
		if *s.memory {
			line += fmt.Sprintf(" %d peak-bytes", max(out.Peak, inherited))
		}
		out.Output = []byte(line + "\n")
	}
}

// medianSamples returns the samples of a command's benchmarks. One printed several times has the medians of its figures.
func medianSamples(f *report.File) map[report.BenchmarkID]listing.Sample {
	samples := make(map[report.BenchmarkID]listing.Sample)
	for _, same := range text.Groups(listing.NewSamples(f, 0), func(s listing.Sample) report.BenchmarkID { return s.Of }) {
		s, figures := same[0], make(map[string][]float64)
		for _, one := range same {
			for unit, x := range one.Figures {
				figures[unit] = append(figures[unit], x)
			}
		}
		for unit, all := range figures {
			isBad := func(x float64) bool { return !report.IsMeasurement(x) }
			valid := slices.DeleteFunc(slices.Clone(all), isBad)
			if len(valid) == len(all) || len(valid) > 0 && unit != listing.TimePrinted {
				s.Figures[unit] = verdict.Median(valid)
			} else {
				s.Figures[unit] = all[slices.IndexFunc(all, isBad)]
			}
		}
		s.Wall = s.Figures[listing.TimePrinted] * 1e-9
		samples[s.Of] = s
	}
	return samples
}

// pairedBenchmarks lists the paired benchmarks of commands, and the rows of units that are not judged. A benchmark without
// another unit is not judged.
func pairedBenchmarks(p *judge.Pairing) (benchmarks []*listing.Benchmark, rows []report.Row) {
	packages := make(map[string]*listing.Package)
	for _, units := range text.Groups(p.Figures, func(f judge.Figures) report.BenchmarkID { return f.ID }) {
		id := units[0].ID
		if packages[id.Package] == nil {
			packages[id.Package] = &listing.Package{Package: &reach.Package{TestPackage: &build.TestPackage{Package: &report.Package{Path: id.Package}}}}
		}
		b := &listing.Benchmark{Pkg: packages[id.Package], ID: id, Printed: id.Name, Name: units[0].Name, Procs: 1}
		if open := slices.DeleteFunc(slices.Clone(units), func(f judge.Figures) bool { return f.As == "" }); len(open) == len(units) {
			b.Failure = &open[0].Failure
		} else {
			for _, f := range open {
				rows = append(rows, f.Row(p.Rules.LimitOf(f.Name)))
			}
		}
		benchmarks = append(benchmarks, b)
	}
	slices.SortStableFunc(benchmarks, func(a, b *listing.Benchmark) int {
		return cmp.Or(strings.Compare(a.Pkg.Path, b.Pkg.Path), strings.Compare(a.Name, b.Name))
	})
	return benchmarks, rows
}

// maxFile is the maximum size of a file of benchmarks in bytes: half a million lines.
const maxFile = 64 << 20

// JudgeFiles judges the benchmarks that two files in Go's benchmark format share: output of "go test
// -bench", "ur bench run -o" or "benchab --save". Files of one occasion were measured in turns, and their
// verdicts hold on any machine. Others get a weaker test: a machine that changes its speed between the two
// files looks like a change of the program. Units without a known better direction are left out with a note,
// and so are units that repeat another one, as games/s repeats us/game. Errors are those of the input, and that of ctx: a pipe may
// have no writer.
func JudgeFiles(ctx context.Context, names [2]string, o Options) (*report.Report, error) {
	var files [2]*report.File
	for side, name := range names {
		content, err := readFile(ctx, name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			files[side], err = report.Read(name, content, o.Ignore...)
		}
		if err != nil {
			return nil, frame.InputErrorf("%v", err)
		}
	}
	return judge.Files(files, o.fileRules())
}

// readFile reads a file until ctx ends.
func readFile(ctx context.Context, name string) ([]byte, error) {
	type content struct {
		text []byte
		err  error
	}
	read := make(chan content, 1)
	go func() {
		text, err := safefile.Read(name, maxFile)
		read <- content{text, err}
	}()
	select {
	case c := <-read:
		return c.text, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
