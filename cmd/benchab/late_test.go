package main

import (
	"bytes"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A slowdown that the first operations do not show is found, or not judged: "records late" tries all kinds. The three here
// mislead counts, traps and short samples, and single processes.
func TestLate(t *testing.T) {
	testkit.NeedLong(t, "measures for a minute")
	wanted := map[string][]int{"flush": {slower}, "helper": {slower}, "chance": {slower, undecided}}
	tried := 0
	for _, kind := range abtest.LateKinds() {
		codes, ok := wanted[kind.Name]
		if !ok {
			continue
		}
		tried++
		t.Run(kind.Name, func(t *testing.T) {
			dir := t.TempDir()
			testkit.NoError(t, kind.Make(dir))
			t.Chdir(dir)
			var stdout, stderr bytes.Buffer
			code := runFiles(t)(t.Context(), []string{"base", "head", "--seed", "1"}, &stdout, &stderr)
			if !slices.Contains(codes, code) {
				t.Errorf("exit code %d, want one of %v\n%s", code, codes, &stdout)
			}
		})
	}
	testkit.Equal(t, tried, len(wanted), "number of kinds")
}
