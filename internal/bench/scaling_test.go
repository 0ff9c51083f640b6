package bench

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// A game takes 10 us, and a tenth more for every worker beside the first.
func TestScalingIsMeasured(t *testing.T) {
	set, err := selectScaling(Selection{Engines: []ur.Engine{engine.Fastest()}, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	o := scalingSuite().Complete(experiment.Options{Count: 6, Seed: 1}, set)
	o.Time = func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		w := s.(*workers)
		games := time.Duration(passes * w.team.games)
		return float64(games) * float64(w.n), games * (9 + time.Duration(w.n)) * time.Microsecond, nil
	}
	run, err := experiment.Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	results := experiment.NewResults(exampleEnvironment(), 1)
	results.Add("scaling", run, nil)
	for i, want := range []struct{ games, efficiency float64 }{{1e5, 1}, {181820, 0.90909}, {250000, 0.83333}} {
		row := results.Rows[i]
		if row.Metrics["games/s"] != want.games || math.Abs(row.Metrics[unitEfficiency]-want.efficiency) > 2e-5 || row.Clock != experiment.WallClock ||
			row.Baseline != results.Rows[0].Name || row.BenchTime != "100ms" {
			t.Errorf("%+v, want %+v", row, want)
		}
	}
}

// Every worker plays its part, as the tallies show.
func TestWorkersPlayTheirParts(t *testing.T) {
	for _, e := range []ur.Engine{engine.Oracle(), engine.Fastest()} {
		if err := mustTeam(t, e).check(2); err != nil {
			t.Error(err)
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
		if got := teamSizes(most); !slices.Equal(got, want) {
			t.Errorf("up to %d: %v, want %v", most, got, want)
		}
	}
}

func TestWorkersAreChecked(t *testing.T) {
	if _, err := selectScaling(Selection{Workers: -1}); err == nil || !strings.Contains(err.Error(), "got -1") {
		t.Errorf("error %v", err)
	}
}
