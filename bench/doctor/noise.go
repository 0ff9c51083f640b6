package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
)

// Subject is an engine that can be measured against itself, and how that is done.
type Subject struct {
	Engine    string
	Level     bench.Level
	Count     int
	BenchTime time.Duration
	Seed      uint64
	Rule      bench.GateRule

	// Pair measures two sides that are the same: side by side, or one after the
	// other. [bench.Self.Pair] does.
	Pair func(ctx context.Context, k int, planted float64, sideBySide bool) (bench.SamplePair, error)
}

// Noise is what an engine shows against itself.
type Noise struct {
	Engine    string      `json:"engine"`
	Level     bench.Level `json:"level"`
	Count     int         `json:"count"` // samples of each side
	BenchTime string      `json:"benchtime"`
	Spread    float64     `json:"spread"` // of samples: the middle half of them over their median

	SideBySide       Self `json:"side_by_side"`
	OneAfterTheOther Self `json:"one_after_the_other"`
}

// Self is one comparison of an engine with itself.
type Self struct {
	Delta float64 `json:"delta"` // relative change, where there is none
	Lo    float64 `json:"lo"`    // its 95 % interval
	Hi    float64 `json:"hi"`

	// Detectable is the smallest change that these samples would show with the power
	// of the rule, 90 % by default; 0 when they would show none.
	Detectable float64 `json:"detectable"`
	Needed     int     `json:"needed"`     // samples a side that would show MaxRegress; 0: these do
	MaxRegress float64 `json:"maxregress"` // of the rule
}

// measure measures the engine against itself in both ways.
func (s Subject) measure(ctx context.Context) (Noise, error) {
	n := Noise{Engine: s.Engine, Level: s.Level, Count: s.Count, BenchTime: s.BenchTime.String()}
	for k, sideBySide := range []bool{true, false} {
		pair, err := s.Pair(ctx, k, 0, sideBySide)
		if err != nil {
			return n, err
		}
		found := s.Rule.Judge([]bench.SamplePair{pair})[0]
		self := Self{found.Delta, found.Lo, found.Hi, found.Detectable, found.Needed, s.Rule.MaxRegress}
		if math.IsInf(self.Detectable, 0) || math.IsNaN(self.Detectable) {
			self.Detectable = 0
		}
		if sideBySide {
			n.SideBySide = self
			n.Spread = spread(slices.Concat(pair.Old, pair.New))
		} else {
			n.OneAfterTheOther = self
		}
	}
	return n, nil
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

// findings says what the noise means.
func (n Noise) findings() []Finding {
	return []Finding{
		n.floor(),
		n.detectable("smallest difference, in one run", n.SideBySide,
			"So does \"ur bench run\" measure: side by side."),
		n.detectable("smallest difference, between two runs", n.OneAfterTheOther,
			"So does \"ur bench gate\" compare files: one after the other."),
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
		f.Advice = "The engine differs from itself by more than what you look for. See what disturbs the machine above."
	case reach > 0.01:
		f.Verdict = Warn
		f.Advice = "Differences of less than this mean nothing here."
	}
	return f
}

// detectable is how small a difference could be shown.
func (n Noise) detectable(what string, s Self, note string) Finding {
	f := Finding{What: what, Verdict: OK, Advice: note}
	if s.Detectable > 0 {
		f.Measured = fmt.Sprintf("%.2g %% with %d samples of %s", 100*s.Detectable, n.Count, n.BenchTime)
	} else {
		f.Measured = fmt.Sprintf("none with %d samples of %s", n.Count, n.BenchTime)
	}
	if s.Detectable > 0 && s.Detectable <= s.MaxRegress {
		return f
	}
	f.Verdict = Warn
	f.Advice += fmt.Sprintf(" A regression of %.2g %%, the threshold of the gate, would be lost in the noise.", 100*s.MaxRegress)
	if s.Needed > n.Count {
		f.Advice += fmt.Sprintf(" It would take a --count of about %d.", s.Needed)
	}
	if s.Detectable > 0.2 {
		f.Verdict = Bad
	}
	return f
}
