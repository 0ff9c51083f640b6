package traincmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/filelock"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

const studyLong = `Study compares settings of "ur train td". It trains a net with every combination of
the given values, or with a random sample of them, and measures the regret during
training, which needs a table of the exact solution.

Each result is written to -o FILE when it is complete, as a line of JSON. --resume
continues the same study. At the end study prints a table, the best point first, and
--plot plots all learning curves.

With --fleet the workers of a fleet train the nets. The results are the same except
for the seconds, and are written in the order of the points.`

// study is a run of the command, as the flags ask for it.
type study struct {
	train.Study
	env    *cli.Env
	table  string
	output string
	plot   string
	resume bool
	force  bool // replace the plot
	asJSON bool
	fleet  join.Options
}

// newStudyCommand returns "ur train study".
func newStudyCommand(env *cli.Env) *cobra.Command {
	s := &study{env: env}
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Compare settings of td",
		Long:  studyLong,
		Example: `  ur train study -o s.jsonl --lambda 0.7,0.9 --rate 0.003,0.01 --plot s.svg
  ur train study -o s.jsonl --hidden 80 --hidden 128,16 --moves 20000000
  ur train study -o s.jsonl --rate 0.001,0.003,0.01,0.03,0.1 --random 3
  ur train study -o s.jsonl --lambda 0.7,0.9 --fleet nats://127.0.0.1:4222`,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&s.output, "output", "o", "", "`file` of the results, one line of JSON a point (required)")
	flags.Float64SliceVar(&s.Lambda, "lambda", []float64{train.DefaultLambda}, "values of lambda, separated by commas")
	flags.Float64SliceVar(&s.Rate, "rate", []float64{train.DefaultTDRate}, "learning rates, separated by commas")
	flags.StringArrayVar(&s.Hidden, "hidden", []string{train.DefaultTDHidden}, "hidden units, as in 80 or 64,16; repeatable")
	flags.IntSliceVar(&s.Plies, "plies", []int{1}, "search depths in plies while training, separated by commas")
	flags.IntVar(&s.Random, "random", 0, "size of a random sample of the combinations; 0 for all")
	flags.StringVar(&s.Features, "features", "squares", "input features of the nets: squares or counts")
	cli.CompleteFrom(cmd, "features", "squares", "counts")
	flags.StringVar(&s.Updates, "updates", train.DefaultTDUpdates, "target values: sample (the actual roll) or expected (the mean over all rolls)")
	flags.BoolVar(&s.Plain, "sequential", false, "train on one game at a time: the textbook algorithm")
	cli.CompleteFrom(cmd, "updates", train.SampleUpdates, train.ExpectedUpdates)
	flags.Int64Var(&s.Moves, "moves", 5_000_000, "training moves of each net")
	flags.IntVar(&s.Pieces, "pieces", 7, "pieces of each player, 1 to 7")
	flags.Uint64Var(&s.Seed, "seed", 1, "seed of all random choices")
	flags.StringVar(&s.table, "table", "", "`file` with the exact solution (default: the cached one)")
	flags.IntVar(&s.Parallel, "parallel", 0, "threads (default one per processor)")
	join.Flags(cmd, &s.fleet, "train on the fleet at this address, a worker for each point")
	join.VerifyFlag(cmd, &s.fleet)
	flags.StringVar(&s.plot, "plot", "", "plot the learning curves to `file`.svg")
	cli.ForceFlag(cmd, &s.force)
	flags.BoolVar(&s.resume, "resume", false, "continue the study in the file")
	flags.BoolVar(&s.asJSON, "json", false, "print the study and its results as JSON lines instead of a table")
	return cmd
}

