package nets

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/gobench"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// small returns the subjects of the smaller net, which are quick.
func small(t testing.TB) []*Subject {
	t.Helper()
	if err := cpu.CheckRequired(valuenet.Engines()); err != nil {
		t.Fatal(err)
	}
	nets, err := Nets()
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := Subjects(nets[1:])
	if err != nil {
		t.Fatal(err)
	}
	return subjects
}

// TestMeasure holds that every engine agrees with the oracle, and that each has a row.
func TestMeasure(t *testing.T) {
	subjects := small(t)
	run, err := experiment.MeasureAll(t.Context(), subjects, experiment.Options{Count: 4, BenchTime: time.Microsecond, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	results := ResultsOf(run, experiment.ReadEnvironment())
	if len(results.Rows) != len(subjects) || len(subjects) < 4 {
		t.Fatalf("%d rows of %d subjects", len(results.Rows), len(subjects))
	}
	for _, r := range results.Rows {
		if r.Median <= 0 || r.Ratio <= 0 || r.Engine == Baseline && r.Ratio != 1 {
			t.Errorf("%+v", r)
		}
	}
	var file bytes.Buffer
	if err := run.Write(&file, Heading(experiment.ReadEnvironment())); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"BenchmarkNetDecision/net=squares-32/eval=scalar", "BenchmarkNetGame/net=squares-32/eval=incremental"} {
		if !strings.Contains(file.String(), want) {
			t.Errorf("the samples have no %s", want)
		}
	}
}

// TestMeasureEnds holds that a run that ends at once says so.
func TestMeasureEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := experiment.MeasureAll(ctx, small(t), experiment.Options{Count: 4, BenchTime: time.Microsecond})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestChecksFindDifferences compares engines of one net with the oracle of another.
func TestChecksFindDifferences(t *testing.T) {
	nets, err := Nets()
	if err != nil {
		t.Fatal(err)
	}
	decisions := decisionsOf(nets[1].Value)
	oracle := valuenet.NewJudge(valuenet.Scalar, nets[1].Value)
	for i, same := range []bool{false, true} {
		if err := chooseAlike(valuenet.NewJudge(valuenet.Incremental, nets[i].Value), oracle, decisions); (err == nil) != same {
			t.Errorf("decisions of net %d: %v", i, err)
		}
	}
	lanes := func(e *valuenet.Engine, n Net) *valuenet.Lanes {
		l, err := valuenet.NewLanes(e, valuenet.Match{Light: n.Value, Dark: n.Value})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for i, same := range []bool{false, true} {
		err := playAlike(lanes(valuenet.Incremental, nets[i]), lanes(valuenet.Scalar, nets[1]), ur.Series{Seed: 1, N: 4})
		if (err == nil) != same {
			t.Errorf("games of net %d: %v", i, err)
		}
	}
}

// BenchmarkNetDecision and BenchmarkNetGame have the subjects as benchmarks of Go, under the
// same names.
func BenchmarkNetDecision(b *testing.B) { benchmark(b, "NetDecision/") }
func BenchmarkNetGame(b *testing.B)     { benchmark(b, "NetGame/") }

func benchmark(b *testing.B, level string) {
	nets, err := Nets()
	if err != nil {
		b.Fatal(err)
	}
	subjects, err := Subjects(nets)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range subjects {
		if name, ok := strings.CutPrefix(s.Name(), level); ok {
			b.Run(name, func(b *testing.B) { gobench.Run(b, s) })
		}
	}
}
