// Package compare reads files of benchmarks in Go's format and says what has changed
// between them. It knows no game and no engine: whatever "go test -bench" prints can be
// compared and gated.
//
// [Compare] reads two or more files and compares them as benchstat does. [Gate] says by
// a [Rule] which benchmarks have become worse, and [Report.Confirm] has those measured
// again. What holds, on files of 20 samples:
//
//   - Measured side by side (in turns, and said to be pairs), noise of any kind leaves
//     the rate of false alarms at half of [Rule.Alpha], and 5 % are found.
//   - Measured one after the other, the rate is at most Alpha too, under jitter, spikes,
//     a steady drift, waves and states that change within a file; but where those are
//     as large as a change, the gate leaves it undecided.
//   - A machine that is in another state for the whole of one file cannot be told from
//     another program. Ratios to a benchmark measured in the same rounds can.
package compare
