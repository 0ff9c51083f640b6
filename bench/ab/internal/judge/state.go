// Package judge holds all that is known of benchmarks, and judges them. Samples go in: rounds of times, long runs, counted
// pairs, and result files. The [Evidence] of each benchmark comes out, with its state and its rows. A [Table] has that of
// all benchmarks.
package judge

import (
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// state is how far a benchmark is. It only moves forward.
type state int

const (
	stateReached   state = iota
	StateCounted         // has a count, or the reason why it has none
	StateTimed           // has a round of times
	StateJudged          // needs no further sample
	StateLate            // slower: the new side did not end
	stateNotJudged       // cannot be measured, for a reason
)

// states lists what each state still allows.
var states = [...]struct {
	counts  bool // one more counted pair may change the verdict
	rounds  bool // one more round of times may change it
	figures bool // both sides have figures, or may get them
}{
	stateReached:   {true, true, true},
	StateCounted:   {true, true, true},
	StateTimed:     {false, true, true},
	StateJudged:    {false, false, true},
	StateLate:      {false, false, false},
	stateNotJudged: {false, false, false},
}

// Advance moves the benchmark forward to a state.
func (f *Evidence) Advance(to state) { f.state = max(f.state, to) }

// Abandon ends a benchmark that cannot be measured.
func (f *Evidence) Abandon(reason string) {
	if f.IsMeasurable() {
		f.state, f.As, f.Reason = stateNotJudged, verdict.NotJudged, reason
	}
}

// IsOpen reports whether the benchmark may get further rounds.
func (f *Evidence) IsOpen() bool { return states[f.state].rounds }

// IsMeasurable reports whether both sides have figures, or may get them.
func (f *Evidence) IsMeasurable() bool { return states[f.state].figures }

// Open returns the benchmarks in need of further rounds, in their order.
func (t *Table) Open(benchmarks []*listing.Benchmark) []*listing.Benchmark {
	return slices.DeleteFunc(slices.Clone(benchmarks), func(b *listing.Benchmark) bool { return !t.Of(b).IsOpen() })
}

// ToCount returns the benchmarks in need of a count, in their order.
func (t *Table) ToCount(benchmarks []*listing.Benchmark) []*listing.Benchmark {
	return slices.DeleteFunc(slices.Clone(benchmarks), func(b *listing.Benchmark) bool { return !states[t.Of(b).state].counts })
}
