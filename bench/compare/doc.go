// Package compare reads files of benchmarks in Go's format and reports the changes between
// them. It is independent of games and engines: any output of "go test -bench" can be compared
// and gated.
//
// [Compare] reads two or more files and compares them as benchstat does. [Gate] finds by a
// [GateRule] the benchmarks that have become worse. On files of 20 samples:
//
//   - Measured side by side (in turns, and marked as pairs), noise of any kind leaves
//     the rate of false alarms at half of [GateRule.Alpha], and 5 % are found.
//   - Measured one after the other, the rate is at most Alpha too, under jitter, spikes,
//     a steady drift, waves and states that change within a file; but where those are
//     as large as a change, the gate leaves it undecided.
//   - A machine in a different state for the whole of one file cannot be distinguished from
//     a different program. Ratios to a benchmark measured in the same rounds can.
package compare
