package verdict

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestCounts(t *testing.T) {
	for name, test := range map[string]struct {
		limit   float64
		changes []float64
		want    Verdict
		reason  string
		wide    bool
	}{
		"nothing":                 {0.03, nil, Undecided, "no counts", false},
		"one run":                 {0.03, []float64{0.5}, Undecided, "1 of 2 runs", false},
		"two runs":                {0.03, []float64{0.5, 0.5001}, MoreWork, "", false},
		"two runs that differ":    {0.03, []float64{0.5, 0.51}, Undecided, "so few runs", true},
		"equal":                   {0.03, []float64{0, 0, 0}, NotMoreWork, "", false},
		"more than the limit":     {0.03, []float64{0.08, 0.081, 0.0805}, MoreWork, "", false},
		"a tenth more":            {0.1, []float64{0.1001, 0.1001, 0.1001}, MoreWork, "", false},
		"less than the limit":     {0.03, []float64{0.02, 0.021, 0.0205}, NotMoreWork, "", false},
		"less":                    {0.03, []float64{-0.07, -0.071, -0.0705}, LessWork, "", false},
		"less, by chance":         {0.03, []float64{-0.01, -0.025, -0.02, -0.045, -0.058}, NotMoreWork, "", true},
		"less, within the layout": {0.03, []float64{-0.004, -0.004, -0.004}, NotMoreWork, "", false},
		"more, within the layout": {0.001, []float64{0.004, 0.004, 0.004}, Undecided, "contains the limit", true},
		"one seed on the other side": {0.03, []float64{0.09, 0.09, 0.09, 0.09, 0.02}, Undecided,
			"contains the limit", true},
		"more, but as wide":           {0.03, []float64{0.04, 0.065, 0.05, 0.06, 0.045}, Undecided, "so few runs", true},
		"more in many runs":           {0.03, []float64{0.04, 0.065, 0.05, 0.06, 0.045, 0.05, 0.06}, MoreWork, "", true},
		"more in three by chance":     {0.03, []float64{0.082, 0.118, 0.103}, Undecided, "so few runs", true},
		"three seeds that vary":       {0.03, []float64{0.04, 0.06, 0.08}, Undecided, "contains the limit", true},
		"less, but not with each one": {0.03, []float64{-0.05, -0.05, -0.05, 0.001}, NotMoreWork, "", true},
		"an outlier":                  {0.03, []float64{0.15, 0.001, 0, -0.002, 0}, NotMoreWork, "", false},
		"an outlier of four":          {0.03, []float64{0.15, 0.001, 0, -0.002}, Undecided, "vary by 15%", true},
		"an outlier below more work":  {0.03, []float64{-0.02, 0.05, 0.05, 0.05, 0.05}, Undecided, "the limit", true},
		"an outlier above less work":  {0.03, []float64{0.15, -0.05, -0.05, -0.05, -0.05}, NotMoreWork, "", false},
		"an outlier of more work":     {0.03, []float64{0.09, 0.05, 0.05, 0.05, 0.05}, Undecided, "so few runs", true},
		"a race":                      {0.03, []float64{0.2, 0.5, 0.4}, Undecided, "vary by 25% between runs", true},
	} {
		c := Count{Limit: test.limit}
		for k, change := range test.changes {
			testkit.NoError(t, c.Add(uint64(k), 1000, 1000*(1+change)))
		}
		c.Judge()
		if c.Verdict != test.want || !strings.Contains(c.Reason, test.reason) ||
			(c.Reason == "") != (test.reason == "") || c.Wide() != test.wide {
			t.Errorf("%s: %s %q, wide %v, [%.4f, %.4f]; want %s %q, wide %v",
				name, c.Verdict, c.Reason, c.Wide(), c.Lo, c.Hi, test.want, test.reason, test.wide)
		}
		if len(test.changes) > 0 && !(c.Lo <= c.Delta && c.Delta <= c.Hi) {
			t.Errorf("%s: %v is outside of [%v, %v]", name, c.Delta, c.Lo, c.Hi)
		}
	}
}

