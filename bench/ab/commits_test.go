package ab

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// runGit runs git in a folder.
func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	testkit.FatalIf(t, err != nil, "git %s: %v\n%s", strings.Join(args, " "), err, out)
	return strings.TrimSpace(string(out))
}

// newRepository returns an empty repository, and lets runs work in a folder of the test.
func newRepository(t *testing.T) string {
	t.Helper()
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	for variable, value := range map[string]string{"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull, "GOFLAGS": "", "GOWORK": "",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false"} {
		t.Setenv(variable, value)
	}
	t.Setenv("TMPDIR", t.TempDir())
	dir := t.TempDir()
	runGit(t, dir, "init", "-q", "-b", "main")
	return dir
}

// commit adds files to a repository, deletes those whose text is "", and tags the commit.
func commit(t *testing.T, dir, tag string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if text == "" {
			testkit.NoError(t, os.Remove(path))
			continue
		}
		testkit.WriteText(t, path, text)
	}
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", tag)
	runGit(t, dir, "tag", tag)
}

// shop returns the repository of testdata/module: a commit for each of its folders.
func shop(t *testing.T) string {
	t.Helper()
	dir := newRepository(t)
	module := filepath.Join("testdata", "module")
	testkit.NoError(t, abtest.Make(module, dir, "base", "readme", "comment", "same", "slower"))
	return dir
}

// between returns options that compare two commits in as little time as can be: short long runs, one link a
// side, and no second measurement.
func between(dir, base, head string) Options {
	o := DefaultOptions()
	o.Dir, o.Base, o.Head, o.Seed = dir, base, head, 1
	o.rounds, o.sample.Iterations, o.layouts, o.confirm, o.Horizon = verdict.FirstLook, 3, false, false, judge.LeastHorizon
	if !testkit.Long() {
		o.Judge = TimeOnly // the tests of the command count all kinds of changes
	}
	return o
}

// untouched checks that a run left nothing behind, in the repository or elsewhere.
func untouched(t *testing.T, dir string) {
	t.Helper()
	nothingLeft(t)
	trees := runGit(t, dir, "worktree", "list")
	testkit.Equal(t, strings.Count(trees, "\n"), 0, "worktrees that are left in %s", trees)
	testkit.Equal(t, testkit.Must(filepath.Glob(filepath.Join(dir, ".git", "*.lock")))(t), nil, "locks that are left")
}

// nothingLeft checks that a run left nothing behind in the folder for temporary files.
func nothingLeft(t *testing.T) {
	t.Helper()
	left, _ := os.ReadDir(os.TempDir())
	testkit.Equal(t, len(left), 0, "number of files left behind, %v", left)
}

// wantInputError runs options that the user has to change.
func wantInputError(t *testing.T, o Options, part string) {
	t.Helper()
	got, err := Run(t.Context(), o)
	testkit.WantErrorAs[*InputError](t, err, part, "commits %q and %q, programs %q and %q", o.Base, o.Head, o.Old, o.New)
	testkit.Equal(t, got, nil, "report")
}

func TestUnchangedCommits(t *testing.T) {
	dir := shop(t)
	for _, pair := range [][2]string{{"base", "readme"}, {"base", "comment"}} {
		got := testkit.Must(Run(t.Context(), between(dir, pair[0], pair[1])))(t)
		testkit.ErrorIf(t, len(got.Packages) != 1 || got.Packages[0].State != report.Identical ||
			got.Verdict != verdict.Pass || len(got.Rows) != 0, "%s to %s: %+v", pair[0], pair[1], got)
	}
	untouched(t, dir)
}

