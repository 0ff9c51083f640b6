package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/golden"
)

// exampleScaling is of a machine that does not exist.
func exampleScaling() *Scaling {
	return &Scaling{
		Schema: "ur.scaling/1", CPU: "Example 9000", Features: []ur.Feature{ur.AVX2}, Cores: 4,
		Go: "go1.26.0", Commit: "0123456789abcdef0123456789abcdef01234567", OS: "linux", Arch: "amd64",
		Engine: "lanes/avx2", Seed: 1, BenchTime: "100ms", Games: 100_000, Samples: 20, Seconds: 4.5,
		Rows: []ScalingRow{
			{1, 1_000_000, 990_000, 1_010_000, 1, 1, 1},
			{2, 1_990_000, 1_980_000, 2_000_000, 0.995, 0.99, 1},
			{4, 3_600_000, 3_500_000, 3_700_000, 0.9, 0.88, 0.93},
		},
	}
}

// fakeScaling says that a game takes 10 us, and a tenth more for every worker
// beside the first.
func fakeScaling(most int) ScalingOptions {
	o := ScalingOptions{Engine: engine.Fastest(), Workers: most}
	o.Count, o.BenchTime, o.Seed = 6, time.Millisecond, 1
	o.Time = func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		w := s.(*workers)
		games := time.Duration(passes * w.team.games)
		return float64(games) * float64(w.n), games * (9 + time.Duration(w.n)) * time.Microsecond, nil
	}
	return o
}

func TestMeasureScaling(t *testing.T) {
	o := fakeScaling(3)
	last := 0
	o.Progress = func(p experiment.Progress) { last = p.Done }
	e := exampleEnvironment()
	e.Cores = 3
	s, err := MeasureScaling(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	if s.Games != 100 || s.Samples != 6 || last != 18 {
		t.Errorf("%d games, %d samples, progress %d; want 100, 6, 18", s.Games, s.Samples, last)
	}
	if s.Schema != "ur.scaling/1" || s.CPU != "Example 9000" || s.Cores != 3 || s.Engine != engine.Fastest().Name() {
		t.Errorf("scaling %+v has wrong facts", s)
	}
	want := []ScalingRow{
		{1, 1e5, 1e5, 1e5, 1, 1, 1},
		{2, 181820, 181820, 181820, 0.90909, 0.90909, 0.90909},
		{3, 250000, 250000, 250000, 0.83333, 0.83333, 0.83333},
	}
	if !reflect.DeepEqual(s.Rows, want) {
		t.Errorf("rows %+v, want %+v", s.Rows, want)
	}
}

// With the real clock every worker plays its part, which the tallies show.
func TestWorkersPlayTheirParts(t *testing.T) {
	for _, e := range []ur.Engine{engine.Oracle(), engine.Fastest()} {
		o := ScalingOptions{Engine: e, Workers: 2}
		o.Count, o.BenchTime, o.Seed = stat.MinCount, time.Microsecond, 1
		s, err := MeasureScaling(t.Context(), experiment.Environment{}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range s.Rows {
			if row.GamesPerSecond <= 0 || row.EfficiencyLo > row.Efficiency || row.Efficiency > row.EfficiencyHi {
				t.Errorf("%s: row %+v", e.Name(), row)
			}
		}
	}
	if err := mustTeam(t, wrongEngine{engine.Oracle()}).check(2); err == nil || !strings.Contains(err.Error(), "2 workers have the tally") {
		t.Errorf("wrong games: %v", err)
	}
}

func mustTeam(t *testing.T, e ur.Engine) *team {
	t.Helper()
	team, err := newTeam(e, 2)
	if err != nil {
		t.Fatal(err)
	}
	team.games = 3
	return team
}

func TestNumbersOfWorkers(t *testing.T) {
	for most, want := range map[int][]int{
		1:  {1},
		4:  {1, 2, 3, 4},
		8:  {1, 2, 3, 4, 5, 6, 7, 8},
		9:  {1, 2, 4, 8, 9},
		64: {1, 2, 4, 8, 16, 32, 64},
	} {
		if got := (ScalingOptions{Workers: most}).numbers(); !slices.Equal(got, want) {
			t.Errorf("up to %d: %v, want %v", most, got, want)
		}
	}
}

func TestScalingIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := MeasureScaling(ctx, experiment.Environment{}, fakeScaling(2)); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("scaling %v, error %v; want only context.Canceled", s, err)
	}
}

func TestScalingOptionsCheck(t *testing.T) {
	for want, change := range map[string]func(*ScalingOptions){
		"at least 4 for a ratio": func(o *ScalingOptions) { o.Count = 3 },
		"must be positive":       func(o *ScalingOptions) { o.BenchTime = 0 },
		"got -1":                 func(o *ScalingOptions) { o.Workers = -1 },
	} {
		o := fakeScaling(1)
		change(&o)
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

func TestScalingAsText(t *testing.T) {
	var out bytes.Buffer
	exampleScaling().WriteText(&out)
	golden.Check(t, "scaling.txt", out.Bytes())
	out.Reset()
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(exampleScaling()); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "scaling.json", out.Bytes()) // package record reads it
}
