package nets

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/gobench"
	"github.com/seed-09dcdc84/ur/play"
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
	o := experiment.Options{Count: 4, BenchTime: time.Microsecond, Seed: 1}
	for _, subject := range subjects {
		o.Subjects = append(o.Subjects, subject)
	}
	run, err := experiment.Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	results := experiment.NewResults(experiment.ReadEnvironment(), 1)
	results.Add("nets", run, nil)
	if len(results.Rows) != len(subjects) || len(subjects) < 4 {
		t.Fatalf("%d rows of %d subjects", len(results.Rows), len(subjects))
	}
	for _, r := range results.Rows {
		if r.Median <= 0 || r.Ratio <= 0 || r.Keys["eval"] == baseline && r.Ratio != 1 {
			t.Errorf("%+v", r)
		}
	}
	var file bytes.Buffer
	if err := run.Write(&file, experiment.Heading{Environment: experiment.ReadEnvironment()}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"BenchmarkNetDecision/net=squares-32/eval=scalar", "BenchmarkNetGame/net=squares-32/eval=incremental"} {
		if !strings.Contains(file.String(), want) {
			t.Errorf("the samples have no %s", want)
		}
	}
}

// TestBrainDecision holds that the brain's decisions are those of the oracle.
func TestBrainDecision(t *testing.T) {
	nets, err := Nets()
	if err != nil {
		t.Fatal(err)
	}
	s, err := BrainDecision(nets[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s.(*brainDecision).oracle = worst{}
	if err := s.Check(); err == nil {
		t.Error("another choice is not noticed")
	}
	if n, err := s.Pass(); err != nil || n < 100 {
		t.Errorf("%v decisions, %v", n, err)
	}
}

// worst chooses the last move.
type worst struct{}

func (worst) Choose(_ context.Context, t *play.Turn) (int, error) { return len(t.Moves) - 1, nil }

// TestOpen holds that nets of files have the names of the files, each its own.
func TestOpen(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "results", "nets")
	four := filepath.Join(folder, "distill-4.safetensors")
	list, err := Open([]string{four, filepath.Join(folder, "distill-8.safetensors")})
	if err != nil || len(list) != 2 || list[0].Name != "distill-4" || list[1].Name != "distill-8" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := Open([]string{four, four}); err == nil || !strings.Contains(err.Error(), "another net has the name distill-4") {
		t.Errorf("one file twice: %v", err)
	}
	if _, err := Open([]string{"nets_test.go"}); err == nil {
		t.Error("a file that is no net is opened")
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
