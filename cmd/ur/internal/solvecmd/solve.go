// Package solvecmd holds the commands to study positions: eval, regret, solve, book.
package solvecmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// Commands returns this package's commands.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{newEvalCommand(env), newRegretCommand(env), newSolveCommand(env), newBookCommand(env)}
}

type solveOptions struct {
	Rules  pick.Rules `help:"pieces of each player, 1 to 7, under other rules 1 to 10 (default of other rules: their own)"`
	Output string     `flag:"output,o" help:"<FILE> of the table to write (default finkelN.urt in the cache)"`
	cli.Overwrite
	Values   string `flag:"values" default:"compact" values:"compact,f64" help:"form of the values: compact (2 bytes) or f64"`
	Resume   bool   `flag:"resume" help:"continue an interrupted run from its checkpoint" unless:"force"`
	Parallel int    `flag:"parallel" help:"threads (default one per processor)"`
	JSON     bool   `flag:"json" help:"print one JSON object, of schema ur.solve/1"`
	Methods  bool   `flag:"methods" help:"compare value iteration and policy iteration with the solver" unless:"output,resume,force,values"`

	index *solve.Index
}

const solveLong = `Solve computes the value of every position of the game: the probability that the
player to move wins under perfect play. It writes a table for the player "perfect",
the hints of "ur play", "ur regret" and "ur match --luck".

A table of 7 pieces serves games of 1 to 7 pieces. Solving it takes minutes and
1.5 GB of memory. The table has 276 MB. During the run a checkpoint next to it,
FILE.checkpoint, grows to 1.1 GB. After an interruption or a crash, --resume continues
from the checkpoint and writes the same table.

--rules selects another built-in rule set, or a JSON file. Masters takes the most
memory of them, 6 GB.

Without -o the table is written where all commands look for it: to finkel7.urt (or
another name and number of pieces) in the folder "ur" of your cache. --values f64
keeps all bits of the values in four times the space. "ur convert" writes other
formats.

--methods compares the textbooks' value iteration and policy iteration with the solver,
on at most 4 pieces, and writes no table.

The residual is the largest difference between the value of a position and the value
computed from the positions one turn later. A separate pass over the whole solution
measures it.`

func newSolveCommand(env *cli.Env) *cobra.Command {
	var o solveOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "solve",
		Short: "Compute the exact solution of the game",
		Long:  solveLong,
		Example: `  ur solve
  ur solve --pieces 5 -o five.urt
  ur solve --rules blitz
  ur solve --methods --pieces 3
  ur solve --resume`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.index, err = solve.IndexOf(o.Rules.Set); err != nil {
				return cli.UsageError("--rules: %w", err)
			}
			if o.Methods {
				return compareMethods(cmd.Context(), env, o)
			}
			return runSolve(cmd.Context(), env, o)
		},
	}, &o)
}

type solveReport struct {
	Schema    string  `json:"schema"`
	Rules     string  `json:"rules"` // name of the rule set
	Pieces    int     `json:"pieces"`
	Positions int     `json:"positions"`       // positions in unfinished games
	Start     float64 `json:"start"`           // probability that the first player wins
	Residual  float64 `json:"residual"`        // largest difference between the value of a position and the value computed from its successors
	Sweeps    int     `json:"sweeps"`          // passes over a pair of layers
	Seconds   float64 `json:"seconds"`         // solving time
	Certify   float64 `json:"certify_seconds"` // time to measure the residual
	Writing   float64 `json:"write_seconds"`   // time to write the table
	Threads   int     `json:"threads"`
	PeakBytes int64   `json:"peak_bytes,omitempty"` // 0 if unknown
	File      string  `json:"file"`
	FileBytes int64   `json:"file_bytes"` // size of the table
	Encoding  string  `json:"encoding"`   // form of the values
	Resumed   bool    `json:"resumed"`    // whether the run continued from a checkpoint
	CPU       string  `json:"cpu,omitempty"`
	Commit    string  `json:"commit,omitempty"`
	Go        string  `json:"go,omitempty"`
}

