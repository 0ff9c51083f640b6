// Package traincmd implements the commands to train players.
package traincmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/cmd/internal/join"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const trainLong = `Train trains players. All methods share these rules:

A seed determines the result on any number of threads, provided --games, --moves or
--positions ends the run and not --time. The file of a result contains the command
that reproduces it.

A checkpoint is kept next to the output, in FILE.checkpoint. After a crash, a kill or
Ctrl-C, the same command with --resume continues from there, with the result of an
uninterrupted run; with more --games or --moves, or a longer --time, it continues
training. An existing result or checkpoint is not replaced
without --force, and two runs never share a checkpoint.`

// Command returns "ur train", with a command for each way to learn.
func Command(env *cli.Env) *cobra.Command {
	var methods []*cobra.Command
	for _, m := range train.Methods() {
		methods = append(methods, newMethodCommand(env, m))
	}
	return cli.NewGroup("train", "Train players", trainLong, methods...)
}

// newMethodCommand returns the command of a way to learn, whose flags follow from its
// configuration.
func newMethodCommand(env *cli.Env, m train.Method) *cobra.Command {
	help, ok := methods[m.Name]
	if !ok {
		help = methodHelp{"Learn by " + m.Name, "Learn by " + m.Name + ", a method of another module than that of ur.",
			"  ur train " + m.Name + " -o learned"}
	}
	t := &trainRun{env: env, Run: train.Run{Method: m, Config: m.New()}}
	t.cmd = &cobra.Command{
		Use: m.Name, Short: help.short, Long: help.long, Example: help.example,
		RunE: func(cmd *cobra.Command, _ []string) error { return t.runLearner(cmd.Context()) },
	}
	t.addFlags()
	return t.cmd
}

// trainRun is a run of a way to learn, as the flags ask for it.
type trainRun struct {
	train.Run
	env    *cli.Env
	cmd    *cobra.Command
	fields *fields
	seed   *uint64 // seed in Config
	limit  *int64  // largest number of games; in Config for a way to learn whose course depends on it

	options    trainOptions
	checkpoint string
	drawings   []string
	fleet      join.Options
}

// trainOptions are the flags of every way to learn, behind those of its configuration.
type trainOptions struct {
	Output string        `flag:"output,o" help:"write the trained player to <file> (default: stdout)"`
	Time   time.Duration `flag:"time"`
	Resume bool          `flag:"resume" help:"resume from the checkpoint, FILE.checkpoint, if there is one"`
	cli.Overwrite
	JSON   bool     `flag:"json" help:"print the outcome and the learning curve as one JSON object, of schema ur.train/1"`
	Curves []string `flag:"curve" help:"write the learning curve to <file>.svg or file.csv; repeatable"`
}

// player is a learning method whose games can be played elsewhere.
type player interface {
	PlayAt(b match.Backend[play.MatchConfig, play.Score], goroutines int)
}

// fleetDuels is how many duels are asked of a fleet at a time.
const fleetDuels = 64

func (t *trainRun) addFlags() {
	flags, unit := t.cmd.Flags(), t.Method.Counted()
	t.fields = addFields(t.cmd, t.Config)
	for _, field := range t.fields.list {
		switch field.Flag {
		case unit:
			t.limit = field.Pointer.(*int64)
		case "seed":
			t.seed = field.Pointer.(*uint64)
		}
	}
	if t.limit == nil {
		t.limit = &t.Games
		flags.Int64Var(t.limit, unit, t.Method.Games, "maximum number of "+unit+" to learn from")
	}
	limit := "time limit, as in 90s or 5m (default none)"
	if t.Method.Time > 0 {
		limit = fmt.Sprintf("time limit, as in 90s or 5m (default %s without --%s)", t.Method.Time, unit)
	}
	cli.WithFlags(t.cmd, &t.options)
	flags.Lookup("time").Usage = limit
	if len(t.Method.Draw) > 0 {
		flags.StringSliceVar(&t.drawings, t.Method.Name+"-out", nil,
			"draw the tree to `file`"+strings.Join(t.drawnEndings(), " or ")+"; repeatable")
	}
	if _, ok := t.Config.(player); ok {
		t.fleet.AddFlags(t.cmd, `help:"play on the fleet" client:"true"`)
	}
}

func (t *trainRun) drawnEndings() []string { return slices.Sorted(maps.Keys(t.Method.Draw)) }

// runLearner finds anything that would prevent the results from being saved, then learns and saves them.
func (t *trainRun) runLearner(ctx context.Context) (err error) {
	t.completeFlags()
	if err := t.checkFlags(); err != nil {
		return err
	}
	if err := t.fields.setFields(); err != nil {
		return err
	}
	if t.checkpoint != "" {
		unlock, err := safefile.Hold(t.checkpoint + ".lock")
		switch {
		case errors.Is(err, safefile.ErrLocked):
			return cli.UsageError(
				"checkpoint %s is in use by another process (wait for it, or name another file with -o)", t.checkpoint)
		case err != nil:
			return err
		}
		defer unlock() //nolint:errcheck // a leftover lock file blocks nothing
	}
	if err := t.checkOverwriting(); err != nil {
		return err
	}
	if t.fleet.Given() {
		conn, err := t.fleet.Join(ctx, "ur train "+t.Method.Name)
		if err != nil {
			return err
		}
		duels, err := work.NewDuels(ctx, conn)
		if err != nil {
			conn.Close()
			return err
		}
		t.Config.(player).PlayAt(duels, fleetDuels)
		duels.Verify(t.fleet.Verify, engine.Fastest())
		defer func() { err = t.fleet.Leave(ctx, conn, nil, err) }()
	}
	if t.Learner, err = t.Config.Learner(ctx); err != nil {
		return pick.ConfigError(err, t.fields.flags)
	}
	return t.learnAndKeep(ctx)
}

// completeFlags sets the method's time limit unless the user limits the run, and names the checkpoint.
func (t *trainRun) completeFlags() {
	t.Time = t.options.Time
	if given := t.cmd.Flags().Changed; !given("time") && !given(t.Method.Counted()) {
		t.Time = t.Method.Time
	}
	if t.options.Output != "" && !isDevice(t.options.Output) {
		t.checkpoint = t.options.Output + ".checkpoint"
	}
}

// checkFlags returns an error for the first wrong flag.
func (t *trainRun) checkFlags() error {
	unit, given := t.Method.Counted(), t.cmd.Flags().Changed
	switch {
	case *t.limit < 1 && given(unit):
		return cli.UsageError("--%s must be at least 1, got %d", unit, *t.limit)
	case t.Time <= 0 && given("time"):
		return cli.UsageError("--time must be above 0, got %s (leave it out for no limit)", t.Time)
	case t.Method.Binary && t.options.Output == "" && cli.IsTerminal(t.env.Stdout):
		return cli.UsageError("the result of train %s is binary, and stdout is a terminal (want -o FILE)",
			t.Method.Name)
	case t.options.JSON && t.options.Output == "":
		return cli.UsageError("--json needs -o FILE")
	case t.options.Resume && t.options.Force:
		return cli.UsageError("--resume cannot be used with --force")
	}
	if err := t.fleet.Check(); err != nil {
		return err
	}
	if t.options.Resume && t.checkpoint == "" {
		return cli.UsageError("--resume needs -o FILE")
	}
	for _, o := range t.listOutputs(train.Status{}, train.Provenance{}) {
		if len(o.endings) > 0 && !slices.Contains(o.endings, cli.Extension(o.file)) {
			return cli.UsageError("%s: %q must end in %s", o.flag, o.file, strings.Join(o.endings, " or "))
		}
		if err := cli.CheckWritable(o.flag, o.file); err != nil {
			return err
		}
	}
	if t.Method.Binary {
		if err := cli.CheckBinary("-o", t.options.Output); err != nil {
			return err
		}
	}
	return cli.CheckWritable("-o", t.checkpoint)
}

// output is a file of results.
type output struct {
	flag, file string
	endings    []string // that the name may have; nil for any
	write      func(io.Writer) error
}

// listOutputs lists the files of results, the trained player first.
func (t *trainRun) listOutputs(s train.Status, p train.Provenance) []output {
	list := []output{{"-o", t.options.Output, nil, func(w io.Writer) error { return t.WriteResult(w, p) }}}
	for _, file := range t.options.Curves {
		write := s.Curve.WriteCSV
		if cli.Extension(file) == ".svg" {
			write = func(w io.Writer) error { return s.Curve.WriteSVG(w, p.Command) }
		}
		list = append(list, output{"--curve", file, []string{".csv", ".svg"}, write})
	}
	for _, file := range t.drawings {
		write := func(w io.Writer) error { return t.Method.Draw[cli.Extension(file)](t.Learner, w) }
		list = append(list, output{"--" + t.Method.Name + "-out", file, t.drawnEndings(), write})
	}
	return list
}

// isDevice reports whether a name exists and is not a regular file.
func isDevice(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// checkOverwriting refuses to replace the files of an earlier run, unless this run resumes it
// or --force is set.
func (t *trainRun) checkOverwriting() error {
	info, err := os.Stat(t.checkpoint)
	switch found := t.checkpoint != "" && err == nil && info.Mode().IsRegular(); {
	case t.options.Force || found && t.options.Resume:
		return nil
	case found:
		return cli.UsageError("%s is from an earlier run (continue with --resume, or start over with --force)",
			t.checkpoint)
	}
	for _, o := range t.listOutputs(train.Status{}, train.Provenance{}) {
		if err := cli.CheckOutput(o.flag, o.file, false); err != nil {
			return err
		}
	}
	return nil
}

func (t *trainRun) learnAndKeep(ctx context.Context) error {
	t.Games = *t.limit
	if err := t.loadCheckpoint(); err != nil {
		return err
	}
	if t.checkpoint != "" {
		t.Save = func(c *train.Checkpoint) error {
			return safefile.Write(t.checkpoint, func(w io.Writer) error { return train.WriteCheckpoint(w, c) })
		}
	}
	if t.Games == 0 && t.Time == 0 && !t.cmd.Flags().Changed("games") {
		fmt.Fprintln(t.env.Stderr,
			"no limit is set: training goes on until it is interrupted (Ctrl-C), which keeps the result")
	}
	bar := cli.NewWait(t.env, t.Method.Name)
	if t.Games > 0 || t.Time > 0 {
		bar = cli.NewPartBar(t.env, t.Method.Name)
	}
	t.Report = func(s train.Status) {
		bar.Describe(s.String())
		if s.Part >= 0 {
			bar.Done(s.Part)
		}
	}
	status, err := t.Do(ctx)
	bar.Clear()
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return err
	}
	if err := t.keepResults(status); err != nil {
		return err
	}
	if interrupted {
		status.Reason = "interrupted"
	}
	if t.options.JSON {
		report := t.newReport(status)
		if report.Regret == nil && err == nil && t.fields.pieces != nil {
			report.Regret, err = train.BrainRegret(ctx, t.Learner, *t.fields.pieces, *t.seed)
		}
		return errors.Join(cli.WriteJSON(t.env.Stdout, report), err)
	}
	t.printOutcome(status)
	return err
}

// trainReport is the JSON object of "ur train --json".
type trainReport struct {
	Schema  string      `json:"schema"`
	Method  string      `json:"method"`
	Command string      `json:"command"` // that reproduces the result
	Seed    uint64      `json:"seed"`
	Unit    string      `json:"unit"` // unit of learned and of games in the curve
	Learned int64       `json:"learned"`
	Seconds float64     `json:"seconds"`          // measurements included
	Rate    float64     `json:"rate"`             // learned in a second
	Regret  *float64    `json:"regret,omitempty"` // at the end, in points a decision
	Curve   train.Curve `json:"curve"`

	Scores []trainScore `json:"scores"` // at the end
}

// trainScore is the share of games won against a rival, with its 95 % confidence interval.
type trainScore struct {
	Rival string  `json:"rival"`
	Won   float64 `json:"won"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

