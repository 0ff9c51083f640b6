// Package frame has what all steps of a run of benchab share, and knows none of them.
package frame

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Phase is a step of a run that has a share of its time, or a part of such a step.
type Phase int

// The phases, in the order of a run. Those that begin with "Part" are parts of the one before them.
const (
	Builds Phase = iota
	Listing
	PartOldSide // of the listing
	Traps
	TrapsToHorizon
	TrapsInSlow
	Late
	Processes
	LongRuns
	Links
	Counts
	PartFirstCounts  // of the counts
	PartNarrowCounts // of the counts
	Rounds
	PartLinks       // of the rounds
	PartRoundsFirst // of the rounds
	PartLongSamples // of the rounds
	Slow
	Explain
	GroupCounts // of groups of implementations, which have no other phases but builds, listing and rounds
	GroupLinks  // links of groups, beside their rounds
	phases
)

// share is the row of a phase in the table of a run's time.
type share struct {
	name       string
	part       float64 // of the time left when the phase begins, or of the phase that it is a part of
	floor      float64 // the smallest part, if the phase may choose; otherwise 0
	overrun    float64 // part of its time by which it may go on before it is cut off
	restGoesTo string  // the phase that gets the time it does not need, as printed
}

// shares is the one place where the time of a run is shared among its phases. Steps share theirs among benchmarks.
var shares = [phases]share{
	Builds:           {"builds", 1, 0, 0, "all later phases"},
	Listing:          {"one iteration of each benchmark", 0.5, 0, 0, "traps"},
	PartOldSide:      {"  its old side", 0.5, 0, 0, "its new side"},
	Traps:            {"traps in changed code", 1.0 / 6, 0, 0, "traps until the horizon"},
	TrapsToHorizon:   {"traps until the horizon", 0.25, 0, 0.25, "traps in slow benchmarks"},
	TrapsInSlow:      {"traps in slow benchmarks", 1.0 / 3, 0, 0, "late benchmarks"},
	Late:             {"benchmarks late on the new side", 0.25, 0, 0, "processes"},
	Processes:        {"processes that differ by chance", 0.08, 0, 2, "long runs"},
	LongRuns:         {"long runs until the horizon", 0.6, 0.4, 0.25, "counts"},
	Links:            {"links, beside the counts", 1.0 / 8, 0, 0, "counts"},
	Counts:           {"counted instructions", 0.98, 0.4, 0, "rounds"},
	PartFirstCounts:  {"  their first stage", 0.85, 0, 0, "further counts"},
	PartNarrowCounts: {"  those that narrow an interval", 0.6, 0, 0, "rounds"},
	Rounds:           {"rounds of times", 1, 0, 0, "nothing: the run ends"},
	PartLinks:        {"  their links", 0.4, 0, 0, "samples"},
	PartRoundsFirst:  {"  the first few of each benchmark", 0.7, 0, 0, "further rounds"},
	PartLongSamples:  {"  samples longer than usual", 0.7, 0, 0, "further rounds"},
	Slow:             {"benchmarks slow on both sides", 0.5, 0, 0, "further rounds"},
	Explain:          {"profiles, with --explain", 1.0 / 6, 0, 0, "nothing: the run ends"},
	GroupCounts:      {"counts, with --by", 0.25, 0, 0, "rounds"},
	GroupLinks:       {"links of rounds, with --by", 0.3, 0, 0, "samples"},
}

// Share returns the part that a phase gets: of the time left when it begins, or of the phase that it is a part of; of
// the whole time for [Explain].
func Share(p Phase) float64 { return shares[p].part }

// Floor returns the smallest part that a phase with a choice gets, and 0 for others.
func Floor(p Phase) float64 { return shares[p].floor }

// Budget is the time of a run. It never changes: a phase that ends early leaves its time to those behind it, and one that
// ends late takes some of theirs.
type Budget struct {
	begin    time.Time
	total    time.Duration
	explains bool             // measuring leaves time for [Explain]
	now      func() time.Time // of tests; nil is the clock
}

// NewBudget begins a run now, with a total time. If it explains, measuring leaves time for that.
func NewBudget(total time.Duration, explains bool) Budget {
	return Budget{begin: time.Now(), total: total, explains: explains}
}

// Now is the time by the clock of the budget.
func (b Budget) Now() time.Time {
	if b.now == nil {
		return time.Now()
	}
	return b.now()
}