// runSolve solves, certifies and writes the table. A solution with too large a residual is a
// defect of this program or of the machine, and is not written.
func runSolve(ctx context.Context, env *cli.Env, o solveOptions) error {
	encoding, err := o.checkFlags()
	if err != nil {
		return err
	}
	checkpoint, resumed, err := openCheckpoint(env, o)
	if err != nil {
		return err
	}
	defer checkpoint.Close() // it stays locked until the table is written
	o.Parallel = cmp.Or(o.Parallel, runtime.GOMAXPROCS(0))
	positions := o.index.Positions(o.Rules.Pieces)
	fmt.Fprintf(env.Stderr, "%s: %s positions; takes %s of memory, and %s on disk while it runs\n",
		pick.GameName(o.Rules.Set), text.Grouped(positions), cli.Size(o.index.Memory(o.Rules.Pieces, o.Parallel)),
		cli.Size(8*int64(positions)))

	bar := cli.NewPartBar(env, "solving")
	sweeps := 0
	progress := func(p solve.Progress) {
		sweeps++
		bar.Describe(fmt.Sprintf("layer %d-%d, sweep %2d", p.Own, p.Opp, p.Sweep))
		bar.Done(p.Done)
	}
	report := &solveReport{
		Schema: "ur.solve/1", Rules: o.Rules.Set.Name(), Pieces: o.Rules.Pieces, Positions: positions, Threads: o.Parallel,
		File: o.Output, Encoding: encoding.String(), Resumed: resumed,
	}
	begin := time.Now()
	solution, err := solve.Solve(ctx, o.Rules.Set,
		solve.Options{Threads: o.Parallel, Checkpoint: checkpoint, Progress: progress})
	bar.Clear()
	if err != nil {
		return o.explainResume(env, err)
	}
	report.Seconds, begin = secondsSince(begin), time.Now()
	report.Sweeps = sweeps
	report.Start = solution.Win(o.Rules.Set.Start())
	if report.Residual, err = solution.Certify(ctx, o.Parallel); err != nil {
		return o.explainResume(env, err)
	}
	if report.Residual > mostResidual {
		return cli.VerificationError(
			"the residual is %.1e, above %.0e: the solution is wrong, and no table is written; begin anew without %s",
			report.Residual, mostResidual, o.checkpointName())
	}
	report.Certify, begin = secondsSince(begin), time.Now()
	if err := writeSolution(ctx, o, encoding, solution, report); err != nil {
		return o.explainResume(env, err)
	}
	if err := checkpoint.Remove(); err != nil {
		return err
	}
	report.Writing = secondsSince(begin)
	report.PeakBytes = process.PeakMemory()
	e := record.ReadEnvironment()
	report.CPU, report.Commit, report.Go = e.CPU, e.Commit, e.Go
	if o.JSON {
		return cli.WriteJSON(env.Stdout, report)
	}
	report.printReport(env.Stdout, pick.GameName(o.Rules.Set))
	return nil
}

// mostResidual is the residual above which a solution is rejected: several hundred times the
// error of rounding.
const mostResidual = 1e-12

func (o *solveOptions) commandLine() string {
	rules := ""
	if !o.Rules.Set.IsFinkel() {
		rules = "--rules " + o.Rules.Set.Name() + " "
	}
	return fmt.Sprintf("ur solve %s--pieces %d --values %s", rules, o.Rules.Pieces, o.Values)
}

// checkFlags looks at the flags before anything is done.
func (o *solveOptions) checkFlags() (solve.Encoding, error) {
	if o.Parallel < 0 || o.Parallel > play.MaxParallel {
		return 0,
			cli.UsageError("--parallel must be at least 1 and at most %d, or 0 for one thread a processor, got %d",
				play.MaxParallel, o.Parallel)
	}
	encoding, ok := map[string]solve.Encoding{"compact": solve.Compact, "f64": solve.Float64}[o.Values]
	if !ok {
		return 0, cli.UsageError(`--values must be "compact" or "f64", got %q`, o.Values)
	}
	named := o.Output != ""
	if !named {
		folder, err := solve.DefaultFolder()
		if err != nil {
			return 0, cli.UsageError("%w; name a file with -o", err)
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return 0, err
		}
		o.Output = filepath.Join(folder, solve.FileName(o.Rules.Set))
	}
	return encoding, o.checkOutput(named, encoding)
}

