package benchcmd

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// plan describes a run.
type plan struct {
	suites    []bench.Suite
	selection bench.Selection
	options   experiment.Options
}

// plan turns the flags into a plan, and checks that it can be measured and written.
func (b *benchRun) plan(ctx context.Context) (p plan, err error) {
	o := &p.options
	o.Count, o.BenchTime, o.Seed, o.Within = b.count, b.benchTime, b.seed, b.within
	o.OpenCounters = experiment.OpenCounters
	if b.within > 0 && !b.given("count") {
		o.Count = experiment.DefaultMostCount
	}
	if b.format, err = cli.ChooseFormat(b.format, b.given("format"), b.asJSON); err != nil {
		return p, err
	}
	if b.clock != "" {
		if o.TimedBy, err = experiment.ParseClock(b.clock); err != nil {
			return p, cli.UsageError("--clock: %w", err)
		}
	}
	if o.Pin, err = b.pinTo(); err != nil {
		return p, err
	}
	if err := b.selected(ctx, &p); err != nil {
		return p, err
	}
	if b.resume != "" {
		if err := b.resumed(&p); err != nil {
			return p, err
		}
	}
	switch {
	case b.given("count") && b.count < 1:
		return p, cli.UsageError("--count must be at least 1, got %d", b.count)
	case b.given("benchtime") && b.benchTime <= 0:
		return p, cli.UsageError("--benchtime must be positive, got %v", b.benchTime)
	}
	for _, suite := range p.suites {
		if err := suite.Complete(*o, bench.Set{}).Check(true); err != nil {
			return p, err
		}
	}
	return p, b.checkFiles()
}

// flagSuites names the suites to which a flag applies.
var flagSuites = []struct {
	flag   string
	suites []string
}{
	{"engine", []string{bench.EnginesSuite, "pieces", "scaling"}}, {"level", []string{bench.EnginesSuite}},
	{"workers", []string{"scaling"}}, {"net", []string{"nets"}}, {"table", []string{"search", "nets"}},
}

// selected fills in the suites, and the user's selection from them.
func (b *benchRun) selected(ctx context.Context, p *plan) (err error) {
	for _, name := range b.suites {
		suite, err := bench.LookupSuite(name)
		if err != nil {
			return cli.UsageError("--suite: %w", err)
		}
		if !slices.ContainsFunc(p.suites, func(s bench.Suite) bool { return s.Name == name }) {
			p.suites = append(p.suites, suite)
		}
	}
	for _, f := range flagSuites {
		if b.given(f.flag) && !slices.ContainsFunc(p.suites, func(s bench.Suite) bool { return slices.Contains(f.suites, s.Name) }) {
			return cli.UsageError("--%s cannot be used with --suite %s (want %s)", f.flag, strings.Join(b.suites, ","), strings.Join(f.suites, ", "))
		}
	}
	s := &p.selection
	s.Size, s.Workers, s.Nets = b.size, b.workers, b.nets
	if b.match != "" {
		if s.Match, err = regexp.Compile(b.match); err != nil {
			return cli.UsageError("--bench: %w", err)
		}
	}
	if b.workers > runtime.NumCPU() {
		return cli.UsageError("--workers must be at most %d, the number of cores, got %d", runtime.NumCPU(), b.workers)
	}
	if err := ur.Available(engine.Oracle()); err != nil {
		return cli.UsageError("%w", err) // it runs everywhere: UR_DISABLE is wrong
	}
	if b.given("engine") && !b.fleet.Given() {
		if s.Engines, s.Skipped, err = pick.SelectEngines(b.engines); err != nil {
			return err
		}
		if len(s.Engines) == 0 {
			return cli.UsageError("--engine: empty list (want names of engines or patterns)")
		}
	}
	if s.Levels, err = levelsNamed(b.levels); err != nil {
		return err
	}
	if b.table != "" {
		s.Table, err = pick.Table(ctx, b.table, board.MaxPieces)
	}
	return err
}