func TestMeasuredCommits(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "builds and measures")
	dir := shop(t)
	o := between(dir, "comment", "slower")
	o.Bench, o.layouts, o.confirm, o.rounds = "Hash|Count", true, true, testkit.Trials(2, 3)
	o.sample.Iterations = 20 // fewer are too short for the CPU clock of a fast machine, and run again
	got := testkit.Must(Run(t.Context(), o))(t)
	testkit.Equal(t, got.Base, runGit(t, dir, "rev-parse", "comment"), "base")
	testkit.Equal(t, got.Head, runGit(t, dir, "rev-parse", "slower"), "head")
	row := find(t, got, "mix.Count", "sec/op")
	testkit.ErrorIf(t, row.Verdict != verdict.Identical || row.Code != report.SameCode,
		"a benchmark that the change does not reach: %+v", row)
	row = find(t, got, "mix.Hash/rounds=1000", "sec/op")
	testkit.ErrorIf(t, row.Rounds != o.rounds || !(row.Old > 0) || !(row.New > 0) || row.Clock == "" ||
		got.Layouts != o.rounds, "%d layouts, %+v", got.Layouts, row)
	saved := t.TempDir()
	testkit.NoError(t, got.Save(saved))
	text := testkit.ReadText(t, filepath.Join(saved, "new.txt"))
	lines := listing.ParseSamples([]byte(text), 1)
	testkit.ErrorIf(t, len(lines) != o.rounds || lines[0].Of.Package != "example.com/shop/mix" || len(lines[0].Figures) != 4,
		"saved %d lines:\n%s", len(lines), text)
	stored := t.TempDir()
	testkit.NoError(t, got.Store(stored))
	h := testkit.Must(report.ReadHistory(stored))(t)
	testkit.ErrorIf(t, len(h.Steps) != 1 || h.Steps[0].Base != got.Base || h.Steps[0].Head != got.Head ||
		h.Series[0].Unit != report.TimeUnit, "history of the stored pair: %+v", h)
	isCounted := slices.ContainsFunc(got.Rows, func(row report.Row) bool { return row.Verdict == verdict.MoreWork })
	testkit.Equal(t, len(h.Series) == 2 && h.Series[1].Unit == report.CountUnit, isCounted, "counts in the history of the stored pair")
	testkit.Equal(t, len(h.Series) > 1, isCounted, "other series in the history of the stored pair")
	untouched(t, dir)
}

// The work tree is compared as it is: with what is not committed, and with new files,
// but without those that git ignores.
func TestWorkTree(t *testing.T) {
	dir := shop(t)
	got := testkit.Must(Run(t.Context(), between(dir, "HEAD", "")))(t)
	testkit.ErrorIf(t, got.Verdict != verdict.Pass || len(got.Rows) > 0, "nothing differs: %+v", got)
	path := filepath.Join(dir, "text", "text.go")
	testkit.WriteText(t, path, testkit.ReadText(t, path)+"\n// The end.\n")
	got = testkit.Must(Run(t.Context(), between(filepath.Join(dir, "mix"), "", "")))(t)
	testkit.FatalIf(t, !got.WorkTree || got.Packages[0].State != report.Identical, "%+v", got)
	testkit.Equal(t, runGit(t, dir, "status", "--porcelain"), "M text/text.go", "status")
	got = testkit.Must(Run(t.Context(), between(dir, "base", "readme")))(t)
	testkit.ErrorIf(t, len(got.Notes) == 0 || !strings.Contains(got.Notes[0], "uncommitted changes"), "%+v", got)
	untouched(t, dir)
}

// trouble is a module whose new side has everything that can go wrong.
var trouble = map[string]string{
	"go.mod":         "module example.com/trouble\n\ngo 1.21\n",
	"a/a.go":         "package a\n\nfunc F() int { return 1 }\n",
	"a/a_test.go":    "package a\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tF()\n\t}\n}\n",
	"gone/g_test.go": "package gone\n\nimport \"testing\"\n\nfunc BenchmarkG(b *testing.B) {}\n",
	"b/b.go":         "package b\n\nvar Value = 1\n",
	"b/b_test.go": `package b

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

func BenchmarkFine(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
	fmt.Println("a benchmark that talks", Value)
}

func BenchmarkPanics(b *testing.B) {
	if Value > 1 {
		panic("too much")
	}
}

func BenchmarkFails(b *testing.B) {
	if Value > 1 {
		b.Fatal("not enough")
	}
}

func BenchmarkVanishes(b *testing.B) {
	if Value == 1 {
		b.Run("sub", func(b *testing.B) {})
	}
}

func BenchmarkLeaves(b *testing.B) {
	if err := os.WriteFile("left.txt", nil, 0o600); err != nil {
		b.Fatal(err)
	}
	os.MkdirTemp("", "left")
	if err := exec.Command("sleep", "600").Start(); err != nil {
		b.Skip(err)
	}
}
`,
}