// checkOutput refuses to replace a file named by the user without --force, as everywhere. In the
// cache, and with --resume, the command replaces its own tables, but nothing else, and none with
// finer values or more pieces.
func (o *solveOptions) checkOutput(named bool, encoding solve.Encoding) error {
	if err := cli.CheckWritable("-o", o.checkpointName()); err != nil {
		return err
	}
	if named && cli.Extension(o.Output) == ".rgu" {
		return cli.UsageError("-o: extension of %s is wrong (want .urt; \"ur convert\" makes a .rgu of it)", o.Output)
	}
	if info, err := os.Stat(o.Output); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return cli.UsageError("-o %s is not a file", o.Output)
	}
	if named || o.Force {
		// An earlier run may have been killed after it wrote the table.
		if err := cli.CheckOutput("-o", o.Output, o.Force || o.Resume); err != nil || !o.Resume {
			return err
		}
	}
	switch file, err := solve.Open(o.Output, o.Rules.Set); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cli.UsageError("%s exists and is not a table of these rules: %w (want -o FILE, or --force)",
			o.Output, err)
	case file.Pieces() > o.Rules.Pieces || file.Info().Encoding.Rounding() < encoding.Rounding():
		return errors.Join(cli.UsageError("%s exists, and has more than the new table: %s, %s (want -o FILE, or --force)",
			o.Output, text.Plural(file.Pieces(), "piece"), file.Info().Encoding), file.Close())
	default:
		return file.Close()
	}
}

// checkpointName is the file beside the table with the layers solved so far.
func (o *solveOptions) checkpointName() string { return o.Output + ".checkpoint" }

// openCheckpoint opens a new checkpoint, or with --resume an earlier run's.
func openCheckpoint(env *cli.Env, o solveOptions) (c *solve.Checkpoint, resumed bool, err error) {
	name := o.checkpointName()
	c, err = solve.OpenCheckpoint(name, o.Rules.Set, o.Force)
	switch {
	case errors.Is(err, solve.ErrCheckpointInUse):
		return nil, false, cli.UsageError("%w: wait for it, or name another file with -o", err)
	case err != nil:
		return nil, false, cli.UsageError("%w (to start over, use --force)", err)
	}
	sound, written := c.Parts()
	switch {
	case written > 0 && !o.Resume:
		err := cli.UsageError("%s is from an earlier run (continue with --resume, or start over with --force)", name)
		return nil, false, errors.Join(err, c.Close())
	case written > 0:
		fmt.Fprintf(env.Stderr, "%d of %s of the checkpoint are sound\n", sound, text.Plural(written, "layer"))
	}
	return c, written > 0, nil
}

// explainResume explains how to resume when there is no table yet.
func (o *solveOptions) explainResume(env *cli.Env, err error) error {
	if info, missing := os.Stat(o.checkpointName()); missing == nil && info.Size() > 0 {
		fmt.Fprintf(env.Stderr, "ur solve: %s holds what is solved so far: go on with the same command and --resume\n",
			o.checkpointName())
	}
	return err
}

func writeSolution(ctx context.Context, o solveOptions, encoding solve.Encoding, s *solve.Table, r *solveReport) error {
	meta, err := json.Marshal(map[string]any{
		"made_by": o.commandLine(),
		"start":   r.Start, "residual": r.Residual,
	})
	if err != nil {
		return err
	}
	if err := s.Write(ctx, o.Output, solve.WriteOptions{Encoding: encoding, Meta: meta}); err != nil {
		return err
	}
	info, err := os.Stat(o.Output)
	if err != nil {
		return err
	}
	r.FileBytes = info.Size()
	return nil
}

