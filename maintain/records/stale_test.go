package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// commitAll commits all files of the working folder, and returns the commit.
func commitAll(t *testing.T) string {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	for _, args := range []string{"init -q", "add -A", "-c user.name=n -c user.email=e commit -q -m m"} {
		if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	out := testkit.Must(exec.Command("git", "rev-parse", "HEAD").Output())(t)
	return strings.TrimSpace(string(out))
}

// A row is stale if a declaration that its command reaches has changed since its commit.
func TestStale(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.WriteText(t, "go.mod", "module example.com/m\n")
	testkit.WriteText(t, "solve/solve.go",
		"package solve\n\nfunc Solve() int { return help() }\nfunc help() int { return 1 }\nfunc Other() {}\n")
	commit := commitAll(t)
	row := func(command, commit, note string) record.Row {
		e := record.Environment{CPU: "c", Arch: "amd64", Go: "go1.26.8", Commit: commit, Command: command,
			Date: "2026-11-26T00:00:00Z"}
		return record.Row{Suite: "solve", Name: command, Unit: "s", Note: note,
			Provenance: &record.Provenance{Environment: e, Took: 90}}
	}
	missing := strings.Repeat("1", 40)
	rows := []record.Row{row("ur solve", commit, ""), row("ur gone", commit, ""), row("ur solve", "", ""),
		row("ur solve", "", "published: x"),
		row("ur solve", commit+"+dirty", ""), row("ur solve", missing, "")}
	reasons := []string{"", "the command is gone", "no commit is known", "", "the tree had uncommitted changes",
		"its commit is not in this repository"}
	check := func(want ...string) {
		t.Helper()
		c := newComparer(t.Context())
		defer c.close()
		if err := c.mark(rows); err != nil || !slices.Equal(c.reasons, want) {
			t.Errorf("stale because %q, %v; want %q", c.reasons, err, want)
		}
	}
	check(reasons...)
	testkit.WriteText(t, "solve/solve.go", "package solve\n\n// Solve solves.\nfunc Solve() int { return help() }\n"+
		"func help() int { return 1 }\nfunc Other() { panic(1) }\n")
	check(reasons...)
	solves := toolReport{suite: "solve", command: "ur solve"}
	if !solves.isFresh(rows[:1]) || solves.isFresh(nil) || solves.lastTime(rows).Seconds() != 90 {
		t.Error("a report with fresh rows is measured again")
	}
	if again := (toolReport{suite: "solve", command: "ur solve", name: "Run/run=2/${name}"}); again.isFresh(rows[:1]) {
		t.Error("the rows of one run of a command count as those of another")
	}
	testkit.WriteText(t, "solve/solve.go", "package solve\n\nfunc Solve() int { return help() }\nfunc help() int { return 2 }\n")
	reasons[0] = "solve.help has changed"
	check(reasons...)
	if solves.isFresh(rows[:1]) {
		t.Error("a report with stale rows is not measured again")
	}
	if groups := groupStale(rows[:4]); len(groups) != 2 || len(groups[0].Rows) != 2 || !groups[0].Has(rows[0]) ||
		groups[0].Has(rows[1]) {
		t.Errorf("groups %+v", groups)
	}
}

// The file of stale rows is right after it is written, and wrong after a change; nothing is stale once
// stale rows are removed.
func TestFindStale(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.WriteText(t, "go.mod", "module example.com/m\n")
	testkit.WriteText(t, "solve/solve.go", "package solve\n\nfunc Solve() int { return 1 }\n")
	e := record.Environment{CPU: "c", Arch: "amd64", Commit: commitAll(t), Command: "ur solve",
		Date: "2026-11-26T00:00:00Z"}
	results := record.NewResults(e, 1)
	results.Rows = []record.Row{{Suite: "solve", Name: "Solve", Unit: "s", Samples: 1, Median: 1, Lo: 1, Hi: 1}}
	testkit.Must(record.Keep("results", results))(t)
	find := func(o staleOptions) error { t.Helper(); return findStale(t.Context(), "results", o) }
	testkit.NoError(t, find(staleOptions{}))
	if err := find(staleOptions{check: true}); err != nil {
		t.Error(err)
	}
	testkit.WriteText(t, "solve/solve.go", "package solve\n\nfunc Solve() int { return 2 }\n")
	if find(staleOptions{check: true}) == nil || find(staleOptions{strict: true}) == nil {
		t.Error("a stale row is not noticed")
	}
	testkit.NoError(t, find(staleOptions{remove: true, suites: []string{"search"}}))
	if rows, err := record.Read("results"); err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v: one of another suite is removed", len(rows), err)
	}
	other := results
	other.CPU = "d"
	other.Rows = []record.Row{{Suite: "solve", Name: "Published", Unit: "s", Note: "published: x"}}
	testkit.Must(record.Keep("results", other))(t)
	testkit.NoError(t, find(staleOptions{remove: true}))
	if names, _ := filepath.Glob("results/*/*.json"); len(names) != 1 {
		t.Errorf("%q are left", names)
	}
}
