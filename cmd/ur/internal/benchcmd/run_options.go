package benchcmd

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// options turns the flags into the options of a run, and finds out what would keep it
// from being measured or written.
func (b *benchRun) options() (o bench.Options, err error) {
	o.Count, o.BenchTime, o.Seed, o.Within = b.count, b.benchTime, b.seed, b.within
	o.OpenCounters = experiment.OpenCounters
	if err := ur.Available(engine.Oracle()); err != nil {
		return o, cli.UsageError("%w", err) // it runs everywhere: UR_DISABLE is wrong
	}
	if b.within > 0 && !b.given("count") {
		o.Count = experiment.DefaultMostCount
	}
	if b.format, err = cli.ChooseFormat(b.format, b.given("format"), b.asJSON); err != nil {
		return o, err
	}
	if b.clock != "" {
		if o.TimedBy, err = experiment.ParseClock(b.clock); err != nil {
			return o, cli.UsageError("--clock: %w", err)
		}
	}
	if o.Pin, err = b.pinTo(); err != nil {
		return o, err
	}
	if o.Commands, err = b.parseCommands(); err != nil {
		return o, err
	}
	switch {
	case b.resume != "":
		err = b.resumed(&o)
	case b.fleet.Given():
		o.Engines = engine.All() // which of them there are, every processor says
		o.Levels, err = levelsNamed(b.levels)
	default:
		err = b.selected(&o)
	}
	return o, cmp.Or(err, o.Check(), b.checkFiles())
}

// selected fills in the engines and levels that the user chose.
func (b *benchRun) selected(o *bench.Options) (err error) {
	if len(b.engines) == 0 {
		o.Engines, b.skipped = pick.EnginesThatRun()
	} else if o.Engines, b.skipped, err = pick.SelectEngines(b.engines); err != nil {
		return err
	}
	o.Levels, err = levelsNamed(b.levels)
	return err
}

// resumed fills in what the file of --resume says.
func (b *benchRun) resumed(o *bench.Options) error {
	for _, flag := range []string{"engine", "level", "seed", "benchtime", "clock", "record"} {
		if b.given(flag) {
			return cli.UsageError("--%s cannot be given with --resume: the run goes on as it began", flag)
		}
	}
	saved, err := experiment.ReadSaved(b.resume)
	if err != nil {
		return cli.UsageError("--resume: %w", err)
	}
	if b.output == "" {
		b.output = b.resume
	}
	if !b.given("count") && b.within == 0 {
		o.Count = saved.Count
	}
	if saved.Rounds >= o.Count {
		return cli.UsageError("--resume: %s has %d rounds already: a larger --count adds more", b.resume, saved.Rounds)
	}
	if err := o.GoOnWith(saved); err != nil {
		return cli.UsageError("--resume: %s %w", b.resume, err)
	}
	return nil
}

// parseCommands reads the programs of --exec.
func (b *benchRun) parseCommands() ([]experiment.Command, error) {
	if b.execTimeout <= 0 {
		return nil, cli.UsageError("--exec-timeout must be positive, got %v", b.execTimeout)
	}
	var commands []experiment.Command
	for _, text := range b.commands {
		c, err := experiment.ParseCommand(text, os.Getenv)
		if err != nil {
			return nil, cli.UsageError("--exec: %w", err)
		}
		if err := c.Find(); err != nil {
			return nil, cli.UsageError("--exec: %w", err)
		}
		c.Timeout = b.execTimeout
		commands = append(commands, c)
	}
	return commands, nil
}

// pinTo is the core that the flags ask for, nil for none.
func (b *benchRun) pinTo() (*experiment.Pin, error) {
	pin := b.pin && !b.noPin
	switch {
	case b.given("core") && !pin:
		return nil, cli.UsageError("--core and --no-pin contradict each other")
	case b.given("core") && b.core < 0:
		return nil, cli.UsageError("--core must be 0 or more, got %d", b.core)
	case b.given("pin") && b.pin && b.noPin:
		return nil, cli.UsageError("--pin and --no-pin contradict each other")
	case !pin:
		return nil, nil
	}
	return &experiment.Pin{Core: b.core}, nil
}

// setProcs sets GOMAXPROCS for --cpu, and returns what sets it back.
func setProcs(cpu int) (restore func(), err error) {
	switch {
	case cpu == 0:
		return func() {}, nil
	case cpu < 0 || cpu > 1024:
		return nil, cli.UsageError("--cpu must be 1 to 1024, got %d", cpu)
	}
	before := runtime.GOMAXPROCS(cpu)
	return func() { runtime.GOMAXPROCS(before) }, nil
}

// checkFiles finds out what would keep the files asked for from being written,
// before the time to measure is spent.
func (b *benchRun) checkFiles() error {
	if b.fleet.Given() && b.output != "" {
		if err := checkFolder("-o", b.output); err != nil {
			return err
		}
	} else if err := cli.CheckOutput("-o", b.output); err != nil {
		return err
	}
	switch {
	case !b.record:
		return nil
	case len(b.engines)+len(b.levels)+len(b.commands) > 0:
		return cli.UsageError("--record keeps all engines at all levels: leave out --engine, --level and --exec")
	case b.count < experiment.MinRecordCount:
		return cli.UsageError("--record wants a --count of at least %d, got %d", experiment.MinRecordCount, b.count)
	}
	return checkFolder("--results", b.results)
}

// checkFolder finds out whether files can be written to a folder, which need not be
// there yet.
func checkFolder(flag, folder string) error {
	there := filepath.Clean(folder)
	for _, err := os.Stat(there); errors.Is(err, fs.ErrNotExist) && there != filepath.Dir(there); _, err = os.Stat(there) {
		there = filepath.Dir(there)
	}
	if err := wholefile.Check(filepath.Join(there, "record")); err != nil {
		return cli.UsageError("%s: nothing can be written to %s: %w", flag, folder, err)
	}
	return nil
}

// levelsNamed returns the levels of the names, all when there are none.
func levelsNamed(names []string) ([]bench.Level, error) {
	if len(names) == 0 {
		return bench.Levels(), nil
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