func TestTrouble(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	commit(t, dir, "one", trouble)
	commit(t, dir, "two", map[string]string{"a/a.go": "package a\n\nfunc F() int { return }\n",
		"b/b.go": "package b\n\nvar Value = 2\n", "gone/g_test.go": ""})
	o := between(dir, "one", "two")
	o.Time = time.Minute
	got := testkit.Must(Run(t.Context(), o))(t)
	states := make(map[string]report.PackageState)
	for _, p := range got.Packages {
		states[strings.TrimPrefix(p.Path, "example.com/trouble/")] = p.State
		testkit.ErrorIf(t, p.State == report.Failed && !strings.Contains(p.Error, "not enough return values"),
			"why %s failed: %q", p.Path, p.Error)
	}
	testkit.Equal(t, states, map[string]report.PackageState{"a": report.Failed, "b": report.Measured, "gone": report.Gone},
		"states")
	for name, want := range map[string]string{"b.Panics": "too much", "b.Fails": "not enough",
		"b.Vanishes/sub": "does not have it"} {
		row := find(t, got, name, "sec/op")
		testkit.ErrorIf(t, row.Verdict.Passes() || !strings.Contains(row.Reason, want), "%+v", row)
	}
	row := find(t, got, "b.Fine", "sec/op")
	testkit.ErrorIf(t, row.Rounds < verdict.FirstLook, "%+v", row)
	testkit.ErrorIf(t, got.Verdict == verdict.Pass, "all of it passes")
	untouched(t, dir)
	testkit.Equal(t, runGit(t, dir, "status", "--porcelain"), "", "status")
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		text, err := os.ReadFile(path)
		testkit.ErrorIf(t, err == nil &&
			strings.Contains(string(text), "TMPDIR="+filepath.Join(os.TempDir(), frame.ScratchPrefix)),
			"a process of the run is left: %s", path)
	}
}

func TestBadRepositories(t *testing.T) {
	dir := newRepository(t)
	wantInputError(t, between(t.TempDir(), "", ""), "not in a git work tree")
	wantInputError(t, between(dir, "", ""), "no commits yet")
	commit(t, dir, "one", map[string]string{"go.mod": "module m\n\ngo 1.21\n", "m.go": "package m\n",
		"b.go": "package m\n\nvar B = 1\n"})
	commit(t, dir, "two", map[string]string{"m_test.go": "package m\n\nimport \"testing\"\n\nfunc BenchmarkB(b *testing.B) { x }\n"})
	commit(t, dir, "three", map[string]string{"b.go": "package m\n\nvar B = 2\n"})
	wantInputError(t, between(dir, "nosuch", ""), `commit "nosuch": unknown`)
	wantInputError(t, between(dir, "--help", ""), "unknown")
	wantInputError(t, between(dir, "one", "one"), "benchmarks")
	wantInputError(t, between(dir, "two", "three"), "no package with benchmarks builds")
	runGit(t, dir, "checkout", "-q", "-b", "other", "one")
	commit(t, dir, "four", map[string]string{"b.go": "package m\n\nvar B = 3\n"})
	out, err := exec.Command("git", "-C", dir, "merge", "-q", "three").CombinedOutput()
	testkit.FatalIf(t, err == nil, "merged: %s", out)
	wantInputError(t, between(dir, "one", ""), "b.go: unresolved merge conflicts")
	untouched(t, dir)
}
