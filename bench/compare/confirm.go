package compare

import (
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Confirmation is the result of measuring a suspect again.
type Confirmation struct {
	Unit    string   `json:"unit"`             // unit of the compared figures
	Finding *Finding `json:"-"`                // nil when it could not be measured again
	Reason  string   `json:"reason,omitempty"` // why not

	Verdict verdict.Verdict `json:"verdict,omitempty"`
	Delta   *float64        `json:"delta,omitempty"`
	P       float64         `json:"p_holm,omitempty"` // p-value corrected for all rows
}

// Again holds the samples of a suspect measured again.
type Again struct {
	Unit   string    // unit of the samples
	Pair   stat.Pair // the samples
	Reason string    // why it could not be measured; "" where it was
}

// Confirm measures a gate's regressions and undecided findings once more, and judges them by
// the same rule; the second measurement decides. Measure returns its samples of each suspect,
// in the order of the suspects. A suspect it could not measure keeps its verdict, and its
// [Confirmation] gives the reason. The error is measure's. Confirm does not call measure
// without suspects.
func (g *Report) Confirm(measure func(suspects []Judged) ([]Again, error)) error {
	var places []int
	var suspects []Judged
	for i, r := range g.Rows {
		if r.Finding.Verdict != verdict.Pass && !r.missing {
			places, suspects = append(places, i), append(suspects, r)
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	again, err := measure(suspects)
	if err != nil {
		return err
	}
	var judged []int
	var pairs []stat.Pair
	for k, a := range again {
		g.Rows[places[k]].Confirmation = &Confirmation{Unit: a.Unit, Reason: a.Reason}
		if a.Reason == "" {
			judged, pairs = append(judged, places[k]), append(pairs, a.Pair)
		}
	}
	for k, finding := range g.rule.Judge(pairs) {
		c := g.Rows[judged[k]].Confirmation
		c.Finding, c.Verdict, c.Delta, c.P = &finding, finding.Verdict, finite(finding.Delta), finding.Holm
	}
	g.decide()
	return nil
}