// The runs of one process are too few for a claim, and enough for a pass.
func TestClaimsWithOneSeed(t *testing.T) {
	for _, test := range []struct {
		change     float64
		first      Verdict // of one seed
		lacks      bool
		afterwards Verdict
	}{
		{0.1, Undecided, true, MoreWork},
		{-0.1, NotMoreWork, true, LessWork},
		{0.01, NotMoreWork, false, NotMoreWork},
	} {
		c := Count{Limit: 0.03}
		for k, want := range []Verdict{Undecided, test.first, test.afterwards} {
			testkit.NoError(t, c.Add(uint64(1+k/2), 1000, 1000*(1+test.change)))
			if c.Judge(); c.Verdict != want || k == 1 && c.LacksSeed() != test.lacks {
				t.Errorf("%v: %s after %d runs, lacks a seed: %v; want %s", test.change, c.Verdict, k+1,
					c.LacksSeed(), want)
			}
		}
	}
}

func TestInvalidCounts(t *testing.T) {
	var c Count
	for _, pair := range [][2]float64{{-1, 1}, {1, math.NaN()}, {math.Inf(1), 1}, {0, 1}, {1, 0}, {0, 0}} {
		testkit.WantError(t, c.Add(1, pair[0], pair[1]), "", "%v", pair)
	}
	testkit.NoError(t, c.Add(1, 1, 1))
	c.Reset()
	testkit.Equal(t, c.Pairs(), 0, "pairs that remain")
}

// The interval of two to seven pairs covers the change in at least 91 of 100 cases, and a change
// of the limit is called more work in at most 5 of 100, whatever the noise. The same code is called more or less work in
// at most 2 of 1,000, though its random work differs by a tenth: a run has hundreds of benchmarks.
func TestCountsAreHonest(t *testing.T) {
	const limit = 0.03
	trials, rng := testkit.Trials(4000, 10_000), rand.New(rand.NewPCG(1, 2))
	for name, noise := range map[string]func() float64{
		"normal":  func() float64 { return 0.005 * rng.NormFloat64() },
		"uniform": func() float64 { return 0.02 * (rng.Float64() - 0.5) },
		"laplace": func() float64 { return 0.003 * (rng.ExpFloat64() - rng.ExpFloat64()) },
	} {
		for seeds := FewestPairs; seeds <= 7; seeds++ {
			missed, alarms, claims := 0, 0, 0
			for range trials {
				c, same := Count{Limit: limit}, Count{Limit: limit}
				for seed := range seeds {
					factor := math.Exp(noise())
					testkit.NoError(t, c.Add(uint64(seed), 1e6, 1e6*(1+limit)*factor))
					testkit.NoError(t, same.Add(uint64(seed), 1e6, 1e6*math.Pow(factor, 10)))
				}
				c.Judge()
				if same.Judge(); same.Verdict == LessWork || same.Verdict == MoreWork {
					claims++
				}
				if limit < c.Lo || limit > c.Hi {
					missed++
				}
				if c.Verdict == MoreWork {
					alarms++
				}
			}
			if missed > trials*9/100 || alarms > trials*5/100 || claims > trials/500 {
				t.Errorf("%s, %d seeds: %d of %d intervals miss the change, %d are called more work, %d without a change", name,
					seeds, missed, trials, alarms, claims)
			}
		}
	}
}

func TestCombine(t *testing.T) {
	for _, test := range []struct {
		time, count, want Verdict
		judge             Instrument
	}{
		{Slower, MoreWork, Slower, ByTime},
		{Slower, NotMoreWork, Slower, ByTime},
		{Slower, LessWork, Slower, ByTime},
		{Slower, "", Slower, ByTime},
		{Faster, MoreWork, Faster, ByTime},
		{NotSlower, MoreWork, NotSlower, ByTime},
		{NotSlower, "", NotSlower, ByTime},
		{Identical, Undecided, Identical, ByTime},
		{Missing, NotMoreWork, Missing, ByTime},
		{Undecided, NotMoreWork, NotMoreWork, ByCount},
		{Undecided, LessWork, LessWork, ByCount},
		{Undecided, MoreWork, MoreWork, ByCount},
		{"", MoreWork, MoreWork, ByCount},
		{Undecided, Undecided, Undecided, ByTime},
		{Undecided, "", Undecided, ByTime},
		{"", "", Undecided, ByTime},
	} {
		got, judge := Combine(test.time, test.count)
		testkit.Equal(t, got, test.want, "verdict of time %q, count %q", test.time, test.count)
		testkit.Equal(t, judge, test.judge, "judge of time %q, count %q", test.time, test.count)
	}
	for v, passes := range map[Verdict]bool{MoreWork: false, LessWork: true, NotMoreWork: true} {
		testkit.Equal(t, v.Passes(), passes, "%s passes", v)
	}
}
