package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Report is a gate's result on the benchmarks shared by two sides: the JSON object of "ur bench
// gate --json".
type Report struct {
	Schema     string          `json:"schema"`      // ur.gate/1
	Old        string          `json:"old"`         // label of the old side
	New        string          `json:"new"`         // label of the new side
	MaxRegress float64         `json:"max_regress"` // 0.03 for 3 %
	Alpha      float64         `json:"alpha"`       // largest rate of false alarms of all rows
	Power      float64         `json:"power"`       // power on which samples_needed and detectable are based
	Verdict    verdict.Verdict `json:"verdict"`     // the worst of all rows
	Rows       []Judged        `json:"rows"`        // in the order read
	Notes      []string        `json:"notes,omitempty"`

	rule   GateRule
	failed bool // the new side reports a failure
}

// Judged is one benchmark in one unit.
type Judged struct {
	Benchmark string
	Unit      string
	Better    int  // -1 lower, +1 higher
	Paired    bool // sample k of both sides was taken side by side
	N1, N2    int  // samples of the sides
	Finding

	missing bool // from the new side
}

// Gate judges the benchmarks shared by the first two sides of a comparison. Units without a
// known better direction are left out with a note. Units that only repeat another one, as
// games/s repeats us/game, are left out too. When no benchmark is left, Gate returns an
// [*InputError].
func Gate(c *Comparison, rule GateRule) (*Report, error) {
	g := &Report{
		Schema: "ur.gate/1", Old: c.Sides[0].Label, New: c.Sides[1].Label,
		MaxRegress: rule.MaxRegress, Alpha: rule.Alpha, Power: rule.Power,
		Notes: slices.Clone(c.Notes), rule: rule,
	}
	judged, unknown, notes := judgedPairs(c)
	g.Notes = append(g.Notes, notes...)
	if len(unknown) > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf(`not judged: the better direction is unknown: %s; add a line such as "Unit %s better=lower" to a file`,
			text.Some(unknown, 3), unknown[0]))
	}
	if len(judged) == 0 {
		return nil, &InputError{Msg: "nothing to judge: " + g.Notes[len(g.Notes)-1]}
	}
	var pairs []stat.Pair
	for _, j := range judged {
		pairs = append(pairs, j.pair)
	}
	for i, finding := range rule.Judge(pairs) {
		j := judged[i]
		g.Rows = append(g.Rows, Judged{
			Benchmark: j.name, Unit: j.unit, Better: j.better, Paired: j.pair.InPairs(),
			N1: len(j.pair.Old), N2: len(j.pair.New), Finding: finding,
		})
	}
	g.failed = len(c.Sides[1].Failed) > 0
	if !rule.IgnoreMissing {
		g.addMissing(c)
	}
	g.decide()
	return g, nil
}

// addMissing adds a row for every benchmark present on the old side only: a vanished benchmark
// has not passed.
func (g *Report) addMissing(c *Comparison) {
	for _, name := range c.missing(1) {
		missing := Finding{Verdict: verdict.Undecided, Reason: "the new side does not have it", P: 1, Holm: 1,
			Delta: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Detectable: math.Inf(1)}
		g.Rows = append(g.Rows, Judged{Benchmark: name, missing: true, Finding: missing})
	}
}

// judgedPairs lists the pairs a gate can judge, and the units without a known better direction.
func judgedPairs(c *Comparison) (judged []judgedPair, unknown, notes []string) {
	for _, t := range c.Tables {
		names, pairs := t.pairs()
		if t.Better == 0 {
			if len(pairs) > 0 && !slices.Contains(unknown, t.Unit) {
				unknown = append(unknown, t.Unit)
			}
			continue
		}
		for i, pair := range pairs {
			judged = append(judged, judgedPair{t.configuration, names[i], t.Unit, t.Better, pair})
		}
	}
	judged, notes = withoutDerived(judged)
	return judged, unknown, notes
}

// decide makes the verdict of the whole from those of the rows.
func (g *Report) decide() {
	g.Verdict = verdict.Pass
	if g.failed {
		g.Verdict = verdict.Undecided
	}
	for _, v := range []verdict.Verdict{verdict.Undecided, verdict.Regression} {
		if len(g.With(v)) > 0 {
			g.Verdict = v
		}
	}
}

// With returns the rows of a verdict.
func (g *Report) With(v verdict.Verdict) []Judged {
	return slices.DeleteFunc(slices.Clone(g.Rows), func(r Judged) bool { return r.Verdict != v })
}

// ReportFormats are the formats of [Report.Write].
func ReportFormats() []string { return []string{"text", "markdown", "json"} }

// Write writes the report in one of [ReportFormats].
func (g *Report) Write(w io.Writer, format string) error {
	out := &text.Writer{To: w}
	switch format {
	case "text":
		g.writeText(out)
	case "markdown":
		g.writeMarkdown(out)
	case "json":
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(g)
	default:
		return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(ReportFormats(), ", "))
	}
	return out.Err
}

// MarshalJSON leaves out infinite values.
func (r Judged) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Benchmark  string          `json:"benchmark"`
		Unit       string          `json:"unit"`
		Better     string          `json:"better"`           // better direction: lower or higher
		Paired     bool            `json:"paired,omitempty"` // whether sample k of both sides was taken side by side
		Samples    [2]int          `json:"samples"`          // number of samples of each side
		Verdict    verdict.Verdict `json:"verdict"`
		Reason     string          `json:"reason,omitempty"` // reason of the verdict
		Delta      *float64        `json:"delta"`
		Lo         *float64        `json:"delta_lo"`
		Hi         *float64        `json:"delta_hi"`
		P          float64         `json:"p"`
		Holm       float64         `json:"p_holm"`                   // p-value corrected for all rows
		Detectable *float64        `json:"detectable"`               // null when nothing would be
		Needed     int             `json:"samples_needed,omitempty"` // samples that would show a change of the limit
	}{
		r.Benchmark, r.Unit, betterName(r.Better), r.Paired, [2]int{r.N1, r.N2}, r.Verdict, r.Reason,
		finite(r.Delta), finite(r.Lo), finite(r.Hi), tenDigits(r.P), tenDigits(r.Holm), finite(r.Detectable), r.Needed,
	})
}