func (t *trainRun) newReport(s train.Status) trainReport {
	last, _ := s.Curve.Last()
	r := trainReport{Schema: "ur.train/1", Method: t.Method.Name, Command: t.commandOf(s.Games), Seed: *t.seed, Unit: s.Unit,
		Learned: s.Games, Seconds: s.Elapsed.Seconds(), Rate: s.Rate(), Regret: last.Regret, Curve: s.Curve}
	for _, score := range last.Scores {
		low, high := score.Interval()
		r.Scores = append(r.Scores, trainScore{score.Rival, score.Rate(), low, high})
	}
	return r
}

// loadCheckpoint resumes from the checkpoint if requested. A run that was killed before its first
// checkpoint starts over.
func (t *trainRun) loadCheckpoint() error {
	if !t.options.Resume {
		return nil
	}
	file, err := os.Open(t.checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(t.env.Stderr, "no checkpoint %s yet: starting from the beginning\n", t.checkpoint)
		return nil
	}
	if err != nil {
		return cli.UsageError("--resume: %w", err)
	}
	defer file.Close()
	c, err := train.ReadCheckpoint(file)
	if err == nil {
		err = t.Resume(c)
	}
	if err != nil {
		return cli.UsageError("--resume: %s: %w", t.checkpoint, err)
	}
	fmt.Fprintf(t.env.Stderr, "going on from %s after %d %s\n", t.checkpoint, c.Games, t.Method.Counted())
	return nil
}

