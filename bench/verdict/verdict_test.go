package verdict

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"pgregory.net/rapid"
)

// row returns a row of pairs whose new side is slower by the part, with noise of a
// standard deviation.
func row(f *Family, seed uint64, rounds int, part, deviation float64) *Row {
	rng := rand.New(rand.NewPCG(seed, 3))
	r := f.Add(false)
	for range rounds {
		before := math.Exp(deviation * rng.NormFloat64())
		after := (1 + part) * math.Exp(deviation*rng.NormFloat64())
		if err := r.Add(before, after); err != nil {
			panic(err)
		}
	}
	return r
}

// percents adds rounds to a row: by how many percent the new side is slower.
func percents(t *testing.T, r *Row, all ...float64) *Row {
	t.Helper()
	for _, percent := range all {
		testkit.NoError(t, r.Add(1, math.Exp(percent/100)))
	}
	return r
}

func TestVerdicts(t *testing.T) {
	steady := func(before, after float64, rounds int, higher bool) func(*Family) *Row {
		return func(f *Family) *Row {
			r := f.Add(higher)
			for range rounds {
				testkit.NoError(t, r.Add(before, after))
			}
			return r
		}
	}
	noisy := func(part, deviation float64, rounds int) func(*Family) *Row {
		return func(f *Family) *Row { return row(f, 1, rounds, part, deviation) }
	}
	sides := func(before, after []float64) func(*Family) *Row {
		return func(f *Family) *Row {
			r := f.Add(false)
			testkit.NoError(t, r.AddSides(before, after))
			return r
		}
	}
	few, double := []float64{1, 1.01, 1.02, 1.03}, []float64{2, 2.01, 2.02, 2.03}
	more, as := row(&Family{}, 1, 20, 0.06, 0.005), row(&Family{}, 1, 20, 0, 0.005)
	tests := []struct {
		name   string
		row    func(*Family) *Row
		want   Verdict
		reason string
	}{
		{"slower", noisy(0.06, 0.01, 20), Slower, ""},
		{"slower by less than the limit", noisy(0.01, 0.003, 20), NotSlower, ""},
		{"faster", noisy(-0.05, 0.01, 20), Faster, ""},
		{"as before", noisy(0, 0.01, 20), NotSlower, ""},
		{"at the limit", noisy(0.03, 0.002, 20), Undecided, "whether by more than the limit"},
		{"noise", noisy(0, 0.2, 20), Undecided, "noise"},
		{"few", noisy(0.1, 0.01, 3), Undecided, "too few rounds: at least 6"},
		{"few sides", sides(few[:3], double[:3]), Undecided, "too few samples: at least 4 on each side are needed"},
		{"enough sides", sides(few, double), Slower, ""},
		{"tiny sides", sides([]float64{1e-20, 1.01e-20, 1.02e-20, 1.03e-20}, []float64{2e-20, 2.1e-20, 2.2e-20, 2.3e-20}), Slower, ""},
		{"sides", sides(more.Samples()), Slower, ""},
		{"sides as before", sides(as.Samples()), NotSlower, ""},
		{"more allocations", steady(2, 3, 10, false), Slower, ""},
		{"a few more", steady(1000, 1001, 10, false), NotSlower, ""},
		{"fewer", steady(3, 2, 10, false), Faster, ""},
		{"as many", steady(2, 2, 10, false), Identical, ""},
		{"none", steady(0, 0, 10, false), Identical, ""},
		{"the first", steady(0, 1, 10, false), Slower, ""},
		{"fewer in a second", steady(100, 90, 10, true), Slower, ""},
		{"more in a second", steady(90, 100, 10, true), Faster, ""},
		{"few that repeat", steady(2, 3, 3, false), Undecided, "too few rounds"},
		{"few that need no more", repeating(steady(2, 3, 3, false), 3), Slower, ""},
		{"fewer than needed", repeating(steady(2, 3, 2, false), 3), Undecided, "too few rounds"},
	}
	for _, test := range tests {
		f := &Family{Rule: DefaultRule()}
		r := test.row(f)
		f.Look(true)
		if r.Verdict != test.want || !strings.Contains(r.Reason, test.reason) {
			t.Errorf("%s: %+v, want %s", test.name, r, test.want)
		}
		testkit.Equal(t, r.decided, true, "%s: decided after the last look", test.name)
	}
}

// repeating returns a row whose figures need some rounds to be exact.
func repeating(row func(*Family) *Row, rounds int) func(*Family) *Row {
	return func(f *Family) *Row {
		r := row(f)
		r.Repeats = rounds
		return r
	}
}

// A row that is looked at early stays what it was called, and rows that are not decided
// go on.
func TestLooks(t *testing.T) {
	f := &Family{Rule: DefaultRule()}
	quiet, loud := row(f, 1, FirstLook, 0, 0.002), row(f, 2, FirstLook, 0, 0.2)
	f.Look(false)
	if quiet.Verdict != NotSlower || !quiet.decided || loud.decided {
		t.Fatalf("after the first look: %+v, %+v", quiet, loud)
	}
	before := *quiet
	f.Look(true)
	if quiet.Verdict != before.Verdict || quiet.Lo != before.Lo || quiet.Hi != before.Hi || quiet.P != before.P {
		t.Errorf("the last look changed a row that was decided: %+v, before %+v", quiet, before)
	}
	rounds, all := 0, []int{}
	for range 6 {
		rounds = nextLook(rounds)
		all = append(all, rounds)
	}
	testkit.Equal(t, all, []int{10, 14, 20, 28, 40, 56}, "rounds at looks")
}

