package bench

import (
	"fmt"
	"runtime"
	"strings"
)

// Sample is one measurement of one engine at one level.
type Sample struct {
	PerUnit float64 // time in the unit of the level, above 0
	Counts  Counts  // for each unit of work; nil when nothing was counted
}

// Series are the samples of one engine at one level, a round each.
type Series struct {
	Case    *Case    // nil when a command was measured
	Command *Command // nil when an engine of this process was measured
	Level   Level
	Passes  int // in each sample; 1 of a command
	Samples []Sample
}

// Engine is the name of the engine or command.
func (s Series) Engine() string {
	if s.Command != nil {
		return s.Command.Name
	}
	return s.Case.Engine.Name()
}

// Name is the name of the benchmark as Go writes it, without its prefix: see
// [Case.Name]. A command NAME is "board=exec/eval=NAME", or "board=A/eval=B" when its
// name is A/B like that of an engine.
func (s Series) Name() string {
	return benchmarkName(s.Level, s.Engine())
}

// benchmarkName is the name of an engine's benchmark, with GOMAXPROCS behind it as
// Go has it.
func benchmarkName(level Level, engine string) string {
	name := level.benchmark() + "/" + subName(engine)
	if procs := runtime.GOMAXPROCS(0); procs != 1 {
		name = fmt.Sprintf("%s-%d", name, procs)
	}
	return name
}

// execBoard stands in the place of the board representation in the benchmarks of a
// command.
const execBoard = "exec"

// subName is the part of a benchmark's name that tells the engine. benchstat reads
// the keys, as in "benchstat -col /eval".
func subName(engine string) string {
	representation, eval, ok := strings.Cut(engine, "/")
	if !ok {
		representation, eval = execBoard, engine
	}
	return "board=" + representation + "/eval=" + eval
}

// PerUnit returns the time of each sample in the unit of the level, in the order
// taken.
func (s Series) PerUnit() []float64 {
	times := make([]float64, len(s.Samples))
	for i, sample := range s.Samples {
		times[i] = sample.PerUnit
	}
	return times
}

// metrics returns all figures of a sample, as they stand in a benchmark line.
func (s Series) metrics(sample Sample) []Metric {
	candidates := 0.0
	if s.Case != nil {
		candidates = s.Case.candidatesPerTurn()
	}
	metrics := levelMetrics(s.Level, sample.PerUnit, candidates)
	return append(metrics, sample.Counts.metrics(s.Level)...)
}