// keepResults writes the trained player, the curves and the drawings.
func (t *trainRun) keepResults(s train.Status) error {
	last, _ := s.Curve.Last()
	list := t.listOutputs(s, train.Provenance{
		Command: t.commandOf(s.Games), Seed: *t.seed, Games: s.Games, Commit: record.ReadEnvironment().Commit,
		Scores: last.Scores,
	})
	if t.options.Output == "" {
		if err := list[0].write(t.env.Stdout); err != nil {
			return err
		}
		list = list[1:]
	}
	for _, o := range list {
		if err := safefile.Write(o.file, o.write); err != nil {
			return fmt.Errorf("%s: %w", o.flag, err)
		}
	}
	return nil
}

// withoutResult are the flags without effect on the result of training for a number of games.
var withoutResult = []string{"games", "moves", "positions", "time", "output", "resume", "curve", "json",
	"parallel", "seed", "force", "fleet", "verify"}

// commandOf returns the command to reproduce the result. It names the number of games, however
// this run ended.
func (t *trainRun) commandOf(games int64) string {
	words := []string{t.cmd.CommandPath()}
	t.cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case slices.Contains(withoutResult, f.Name) || strings.HasSuffix(f.Name, "-out"):
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name+"="+f.Value.String())
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	if t.limit != &t.Games {
		games = min(games, *t.limit) // the last step may have gone a little too far
	}
	return fmt.Sprintf("%s --seed %d --%s %d", strings.Join(words, " "), *t.seed, t.Method.Counted(), games)
}

