package bench

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// slowed is the clock of a machine on which an engine, or all of them when the name
// is "", takes longer than it should.
func slowed(engine string, factor float64) func(*Case, int) (time.Duration, error) {
	return func(c *Case, passes int) (time.Duration, error) {
		elapsed, err := fakeClock(nil)(c, passes)
		if engine == "" || c.Engine.Name() == engine {
			elapsed = time.Duration(float64(elapsed) * factor)
		}
		return elapsed, err
	}
}

// writeRun measures on a clock and writes the file of the run.
func writeRun(t *testing.T, name string, clock func(*Case, int) (time.Duration, error)) {
	t.Helper()
	o := fakeOptions(t, "bits/scalar", "rows/scalar")
	o.Count, o.Clock = 10, clock
	run, err := Measure(t.Context(), testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	machine := exampleEnvironment()
	machine.CPU = ur.CPUName()
	if err := wholefile.Write(name, func(w io.Writer) error { return run.WriteBenchmarks(w, machine) }); err != nil {
		t.Fatal(err)
	}
}

// gateOf compares two files.
func gateOf(t *testing.T, old, new string) (*Comparison, *GateReport) {
	t.Helper()
	c, err := Compare([]string{old, new}, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := Gate(c, DefaultGateRule())
	if err != nil {
		t.Fatal(err)
	}
	return c, g
}

func TestConfirm(t *testing.T) {
	steady := slowed("", 1)
	tests := []struct {
		name       string
		new, again func(*Case, int) (time.Duration, error)
		suspects   int
		confirmed  string // engine; "" for none
	}{
		{"nothing", steady, steady, 0, ""},
		{"a slower engine", slowed("bits/scalar", 1.06), slowed("bits/scalar", 1.06), 4, "board=bits"},
		{"an engine that was only slower once", slowed("bits/scalar", 1.06), steady, 4, ""},
		{"a machine that was slower once", slowed("", 1.06), steady, 12, ""},
		{"a machine that is slower now", steady, slowed("", 1.5), 0, ""},
		{"a slower engine on a machine that is slower now", slowed("rows/scalar", 1.06), func(c *Case, passes int) (time.Duration, error) {
			elapsed, err := slowed("rows/scalar", 1.06)(c, passes)
			return elapsed * 3 / 2, err
		}, 4, "board=rows"},
		{"all of it, or the machine", slowed("", 1.06), slowed("", 1.06), 12, "board=array16/eval=scalar"},
	}
	dir := t.TempDir()
	old, new := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	writeRun(t, old, steady)
	for _, test := range tests {
		writeRun(t, new, test.new)
		c, g := gateOf(t, old, new)
		if n := len(g.With(Regressed)); n != test.suspects {
			t.Errorf("%s: %d suspects, want %d", test.name, n, test.suspects)
		}
		o := Options{Count: 10, BenchTime: time.Second, Seed: 1, Clock: test.again}
		left := 0
		if err := g.Confirm(t.Context(), c.Sides[0], testWorkload(t), o, func(done, samples int) { left = samples - done }); err != nil {
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
		confirmed := g.With(Regressed)
		if (len(confirmed) > 0) != (test.confirmed != "") || (g.Verdict == Regressed) != (test.confirmed != "") {
			t.Errorf("%s: %s with %d confirmed", test.name, g.Verdict, len(confirmed))
		}
		for _, row := range confirmed {
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
	check := func(name, want string, c *Comparison, g *GateReport, w *Workload) {
		t.Helper()
		if err := g.Confirm(t.Context(), c.Sides[0], w, Options{Count: 4, BenchTime: 1}, nil); err != nil {
			t.Fatal(err)
		}
		for _, row := range g.With(Regressed) {
			if row.Confirmation == nil || !strings.Contains(row.Confirmation.Reason, want) || g.Verdict != Regressed {
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
	paths := writeTexts(t, strings.ReplaceAll(slower, " 2 ", " 1 "), slower)
	c, g = gateOf(t, paths[0], paths[1])
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
	err := g.Confirm(ctx, c.Sides[0], testWorkload(t), Options{Count: 4, BenchTime: time.Second}, nil)
	if !errors.Is(err, context.Canceled) || g.Verdict != Regressed {
		t.Errorf("%v, %s", err, g.Verdict)
	}
}
