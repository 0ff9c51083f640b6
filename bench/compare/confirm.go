package compare

import (
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Confirmation is what measuring a suspect again found.
type Confirmation struct {
	Unit    string   `json:"unit"`             // of what was compared
	Finding *Finding `json:"-"`                // nil when it could not be measured again
	Reason  string   `json:"reason,omitempty"` // why not

	Verdict verdict.Verdict `json:"verdict,omitempty"`
	Delta   *float64        `json:"delta,omitempty"`
	P       float64         `json:"p_holm,omitempty"`
}

// Again is what measuring a suspect again gave.
type Again struct {
	Unit   string    // of what is compared
	Pair   stat.Pair // the samples
	Reason string    // why it could not be measured; "" where it was
}

// Confirm has the regressions that a gate found, and what it left undecided, measured once
// more, and judges them by the same rule; what the second measurement says counts. Measure returns what it got of each suspect, in their order. One that
// it could not measure stays what it was, and its [Confirmation] says why. The error is
// that of measure, which is not called when nothing is suspected.
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
