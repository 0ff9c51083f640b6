// Package reach compares the code of both sides: builds with their symbols and sources go in, and [Packages] come out, with the
// [Change] that each benchmark function can reach.
package reach

import (
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
)

// Change is the part of a change in reach of a benchmark.
type Change struct {
	Code    report.Code
	Changed []string       // functions and variables that differ
	Places  []report.Place // sources of these, or of the benchmark

	// Near is 1 if part of the change is in the benchmark's package, or may be, and otherwise 0. Where the time is short,
	// Near benchmarks come first: of the others, the set-up alone may run changed code, as one that unpacks data does.
	Near int

	// Ran is how long the benchmark ran without executing changed code in its reach; 0 where none is in its reach.
	Ran time.Duration
}
