package nets

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/net"
)

// small returns the subjects of the smaller net, which are quick.
func small(t testing.TB) []*Subject {
	t.Helper()
	if err := cpu.CheckRequired(net.Engines()); err != nil {
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
	run, err := Measure(t.Context(), subjects, experiment.Options{Count: 4, BenchTime: time.Microsecond, Seed: 1})
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
	_, err := Measure(ctx, small(t), experiment.Options{Count: 4, BenchTime: time.Microsecond})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestCheckFindsDifferences lets a subject choose by another net than its oracle.
func TestCheckFindsDifferences(t *testing.T) {
	nets, err := Nets()
	if err != nil {
		t.Fatal(err)
	}
	decisions := decisionsOf(nets[0].Value)
	judge := net.NewJudge(net.Incremental, nets[1].Value)
	differs := false
	for _, d := range decisions {
		differs = differs || judge.Choose(d.position, d.moves) != net.NewJudge(net.Scalar, nets[0].Value).Choose(d.position, d.moves)
	}
	if !differs {
		t.Error("the decisions tell no two nets apart")
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
		name, ok := strings.CutPrefix(s.Name(), level)
		if !ok {
			continue
		}
		b.Run(name, func(b *testing.B) {
			if err := s.Check(); err != nil {
				b.Fatal(err)
			}
			units := 0.0
			for b.Loop() {
				n, err := s.Pass()
				if err != nil {
					b.Fatal(err)
				}
				units += n
			}
			b.ReportMetric(experiment.PerUnit(b.Elapsed(), units, s.Unit()), s.Unit())
		})
	}
}
