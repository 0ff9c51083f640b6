package record

import (
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Results are the figures of one or several runs: the JSON object of "ur bench run
// --json".
type Results struct {
	Schema     string `json:"schema"` // [ResultsSchema]
	Provenance        // provenance of all rows
	Rows       []Row  `json:"rows"` // one for each benchmark and unit

	Seconds     float64   `json:"seconds"` // duration of the runs
	Interrupted bool      `json:"interrupted,omitempty"`
	Skipped     []Skipped `json:"skipped,omitempty"` // engines that were not measured
	Counter     string    `json:"counter,omitempty"` // counter of instructions, with its version
	NotCounted  []Skipped `json:"not_counted,omitempty"`

	// Work is the work of each suite: its size and the version of its data.
	Work   map[string]map[string]string `json:"work,omitempty"`
	Others float64                      `json:"others,omitempty"` // part of CPU time taken by other programs
}

// ResultsSchema is the schema of [Results].
const ResultsSchema = "ur.bench/2"

// Provenance is where figures come from.
type Provenance struct {
	Environment
	Took float64 `json:"took,omitempty"` // run time in seconds
	Seed uint64  `json:"seed"`           // seed for the measuring order and the intervals, or the command's
}

// SetTook sets the run time of a measurement that ends now.
func (p *Provenance) SetTook() {
	if begin, err := time.Parse(time.RFC3339, p.Date); err == nil {
		p.Took = math.Round(time.Since(begin).Seconds())
	}
}

// Row summarizes the samples of one benchmark. Figures have five significant digits: no
// machine holds still for more.
type Row struct {
	Suite string            `json:"suite,omitempty"` // name of the suite
	Name  string            `json:"name"`            // the benchmark's name: "Value/board=array16/eval=avx2"
	Keys  map[string]string `json:"keys,omitempty"`  // parts of the name

	// Engine and Level belong to suites of engines; Level is a column of their table.
	Engine string `json:"engine,omitempty"`
	Level  string `json:"level,omitempty"`

	Unit      string       `json:"unit"`
	Clock     report.Clock `json:"clock,omitempty"`     // cpu or wall; "" of a figure that is no time
	BenchTime string       `json:"benchtime,omitempty"` // that a sample should take; "" of a figure that is no time
	Samples   int          `json:"samples"`
	Median    float64      `json:"median"` // median of the samples
	Lo        float64      `json:"lo"`     // ends of the 95 % interval of the median
	Hi        float64      `json:"hi"`

	Times []float64 `json:"times,omitempty"` // the samples in the order taken: sample k of every row is of round k

	// Ratio is the median of the figures over those of Baseline in the same rounds: of times, below 1 is faster.
	// Its interval has a confidence of 95 %.
	Baseline string  `json:"baseline,omitempty"` // "" when there is none, and no ratio
	Ratio    float64 `json:"ratio,omitempty"`
	RatioLo  float64 `json:"ratio_lo,omitempty"`
	RatioHi  float64 `json:"ratio_hi,omitempty"`

	NsPerCandidate float64 `json:"ns_per_candidate,omitempty"` // nanoseconds at the level turn

	// Metrics are medians of other figures by their unit, as in games/s, or numbers of a report by their paths.
	Metrics map[string]float64 `json:"metrics,omitempty"`

	Signature string `json:"signature,omitempty"` // signature of the work: figures on other work must not be compared
	Note      string `json:"note,omitempty"`      // source of a figure not measured here, or a remark

	Stale bool `json:"-"` // its code has changed since

	// Provenance is the provenance of the run of the row in a record; nil in [Results], which have
	// one for all.
	Provenance *Provenance `json:"-"`
}

// Instructions is the first part of the units of counts: "instructions/eval", "instructions/game".
const Instructions = "instructions/"

// Skipped is a part of a suite that was not measured.
type Skipped struct {
	Engine string `json:"engine"`
	Reason string `json:"reason"` // why it was not measured
}

// NewResults returns results without rows.
func NewResults(e Environment, seed uint64) Results {
	return Results{Schema: ResultsSchema, Provenance: Provenance{Environment: e, Seed: seed}, Rows: []Row{}}
}

// SetRatio compares the samples of a row with those of its baseline in the same rounds. Of fewer
// than 6 the interval is the range of the ratios.
func (r *Row) SetRatio(base, samples []float64) {
	ratio, lo, hi := verdict.Ratio(base, samples)
	if math.IsInf(hi, 1) || lo == 0 {
		lo, hi = math.Inf(1), 0
		for k, x := range samples {
			lo, hi = min(lo, x/base[k]), max(hi, x/base[k])
		}
	}
	r.Ratio, r.RatioLo, r.RatioHi = report.Significant(ratio), report.Significant(lo), report.Significant(hi)
}

// SetMetric adds another figure.
func (r *Row) SetMetric(unit string, x float64) {
	if r.Metrics == nil {
		r.Metrics = make(map[string]float64)
	}
	r.Metrics[unit] = report.Significant(x)
}

// Fields for [text.Groups].
func (r Row) suite() string { return r.Suite }
func (r Row) name() string  { return r.Name }

// distinct returns the values of a field of rows, each once, in the order of the rows,
// without "".
func distinct(rows []Row, field func(Row) string) []string {
	values := text.List(text.Groups(rows, field), func(g []Row) string { return field(g[0]) })
	return slices.DeleteFunc(values, func(value string) bool { return value == "" })
}
