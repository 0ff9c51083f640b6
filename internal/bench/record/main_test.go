package record

import (
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/engine"
)

// example reads what the tests of package bench make, of a machine that does not exist.
func example[T any](name string) T {
	var value T
	if err := readJSON("../../../bench/testdata/"+name+".json", &value); err != nil {
		panic(err)
	}
	return value
}

func exampleResults() bench.Results  { return example[bench.Results]("results") }
func exampleScaling() *bench.Scaling { return example[*bench.Scaling]("scaling") }
func examplePieces() *bench.Pieces   { return example[*bench.Pieces]("pieces") }

func exampleEnvironment() experiment.Environment {
	return experiment.Environment{CPU: "Example 9000", Family: 25, Model: 17, OS: "linux", Arch: "amd64", Go: "go1.26.0", Date: "2026-11-21T04:29:14Z"}
}

// exampleRun is a run on a clock on which a unit of the oracle takes 200 us, and one of
// any other engine 50.
func exampleRun(t *testing.T) *bench.Run {
	t.Helper()
	work, err := bench.NewWorkload(bench.Size{Positions: 64, TurnGames: 3, Games: 5, FirstGames: 2})
	if err != nil {
		t.Fatal(err)
	}
	other, err := engine.Lookup("bits/scalar")
	if err != nil {
		t.Fatal(err)
	}
	o := bench.Options{Engines: []ur.Engine{other}, Levels: bench.Levels()}
	o.Count, o.BenchTime, o.Seed = 10, time.Second, 1
	o.Time = func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		units, err := s.Pass()
		cost := 50 * time.Microsecond
		if s.(*bench.Case).Engine.Name() == bench.Baseline {
			cost *= 4
		}
		units *= float64(passes)
		return units, time.Duration(units) * cost, err
	}
	run, err := bench.Measure(t.Context(), work, o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}
