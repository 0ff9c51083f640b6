package bench

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Case is one engine bound to the work of one level: an [experiment.Subject]. It serves
// one goroutine.
type Case struct {
	Engine ur.Engine
	Level  Level

	work  *Workload
	lanes int // games the engine plays side by side, 0 when it is not a [ur.Batch]
	game  ur.Game
	task  task
}

// NewCase binds an engine that can run here to the work of a level, and converts the work's
// inputs for it.
func NewCase(w *Workload, e ur.Engine, level Level) (*Case, error) {
	c := &Case{Engine: e, Level: level, work: w}
	if batch, ok := e.(ur.Batch); ok {
		c.lanes = batch.Lanes()
	}
	work, ok := w.works[level]
	if !ok {
		return nil, fmt.Errorf("unknown level %q: it has no workload", level)
	}
	var err error
	c.task, err = work.bind(c)
	return c, err
}

// play binds the engine to the brains of a game.
func (c *Case) play(light, dark *ur.Brain) (err error) {
	if c.game, err = c.Engine.New(ur.Setup{Light: light, Dark: dark}); err != nil {
		return fmt.Errorf("%s: %w", c.Engine.Name(), err)
	}
	return nil
}

// Name is the name of the benchmark as Go writes it, without its prefix and the number
// of threads: "Value/board=array16/eval=avx2".
func (c *Case) Name() string { return BenchmarkName(c.Level, c.Engine.Name()) }

// Unit is the unit of time of the level.
func (c *Case) Unit() string { return c.Level.Unit() }

// Pass does the work once, and returns its size in units: evaluations, turns or games. The
// benchmark times Pass.
func (c *Case) Pass() (units float64, err error) { return c.task.pass() }

// Describe compares with the baseline, and adds the other figures of the level.
func (c *Case) Describe(b *experiment.Benchmark) {
	describe(b, c.Level, c.Engine.Name())
	b.Work = c.work.Signature(c.Level)
	b.Metrics = c.task.metrics
	annotate := b.Annotate
	b.Annotate = func(row *experiment.Row) {
		annotate(row)
		if row.Metrics == nil {
			row.Metrics = make(map[string]float64)
		}
		row.Metrics["bytes"] = float64(c.game.Bytes())
		if c.lanes > 0 {
			row.Metrics["lanes"] = float64(c.lanes)
		}
	}
}

// describe fills in the benchmark of an engine at a level.
func describe(b *experiment.Benchmark, level Level, engine string) {
	b.Base = BenchmarkName(level, Baseline)
	b.Annotate = func(row *experiment.Row) {
		row.Engine, row.Level, row.NsPerCandidate = engine, string(level), row.Metrics[unitCandidate]
		if row.Baseline != "" {
			row.Baseline = Baseline
		}
	}
}

// MismatchError reports an engine whose answer differs from the oracle's, so its speed is
// meaningless.
type MismatchError struct {
	Engine string
	Level  Level
	What   string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s does not agree with %s at the %s level: %s", e.Engine, engine.OracleName, e.Level, e.What)
}

// Check does the work once, untimed, and compares every answer with the oracle's.
// Its error is a [*MismatchError] or an error of the engine.
func (c *Case) Check() error {
	difference, err := c.task.check()
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", c.Engine.Name(), err)
	case difference != "":
		return &MismatchError{Engine: c.Engine.Name(), Level: c.Level, What: difference}
	}
	return nil
}

// execBoard stands in the place of the board representation in the benchmarks of a
// command.
const execBoard = "exec"

// BenchmarkName is the name of the benchmark of an engine at a level, without its prefix and
// the number of threads. A command NAME is "board=exec/eval=NAME", or "board=A/eval=B" when its
// name is A/B like that of an engine.
func BenchmarkName(level Level, engine string) string {
	return level.benchmark() + "/" + SubName(engine)
}

// SubName is the part of a benchmark's name that identifies the engine. benchstat reads the
// keys, as in "benchstat -col /eval".
func SubName(engine string) string {
	representation, eval, ok := strings.Cut(engine, "/")
	if !ok {
		representation, eval = execBoard, engine
	}
	return "board=" + representation + "/eval=" + eval
}

// ParseName returns the level and the engine of a benchmark's name, or an error for an invalid
// name.
func ParseName(name string) (level Level, engine string, err error) {
	base, rest, _ := strings.Cut(name, "/")
	representation, eval, ok := strings.Cut(strings.TrimPrefix(rest, "board="), "/eval=")
	if !ok || !strings.HasPrefix(rest, "board=") || strings.Contains(representation+eval, "/") || eval == "" {
		return "", "", fmt.Errorf("benchmark %s is not one of \"ur bench run\"", name)
	}
	for _, d := range descriptors() {
		if d.benchmark == base {
			if representation == execBoard {
				return d.level, eval, nil
			}
			return d.level, representation + "/" + eval, nil
		}
	}
	return "", "", fmt.Errorf("benchmark %s: %w", name, unknownLevel(strings.ToLower(base)))
}

// unknownLevel is the error of [ParseLevel].
func unknownLevel(name string) error {
	_, err := ParseLevel(name)
	return err
}
