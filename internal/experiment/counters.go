package experiment

import (
	"slices"

	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Event is an event counted by the processor.
type Event string

// The events counted where the kernel allows it.
const (
	Instructions Event = "instructions"  // retired, in user mode
	Cycles       Event = "cycles"        // of the core, in user mode
	BranchMisses Event = "branch-misses" // branches predicted wrong
)

// Counters count events of the thread that opened them.
type Counters interface {
	// Events lists the counted events, in the order of Stop's results.
	Events() []Event

	// Start sets all counts to 0 and counts from there.
	Start() error

	// Stop ends counting and returns the counts. It returns nil when the kernel lent the
	// counters to another user for a part of the time: the full counts would be a guess.
	Stop() ([]float64, error)

	Close() error
}

// Counting lists the events counted in a run, or the reason for having none.
type Counting struct {
	Events []Event `json:"events,omitempty"` // hardware events
	Reason string  `json:"reason,omitempty"` // why there are no events
}

// Counts are the events in a unit of work: an evaluation, a turn or a game.
type Counts map[Event]float64

// newCounts divides counts by the units of work.
func newCounts(events []Event, counted []float64, units float64) Counts {
	if len(counted) != len(events) || units <= 0 {
		return nil
	}
	counts := make(Counts, len(events))
	for i, event := range events {
		counts[event] = counted[i] / units
	}
	return counts
}

// IPC is the instructions for each cycle, or 0 when they were not counted.
func (c Counts) IPC() float64 {
	if c[Cycles] == 0 {
		return 0
	}
	return c[Instructions] / c[Cycles]
}

// unitIPC is the unit of [Counts.IPC] in benchmark lines.
const unitIPC = "IPC"

// unitEvent is the unit of an event in a unit of work: "cycles/game".
func unitEvent(event Event, work string) string { return string(event) + "/" + work }

// metrics returns the counts as figures of benchmark lines.
func (c Counts) metrics(work string) []Metric {
	var metrics []Metric
	for _, event := range c.events() {
		metrics = append(metrics, Metric{c[event], unitEvent(event, work)})
	}
	if ipc := c.IPC(); ipc > 0 {
		metrics = append(metrics, Metric{ipc, unitIPC})
	}
	return metrics
}

// events lists the counted events, in alphabetical order.
func (c Counts) events() []Event {
	var events []Event
	for event := range c {
		events = append(events, event)
	}
	slices.Sort(events)
	return events
}

// MedianCounts returns the median of each event over the samples with that event.
func MedianCounts(samples []Sample) Counts {
	counted := make(map[Event][]float64)
	for _, sample := range samples {
		for event, count := range sample.Counts {
			counted[event] = append(counted[event], count)
		}
	}
	if len(counted) == 0 {
		return nil
	}
	counts := make(Counts, len(counted))
	for event, values := range counted {
		counts[event] = stat.Significant(stat.Median(values))
	}
	return counts
}