// All looks together spend an error rate, and no more.
func TestSpending(t *testing.T) {
	for looks := range 40 {
		sum := spent(looks, true)
		for k := range looks {
			sum += spent(k, false)
		}
		testkit.Near(t, sum, 1, 1e-12, "part of an error rate that %d looks and a last one spend", looks)
	}
}

// The more rows there are, the more it takes to call one slower; rows that cannot vary
// take nothing.
func TestFamilies(t *testing.T) {
	corrected := func(noisy, steady int) float64 {
		f := &Family{Rule: DefaultRule()}
		first := row(f, 1, 20, 0.05, 0.02)
		for k := range noisy {
			row(f, uint64(k+2), 20, 0, 0.02)
		}
		for range steady {
			r := f.Add(false)
			for range 20 {
				testkit.NoError(t, r.Add(7, 7))
			}
		}
		f.Look(true)
		return first.Family
	}
	alone, among, beside := corrected(0, 0), corrected(19, 0), corrected(0, 19)
	if math.Abs(among-20*alone) > 1e-12 || beside != alone {
		t.Errorf("p is %v alone, %v among 20, %v beside 19 that cannot vary", alone, among, beside)
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} { // the example of Holm's paper
		testkit.Near(t, got[i], want, 1e-15, "p-value %d, corrected", i)
	}
}

// Scale does not matter, and rates are judged as times are the other way round.
func TestRowProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(1, 2), 2, 2), FirstLook, 30).Draw(t, "pairs")
		last := rapid.Bool().Draw(t, "last")
		judge := func(pair func(before, after float64) (float64, float64), higher bool) Row {
			f := &Family{Rule: DefaultRule()}
			r := f.Add(higher)
			for _, p := range pairs {
				testkit.NoError(t, r.Add(pair(p[0], p[1])))
			}
			f.Look(last)
			return *r
		}
		times := judge(func(before, after float64) (float64, float64) { return before, after }, false)
		scaled := judge(func(before, after float64) (float64, float64) { return 1024 * before, 1024 * after }, false)
		if times.Verdict != scaled.Verdict || times.Delta != scaled.Delta || times.P != scaled.P {
			t.Fatalf("%+v, and scaled %+v", times, scaled)
		}
		if !(times.Lo <= times.Delta && times.Delta <= times.Hi && times.P <= times.Family && times.Family <= 1) {
			t.Fatalf("%+v", times)
		}
		if excludes := times.Lo > 0 || times.Hi < 0; excludes != (times.P <= 1-Confidence) {
			t.Fatalf("interval and p disagree: %+v", times)
		}
		rates := judge(func(before, after float64) (float64, float64) { return 1 / before, 1 / after }, true)
		if rates.Delta*times.Delta > 0 || rates.Lo > rates.Delta || rates.Delta > rates.Hi {
			t.Fatalf("%+v, and as rates %+v", times, rates)
		}
	})
}

func TestWhatIsNoMeasurement(t *testing.T) {
	f := &Family{Rule: DefaultRule()}
	r := f.Add(false)
	for _, x := range []float64{-1, math.NaN(), math.Inf(1)} {
		if r.Add(1, x) == nil || r.Add(x, 1) == nil || r.Rounds() != 0 {
			t.Errorf("%v is taken for a measurement", x)
		}
	}
	f.Look(true)
	if r.decided || r.Verdict != Undecided {
		t.Errorf("without a round: %+v", r)
	}
	for _, limit := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		testkit.WantError(t, CheckLimit(limit), "", "%v is taken for a limit", limit)
	}
}

// Rounds of a machine with two states, whose interval is lopsided: the longer side counts.
func TestDetectableOfTwoStates(t *testing.T) {
	f := &Family{Rule: DefaultRule()}
	r := percents(t, f.Add(false), -7, -6, -6, -5, -5, -4, -4, -3, -2, -2, 9, 9, 9, 10, 10, 10, 11, 23, 24, 25)
	if f.Look(true); r.Verdict == Slower || r.Detectable < 0.1 {
		t.Errorf("%+v: a slowdown of 10 %% is missed, and must not be detectable", r)
	}
}

// A row whose detectable change does not hold among the rows to come needs more rounds, and the last look has those that
// came.
func TestDetectableAmongExpectedRows(t *testing.T) {
	for _, expected := range []int{0, 100} {
		f := &Family{Rule: DefaultRule(), Expected: expected}
		r := row(f, 1, 14, 0.02, 0.03)
		f.Look(false)
		testkit.Equal(t, r.Open(ShouldDetect), expected > 0, "%d rows expected, detectable %v: open", expected, r.Detectable)
		if f.Look(true); math.IsInf(r.Detectable, 1) {
			t.Errorf("%d rows expected: the last look counts them, though only one came", expected)
		}
	}
}