// printOutcome prints the run's outcome on stdout, or on stderr if stdout carries the result.
func (t *trainRun) printOutcome(s train.Status) {
	w := t.env.Stdout
	if t.options.Output == "" {
		w = t.env.Stderr
	}
	counted := func(n int64) string { return text.Plural(n, strings.TrimSuffix(s.Unit, "s")) }
	fmt.Fprintf(w, "%s: %s in %.4g s", t.Method.Name, counted(s.Games), s.Elapsed.Seconds())
	if s.Games > 0 {
		fmt.Fprintf(w, ", %.0f %s/s", s.Rate(), s.Unit)
	}
	fmt.Fprintf(w, "; %s\n", s.Reason)
	if t.Games > 0 && s.Games > t.Games && !t.options.Resume {
		fmt.Fprintf(w, "  --%s %d ended within a step, and a step is always completed\n", s.Unit, t.Games)
	}
	last, _ := s.Curve.Last()
	for i, score := range last.Scores {
		low, high := score.Interval()
		fmt.Fprintf(w, "  %.1f %% (95 %%: %.1f to %.1f) against %s", 100*score.Rate(), 100*low, 100*high, score.Rival)
		if first := slices.IndexFunc(s.Curve, func(p train.Point) bool { return p.Scores[i].Beaten }); first >= 0 {
			fmt.Fprintf(w, ", beaten after %.4g s and %s", s.Curve[first].Seconds, counted(s.Curve[first].Games))
		}
		fmt.Fprintln(w)
	}
	if last.Regret != nil {
		fmt.Fprintf(w, "  regret %.4f points a decision\n", *last.Regret)
	}
}