// run trains with the points that have no result yet.
func (s *study) run(ctx context.Context) (err error) {
	if s.output == "" {
		return cli.UsageError("missing -o FILE (want a file for the results)")
	}
	if s.resume && s.force {
		return cli.UsageError("--resume cannot be used with --force")
	}
	if s.plot != "" {
		if err := checkEndings("--plot", []string{s.plot}, ".svg"); err != nil {
			return err
		}
	}
	if err := cmp.Or(cli.CheckWritable("-o", s.output), cli.CheckOutput("--plot", s.plot, s.force || s.resume)); err != nil {
		return err
	}
	if s.Table, err = pick.Table(ctx, s.table, s.Pieces); err != nil {
		return err
	}
	points, err := s.Points()
	if err != nil {
		return pick.ConfigError(err, map[string]string{
			"Lambda": "lambda", "Rate": "rate", "Hidden": "hidden", "Plies": "plies", "Moves": "moves", "Random": "random",
			"Pieces": "pieces", "Features": "features", "Updates": "updates", "Parallel": "parallel", "Table": "table",
		})
	}
	unlock, err := filelock.Hold(s.output + ".lock")
	switch {
	case errors.Is(err, filelock.ErrLocked):
		return cli.UsageError("%s is in use by another process (wait for it, or name another file)", s.output)
	case err != nil:
		return err
	}
	defer unlock() //nolint:errcheck // a leftover lock file blocks nothing
	file, results, err := s.open()
	if err != nil {
		return err
	}
	defer file.Close()
	learn, leave, err := s.learner(ctx, points[min(len(results), len(points)):])
	if err != nil {
		return err
	}
	defer func() { err = leave(err) }()
	for _, p := range points[min(len(results), len(points)):] {
		result, err := learn(p)
		if err != nil {
			if errors.Is(err, context.Canceled) {
				return errors.Join(s.print(results), cli.ErrInterrupted)
			}
			return err
		}
		if err := errors.Join(result.Write(file), file.Sync()); err != nil {
			return fmt.Errorf("-o: %w", err)
		}
		results = append(results, result)
	}
	return s.print(results)
}

// learner returns the function that trains with a point, locally or on the fleet, and the one
// that releases it. The points are those without a result.
func (s *study) learner(ctx context.Context, points []train.StudyPoint) (learn func(train.StudyPoint) (train.StudyResult, error), leave func(error) error, err error) {
	if s.fleet.Given() {
		return s.onFleet(ctx, points)
	}
	learn = func(p train.StudyPoint) (train.StudyResult, error) {
		progress := newProgress(s.env)
		defer progress.Clear()
		return s.Learn(ctx, p, progress.Report)
	}
	return learn, func(err error) error { return err }, nil
}

// onFleet asks the fleet for all points at once; their results are taken in order.
func (s *study) onFleet(ctx context.Context, points []train.StudyPoint) (learn func(train.StudyPoint) (train.StudyResult, error), leave func(error) error, err error) {
	conn, err := s.fleet.Join(ctx, "ur train study")
	if err != nil {
		return nil, nil, err
	}
	remote, err := work.NewStudy(ctx, conn, &s.Study, s.table)
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	remote.Verify(s.fleet.Verify)
	bar := cli.NewProgress(s.env, len(points), "points")
	type answer struct {
		result train.StudyResult
		err    error
	}
	answers := map[train.StudyPoint]chan answer{}
	for _, p := range points {
		done := make(chan answer, 1)
		answers[p] = done
		go func() {
			result, err := remote.Learn(ctx, p)
			bar.Add(1)
			done <- answer{result, err}
		}()
	}
	learn = func(p train.StudyPoint) (train.StudyResult, error) {
		a := <-answers[p]
		return a.result, a.err
	}
	leave = func(err error) error {
		bar.Clear()
		return s.fleet.Leave(ctx, conn, remote.Close, err)
	}
	return learn, leave, nil
}

// open returns the file, ready for the next result, and the results it holds.
func (s *study) open() (*os.File, []train.StudyResult, error) {
	flags := os.O_RDWR | os.O_CREATE
	switch {
	case s.force:
		flags |= os.O_TRUNC
	case !s.resume:
		flags |= os.O_EXCL
	}
	file, err := os.OpenFile(s.output, flags, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, nil, cli.UsageError("-o: %s exists (want --resume, another file, or --force)", s.output)
	case err != nil:
		return nil, nil, fmt.Errorf("-o: %w", err)
	}
	results, err := s.prepare(file)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, results, nil
}

// prepare reads the results of a file and truncates an incomplete last line. An empty file gets
// its header.
func (s *study) prepare(file *os.File) ([]train.StudyResult, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, s.WriteHeader(file)
	}
	results, size, err := s.ReadResults(file)
	if err != nil {
		return nil, cli.UsageError("--resume: %s: %w", s.output, err)
	}
	if err := file.Truncate(size); err != nil {
		return nil, err
	}
	_, err = file.Seek(size, io.SeekStart)
	return results, err
}

// print prints the results, and draws them.
func (s *study) print(results []train.StudyResult) error {
	if s.plot != "" {
		write := func(w io.Writer) error { _, err := w.Write(train.DrawStudy(results)); return err }
		if err := writeSaved("--plot", s.plot, write); err != nil {
			return err
		}
	}
	if !s.asJSON {
		return train.WriteStudyTable(s.env.Stdout, results)
	}
	if err := s.WriteHeader(s.env.Stdout); err != nil {
		return err
	}
	for _, r := range results {
		if err := r.Write(s.env.Stdout); err != nil {
			return err
		}
	}
	return nil
}
