package ab

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

const (
	testOfF   = "package a\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) {}\n"
	commented = "package a\n\n// F is a function.\nfunc F() {}\n"
	bare      = "package a\n\nfunc F() {}\n"
)

// Repositories of all kinds work, or get a message with the command that helps.
func TestKindsOfRepositories(t *testing.T) {
	for name, test := range map[string]struct {
		before, after map[string]string
		folder        string
		change        func(*Options)
		note, fails   string
	}{
		"no module": {map[string]string{"a.go": bare, "a_test.go": testOfF},
			map[string]string{"a.go": commented}, "", nil, "", "go mod init"},
		"only nested module": {map[string]string{"x/go.mod": module, "x/a.go": bare, "x/a_test.go": testOfF},
			map[string]string{"x/a.go": commented}, "", nil, "", "cd x)"},
		"pattern of a nested module": {map[string]string{"go.mod": module, "a.go": bare, "x/y/go.mod": "module y\n",
			"x/y/z/a.go": bare, "x/y/z/a_test.go": testOfF},
			map[string]string{"a.go": commented}, "", func(o *Options) { o.Packages = []string{"./x/y/z"} }, "", "cd x/y)"},
		"pattern above a nested module": {map[string]string{"x/go.mod": module, "x/a.go": bare,
			"x/b/y/go.mod": "module y\n", "x/b/y/a.go": bare, "x/b/y/a_test.go": testOfF, "x/z/go.mod": "module z\n"},
			map[string]string{"x/a.go": commented}, "x", func(o *Options) { o.Packages = []string{"./b/..."} }, "", "in the folders b/y (want this command there: cd b/y)"},
		"older than modules": {map[string]string{"a.go": bare, "a_test.go": testOfF},
			map[string]string{"a.go": commented, "go.mod": module}, "", nil, "", "no go.mod in this folder or above on the old side"},
		"nested module": {map[string]string{"go.mod": module, "a.go": bare, "a_test.go": testOfF,
			"x/go.mod": "module x\n", "x/a.go": bare, "x/a_test.go": testOfF},
			map[string]string{"a.go": commented}, "", nil, "modules in x are not measured", ""},
		"of a release": {map[string]string{"go.mod": "module example.com/root\n\ngo 1.22\n", "a.go": "package root\n\nconst A = 1\n",
			"x/go.mod":                       "module example.com/x\n\ngo 1.22\n\nrequire example.com/root v1.2.0\n",
			"x/vendor/modules.txt":           "# example.com/root v1.2.0\n## explicit; go 1.22\nexample.com/root\n",
			"x/vendor/example.com/root/a.go": "package root\n\nconst A = 1\n",
			"x/a.go":                         "package a\n\nimport _ \"example.com/root\"\n", "x/a_test.go": testOfF},
			map[string]string{"a.go": "package root\n\nconst A = 2\n"}, "x", nil, "example.com/root is measured at v1.2.0, which go.mod requires", ""},
		"in the nested module": {map[string]string{"x/go.mod": module, "x/a.go": bare, "x/a_test.go": testOfF},
			map[string]string{"x/a.go": commented}, "x", nil, "", ""},
		"folder of the head only": {map[string]string{"go.mod": module, "a.go": bare, "a_test.go": testOfF},
			map[string]string{"x/a.go": bare, "x/b_test.go": testOfF}, "x", nil, "", ""},
		"replaced by a folder outside": {map[string]string{"go.mod": module +
			"\nrequire example.com/out v0.0.0\n\nreplace example.com/out => ../out\n", "a_test.go": testOfF,
			"a.go": "package a\n\nimport _ \"example.com/out\"\n"}, map[string]string{"a.go": "package a\n\nimport _ \"example.com/out\" // It is outside.\n"}, "", func(o *Options) { o.Bench = "F" }, "outside the repository", ""},
		"workspace with a folder outside": {map[string]string{"go.mod": module,
			"go.work": "go 1.22\n\nuse .\nuse ../out\n", "a_test.go": testOfF,
			"a.go": "package a\n\nimport _ \"example.com/out\"\n"}, map[string]string{"b.go": "package a\n\n// C.\n"}, "", nil, "outside the repository", ""},
	} {
		t.Run(name, func(t *testing.T) {
			others := []string{"nested module", "folder of the head only", "workspace with a folder outside",
				"in the nested module"}
			testkit.SkipIf(t, slices.Contains(others, name) && !testkit.Long(),
				"takes the steps of others, here and in the tests of the command")
			dir := newRepository(t)
			out := filepath.Join(filepath.Dir(dir), "out")
			testkit.WriteText(t, filepath.Join(out, "go.mod"), "module example.com/out\n\ngo 1.22\n")
			testkit.WriteText(t, filepath.Join(out, "out.go"), "package out\n")
			commit(t, dir, "one", test.before)
			commit(t, dir, "two", test.after)
			o := between(filepath.Join(dir, test.folder), "one", "two")
			if test.change != nil {
				test.change(&o)
			}
			if test.fails != "" {
				wantInputError(t, o, test.fails)
			} else if got := testkit.Must(Run(t.Context(), o))(t); test.note != "" && !noted(got, test.note) ||
				len(got.InState(report.Failed)) > 0 {
				t.Errorf("%+v, failed %+v, want a note %q", got, got.InState(report.Failed), test.note)
			}
			untouched(t, dir)
		})
	}
}

