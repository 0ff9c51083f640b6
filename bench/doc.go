// Package bench measures engines so that the figures can be believed: the same
// work for all, checked before it is timed, in one run, interleaved in random
// order, with confidence intervals.
//
// # What is measured
//
// A [Workload] is fixed work that every engine does alike, at four levels:
//
//   - [Value]: getValue of positions that the engine already holds, in ns/eval;
//   - [Turn]: whole turns, from a position and a roll to the chosen move, in
//     ns/turn, with the time for each candidate move beside it;
//   - [Game]: whole games on the shared dice, in us/game and games/s;
//   - [Match]: the same between two brains that differ.
//
// Turns of engines that play games side by side, which implement [ur.Batch], are
// measured in whole games: their time is that of the games divided by the turns and
// candidates in them, since one turn of one game says nothing about such an engine.
//
// A [Case] is one engine at one level. "go test -bench" and [Measure] run the same
// cases under the same names, so benchstat compares the output of either.
//
// # How it is measured
//
// [Measure] takes samples in rounds. Each round times every case once, in an order
// drawn anew, so that whatever disturbs the machine disturbs all of them. What is
// reported is the median with its non-parametric confidence interval, and the
// ratio to the oracle: the median of the ratios within each round, with a
// bootstrap interval.
//
// The measuring thread stays on one core where the operating system allows it
// ([Pin]), and where the kernel does, the processor counts instructions, cycles and
// branch misses of every sample ([OpenCounters]). A run can end as soon as its
// intervals are narrow (Options.Within), and go on where another was interrupted
// ([ReadSamples]). A [Command] is a program of its own, in whatever language, that is
// measured in the same rounds.
//
// [CollectProfile] says where the time goes: a CPU profile whose samples are labelled
// by engine and level, in slices of random order, and its [Profile] down to the line
// of Go or assembly.
//
// [MeasureScaling] does the same for the numbers of workers that play at a time, and
// [MeasurePieces] for the numbers of pieces on the board. [Self] measures an engine
// against itself; package doctor tells by it whether a machine can be believed.
//
// # How it is compared
//
// [Compare] reads files of any benchmarks in Go's format and compares them as benchstat
// does. [Gate] says by a [GateRule] which of them have become worse, [GateReport.Confirm]
// measures those again, and [Trials] counts how often a gate fires where it should and
// where it should not. What holds, on files of 20 samples:
//
//   - Measured side by side (in turns, and said to be pairs), noise of any kind leaves
//     the rate of false alarms at half of [GateRule.Alpha], and 5 % are found.
//   - Measured one after the other, the rate is at most Alpha too, under jitter, spikes,
//     a steady drift, waves and states that change within a file; but where those are
//     as large as a change, the gate leaves it undecided.
//   - A machine that is in another state for the whole of one file cannot be told from
//     another program. Ratios to an engine measured in the same rounds can.
//
// # Records
//
// [Results] are what a run found; a [Record] adds the samples, the [Scaling], the
// [Pieces], the [Environment] and the history of what was on record before, and is
// kept in a folder for each kind of processor. [ReadRecords] and [ReplaceFigures] make
// the tables of the README from those, [ReplaceFigures] those of documents about the
// engines, [Record.Plots] draws them, and [WritePage] makes one page of all.
package bench