// Few rounds exclude a large slowdown where they lie close together, and never less than the limit.
func TestSeen(t *testing.T) {
	for _, test := range []struct {
		percent []float64
		higher  bool
		want    float64 // 0: nothing is excluded
	}{
		{[]float64{1, -1, 2, 0}, false, 0},
		{[]float64{1, -1, 2, 0, -2}, false, 0.096},
		{[]float64{-1, 1, -2, 0, 2}, true, 0.088},
		{[]float64{11, 9, 12, 10, 8}, false, 0}, // it may be slower
		{[]float64{3, 1, 4, 2, 0}, false, 0.118},
		{[]float64{-21, -23, -20, -22, -24}, false, 0.096},
		{[]float64{30, -30, 20, 0, -40}, false, 4.912},
		{[]float64{0, 0, 0, 0, 0}, false, 0.03},
		{[]float64{1, -1, 2, 0, -2, 3, -3, 1, -1, 2, -2, 0, 1, 60}, false, 0.051}, // one outlier tells nothing
	} {
		f := &Family{Rule: DefaultRule()}
		r := percents(t, f.Add(test.higher), test.percent...)
		f.Look(true)
		if seen := r.RuledOut(); test.want == 0 && !math.IsInf(seen, 1) || test.want > 0 && math.Abs(seen-test.want) > 1e-3 {
			t.Errorf("%v, more is better: %t: a slowdown of %v would have been seen, want %v", test.percent, test.higher,
				seen, test.want)
		}
	}
}

// The smallest detectable slowdown is found in nine of ten trials.
func TestDetectable(t *testing.T) {
	const trials = 400
	found := 0
	for seed := range uint64(trials) {
		f := &Family{Rule: DefaultRule()}
		calm := row(f, 2*seed+1, 30, 0, 0.03)
		f.Look(true)
		g := &Family{Rule: DefaultRule()}
		slow := row(g, 2*seed+2, 30, calm.Detectable, 0.03)
		g.Look(true)
		if slow.Verdict == Slower {
			found++
		}
	}
	if rate := float64(found) / trials; rate < 0.87 || rate > 0.99 {
		t.Errorf("found in %v of the trials, want 0.9", rate)
	}
}

// Among many rows, the reason of a slower one has the number of samples with which it is called slower, and that of one with
// noise the number with which any change would be seen.
func TestTooFewAmongMany(t *testing.T) {
	for _, test := range []struct {
		inTurns bool
		n       int
		want    string
	}{{false, 8, "too few samples: at least 9 on each side among 1000 comparisons are needed"}, {false, 9, ""},
		{true, 15, "too few rounds: at least 16 among 1000 comparisons are needed"}, {true, 16, ""}} {
		f := &Family{Rule: DefaultRule()}
		for k := range 1000 {
			noise := map[bool]float64{true: 0.2, false: 0.01}[k == 1]
			from := row(&Family{Rule: DefaultRule()}, uint64(k), test.n, map[bool]float64{true: 0.5}[k == 0], noise)
			r := f.Add(false)
			before, after := from.Samples()
			if !test.inTurns {
				testkit.NoError(t, r.AddSides(before, after))
				continue
			}
			for i := range before {
				testkit.NoError(t, r.Add(before[i], after[i]))
			}
		}
		f.Look(true)
		testkit.Equal(t, f.Rows[0].Reason, test.want, "%d samples, in turns: %t: reason", test.n, test.inTurns)
		testkit.Equal(t, f.Rows[0].Verdict == Slower, test.want == "", "%d samples, in turns: %t: slower", test.n, test.inTurns)
		testkit.Equal(t, f.Rows[1].Reason, cmp.Or(test.want, "the noise is too large to exclude a change of the limit"),
			"%d samples, in turns: %t: reason of the noise", test.n, test.inTurns)
	}
}

// The geometric mean of many rows shows a change that none of them shows alone.
func TestMeanOfRows(t *testing.T) {
	for _, inTurns := range []bool{true, false} {
		f := &Family{Rule: DefaultRule()}
		for k := range uint64(50) {
			r := row(f, k, 12, 0.06, 0.05)
			if before, after := r.Samples(); !inTurns {
				*r = Row{Limit: r.Limit}
				testkit.NoError(t, r.AddSides(before, after))
			}
		}
		mean, n := f.AddMean(f.Rows)
		f.Look(true)
		testkit.Equal(t, n, 50, "rows")
		testkit.Near(t, mean.Delta, 0.06, 0.02, "mean change")
		testkit.Equal(t, mean.Verdict, Slower, "in turns: %t: verdict on the mean", inTurns)
	}
	empty := &Family{Rule: DefaultRule()}
	testkit.NoError(t, empty.Add(false).Add(0, 1))
	row(empty, 1, 1, 0, 0.1)
	mean, _ := empty.AddMean(empty.Rows)
	testkit.ErrorIf(t, mean != nil, "one row and one with 0 have a mean: %+v", mean)
}
