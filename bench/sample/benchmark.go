// Package sample takes samples of every [Benchmark] in one run, interleaved, so a disturbance of
// the machine affects all of them alike. It is independent of any game: a benchmark is anything
// that does a fixed amount of work and can check its answers.
//
// [Measure] does everything. It locks its thread, pins it to a core, keeps the garbage collector
// away, checks every benchmark, calibrates the number of passes of a sample, and takes rounds of
// samples, each round in an order newly drawn by the seed. [Run.Write] writes a run in Go's
// benchmark format, for benchstat and for benchab; [Run.Add] adds its rows to results.
package sample

import (
	"context"
	"time"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// Benchmark is a timed piece of work, and serves one goroutine.
type Benchmark struct {
	// Name is the name as Go writes it, without its prefix and the number of threads:
	// "Value/board=array16/eval=avx2". The parts after the first slash are key=value, without a
	// slash in the value.
	Name string

	// Unit is the time of a unit of work: "ns/eval", "us/game". The unit of time is ns, us, ms or
	// s.
	Unit string

	// Base is the reference benchmark of ratios, with samples of the same rounds; "" for none.
	Base string

	// Work is a signature of the work and its answers: figures of different work are not
	// comparable. "" where the name identifies the work.
	Work string

	// Clock is the benchmark's clock; "" means the run's clock.
	Clock report.Clock

	// Engine and Scope label the rows and profiles of an engine's benchmark; "" for none.
	Engine, Scope string

	// Check does the work once, untimed, and compares every answer with the oracle's. Measure
	// calls it before it times the benchmark.
	Check func() error

	// Pass does a fixed amount of work and returns its number of units. Only Pass is timed.
	Pass func() (units float64, err error)

	// Metrics returns figures derived from a sample: games a second from microseconds a game; nil
	// for none.
	Metrics func(perUnit float64) []report.Metric

	// Annotate completes the row that summarizes the samples; nil for none.
	Annotate func(*record.Row)
}

// PerUnit returns the elapsed time per unit of work, converted to unit. A sample too
// short for the clock counts as 1 ns.
func PerUnit(elapsed time.Duration, units float64, unit string) float64 {
	return float64(max(elapsed, 1).Nanoseconds()) / report.Nanoseconds(unit) / units
}

// CheckError reports a benchmark whose answers differ from its oracle's, or are missing, so its
// speed is meaningless.
type CheckError struct {
	Name string // the benchmark's name
	Err  error
}

func (e *CheckError) Error() string { return e.Name + ": " + e.Err.Error() }
func (e *CheckError) Unwrap() error { return e.Err }

// DefaultClock is [report.CPU] where the operating system has an exact clock of it, and otherwise [report.Wall]. On a quiet
// machine both are equal, since engines never wait. On a busy machine CPU time leaves out the time of other processes,
// the largest source of noise in a measurement.
func DefaultClock() report.Clock {
	if _, ok := processTime(); ok {
		return report.CPU
	}
	return report.Wall
}

// started is the process's start.
var started = time.Now()

// now is a time of a clock: only differences mean something.
func now(c report.Clock) time.Duration {
	if now, ok := processTime(); ok && c == report.CPU {
		return now
	}
	return time.Since(started)
}

// timePasses does passes, and returns how many units of work they were. It ends between two passes with the error of ctx: a
// long sample must not outlive an interruption.
func timePasses(ctx context.Context, c report.Clock, pass func() (float64, error), passes int) (
	units float64, elapsed time.Duration, err error) {
	start := now(c)
	for range passes {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		n, err := pass()
		if err != nil {
			return 0, 0, err
		}
		units += n
	}
	return units, now(c) - start, nil
}