// Total is the time of the whole run.
func (b Budget) Total() time.Duration { return b.total }

// Begun is when the run began.
func (b Budget) Begun() time.Time { return b.begin }

// End is when measuring ends: no measurement begins later. Explanations have time of their own behind it.
func (b Budget) End() time.Time {
	if !b.explains {
		return b.begin.Add(b.total)
	}
	return b.begin.Add(b.total - time.Duration(shares[Explain].part*float64(b.total)))
}

// Latest is when everything but the report ends, whatever a step expects: a benchmark may hang.
func (b Budget) Latest() time.Time { return b.begin.Add(b.total + b.total/20) }

// Left is the time until the end.
func (b Budget) Left() time.Duration { return max(0, b.End().Sub(b.Now())) }

// Begin begins a phase now, with its share of the time that is left.
func (b Budget) Begin(p Phase) Span { return b.BeginWith(p, shares[p].part) }

// BeginWith begins a phase that chooses its part, between its floor and its share.
func (b Budget) BeginWith(p Phase, part float64) Span {
	now := b.Now()
	if p == Explain {
		end := b.begin.Add(b.total)
		return Span{now, end, end}
	}
	least, most := shares[p].floor, shares[p].part
	if least == 0 {
		least = most
	}
	length := time.Duration(max(least, min(most, part)) * float64(b.Left()))
	return Span{now, now.Add(length), now.Add(length + time.Duration(shares[p].overrun*float64(length)))}
}

// Span is the time of a phase.
type Span struct {
	Begun time.Time
	End   time.Time // for which the phase plans
	Cut   time.Time // when its context ends: some may go on for a while
}

// Length is the planned time of the phase.
func (s Span) Length() time.Duration { return s.End.Sub(s.Begun) }

// Context returns a context for the phase, which ends when it is cut off.
func (s Span) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, s.Cut)
}

// Write prints the table of a run's time: for each phase its share, and its time in the run, if no phase before it needs
// any, and if builds take no time and all others need all that they get.
func (b Budget) Write(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "phase\tpart of the time left\tat most\tafter all others\tleaves its rest to")
	first, later := b.At(b.begin), b.At(b.begin)
	var whole [2]time.Duration // of the last phase that is no part of another
	listed := later            // when the rounds of groups of implementations begin
	for p, row := range shares {
		if Phase(p) == GroupCounts {
			later = listed
		}
		span, after := first.Begin(Phase(p)), later.Begin(Phase(p))
		times := [2]time.Duration{span.Length(), after.Length()}
		isPart := row.name[0] == ' '
		for i := range times {
			if isPart {
				times[i] = time.Duration(row.part * float64(whole[i]))
			} else {
				whole[i] = times[i]
			}
		}
		if p := Phase(p); p == Explain {
			kept := b.total - b.End().Sub(b.begin)
			times = [2]time.Duration{kept, kept}
		} else if p.takesTime() {
			later = b.At(after.End)
		}
		if Phase(p) == Listing {
			listed = later
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", row.name, row.describe(Phase(p)), short(times[0]), short(times[1]), row.restGoesTo)
	}
	return out.Flush()
}

// takesTime reports whether later phases begin when this one has had all its time. In the table builds end at once, links
// are made beside other phases, slow benchmarks share the time of the rounds, and groups of implementations have a run of
// their own.
func (p Phase) takesTime() bool {
	return shares[p].name[0] != ' ' && !slices.Contains([]Phase{Builds, Links, Rounds, Slow, Explain, GroupLinks}, p)
}

// At returns the budget as it is at a time.
func (b Budget) At(now time.Time) Budget {
	b.now = func() time.Time { return now }
	return b
}

// describe describes the share of a phase.
func (s share) describe(p Phase) string {
	text := fmt.Sprintf("%.0f %%", 100*s.part)
	switch {
	case s.floor > 0:
		text = fmt.Sprintf("%.0f to %s", 100*s.floor, text)
	case s.name[0] == ' ':
		text += " of it"
	case p == Explain:
		text += " of all"
	}
	return text
}

// short prints a time with whole seconds, or less of a short one.
func short(t time.Duration) string {
	if t < 10*time.Second {
		return t.Round(10 * time.Millisecond).String()
	}
	return t.Round(time.Second).String()
}
