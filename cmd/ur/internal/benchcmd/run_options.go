package benchcmd

import (
	"os"
	"runtime"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
)

// options turns the flags into the options of a run, and lists the engines that
// are left out because they cannot run here.
func (b *benchRun) options() (bench.Options, []bench.Skipped, error) {
	o := bench.Options{Count: b.count, BenchTime: b.benchTime, Seed: b.seed, Within: b.within, OpenCounters: bench.OpenCounters}
	if err := ur.Available(engine.Oracle()); err != nil {
		return o, nil, cli.UsageError("%w", err) // it runs everywhere: UR_DISABLE is wrong
	}
	if b.within > 0 && !b.given("count") {
		o.Count = bench.DefaultMostCount
	}
	var err error
	if b.format, err = cli.ChooseFormat(b.format, b.given("format"), b.asJSON); err != nil {
		return o, nil, err
	}
	if b.clock != "" {
		if o.TimedBy, err = bench.ParseClock(b.clock); err != nil {
			return o, nil, cli.UsageError("--clock: %w", err)
		}
	}
	if o.Pin, err = b.pinTo(); err != nil {
		return o, nil, err
	}
	if o.Commands, err = b.parseCommands(); err != nil {
		return o, nil, err
	}
	var skipped []bench.Skipped
	if b.resume != "" {
		err = b.resumed(&o)
	} else {
		skipped, err = b.selected(&o)
	}
	if err != nil {
		return o, nil, err
	}
	if err := o.Check(); err != nil {
		return o, nil, cli.UsageError("%w", err)
	}
	return o, skipped, b.checkFiles()
}

// selected fills in the engines and levels that the user chose.
func (b *benchRun) selected(o *bench.Options) (skipped []bench.Skipped, err error) {
	if len(b.engines) == 0 {
		o.Engines, skipped = pick.EnginesThatRun()
	} else if o.Engines, skipped, err = pick.SelectEngines(b.engines); err != nil {
		return nil, err
	}
	o.Levels, err = levelsNamed(b.levels)
	return skipped, err
}

// resumed fills in what the file of --resume says.
func (b *benchRun) resumed(o *bench.Options) error {
	for _, flag := range []string{"engine", "level", "seed", "benchtime", "clock", "record"} {
		if b.given(flag) {
			return cli.UsageError("--%s cannot be given with --resume: the run goes on as it began", flag)
		}
	}
	saved, err := bench.ReadSamples(b.resume)
	if err != nil {
		return cli.UsageError("--resume: %w", err)
	}
	if b.output == "" {
		b.output = b.resume
	}
	o.Resume, o.Levels, o.Seed, o.BenchTime, o.TimedBy = saved, saved.Levels, saved.Seed, saved.BenchTime, saved.TimedBy
	if !b.given("count") && b.within == 0 {
		o.Count = saved.Count
	}
	if saved.Rounds >= o.Count {
		return cli.UsageError("--resume: %s has %d rounds already: a larger --count adds more", b.resume, saved.Rounds)
	}
	return b.resumedEngines(o, saved)
}

// resumedEngines fills in the engines of the file. Its commands must be given again:
// a file of samples does not say what is started here.
func (b *benchRun) resumedEngines(o *bench.Options, saved *bench.Saved) error {
	for _, name := range saved.Engines {
		isCommand := func(c bench.Command) bool { return c.Name == name }
		if slices.ContainsFunc(o.Commands, isCommand) {
			continue
		}
		e, err := engine.Lookup(name)
		if err != nil {
			return cli.UsageError("--resume: %s has samples of %s, which is no engine: give its --exec again", b.resume, name)
		}
		if err := ur.Available(e); err != nil {
			return cli.UsageError("--resume: %w", err)
		}
		o.Engines = append(o.Engines, e)
	}
	for _, c := range o.Commands {
		if !slices.Contains(saved.Engines, c.Name) {
			return cli.UsageError("--exec: %s has no samples of %s", b.resume, c.Name)
		}
	}
	return nil
}

// parseCommands reads the programs of --exec.
func (b *benchRun) parseCommands() ([]bench.Command, error) {
	if b.execTimeout <= 0 {
		return nil, cli.UsageError("--exec-timeout must be positive, got %v", b.execTimeout)
	}
	names := pick.EngineNames()
	var commands []bench.Command
	for _, text := range b.commands {
		c, err := bench.ParseCommand(text, os.Getenv)
		if err != nil {
			return nil, cli.UsageError("--exec: %w", err)
		}
		if slices.Contains(names, c.Name) {
			return nil, cli.UsageError("--exec: the name %s is taken", c.Name)
		}
		if err := c.Find(); err != nil {
			return nil, cli.UsageError("--exec: %w", err)
		}
		names = append(names, c.Name)
		c.Timeout = b.execTimeout
		commands = append(commands, c)
	}
	return commands, nil
}

// pinTo is the core that the flags ask for, nil for none.
func (b *benchRun) pinTo() (*bench.Pin, error) {
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
	return &bench.Pin{Core: b.core}, nil
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
	if err := cli.CheckOutput("-o", b.output); err != nil {
		return err
	}
	switch {
	case !b.record:
		return nil
	case len(b.engines)+len(b.levels)+len(b.commands) > 0:
		return cli.UsageError("--record keeps all engines at all levels: leave out --engine, --level and --exec")
	case b.count < bench.MinRecordCount:
		return cli.UsageError("--record wants a --count of at least %d, got %d", bench.MinRecordCount, b.count)
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
