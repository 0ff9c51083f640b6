package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// slowed is the clock of a machine on which an engine, or all of them when the name
// is "", takes longer than it should.
func slowed(engine string, factor float64) fakeTime {
	return func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		if engine == "" || s.(*Case).Engine.Name() == engine {
			return slowedBy(factor, fakeClock(nil))(s, passes)
		}
		return fakeClock(nil)(s, passes)
	}
}

// writeRun measures on a clock and writes the file of the run.
func writeRun(t *testing.T, name string, clock fakeTime) {
	t.Helper()
	o := fakeOptions(t, "bits/scalar", "rows/scalar")
	o.Count, o.Time = 10, clock
	run, err := measure(t.Context(), t, testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	machine := exampleEnvironment()
	machine.CPU = ur.CPUName()
	if err := wholefile.Write(name, func(w io.Writer) error { return run.write(w, machine) }); err != nil {
		t.Fatal(err)
	}
}

// confirmed measures the suspects of a gate again.
func confirmed(ctx context.Context, g *compare.Report, old compare.Side, w *Workload, o experiment.Options) error {
	return g.Confirm(func(suspects []compare.Judged) ([]compare.Again, error) {
		return MeasureAgain(ctx, suspects, old, w, o)
	})
}

// gateOf compares two files.
func gateOf(t *testing.T, old, new string) (*compare.Comparison, *compare.Report) {
	t.Helper()
	c, err := compare.Compare([]string{old, new}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := compare.Gate(c, compare.DefaultRule())
	if err != nil {
		t.Fatal(err)
	}
	return c, g
}

func TestConfirm(t *testing.T) {
	steady := slowed("", 1)
	tests := []struct {
		name       string
		new, again fakeTime
		suspects   int
		confirmed  string // engine; "" for none
	}{
		{"nothing", steady, steady, 0, ""},
		{"a slower engine", slowed("bits/scalar", 1.06), slowed("bits/scalar", 1.06), 4, "board=bits"},
		{"an engine that was only slower once", slowed("bits/scalar", 1.06), steady, 4, ""},
		{"a machine that was slower once", slowed("", 1.06), steady, 12, ""},
		{"a machine that is slower now", steady, slowed("", 1.5), 0, ""},
		{"a slower engine on a machine that is slower now", slowed("rows/scalar", 1.06), slowedBy(1.5, slowed("rows/scalar", 1.06)), 4, "board=rows"},
		{"all of it, or the machine", slowed("", 1.06), slowed("", 1.06), 12, "board=array16/eval=scalar"},
	}
	dir := t.TempDir()
	old, new := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	writeRun(t, old, steady)
	for _, test := range tests {
		writeRun(t, new, test.new)
		c, g := gateOf(t, old, new)
		if n := len(g.With(verdict.Regression)); n != test.suspects {
			t.Errorf("%s: %d suspects, want %d", test.name, n, test.suspects)
		}
		left := 0
		o := experiment.Options{Count: 10, BenchTime: time.Second, Seed: 1, Time: test.again}
		o.Progress = func(p experiment.Progress) { left = p.All - p.Done }
		if err := confirmed(t.Context(), g, c.Sides[0], testWorkload(t), o); err != nil {
			t.Fatal(err)
		}
		if left != 0 {
			t.Errorf("%s: the progress ends %d samples early", test.name, left)
		}
		for _, row := range g.Rows {
			c := row.Confirmation
			if c != nil && c.Finding == nil {
				t.Errorf("%s: %s was not measured again: %s", test.name, row.Benchmark, c.Reason)
			}
		}
		still := g.With(verdict.Regression)
		if (len(still) > 0) != (test.confirmed != "") || (g.Verdict == verdict.Regression) != (test.confirmed != "") {
			t.Errorf("%s: %s with %d confirmed", test.name, g.Verdict, len(still))
		}
		for _, row := range still {
			if !strings.Contains(row.Benchmark, test.confirmed) {
				t.Errorf("%s: confirmed %s", test.name, row.Benchmark)
			}
		}
	}
}

// What cannot be measured again stays a regression, and says why.
func TestConfirmExplainsWhatItCannot(t *testing.T) {
	dir := t.TempDir()
	old, new := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	writeRun(t, old, slowed("", 1))
	writeRun(t, new, slowed("bits/scalar", 1.06))
	other, err := NewWorkload(Size{Positions: 32, TurnGames: 2, Games: 2, FirstGames: 2})
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, want string, c *compare.Comparison, g *compare.Report, w *Workload) {
		t.Helper()
		if err := confirmed(t.Context(), g, c.Sides[0], w, experiment.Options{Count: 4, BenchTime: 1}); err != nil {
			t.Fatal(err)
		}
		for _, row := range g.With(verdict.Regression) {
			if row.Confirmation == nil || !strings.Contains(row.Confirmation.Reason, want) || g.Verdict != verdict.Regression {
				t.Errorf("%s: %+v, want %q", name, row.Confirmation, want)
			}
		}
		var out strings.Builder
		if err := g.Write(&out, "text"); err != nil || !strings.Contains(out.String(), "not measured again: ") {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
	}
	c, g := gateOf(t, old, new)
	check("other work", "its workload is", c, g, other)

	slower := strings.Repeat("BenchmarkParse 1 2 ns/op\n", 6)
	faster := strings.ReplaceAll(slower, " 2 ", " 1 ")
	before, after := filepath.Join(dir, "before.txt"), filepath.Join(dir, "after.txt")
	if err := errors.Join(os.WriteFile(before, []byte(faster), 0o644), os.WriteFile(after, []byte(slower), 0o644)); err != nil {
		t.Fatal(err)
	}
	c, g = gateOf(t, before, after)
	check("no run", `not a file that "ur bench run -o" wrote`, c, g, testWorkload(t))

	c, g = gateOf(t, old, new)
	for i := range g.Rows {
		g.Rows[i].Benchmark = "Value/board=abacus/eval=scalar"
	}
	check("no engine", `unknown engine "abacus/scalar"`, c, g, testWorkload(t))

	c, g = gateOf(t, old, new)
	c.Sides[0].Files = append(c.Sides[0].Files, "more.txt")
	check("two files", "want the one of a run", c, g, testWorkload(t))
}

func TestConfirmIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	old, new := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	writeRun(t, old, slowed("", 1))
	writeRun(t, new, slowed("", 1.06))
	c, g := gateOf(t, old, new)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := confirmed(ctx, g, c.Sides[0], testWorkload(t), experiment.Options{Count: 4, BenchTime: time.Second})
	if !errors.Is(err, context.Canceled) || g.Verdict != verdict.Regression {
		t.Errorf("%v, %s", err, g.Verdict)
	}
}