func (r *solveReport) printReport(w io.Writer, game string) {
	fmt.Fprintf(w, "%s: who begins wins %.10f %% under perfect play\n\n", game, 100*r.Start)
	fmt.Fprintf(w, "  positions  %s\n", text.Grouped(r.Positions))
	fmt.Fprintf(w, "  residual   %.1e\n", r.Residual)
	fmt.Fprintf(w, "  time       %.1f s to solve on %s, %.1f s to certify, %.1f s to write\n", r.Seconds,
		text.Plural(r.Threads, "thread"), r.Certify, r.Writing)
	if r.PeakBytes > 0 {
		fmt.Fprintf(w, "  memory     %s at the peak\n", cli.Size(r.PeakBytes))
	}
	fmt.Fprintf(w, "  table      %s, %s, %s\n", r.File, cli.Size(r.FileBytes), r.Encoding)
}

// mostMethodPieces bounds the comparison of methods: each position has its list of moves.
const mostMethodPieces = 4

// methodsReport is the JSON object of "ur solve --methods --json".
type methodsReport struct {
	Schema    string         `json:"schema"`
	Rules     string         `json:"rules"`
	Pieces    int            `json:"pieces"`
	Positions int            `json:"positions"` // that can be reached, with one side to move
	Methods   []methodReport `json:"methods"`
}

// methodReport is a method: value, policy, or solver.
type methodReport struct {
	Method       string  `json:"method"`
	Sweeps       int     `json:"sweeps"`       // passes over all positions; the solver's over a pair of layers
	Improvements int     `json:"improvements"` // of a policy
	Seconds      float64 `json:"seconds"`
	Start        float64 `json:"start"`      // probability that the first player wins
	Difference   float64 `json:"difference"` // largest difference to a value of the solver
}

// compareMethods solves a game by three methods, and compares their values on every position.
func compareMethods(ctx context.Context, env *cli.Env, o solveOptions) error {
	if o.Rules.Pieces > mostMethodPieces {
		return cli.UsageError("--methods needs --pieces of at most %d, got %d", mostMethodPieces, o.Rules.Pieces)
	}
	begin, sweeps := time.Now(), 0
	table, err := solve.Solve(ctx, o.Rules.Set, solve.Options{Threads: o.Parallel, Progress: func(solve.Progress) { sweeps++ }})
	if err != nil {
		return err
	}
	solver := methodReport{Method: "solver", Sweeps: sweeps, Seconds: secondsSince(begin), Start: table.Win(o.Rules.Set.Start())}
	g := solve.NewIterations(o.Rules.Set)
	report := methodsReport{Schema: "ur.methods/1", Rules: o.Rules.Set.Name(), Pieces: o.Rules.Pieces, Positions: len(g.Positions)}
	for _, method := range []func(context.Context) (solve.Iteration, error){g.ByValue, g.ByPolicy} {
		r, err := method(ctx)
		if err != nil {
			return err
		}
		m := methodReport{Method: r.Method, Sweeps: r.Sweeps, Improvements: r.Improvements, Seconds: r.Elapsed.Seconds(), Start: r.Start}
		for i, p := range g.Positions {
			m.Difference = max(m.Difference, math.Abs(r.Win[i]-table.Win(p)))
		}
		report.Methods = append(report.Methods, m)
	}
	report.Methods = append(report.Methods, solver)
	if o.JSON {
		return cli.WriteJSON(env.Stdout, report)
	}
	fmt.Fprintf(env.Stdout, "%s: %s positions\n\n", pick.GameName(o.Rules.Set), text.Grouped(report.Positions))
	out := text.Table{Header: []string{"method", "sweeps", "improvements", "s", "start", "largest difference"}}
	for _, m := range report.Methods {
		out.Add(m.Method, fmt.Sprint(m.Sweeps), fmt.Sprint(m.Improvements), fmt.Sprintf("%.3f", m.Seconds),
			fmt.Sprintf("%.12f", m.Start), fmt.Sprintf("%.1e", m.Difference))
	}
	return out.WriteText(env.Stdout)
}
