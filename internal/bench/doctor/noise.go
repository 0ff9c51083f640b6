package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Against describes a measurement of a subject against itself.
type Against struct {
	Engine    string
	Level     string
	Count     int
	BenchTime time.Duration
	Seed      uint64

	// MaxRegress is the largest change the gate lets pass, 0.03 for 3 %, and Judge its rule's
	// judgement of a pair: [compare.GateRule.Judge].
	MaxRegress float64
	Judge      func(stat.Pair) compare.Finding

	// Pair measures two identical sides: side by side, or one after the other. [Self.Pair]
	// does.
	Pair func(ctx context.Context, k int, planted float64, sideBySide bool) (stat.Pair, error)
}

// Noise is the noise of an engine against itself.
type Noise struct {
	Engine    string  `json:"engine"`
	Level     string  `json:"level"`
	Count     int     `json:"count"` // samples of each side
	BenchTime string  `json:"benchtime"`
	Spread    float64 `json:"spread"` // of samples: the middle half of them over their median

	SideBySide       Shown `json:"side_by_side"`        // engine against itself, in the same rounds
	OneAfterTheOther Shown `json:"one_after_the_other"` // engine against itself, in two runs
}

// Shown is the result of one comparison of an engine with itself.
type Shown struct {
	Delta float64 `json:"delta"` // relative change, where there is none
	Lo    float64 `json:"lo"`    // its 95 % interval
	Hi    float64 `json:"hi"`

	// Detectable is the smallest change these samples would detect with the power of the rule,
	// 90 % by default; 0 for none.
	Detectable float64 `json:"detectable"`
	Needed     int     `json:"needed"`     // samples a side needed for MaxRegress; 0: these suffice
	MaxRegress float64 `json:"maxregress"` // of the rule
}

// measure measures the engine against itself in both ways.
func (s Against) measure(ctx context.Context) (noise Noise, err error) {
	noise = Noise{Engine: s.Engine, Level: s.Level, Count: s.Count, BenchTime: s.BenchTime.String()}
	for k, sideBySide := range []bool{true, false} {
		pair, err := s.Pair(ctx, k, 0, sideBySide)
		if err != nil {
			return noise, err
		}
		s.show(&noise, pair, sideBySide)
	}
	return noise, nil
}

// show records the result of a pair.
func (s Against) show(n *Noise, pair stat.Pair, sideBySide bool) {
	found := s.Judge(pair)
	shown := Shown{
		Delta: rounded(found.Delta), Lo: rounded(found.Lo), Hi: rounded(found.Hi),
		Detectable: rounded(found.Detectable), Needed: found.Needed, MaxRegress: s.MaxRegress,
	}
	if !sideBySide {
		n.OneAfterTheOther = shown
		return
	}
	n.SideBySide = shown
	n.Spread = rounded(spread(slices.Concat(pair.Old, pair.New)))
}

// rounded rounds a fraction to a ten-thousandth of a percent, finer than any measurement. NaN
// and infinities become 0.
func rounded(part float64) float64 {
	if math.IsInf(part, 0) || math.IsNaN(part) {
		return 0
	}
	return math.Round(part*1e6) / 1e6
}

// spread is the distance of the quartiles over the median.
func spread(samples []float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	slices.Sort(samples)
	n := len(samples)
	return (samples[3*(n-1)/4] - samples[(n-1)/4]) / samples[n/2]
}

// findings interprets the noise.
func (n Noise) findings() []Finding {
	one, two := "So does \"ur bench run\" measure: side by side.", "So does \"ur bench gate\" compare files: one after the other."
	return []Finding{
		n.floor(),
		n.detectable("smallest difference, in one run", n.SideBySide, Bad, one),
		n.detectable("smallest difference, between two runs", n.OneAfterTheOther, Warn, two),
	}
}

// floor is the noise of the engine against itself.
func (n Noise) floor() Finding {
	s := n.SideBySide
	f := Finding{
		What: "noise floor",
		Measured: fmt.Sprintf("%s, %s: %+.2f %% [%+.2f, %+.2f] against itself; the middle half of its samples spans %.2f %%",
			n.Engine, n.Level, 100*s.Delta, 100*s.Lo, 100*s.Hi, 100*n.Spread),
		Verdict: OK,
	}
	switch reach := max(math.Abs(s.Lo), math.Abs(s.Hi)); {
	case reach > 0.03:
		f.Verdict = Bad
		f.Advice = "It differs from itself by more than what you look for. See what disturbs the machine above."
	case reach > 0.01:
		f.Verdict = Warn
		f.Advice = "Differences of less than this mean nothing here."
	}
	return f
}

// detectable reports the smallest detectable difference. When almost nothing is detectable, the
// verdict is worst: a machine unfit for comparing two separate runs may still be reliable side
// by side.
func (n Noise) detectable(what string, s Shown, worst Grade, note string) Finding {
	f := Finding{What: what, Verdict: OK, Advice: note}
	if s.Detectable > 0 {
		f.Measured = fmt.Sprintf("%s with %d samples of %s", percent(s.Detectable), n.Count, n.BenchTime)
	} else {
		f.Measured = fmt.Sprintf("none with %d samples of %s", n.Count, n.BenchTime)
	}
	if s.Detectable > 0 && s.Detectable <= s.MaxRegress {
		return f
	}
	f.Verdict = Warn
	f.Advice += fmt.Sprintf(" A regression of %s, the threshold of the gate, would be lost in the noise.", percent(s.MaxRegress))
	switch {
	case s.Needed > mostPatience*n.Count:
		f.Advice += " No practical number of samples would show it: find what disturbs the machine."
	case s.Needed > n.Count:
		f.Advice += fmt.Sprintf(" It would take about %d samples.", s.Needed)
	}
	if s.Detectable > 0.2 {
		f.Verdict = worst
	}
	return f
}

// mostPatience is how many times as many samples are worth advising.
const mostPatience = 20

// percent prints a part in two digits or more, without an exponent.
func percent(part float64) string {
	if part >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*part)
	}
	return fmt.Sprintf("%.2g %%", 100*part)
}
