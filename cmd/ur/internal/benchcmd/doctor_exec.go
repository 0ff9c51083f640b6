package benchcmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/bench/doctor"
	"github.com/seed-09dcdc84/ur/internal/cli"
)

// execCommand checks the flags of --exec and finds its program.
func (b *benchDoctor) execCommand() (experiment.Command, error) {
	for _, flag := range []string{"engine", "level", "benchtime", "aa", "power", "trials", "two-runs"} {
		if b.given(flag) {
			return experiment.Command{}, cli.UsageError("--%s is of an engine: it cannot be given with --exec", flag)
		}
	}
	switch {
	case b.count < stat.MinCount:
		return experiment.Command{}, cli.UsageError("--count: must be at least %d samples a side, got %d", stat.MinCount, b.count)
	case b.timeout <= 0:
		return experiment.Command{}, cli.UsageError("--exec-timeout must be positive, got %v", b.timeout)
	}
	c, err := experiment.ParseCommand("command="+b.exec, os.Getenv)
	if err == nil {
		c.Name = filepath.Base(c.Args[0])
		err = c.Find()
	}
	if err != nil {
		return c, cli.UsageError("--exec: %w", err)
	}
	c.Timeout = b.timeout
	return c, nil
}

// runCommand examines the machine by a command of the user's.
func (b *benchDoctor) runCommand(ctx context.Context) error {
	command, err := b.execCommand()
	if err != nil {
		return err
	}
	if _, _, err := command.Time(ctx); err != nil { // its warm-up, and whether it runs
		return explained(err)
	}
	rule := compare.DefaultRule()
	rule.Seed = b.seed
	measured := &doctor.Command{Count: b.count, Seed: b.seed, Pin: &experiment.Pin{Core: experiment.AnyCore}, Time: command.Time}
	report, err := doctor.Examine(ctx, b.host, doctor.Against{
		Engine: b.exec, Count: b.count, Seed: b.seed, MaxRegress: rule.MaxRegress,
		Pair: measured.Pair, Wall: measured.Wall,
		Judge: func(pair stat.Pair) compare.Finding { return rule.Judge([]stat.Pair{pair})[0] },
	})
	if err != nil && ctx.Err() == nil {
		return explained(err)
	}
	report.Interrupted = err != nil
	return errors.Join(b.print(report), b.outcome(report))
}
