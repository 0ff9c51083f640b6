// Package traincmd implements the commands that train players.
package traincmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
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
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const trainLong = `Train trains players. All methods share these rules:

A seed determines the result on any number of threads, provided --games, --moves or
--positions ends the run and not --time. The file of a result contains the command
that reproduces it.

A checkpoint is kept next to the output, in FILE.checkpoint, or in --checkpoint FILE.
After a crash, a kill or Ctrl-C, the same command with --resume continues from there,
with the result of an uninterrupted run; with more --games or --moves, or a longer
--time, it continues training. An existing result or checkpoint is not replaced
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
	help := helpOf(m)
	t := &trainRun{env: env, method: m, config: m.New()}
	cmd := &cobra.Command{
		Use:     m.Name,
		Short:   help.short,
		Long:    help.long,
		Example: help.example,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := t.check(cmd); err != nil {
				return err
			}
			if err := t.fields.set(); err != nil {
				return err
			}
			release, err := t.hold()
			if err != nil {
				return err
			}
			defer release()
			if err := t.checkOverwriting(); err != nil {
				return err
			}
			if err := t.fields.readTables(cmd.Context()); err != nil {
				return err
			}
			leave, err := t.join(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { err = leave(err) }()
			learner, err := t.config.Learner(cmd.Context())
			if err != nil {
				return pick.ConfigError(err, t.fields.flags)
			}
			if err := t.checkTerminal(learner); err != nil {
				return err
			}
			return t.do(cmd, learner)
		},
	}
	t.addFlags(cmd)
	return cmd
}

// trainRun is a run of a way to learn, as the flags ask for it.
type trainRun struct {
	env    *cli.Env
	method train.Method
	config train.Config
	fields *fields
	seed   *uint64 // in config
	seen   *int64  // in config, of a way to learn whose course depends on the games in all; or nil

	games       uint64
	time        time.Duration
	untilBeaten bool
	output      string
	force       bool
	checkpoint  string
	resume      bool
	saveEvery   time.Duration
	fleet       join.Options
	curves      []string
	drawings    []string
	asJSON      bool
}

// addFlags adds the flags of a run, and those of the configuration.
func (t *trainRun) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	unit := t.method.Counted()
	games := "maximum number of " + unit + " to learn from"
	for _, field := range train.Fields(t.config) {
		switch field.Flag {
		case unit:
			games = field.Help
			t.seen = field.Pointer.(*int64)
		case "seed":
			t.seed = field.Pointer.(*uint64)
		}
	}
	flags.StringVarP(&t.output, "output", "o", "", "write the trained player to `file` (default: stdout)")
	flags.Uint64Var(&t.games, unit, uint64(t.method.Games), games)
	flags.DurationVar(&t.time, "time", t.method.Time, "time limit, as in 90s or 5m, 0 for none")
	flags.BoolVar(&t.untilBeaten, "until-beaten", false, "stop when a sequential test shows that all rivals are beaten")
	t.fields = addFields(cmd, t.config)
	flags.BoolVar(&t.resume, "resume", false, "resume from the checkpoint, if there is one")
	flags.StringVar(&t.checkpoint, "checkpoint", "", "`file` of the checkpoint (default: that of -o plus .checkpoint)")
	flags.DurationVar(&t.saveEvery, "save-every", train.DefaultSaveEvery, "interval between checkpoints")
	cli.ForceFlag(cmd, &t.force)
	flags.StringSliceVar(&t.curves, "curve", nil, "write the learning curve to `file`.svg or file.csv; repeatable")
	if len(t.method.Draw) > 0 {
		flags.StringSliceVar(&t.drawings, t.method.Name+"-out", nil, "draw the tree to `file`"+t.endings()+"; repeatable")
	}
	if _, ok := t.config.(player); ok {
		join.Flags(cmd, &t.fleet, "play on the fleet")
		join.VerifyFlag(cmd, &t.fleet)
	}
	flags.BoolVar(&t.asJSON, "json", false, "print one JSON object about the run, of schema ur.train/1; needs -o")
}

// player is a learning method whose games can be played elsewhere.
type player interface {
	PlayIn(a train.Arena, goroutines int)
}

// fleetDuels is how many duels are asked of a fleet at a time.
const fleetDuels = 64

// join lets games be played on the fleet, if one is named, until leave is called.
func (t *trainRun) join(ctx context.Context) (leave func(error) error, err error) {
	if !t.fleet.Given() {
		return func(err error) error { return err }, nil
	}
	conn, err := t.fleet.Join(ctx, "ur train "+t.method.Name)
	if err != nil {
		return nil, err
	}
	arena, err := work.NewDuels(ctx, conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	t.config.(player).PlayIn(arena, fleetDuels)
	arena.Verify(t.fleet.Verify, engine.Fastest())
	end := func(context.Context) error { return arena.Close() }
	return func(err error) error { return t.fleet.Leave(ctx, conn, end, err) }, nil
}

// endings lists the extensions of supported image files.
func (t *trainRun) endings() string {
	return strings.Join(slices.Sorted(maps.Keys(t.method.Draw)), " or ")
}

// check finds anything that would prevent the results from being saved, before time is spent.
func (t *trainRun) check(cmd *cobra.Command) error {
	switch {
	case t.games > math.MaxInt64:
		return cli.UsageError("--%s must be at most %d, got %d", t.method.Counted(), int64(math.MaxInt64), t.games)
	case t.games == 0 && cmd.Flags().Changed(t.method.Counted()):
		return cli.UsageError("--%s must be at least 1, got 0", t.method.Counted())
	case t.time < 0:
		return cli.UsageError("--time must not be negative, got %s", t.time)
	case t.saveEvery <= 0:
		return cli.UsageError("--save-every must be more than 0, got %s", t.saveEvery)
	case t.asJSON && t.output == "":
		return cli.UsageError("--json needs -o FILE (otherwise stdout carries the trained player)")
	case t.resume && t.force:
		return cli.UsageError("--resume cannot be used with --force")
	}
	if t.seen != nil {
		*t.seen = int64(t.games)
	}
	if t.checkpoint == "" && t.output != "" && !isDevice(t.output) {
		t.checkpoint = t.output + ".checkpoint"
	}
	if t.resume && t.checkpoint == "" {
		return cli.UsageError("--resume needs -o FILE or --checkpoint FILE")
	}
	if err := cmp.Or(
		checkEndings("--curve", t.curves, ".csv", ".svg"),
		checkEndings("--"+t.method.Name+"-out", t.drawings, slices.Sorted(maps.Keys(t.method.Draw))...),
		t.eachOutput(cli.CheckWritable), cli.CheckWritable("--checkpoint", t.checkpoint),
	); err != nil {
		return err
	}
	return nil
}

// checkTerminal refuses to print a result to a terminal that cannot be read there. A learner
// writes its result in the same form before its first step.
func (t *trainRun) checkTerminal(learner train.Learner) error {
	if t.output != "" || !cli.IsTerminal(t.env.Stdout) {
		return nil
	}
	var result bytes.Buffer
	if err := learner.WriteResult(&result, train.Provenance{}); err != nil {
		return err
	}
	if bytes.IndexByte(result.Bytes(), 0) < 0 {
		return nil
	}
	return cli.UsageError("the result of train %s is binary, and stdout is a terminal (want -o FILE)", t.method.Name)
}

// hold keeps other runs from the checkpoint until release is called.
func (t *trainRun) hold() (release func(), err error) {
	if t.checkpoint == "" {
		return func() {}, nil
	}
	unlock, err := safefile.Hold(t.checkpoint + ".lock")
	switch {
	case errors.Is(err, safefile.ErrLocked):
		return nil, cli.UsageError("checkpoint %s is in use by another process (wait for it, or name another with --checkpoint)", t.checkpoint)
	case err != nil:
		return nil, err
	}
	return func() { unlock() }, nil //nolint:errcheck // a leftover lock file blocks nothing
}

// checkOverwriting refuses to replace the files of an earlier run, unless this run resumes it
// or --force is set.
func (t *trainRun) checkOverwriting() error {
	if t.force {
		return nil
	}
	isThere := func(name string) bool {
		info, err := os.Stat(name)
		return name != "" && err == nil && info.Mode().IsRegular()
	}
	switch hasCheckpoint := isThere(t.checkpoint); {
	case hasCheckpoint && !t.resume:
		return cli.UsageError("%s is from an earlier run (continue with --resume, or start over with --force)", t.checkpoint)
	case hasCheckpoint:
		return nil
	}
	return t.eachOutput(func(flag, file string) error { return cli.CheckOutput(flag, file, t.force) })
}

// eachOutput checks all files of results.
func (t *trainRun) eachOutput(check func(flag, file string) error) error {
	err := check("-o", t.output)
	for _, file := range t.curves {
		err = cmp.Or(err, check("--curve", file))
	}
	for _, file := range t.drawings {
		err = cmp.Or(err, check("--"+t.method.Name+"-out", file))
	}
	return err
}

// isDevice reports whether a name exists and is not a regular file.
func isDevice(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// checkEndings checks that files have one of some extensions.
func checkEndings(flag string, names []string, endings ...string) error {
	for _, name := range names {
		if !slices.Contains(endings, filepath.Ext(name)) {
			return cli.UsageError("%s: %q must end in %s", flag, name, strings.Join(endings, " or "))
		}
	}
	return nil
}

// do runs a learner and saves its results.
func (t *trainRun) do(cmd *cobra.Command, learner train.Learner) error {
	run := &train.Run{
		Method: t.method, Config: t.config, Learner: learner,
		Games: int64(t.games), Time: t.time, UntilBeaten: t.untilBeaten, SaveEvery: t.saveEvery,
	}
	if err := t.load(run); err != nil {
		return err
	}
	if t.checkpoint != "" {
		run.Save = func(c *train.Checkpoint) error {
			return safefile.Write(t.checkpoint, func(w io.Writer) error { return train.WriteCheckpoint(w, c) })
		}
	}
	if t.method.Games == 0 && t.method.Time == 0 && t.games == 0 && t.time == 0 && !cmd.Flags().Changed("games") {
		fmt.Fprintln(t.env.Stderr, "no limit is set: training goes on until it is interrupted (Ctrl-C), which keeps the result")
	}
	progress, report := t.newProgress()
	run.Report = report
	outcome, err := run.Do(cmd.Context())
	progress.Clear()
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return err
	}
	if err := t.keep(cmd, learner, outcome); err != nil {
		return err
	}
	if err := t.print(outcome, interrupted); err != nil {
		return err
	}
	if interrupted {
		return cli.ErrInterrupted
	}
	return nil
}

// newProgress returns the progress display of a run, and the function to report to it.
func (t *trainRun) newProgress() (*cli.Bar, func(train.Status)) {
	if t.games == 0 && t.time == 0 {
		bar := cli.NewWait(t.env, t.method.Name)
		return bar, func(s train.Status) { bar.Describe(s.String()) }
	}
	bar := cli.NewPartBar(t.env, t.method.Name)
	return bar, func(s train.Status) {
		bar.Describe(s.String())
		bar.Done(s.Part)
	}
}

// load resumes from the checkpoint if requested. A run that was killed before its first
// checkpoint starts over.
func (t *trainRun) load(run *train.Run) error {
	if !t.resume {
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
		err = run.Resume(c)
	}
	if err != nil {
		return cli.UsageError("--resume: %s: %w", t.checkpoint, err)
	}
	fmt.Fprintf(t.env.Stderr, "going on from %s after %d %s\n", t.checkpoint, c.Games, t.method.Counted())
	return nil
}

// keep writes the trained player and the curves.
func (t *trainRun) keep(cmd *cobra.Command, learner train.Learner, outcome train.Outcome) error {
	last, _ := outcome.Curve.Last()
	provenance := train.Provenance{
		Command: t.command(cmd, outcome.Games),
		Seed:    *t.seed,
		Games:   outcome.Games,
		Commit:  record.ReadEnvironment().Commit,
		Scores:  last.Scores,
	}
	write := func(w io.Writer) error { return learner.WriteResult(w, provenance) }
	if t.output == "" {
		if err := write(t.env.Stdout); err != nil {
			return err
		}
	} else if err := writeSaved("-o", t.output, write); err != nil {
		return err
	}
	for _, curve := range t.curves {
		write := outcome.Curve.WriteCSV
		if filepath.Ext(curve) == ".svg" {
			write = func(w io.Writer) error { return outcome.Curve.WriteSVG(w, provenance.Command) }
		}
		if err := writeSaved("--curve", curve, write); err != nil {
			return err
		}
	}
	for _, drawing := range t.drawings {
		draw := t.method.Draw[filepath.Ext(drawing)]
		if err := writeSaved("--"+t.method.Name+"-out", drawing, func(w io.Writer) error { return draw(learner, w) }); err != nil {
			return err
		}
	}
	return nil
}

// writeSaved writes a file named by the user atomically.
func writeSaved(flag, name string, write func(io.Writer) error) error {
	if err := safefile.Write(name, write); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// withoutResult are the flags that do not change the result of training for a number of games.
var withoutResult = []string{"games", "moves", "positions", "time", "until-beaten", "output", "checkpoint", "save-every", "resume", "curve", "parallel", "json", "engine", "seed", "force", "fleet", "verify"}

// command returns the command that reproduces the result. It names the number of games, however
// this run ended.
func (t *trainRun) command(cmd *cobra.Command, games int64) string {
	words := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(withoutResult, f.Name) && !strings.HasSuffix(f.Name, "-out") {
			words = append(words, flagWords(f)...)
		}
	})
	if t.seen != nil {
		games = min(games, *t.seen) // the last step may have gone a little too far
	}
	words = append(words, "--seed", fmt.Sprint(*t.seed), "--"+t.method.Counted(), fmt.Sprint(games), "--time", "0")
	return strings.Join(words, " ")
}

// flagWords returns a flag as it is typed.
func flagWords(f *pflag.Flag) []string {
	if f.Value.Type() == "bool" {
		return []string{"--" + f.Name + "=" + f.Value.String()}
	}
	return []string{"--" + f.Name, f.Value.String()}
}

// trainReport is the JSON form of a run.
type trainReport struct {
	Schema   string          `json:"schema"` // ur.train/1
	Method   string          `json:"method"`
	Settings json.RawMessage `json:"settings"` // every setting that affects the result, by the learning method
	Unit     string          `json:"unit"`     // unit of the count: games, moves or positions
	Games    int64           `json:"games"`    // learned from
	Seconds  float64         `json:"seconds"`
	Rate     float64         `json:"games_per_second"` // speed of learning
	Reason   string          `json:"reason"`           // why it stopped
	Scores   []trainScore    `json:"scores"`           // against each rival
	Regret   *float64        `json:"regret,omitempty"` // points a decision, where it was measured
	File     string          `json:"file"`
}

// trainScore is the score against one rival.
type trainScore struct {
	Rival  string  `json:"rival"`
	Games  int64   `json:"games"`
	Rate   float64 `json:"rate"`   // share of games won
	Low    float64 `json:"low"`    // of the 95 % confidence interval
	High   float64 `json:"high"`   // upper bound of the interval
	Beaten *beaten `json:"beaten"` // null if not established
}

// beaten reports when the learner was first shown to beat a rival.
type beaten struct {
	Games   int64   `json:"games"`
	Seconds float64 `json:"seconds"`
}

// firstBeaten returns when rival i was first shown to be beaten, or nil.
func firstBeaten(c train.Curve, i int) *beaten {
	for _, p := range c {
		if p.Scores[i].Beaten {
			return &beaten{p.Games, p.Seconds}
		}
	}
	return nil
}

// print prints the outcome of the run on stdout, or on stderr if stdout carries the result.
func (t *trainRun) print(outcome train.Outcome, interrupted bool) error {
	if interrupted {
		outcome.Reason = "interrupted"
	}
	settings, err := train.Settings(t.config)
	if err != nil {
		return err
	}
	report := trainReport{
		Schema: "ur.train/1", Method: t.method.Name, Settings: settings, Unit: t.method.Counted(), Games: outcome.Games,
		Seconds: outcome.Time.Seconds(), Rate: cli.Hundredths(outcome.Rate()), Reason: outcome.Reason, File: t.output,
	}
	last, _ := outcome.Curve.Last()
	report.Regret = last.Regret
	for i, s := range last.Scores {
		low, high := s.Interval()
		report.Scores = append(report.Scores, trainScore{s.Rival, s.Games, s.Rate(), low, high, firstBeaten(outcome.Curve, i)})
	}
	if t.asJSON {
		return cli.WriteJSON(t.env.Stdout, report)
	}
	w := t.env.Stdout
	if t.output == "" {
		w = t.env.Stderr
	}
	fmt.Fprintf(w, "%s: %s in %.4g s", report.Method, text.Plural(report.Games, strings.TrimSuffix(report.Unit, "s")), report.Seconds)
	if report.Games > 0 {
		fmt.Fprintf(w, ", %.0f %s/s", report.Rate, report.Unit)
	}
	fmt.Fprintf(w, "; %s\n", report.Reason)
	if limit := int64(t.games); limit > 0 && report.Games > limit && !t.resume {
		fmt.Fprintf(w, "  --%s %d ended within a step, and a step is always completed\n", report.Unit, limit)
	}
	for _, s := range report.Scores {
		fmt.Fprintf(w, "  %.1f %% (95 %%: %.1f to %.1f) against %s", 100*s.Rate, 100*s.Low, 100*s.High, s.Rival)
		if s.Beaten != nil {
			fmt.Fprintf(w, ", beaten after %.4g s and %s", s.Beaten.Seconds, text.Plural(s.Beaten.Games, strings.TrimSuffix(report.Unit, "s")))
		}
		fmt.Fprintln(w)
	}
	if report.Regret != nil {
		fmt.Fprintf(w, "  regret %.4f points a decision\n", *report.Regret)
	}
	return nil
}
