package benchcmd

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/bench/doctor"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/trials"
	"github.com/spf13/cobra"
)

// benchDoctor is "ur bench doctor".
type benchDoctor struct {
	env  *cli.Env
	size bench.Size // of the work
	host doctor.Host

	engine    string
	level     string
	count     int
	benchTime time.Duration
	seed      uint64
	aa        int
	power     float64 // slowdown to plant, a part
	trials    int     // with it
	twoRuns   bool
	asJSON    bool
}

const benchDoctorLong = `Doctor checks whether this machine measures reliably. It reads the frequency settings
of the processor, its other users, and the clocks. It also measures an engine against
itself and reports the noise floor and the smallest difference that --count samples
detect. Each finding has advice and a grade: ok, warn, bad or, if it cannot be read,
unknown. The exit code is 0 for all findings.

--aa N measures N pairs of identical series, interleaved as in "ur bench run", and
judges each pair as "ur bench gate" does. At most 5 % of them should be regressions.
--power slows one side of each pair down by a fraction, with a calibrated spin; the
gate should find at least 90 % of them. --two-runs does the same with pairs measured
one after the other, as in a comparison of two files. Rates have 95 % Wilson
intervals. The exit code is 3 if a rate misses its goal significantly. 200 pairs take
about 4 minutes.

Ctrl-C ends doctor early and prints the finished part.`

// newBenchDoctorCommand returns "ur bench doctor".
func newBenchDoctorCommand(env *cli.Env) *cobra.Command {
	return (&benchDoctor{env: env, size: bench.DefaultSize(), host: doctor.ThisHost()}).command()
}

func (b *benchDoctor) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether this machine measures reliably",
		Long:  benchDoctorLong,
		Example: `  ur bench doctor
  ur bench doctor --engine bits/incremental --count 40 --json
  ur bench doctor --aa 200 --power 5%`,
		RunE: func(cmd *cobra.Command, _ []string) error { return b.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	pick.EngineFlag(cmd, &b.engine, "engine to measure against itself (default the fastest here)")
	flags.StringVar(&b.level, "level", string(bench.Game), "`level` of the measurement: "+bench.LevelNames())
	flags.IntVar(&b.count, "count", experiment.DefaultCount, "samples of each side, at least 4")
	flags.DurationVar(&b.benchTime, "benchtime", experiment.DefaultBenchTime, "time that a sample should take")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of measuring and of the intervals")
	flags.IntVar(&b.aa, "aa", 0, "`number` of identical pairs to judge")
	flags.Var(cli.PercentFlag{Part: &b.power}, "power", "also judge pairs with a planted slowdown of this size, as in 5%")
	flags.IntVar(&b.trials, "trials", 0, "pairs with a planted slowdown (default as many as --aa, or 200)")
	flags.BoolVar(&b.twoRuns, "two-runs", false, "let --aa and --power also measure one side after the other")
	flags.BoolVar(&b.asJSON, "json", false, "print one JSON object, of schema ur.doctor/1")
	cli.CompleteFrom(cmd, "level", strings.Split(bench.LevelNames(), ", ")...)
	return cmd
}

func (b *benchDoctor) run(ctx context.Context) error {
	measured, level, err := b.selected()
	if err != nil {
		return err
	}
	workload, err := bench.NewWorkload(b.size)
	if err != nil {
		return err
	}
	subject, err := bench.NewCase(workload, measured, level)
	if err != nil {
		return err
	}
	self, err := trials.NewSelf(ctx, trials.SelfOptions{
		Subject: subject, Name: measured.Name() + " " + string(level), Count: b.count, BenchTime: b.benchTime, Seed: b.seed, Pin: &experiment.Pin{Core: experiment.AnyCore},
	})
	if err != nil {
		return explained(err)
	}
	rule := compare.DefaultRule()
	report, err := doctor.Examine(ctx, b.host, doctor.Against{
		Engine: measured.Name(), Level: string(level), Count: b.count, BenchTime: b.benchTime,
		Seed: b.seed, MaxRegress: rule.MaxRegress, Pair: self.Pair,
		Judge: func(pair stat.Pair) compare.Finding { return rule.Judge([]stat.Pair{pair})[0] },
	})
	if err == nil {
		report.Trials, err = b.experiments(ctx, self, rule)
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	report.Interrupted = err != nil
	return errors.Join(b.print(report), b.outcome(report))
}

// selected returns the engine and the level of the flags, checked with the rest of the flags.
func (b *benchDoctor) selected() (measured ur.Engine, level bench.Level, err error) {
	measured = engine.Fastest()
	if b.engine != "" {
		if measured, err = pick.Engine(b.engine); err != nil {
			return nil, "", err
		}
	}
	if level, err = bench.ParseLevel(b.level); err != nil {
		return nil, "", cli.UsageError("--level: %w", err)
	}
	switch {
	case b.aa < 0 || b.trials < 0:
		return nil, "", cli.UsageError("--aa and --trials: negative number of pairs (want 0 or more)")
	case b.trials > 0 && b.power == 0:
		return nil, "", cli.UsageError("--trials needs --power, the slowdown to plant, as in --power 5%%")
	case b.twoRuns && b.power == 0 && b.aa == 0:
		return nil, "", cli.UsageError("--two-runs needs --aa or --power")
	}
	return measured, level, nil
}

// experiments runs the requested trials. An error comes with the complete ones.
func (b *benchDoctor) experiments(ctx context.Context, self *trials.Self, rule compare.GateRule) ([]trials.Rates, error) {
	const defaultTrials = 200
	planted := 0
	switch {
	case b.power > 0 && b.trials > 0:
		planted = b.trials
	case b.power > 0 && b.aa > 0:
		planted = b.aa
	case b.power > 0:
		planted = defaultTrials
	}
	orders := []bool{true}
	if b.twoRuns {
		orders = append(orders, false)
	}
	bar := cli.NewProgress(b.env, 1, "pairs")
	defer bar.Clear()
	var rates []trials.Rates
	done := 0
	for _, sideBySide := range orders {
		for _, experiment := range []struct {
			planted float64
			n       int
		}{{0, b.aa}, {b.power, planted}} {
			if experiment.n == 0 {
				continue
			}
			rate, err := self.Gate(experiment.planted, sideBySide).Run(ctx, rule, experiment.n,
				func(n int) { bar.Show("pairs", done+n, (b.aa+planted)*len(orders)) })
			if rate.Trials > 0 {
				rates = append(rates, rate)
			}
			if err != nil {
				return rates, err
			}
			done += experiment.n
		}
	}
	return rates, nil
}

func (b *benchDoctor) print(report doctor.Report) error {
	if b.asJSON {
		return cli.WriteJSON(b.env.Stdout, report)
	}
	return report.WriteText(b.env.Stdout)
}

// outcome fails when the gate misses its specification: when the whole interval of a rate lies
// on the wrong side of its goal.
func (b *benchDoctor) outcome(report doctor.Report) error {
	if report.Interrupted {
		return cli.ErrInterrupted
	}
	for _, r := range report.Trials {
		switch {
		case r.Planted == 0 && r.Lo > trials.GoalFalseAlarms:
			return cli.VerificationError("%s: the gate fires on %.1f %% of pairs that are the same, more than %.0f %%", r.Name, 100*r.Rate, 100*trials.GoalFalseAlarms)
		case r.Planted > 0 && r.Hi < trials.GoalPower:
			return cli.VerificationError("%s: the gate finds %.1f %% of the planted slowdowns of %.3g %%, fewer than %.0f %%", r.Name, 100*r.Rate, 100*r.Planted, 100*trials.GoalPower)
		}
	}
	return nil
}
