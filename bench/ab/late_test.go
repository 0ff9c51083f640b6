package ab

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A benchmark that hangs on the new side alone is open and takes at least some time; with others there is
// nothing to compare.
func TestLateBenchmarks(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("sh")))
	const passes, hangs, fails = "echo BenchmarkA 1 20 ns/op", "exec sleep 600", "exit 1"
	const hangsAlone = `case "$*" in *-test.cpu=1) exec sleep 600; esac; echo BenchmarkA-3 1 20 ns/op`
	t.Setenv("GOMAXPROCS", "3")
	for name, test := range map[string]struct {
		programs [2]string
		time     time.Duration
		reason   string
		procs    int
	}{
		"hang":                    {[2]string{passes, hangs}, time.Minute, "", 1},
		"hang on both sides":      {[2]string{hangs, hangs}, 2 * time.Second, "longer than", 3},
		"hang with one processor": {[2]string{hangsAlone, hangsAlone}, 3 * time.Second, "", 3},
		"failure":                 {[2]string{passes, fails}, time.Minute, "fails on the new side: exit status 1", 1},
	} {
		t.Run(name, func(t *testing.T) {
			j, s, p := newTestJob(t, Options{Time: time.Minute}), &sides{trees: [2]*tree{{}, {}}, current: -1}, &testPackage{Package: &report.Package{}}
			for side, program := range test.programs {
				dir := t.TempDir()
				s.trees[side].root, s.trees[side].stored = filepath.Join(dir, "root"), filepath.Join(dir, "stored")
				p.dirs[side], p.binaries[side] = s.trees[side].root, filepath.Join(dir, "program")
				testkit.WriteText(t, filepath.Join(s.trees[side].stored, "a"), "")
				testkit.NoError(t, os.WriteFile(p.binaries[side], []byte("#!/bin/sh\n"+program+"\n"), 0o777))
			}
			k := &benchmark{pkg: p, printed: "A", name: "a.A", procs: 1}
			testkit.NoError(t, confirmLate(t.Context(), j, &builds{sides: s}, []*benchmark{k}, time.Now().Add(test.time)))
			testkit.Equal(t, k.procs, test.procs, "processors")
			open := test.reason == ""
			testkit.ErrorIf(t, open != (k.atLeast >= 1 || k.first[newSide].wall > 0) ||
				open != (k.state != stateNotJudged) || !open &&
				(k.as != verdict.NotJudged || !strings.Contains(k.reason, test.reason)),
				"%+v (want the reason %q)", k, test.reason)
		})
	}
}
