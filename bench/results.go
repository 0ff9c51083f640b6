package bench

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Results are what a run found: the JSON object of "ur bench run --json".
type Results struct {
	Schema   string       `json:"schema"` // ur.bench/1
	CPU      string       `json:"cpu"`
	Features []ur.Feature `json:"features"`
	Go       string       `json:"go"`
	Commit   string       `json:"commit"` // "" when it is not known
	Seed     uint64       `json:"seed"`   // of the order and the bootstrap
	Baseline string       `json:"baseline"`
	Rows     []Row        `json:"rows"` // by engine, then by level

	OS          string    `json:"os"`
	Arch        string    `json:"arch"`
	Workload    string    `json:"workload"`
	Corpus      string    `json:"corpus"`
	Signature   string    `json:"signature"` // of the work at all levels of the rows
	BenchTime   string    `json:"benchtime"`
	Seconds     float64   `json:"seconds"` // that the run took
	Interrupted bool      `json:"interrupted,omitempty"`
	Skipped     []Skipped `json:"skipped,omitempty"`

	Signatures Signatures `json:"signatures,omitempty"` // of the work, by level; nil in old records

	// Within is how narrow the intervals should have become, as in [Options], and
	// Narrow whether they did; 0 and false when the run was to spend its count.
	Within float64 `json:"within,omitempty"`
	Narrow bool    `json:"narrow,omitempty"`

	Clock  experiment.Clock `json:"clock,omitempty"`  // "" in records from before there was a choice: wall
	Others float64          `json:"others,omitempty"` // part of the time that other programs took, by the clock cpu

	Pinning  *experiment.Pinning  `json:"pinning,omitempty"`  // nil in records from before there was any
	Counting *experiment.Counting `json:"counters,omitempty"` // nil in records from before there was any
	Notes    []string             `json:"notes,omitempty"`    // what is to be known of commands

	Programs []ProgramRatio `json:"programs,omitempty"` // commands against the first of them
}

// Row is what one engine reached at one level. Figures have five significant
// digits: the machine does not hold still for more.
type Row struct {
	Engine  string  `json:"engine"`
	Level   Level   `json:"level"`
	Unit    string  `json:"unit"`
	Samples int     `json:"samples"`
	Median  float64 `json:"median"`
	Lo      float64 `json:"lo"` // ends of the 95 % interval of the median
	Hi      float64 `json:"hi"`

	// Ratio is the time over that of the baseline at the same level: below 1 is
	// faster. Its interval is of 95 %.
	Ratio   float64 `json:"ratio"`
	RatioLo float64 `json:"ratio_lo"`
	RatioHi float64 `json:"ratio_hi"`

	NsPerCandidate float64 `json:"ns_per_candidate,omitempty"` // at the turn level

	// Lanes is how many games the engine plays side by side, when it does. Its turns
	// are then measured in whole games.
	Lanes int `json:"lanes,omitempty"`

	// Bytes is the memory of the engine for the brains of the level.
	Bytes int `json:"bytes,omitempty"`

	// Counted is what the processor counted; nil when it counted nothing.
	Counted *Counted `json:"counted,omitempty"`
}

// Counted are medians of events for each evaluation, turn or game. A field is 0 when
// the processor does not count it.
type Counted struct {
	Instructions float64 `json:"instructions,omitempty"`
	Cycles       float64 `json:"cycles,omitempty"`
	BranchMisses float64 `json:"branch_misses,omitempty"`
	IPC          float64 `json:"ipc,omitempty"` // instructions for each cycle
}

// newCounted returns nil when nothing was counted.
func newCounted(samples []experiment.Sample) *Counted {
	counts := experiment.MedianCounts(samples)
	if counts == nil {
		return nil
	}
	return &Counted{
		Instructions: counts[experiment.Instructions],
		Cycles:       counts[experiment.Cycles],
		BranchMisses: counts[experiment.BranchMisses],
		IPC:          stat.Significant(counts.IPC()),
	}
}

// Skipped is an engine that was not measured.
type Skipped struct {
	Engine string `json:"engine"`
	Reason string `json:"reason"`
}

// Results computes what the complete rounds of a run say. The run must have one at
// least.
func (r *Run) Results(e experiment.Environment, skipped []Skipped) Results {
	results := Results{
		Schema:      "ur.bench/1",
		CPU:         e.CPU,
		Features:    e.Features,
		Go:          e.Go,
		Commit:      e.Commit,
		Seed:        r.Options.Seed,
		Baseline:    Baseline,
		Rows:        []Row{},
		OS:          e.OS,
		Arch:        e.Arch,
		Workload:    r.Workload.Description(),
		Corpus:      CorpusVersion(),
		Signature:   r.Workload.Signatures(r.Options.Levels).Together(),
		Signatures:  r.Workload.Signatures(r.Options.Levels),
		BenchTime:   r.Options.BenchTime.String(),
		Seconds:     stat.Significant(r.Elapsed.Seconds()),
		Interrupted: r.Interrupted,
		Skipped:     skipped,
		Within:      r.Options.Within,
		Narrow:      r.Narrow,
		Clock:       r.Options.TimedBy,
		Others:      r.Others,
		Pinning:     &r.Pinning,
		Counting:    &r.Counting,
		Notes:       r.Notes,
	}
	for i := range r.Series {
		results.Rows = append(results.Rows, r.row(i))
	}
	results.Programs = r.programRatios()
	return results
}

// row summarizes series i.
func (r *Run) row(i int) Row {
	s := r.Series[i]
	level, engine, err := ParseName(s.Name)
	if err != nil {
		panic("bench: " + err.Error()) // Measure made the name
	}
	times := s.Times()
	time := stat.Estimate(times).Rounded()
	ratio := stat.RatioOfPairs(r.find(Baseline, level), times, r.Options.Seed).Rounded()
	row := Row{
		Engine: engine, Level: level, Unit: s.Unit, Samples: len(times),
		Median: time.Median, Lo: time.Lo, Hi: time.Hi,
		Ratio: ratio.Median, RatioLo: ratio.Lo, RatioHi: ratio.Hi,
		Counted: newCounted(s.Samples),
	}
	c := r.caseOf(i)
	if c == nil {
		return row
	}
	row.Lanes, row.Bytes = c.lanes, c.game.Bytes()
	for _, m := range c.Metrics(stat.Estimate(times).Median) {
		if m.Unit == unitCandidate {
			row.NsPerCandidate = stat.Significant(m.Value)
		}
	}
	return row
}

// Find returns the row of an engine at a level, and whether there is one.
func (r Results) Find(engine string, level Level) (Row, bool) {
	for _, row := range r.Rows {
		if row.Engine == engine && row.Level == level {
			return row, true
		}
	}
	return Row{}, false
}