// resumed fills in the plan from the file of --resume: the suite, its benchmarks, seed and
// times.
func (b *benchRun) resumed(p *plan) error {
	for _, flag := range []string{"suite", "bench", "engine", "level", "seed", "benchtime", "clock", "record"} {
		if b.given(flag) {
			return cli.UsageError("--%s cannot be used with --resume: the run keeps its settings", flag)
		}
	}
	saved, err := experiment.ReadSaved(b.resume)
	if err != nil {
		return cli.UsageError("--resume: %w", err)
	}
	suite, err := bench.LookupSuite(cmp.Or(saved.Suite, bench.EnginesSuite))
	if err != nil {
		return cli.UsageError("--resume: %s: %w", b.resume, err)
	}
	p.suites = []bench.Suite{suite}
	b.output = cmp.Or(b.output, b.resume)
	o := &p.options
	if !b.given("count") && b.within == 0 {
		o.Count = saved.Count
	}
	if o.Count != 0 && saved.Rounds >= o.Count {
		return cli.UsageError("--resume: %s has %d rounds already: a larger --count adds more", b.resume, saved.Rounds)
	}
	o.Resume, o.Seed, o.BenchTime, o.TimedBy = saved, saved.Seed, saved.BenchTime, saved.TimedBy
	if err := p.selection.Resume(suite, saved); err != nil {
		return cli.UsageError("--resume: %s %w", b.resume, err)
	}
	return nil
}

// pinTo is the core requested by the flags, nil for none.
func (b *benchRun) pinTo() (*experiment.Pin, error) {
	pin := b.pin && !b.noPin
	switch {
	case b.given("core") && !pin:
		return nil, cli.UsageError("--core and --no-pin cannot be used together")
	case b.given("core") && b.core < 0:
		return nil, cli.UsageError("--core must be 0 or more, got %d", b.core)
	case b.given("pin") && b.pin && b.noPin:
		return nil, cli.UsageError("--pin and --no-pin cannot be used together")
	case !pin:
		return nil, nil
	}
	wanted := &experiment.Pin{Core: b.core}
	return wanted, wanted.Check()
}

// setProcs sets GOMAXPROCS for --cpu, and returns a function that restores it.
func setProcs(cpu int, given bool) (restore func(), err error) {
	switch {
	case cpu == 0 && !given:
		return func() {}, nil
	case cpu < 1 || cpu > 1024:
		return nil, cli.UsageError("--cpu must be 1 to 1024, got %d", cpu)
	}
	before := runtime.GOMAXPROCS(cpu)
	return func() { runtime.GOMAXPROCS(before) }, nil
}

// checkFiles checks that the requested files can be written, before the measurement.
func (b *benchRun) checkFiles() error {
	if b.fleet.Given() && b.output != "" {
		if err := checkFolder("-o", b.output); err != nil {
			return err
		}
	} else if err := cli.CheckOutput("-o", b.output, b.force || b.output == b.resume); err != nil {
		return err
	}
	switch {
	case !b.record:
		return nil
	case b.given("count") && b.count < experiment.MinRecordCount && !slices.Contains(b.suites, bench.ReversiSuite):
		return cli.UsageError("--record wants a --count of at least %d, got %d", experiment.MinRecordCount, b.count)
	}
	return checkFolder("--results", b.results)
}

// checkFolder checks that files can be written to a folder, which need not exist yet.
func checkFolder(flag, folder string) error {
	there := filepath.Clean(folder)
	for _, err := os.Stat(there); errors.Is(err, fs.ErrNotExist) && there != filepath.Dir(there); _, err = os.Stat(there) {
		there = filepath.Dir(there)
	}
	if err := wholefile.Check(filepath.Join(there, "record")); err != nil {
		return cli.UsageError("%s: cannot write to %s: %w", flag, folder, err)
	}
	return nil
}

// levelsNamed returns the levels of the names, nil when there are none.
func levelsNamed(names []string) ([]bench.Level, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var levels []bench.Level
	for _, name := range names {
		level, err := bench.ParseLevel(name)
		if err != nil {
			return nil, cli.UsageError("--level: %w", err)
		}
		levels = append(levels, level)
	}
	return levels, nil
}
