// Package experiment measures: it takes samples of every [Subject] in one run,
// interleaved, so that whatever disturbs the machine disturbs all of them. It knows no
// game: a subject is anything that can do a fixed amount of work and say whether its
// answers are right.
//
// [Measure] is the whole of it. It locks its thread, pins it to a core ([Pin]), keeps
// the collector away, checks every subject, calibrates how many passes make a sample,
// and takes rounds of samples, each round in an order drawn anew by the seed. Where the
// kernel allows it the processor counts instructions, cycles and branch misses of every
// sample ([OpenCounters]). A run can end as soon as its intervals are narrow
// (Options.Within), is written while it goes on (Options.AfterRound), and goes on where
// another was interrupted ([ReadSaved]). A [Command] is a program of its own.
//
// What is timed otherwise is built from the same parts: [Undisturbed], [Calibrate] and
// the loop itself, [Rounds].
//
// A run is written in Go's benchmark format by [Run.Write], for benchstat and for
// package compare.
package experiment
