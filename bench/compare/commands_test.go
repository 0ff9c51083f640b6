package compare

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// printing returns a command that prints a text.
func printing(t *testing.T, name, text string) *experiment.Command {
	t.Helper()
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	return &experiment.Command{Name: name, Args: []string{cat, writeTexts(t, text)[0]}}
}

// slowerGate is a gate that found BenchmarkA slower, and nothing else.
func slowerGate(t *testing.T) *Report {
	t.Helper()
	old := strings.Repeat("BenchmarkA 1 100 ns/op 7 B/op\nBenchmarkB 1 100 ns/op\n", 8)
	c := compareTexts(t, Options{}, old, strings.ReplaceAll(old, "A 1 100", "A 1 106"))
	g, err := Gate(c, DefaultRule())
	if err != nil || g.Verdict != verdict.Regression || len(g.With(verdict.Regression)) != 1 {
		t.Fatalf("%+v, %v", g, err)
	}
	return g
}

// confirmBy lets two commands confirm what a gate found.
func confirmBy(ctx context.Context, g *Report, c Commands) error {
	return g.Confirm(func(suspects []Judged) ([]Again, error) { return c.Again(ctx, suspects) })
}

func TestConfirmByCommands(t *testing.T) {
	const before = "BenchmarkA 1 99 ns/op\nBenchmarkA 1 100 ns/op\nBenchmarkA 1 500 ns/op\n"
	tests := []struct {
		name, new string
		want      verdict.Verdict
		reason    string
	}{
		{"slower", "BenchmarkA 1 106 ns/op\n", verdict.Regression, ""},
		{"as fast", "BenchmarkA 1 100 ns/op\n", verdict.Pass, ""},
		{"other benchmark", "BenchmarkB 1 106 ns/op\n", verdict.Regression, "only 0 of 6 rounds printed it on both sides"},
		{"other unit", "BenchmarkA 1 106 us/op\n", verdict.Regression, "only 0 of 6 rounds printed it on both sides"},
	}
	for _, test := range tests {
		g, left := slowerGate(t), 1
		err := confirmBy(t.Context(), g, Commands{Old: printing(t, "old", before), New: printing(t, "new", test.new), Count: 6, Seed: 1,
			Progress: func(done, runs int) { left = runs - done }})
		if err != nil || left != 0 {
			t.Errorf("%s: %v, %d runs left", test.name, err, left)
		}
		for _, row := range g.Rows {
			if c := row.Confirmation; c != nil && c.Reason != test.reason {
				t.Errorf("%s: reason %q, want %q", test.name, c.Reason, test.reason)
			}
		}
		if g.Verdict != test.want {
			t.Errorf("%s: %s, want %s", test.name, g.Verdict, test.want)
		}
	}
}

func TestConfirmByCommandsFails(t *testing.T) {
	good := "BenchmarkA 1 100 ns/op\n"
	for text, want := range map[string]string{
		"":                         "command new: prints no benchmarks, want Go's benchmark format",
		"Hello.\n":                 "command new: prints no benchmarks",
		"BenchmarkA 1 x ns/op\n":   "command new: output:1: parsing measurement: invalid syntax",
		"BenchmarkA 1 NaN ns/op\n": "command new: NaN sec/op of BenchmarkA is no measurement",
	} {
		err := confirmBy(t.Context(), slowerGate(t), Commands{Old: printing(t, "old", good), New: printing(t, "new", text), Count: 4})
		var command *experiment.CommandError
		if !errors.As(err, &command) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := confirmBy(ctx, slowerGate(t), Commands{Old: printing(t, "old", good), New: printing(t, "new", good), Count: 4}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