// The copy of a released module is no module of the repository, even if it holds a go.mod.
func TestVendoredModuleFile(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module + "\nrequire example.com/x v1.2.0\n",
		"vendor/modules.txt":          "# example.com/x v1.2.0\n## explicit; go 1.22\nexample.com/x\n",
		"vendor/example.com/x/go.mod": "module example.com/x\n\ngo 1.22\n", "vendor/example.com/x/x.go": "package x\n",
		"a.go": "package a\n\nimport _ \"example.com/x\"\n", "a_test.go": testOfF})
	commit(t, dir, "two", map[string]string{"a.go": "package a\n\nimport _ \"example.com/x\" // It is released.\n"})
	got := testkit.Must(Run(t.Context(), between(dir, "one", "two")))(t)
	if noted(got, "example.com/x") {
		t.Errorf("%+v, want no note about the vendored module", got)
	}
}

// An error about a shallow clone names the command that helps.
func TestShallowClone(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": bare, "a_test.go": testOfF})
	commit(t, dir, "two", map[string]string{"a.go": commented})
	shallow := filepath.Join(t.TempDir(), "clone")
	runGit(t, dir, "clone", "-q", "--depth", "1", "file://"+dir, shallow)
	wantInputError(t, between(shallow, "HEAD~1", "HEAD"), "git fetch --unshallow")
	hash := runGit(t, dir, "rev-parse", "one")
	wantInputError(t, between(shallow, hash, "HEAD"), "git fetch --depth=1 origin "+hash+")")
	runGit(t, shallow, "fetch", "-q", "--depth=1", "origin", hash)
	testkit.Equal(t, testkit.Must(Run(t.Context(), between(shallow, hash, "HEAD")))(t).Base, hash, "base after the fetch")
	runGit(t, shallow, "checkout", "-q", "--detach")
	for name := range strings.FieldsSeq(runGit(t, shallow, "for-each-ref", "--format=%(refname)", "refs/heads",
		"refs/remotes")) {
		runGit(t, shallow, "update-ref", "-d", name)
	}
	wantInputError(t, between(shallow, "", "HEAD"), "git fetch --unshallow origin main:refs/remotes/origin/main")
}

// The default base serves the inner loop on the main branch: HEAD while something is not
// committed, and otherwise the commit before.
func TestDefaultBase(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": bare, "a_test.go": testOfF})
	commit(t, dir, "two", map[string]string{"a.go": commented})
	base := func() string {
		return checkOut(t, between(dir, "", "")).Commits[frame.Old]
	}
	testkit.Equal(t, base(), runGit(t, dir, "rev-parse", "one"), "base of a clean work tree")
	testkit.WriteText(t, filepath.Join(dir, "a.go"), bare)
	testkit.Equal(t, base(), runGit(t, dir, "rev-parse", "two"), "base of changes")
	runGit(t, dir, "checkout", "-q", "-f", "-b", "topic")
	commit(t, dir, "three", map[string]string{"a.go": bare})
	commit(t, dir, "four", map[string]string{"a.go": commented})
	testkit.Equal(t, base(), runGit(t, dir, "rev-parse", "two"), "base of a branch")
}
