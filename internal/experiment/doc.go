// Package experiment takes samples of every [Subject] in one run, interleaved, so a disturbance
// of the machine affects all of them alike. It is independent of any game: a subject is
// anything that does a fixed amount of work and can check its answers.
//
// [Measure] does everything. It locks its thread, pins it to a core ([Pin]), keeps the garbage
// collector away, checks every subject, calibrates the number of passes of a sample, and takes
// rounds of samples, each round in an order newly drawn by the seed. Where the kernel allows it
// the processor counts instructions, cycles and branch misses of every sample ([OpenCounters]).
// A run can end as soon as its intervals are narrow (Options.Within). It can be saved after
// every round (Options.AfterRound), and an interrupted run can be resumed ([ReadSaved]).
//
// Other kinds of timing use the same parts: [Pinned], [Calibrate] and the loop itself,
// [Rounds].
//
// A run is written in Go's benchmark format by [Run.Write], for benchstat and for package
// compare.
package experiment
