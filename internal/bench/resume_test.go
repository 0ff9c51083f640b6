package bench

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// savedFile writes a run as "ur bench run -o" does and returns the name of the file.
func savedFile(t *testing.T, run *engineRun) string {
	t.Helper()
	var text bytes.Buffer
	if err := run.write(&text, exampleEnvironment()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "samples.txt")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// A run that is interrupted and resumed must take the samples, in the order, that it
// would have taken at once.
func TestResumedRunIsTheSameRun(t *testing.T) {
	w := testWorkload(t)
	var whole []string
	o := fakeOptions(t, "bits/scalar", "rows/scalar")
	o.Seed, o.Time = 7, fakeClock(&whole)
	if _, err := measure(t.Context(), t, w, o); err != nil {
		t.Fatal(err)
	}

	o.Time = fakeClock(nil)
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(p experiment.Progress) {
		if p.Phase == experiment.Measuring && p.Done == 2*12+5 { // in the middle of the third round
			cancel()
		}
	}
	part, err := measure(ctx, t, w, o)
	if err == nil || part.Rounds != 2 {
		t.Fatalf("%d rounds, error %v; want 2 and an interruption", part.Rounds, err)
	}
	saved, err := experiment.ReadSaved(savedFile(t, part))
	if err != nil {
		t.Fatal(err)
	}
	var of Selection
	if err := of.Resume(enginesSuite(), saved); err != nil || saved.Rounds != 2 || saved.Count != 6 || saved.Seed != 7 || saved.BenchTime != o.BenchTime ||
		len(of.Engines) != 12 || !slices.Equal(of.levels(), Levels()) || saved.Suite != EnginesSuite {
		t.Errorf("saved %+v", saved)
	}
	if err := saved.Check(w.Heading(exampleEnvironment()), part.set.Subjects); err != nil {
		t.Error(err)
	}

	var rest []string
	o.Time = slowedBy(2, fakeClock(&rest)) // so that another number of passes would be right now
	o.Progress, o.Resume = nil, saved
	run, err := measure(t.Context(), t, w, o)
	if err != nil {
		t.Fatal(err)
	}
	if run.Rounds != 6 || len(run.Series[5].Samples) != 6 || run.Interrupted {
		t.Errorf("%d rounds, %d samples, interrupted %v; want 6, 6, false", run.Rounds, len(run.Series[5].Samples), run.Interrupted)
	}
	tail := whole[len(whole)-4*12:]
	if !slices.Equal(rest[len(rest)-4*12:], tail) {
		t.Error("the resumed rounds are not in the order of the whole run")
	}
	for i, s := range run.Series {
		if s.Passes != part.Series[i].Passes {
			t.Errorf("%s: %d passes, before %d", s.Name, s.Passes, part.Series[i].Passes)
		}
	}
}

func TestResumeRefusesWhatDoesNotFit(t *testing.T) {
	run := exampleRun(t)
	saved, err := experiment.ReadSaved(savedFile(t, run))
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*experiment.Environment){
		`different cpu: "Example 9000" in the file, "Other" here`: func(e *experiment.Environment) { e.CPU = "Other" },
		"commit unknown": func(e *experiment.Environment) { e.Commit = "abc" },
		"with go1.26.0":  func(e *experiment.Environment) { e.Go = "go1.27" },
	} {
		e := exampleEnvironment()
		change(&e)
		if err := saved.Check(run.Workload.Heading(e), run.set.Subjects); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	for _, engines := range [][]string{{"bits/scalar"}, {"bits/scalar", "rows/scalar", "bits/table"}} {
		o := fakeOptions(t, engines...)
		o.Resume = saved
		if run, err := measure(t.Context(), t, run.Workload, o); err == nil {
			t.Errorf("%q go on with a run of other engines: %v", engines, run)
		}
	}
}
