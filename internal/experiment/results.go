package experiment

import (
	"slices"

	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Results are the figures of one or several runs: the JSON object of "ur bench run
// --json".
type Results struct {
	Schema     string `json:"schema"` // [ResultsSchema]
	Provenance        // of all rows
	Rows       []Row  `json:"rows"` // one for each benchmark and unit

	Seconds     float64   `json:"seconds"` // duration of the runs
	Interrupted bool      `json:"interrupted,omitempty"`
	Skipped     []Skipped `json:"skipped,omitempty"` // engines that were not measured

	// Work describes the work of each suite: its size, and the version of its data.
	Work map[string]map[string]string `json:"work,omitempty"` // the work of each suite: its size and the version of its data

	// Within is how narrow the intervals should have become, as in [Options], and
	// Narrow whether they did; 0 and false when the run was to spend its count.
	Within float64 `json:"within,omitempty"` // wanted width of the intervals; absent if the run spent its count
	Narrow bool    `json:"narrow,omitempty"` // whether all intervals became as narrow as wanted

	Others float64  `json:"others,omitempty"` // part of the time taken by other programs, by the clock cpu
	Notes  []string `json:"notes,omitempty"`  // of samplers, for the user
}

// ResultsSchema is the schema of [Results].
const ResultsSchema = "ur.bench/2"

// Provenance is where figures come from.
type Provenance struct {
	Environment
	Seed uint64 `json:"seed"` // of the order of measuring and of the intervals, or of the command
}

// Row summarizes the samples of one benchmark. Figures have five significant digits: no
// machine holds still for more.
type Row struct {
	Suite string            `json:"suite"`          // name of the suite
	Name  string            `json:"name"`           // of the benchmark: "Value/board=array16/eval=avx2"
	Keys  map[string]string `json:"keys,omitempty"` // parts of the name

	// Engine and Level belong to suites of engines; Level is a column of their table.
	Engine string `json:"engine,omitempty"`
	Level  string `json:"level,omitempty"`

	Unit      string  `json:"unit"`
	Clock     Clock   `json:"clock,omitempty"`     // "" of a figure that is no time
	BenchTime string  `json:"benchtime,omitempty"` // that a sample should take; "" of a figure that is no time
	Samples   int     `json:"samples"`
	Median    float64 `json:"median"` // median of the samples
	Lo        float64 `json:"lo"`     // ends of the 95 % interval of the median
	Hi        float64 `json:"hi"`

	// Times are the samples in the order taken: sample k of every row of a run is of its
	// round k.
	Times []float64 `json:"times,omitempty"` // the samples in the order taken: sample k of every row is of round k

	// Ratio is the figure over that of Baseline in the same round: of times, below 1 is faster.
	// Its interval has a confidence of 95 %.
	Baseline string  `json:"baseline,omitempty"` // "" when there is none, and no ratio
	Ratio    float64 `json:"ratio,omitempty"`    // median divided by the baseline in the same rounds; of times, below 1 is faster
	RatioLo  float64 `json:"ratio_lo,omitempty"`
	RatioHi  float64 `json:"ratio_hi,omitempty"`

	NsPerCandidate float64 `json:"ns_per_candidate,omitempty"` // at the level turn

	// Metrics are other figures of the benchmark by their unit, as medians: games/s,
	// nodes/search, and the processor's event counts.
	Metrics map[string]float64 `json:"metrics,omitempty"` // medians of other figures by their units, or numbers of a report by their paths

	Signature string `json:"signature,omitempty"` // of the work: figures of other work must not be compared
	Note      string `json:"note,omitempty"`      // source of a figure not measured here, or a remark

	// Provenance is the provenance of the row in a record; nil in [Results], which have one for
	// all.
	Provenance *Provenance `json:"provenance,omitempty"` // machine and program of the row, in records
}

// Skipped is a part of a suite that was not measured.
type Skipped struct {
	Engine string `json:"engine"`
	Reason string `json:"reason"` // why it was not measured
}

// NewResults returns results without rows.
func NewResults(e Environment, seed uint64) Results {
	return Results{Schema: ResultsSchema, Provenance: Provenance{e, seed}, Rows: []Row{}}
}

// Add adds the complete rounds of a run of a suite.
func (r *Results) Add(suite string, run *Run, work []Configuration) {
	o := run.Options
	if r.Pinning == nil {
		r.Pinning, r.Counters = &run.Pinning, &run.Counting
	}
	r.Seconds = stat.Significant(r.Seconds + run.Elapsed.Seconds())
	r.Interrupted = r.Interrupted || run.Interrupted
	r.Within, r.Narrow, r.Others = o.Within, run.Narrow, run.Others
	r.Notes = append(r.Notes, run.Notes...)
	for _, line := range work {
		if r.Work == nil {
			r.Work = make(map[string]map[string]string)
		}
		if r.Work[suite] == nil {
			r.Work[suite] = make(map[string]string)
		}
		r.Work[suite][line.Key] = line.Value
	}
	for _, s := range run.Series {
		if len(s.Samples) > 0 {
			r.Rows = append(r.Rows, run.row(suite, s))
		}
	}
}

// row summarizes a series.
func (r *Run) row(suite string, s Series) Row {
	middle := stat.Estimate(s.Times())
	rounded := middle.Rounded()
	row := Row{
		Suite: suite, Name: s.Name, Keys: Keys(s.Name), Unit: s.Unit, Samples: len(s.Samples),
		Median: rounded.Median, Lo: rounded.Lo, Hi: rounded.Hi, Signature: s.Work,
	}
	for _, x := range s.Times() {
		row.Times = append(row.Times, stat.Significant(x))
	}
	if Nanoseconds(s.Unit) != 0 {
		row.Clock, row.BenchTime = r.Options.TimedBy, r.Options.BenchTime.String()
		if s.Clock != "" {
			row.Clock = s.Clock
		}
	}
	if ratio, ok := r.ratio(s); ok {
		ratio = ratio.Rounded()
		row.Baseline, row.Ratio, row.RatioLo, row.RatioHi = s.Base, ratio.Median, ratio.Lo, ratio.Hi
	}
	counts := MedianCounts(s.Samples)
	for _, m := range slices.Concat(s.Benchmark.metrics(middle.Median), counts.metrics(Work(s.Unit))) {
		if row.Metrics == nil {
			row.Metrics = make(map[string]float64)
		}
		row.Metrics[m.Unit] = stat.Significant(m.Value)
	}
	if s.Annotate != nil {
		s.Annotate(&row)
	}
	return row
}

// Find returns the row of an engine at a level of a suite, and whether there is one.
func Find(rows []Row, suite, engine, level string) (Row, bool) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Suite == suite && r.Engine == engine && r.Level == level })
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// OfSuite returns the rows of a suite, in their order.
func OfSuite(rows []Row, suite string) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Suite != suite })
}

// Distinct returns the values of a field of rows, each once, in the order of the rows,
// without "".
func Distinct(rows []Row, field func(Row) string) []string {
	var values []string
	for _, r := range rows {
		if v := field(r); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// Interval is the median with its interval.
func (r Row) Interval() stat.Interval { return stat.Interval{Median: r.Median, Lo: r.Lo, Hi: r.Hi} }

// RatioInterval is the ratio with its interval.
func (r Row) RatioInterval() stat.Interval {
	return stat.Interval{Median: r.Ratio, Lo: r.RatioLo, Hi: r.RatioHi}
}
