package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// Variables of another repository are left out, and those of credentials stay.
func TestEnviron(t *testing.T) {
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_PARAMETERS", "GIT_TRACE"} {
		t.Setenv(name, "x")
	}
	stay := []string{"GIT_ASKPASS=x", "GIT_CONFIG_COUNT=0", "GIT_SSH_COMMAND=x"}
	for _, variable := range stay {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	got := slices.DeleteFunc(Environ(), func(v string) bool { return !strings.HasPrefix(v, "GIT_") })
	slices.Sort(got)
	testkit.Equal(t, got, stay, "variables")
}

// newRepository returns the folder of a repository with a commit of some files, in which git runs without its user's
// settings.
func newRepository(t *testing.T, files map[string]string, settings ...string) (g Git, commit string) {
	t.Helper()
	g = Git{Dir: t.TempDir(), Settings: append([]string{"user.name=a", "user.email=a@example.com"}, settings...)}
	for name, text := range files {
		testkit.WriteText(t, filepath.Join(g.Dir, name), text)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "--all"}, {"commit", "-q", "-m", "one"}} {
		testkit.Must(g.Run(t.Context(), args...))(t)
	}
	return g, testkit.Must(g.Run(t.Context(), "rev-parse", "HEAD"))(t)
}

// A copy has the files of the commit, without filters and hooks and with the ends of lines of the commit, and is a
// repository at the commit.
func TestCheckOut(t *testing.T) {
	settings := map[string]string{"core.autocrlf": "true", "filter.x.smudge": "false", "filter.x.clean": "false",
		"filter.x.required": "true", "core.hooksPath": "hooks", "core.symlinks": "false"}
	names := []string{"a\nb.txt", "\xff.txt", "sub/c.txt"}
	files := map[string]string{".gitattributes": "*.txt filter=x\n*.crlf eol=crlf\n", "d.crlf": "1\n",
		"hooks/post-checkout": "#!/bin/sh\ntouch ran\n"}
	for _, name := range names {
		files[name] = "text\n"
	}
	g, commit := newRepository(t, files)
	testkit.NoError(t, os.Chmod(filepath.Join(g.Dir, "hooks/post-checkout"), 0o700))
	for name, value := range settings {
		testkit.Must(g.Run(t.Context(), "config", name, value))(t)
	}
	r := testkit.Must(Open(t.Context(), filepath.Join(g.Dir, "sub")))(t)
	testkit.Equal(t, r.Filters, []string{"x"}, "filters")
	dir := filepath.Join(t.TempDir(), "copy")
	testkit.NoError(t, r.CheckOut(t.Context(), commit, dir))
	for _, name := range names {
		testkit.Equal(t, testkit.ReadText(t, filepath.Join(dir, name)), "text\n", "%q", name)
	}
	testkit.Equal(t, testkit.ReadText(t, filepath.Join(dir, "d.crlf")), "1\r\n", "a file with ends of its own")
	in := Git{Dir: filepath.Join(dir, "sub")}
	testkit.Equal(t, testkit.Must(in.Run(t.Context(), "rev-parse", "--show-toplevel", "HEAD"))(t), dir+"\n"+commit, "copy")
	testkit.Equal(t, testkit.Must(in.Run(t.Context(), "status", "--porcelain"))(t), "", "changes of the copy")
	testkit.WantError(t, r.CheckOut(t.Context(), "nosuch", filepath.Join(t.TempDir(), "x")), "nosuch", "an unknown commit")
}

// A copy of a sparse clone has its part of the files, and one of a partial clone fetches what it lacks.
func TestCheckOutOfParts(t *testing.T) {
	g, commit := newRepository(t, map[string]string{"a/a.txt": "1\n", "b/b.txt": "2\n", "c.txt": "3\n"}, "uploadpack.allowFilter=true")
	testkit.Must(g.Run(t.Context(), "config", "uploadpack.allowFilter", "true"))(t)
	clone := Git{Dir: filepath.Join(t.TempDir(), "clone")}
	testkit.Must(Git{}.Run(t.Context(), "clone", "-q", "--filter=blob:none", "--sparse", "file://"+g.Dir, clone.Dir))(t)
	testkit.Must(clone.Run(t.Context(), "sparse-checkout", "set", "a"))(t)
	r := testkit.Must(Open(t.Context(), clone.Dir))(t)
	dir := filepath.Join(t.TempDir(), "copy")
	testkit.NoError(t, r.CheckOut(t.Context(), commit, dir))
	for name, want := range map[string]bool{"a/a.txt": true, "b/b.txt": false, "c.txt": true} {
		_, err := os.Stat(filepath.Join(dir, name))
		testkit.Equal(t, err == nil, want, "%s is there", name)
	}
	empty := Git{Dir: filepath.Join(t.TempDir(), "empty")}
	testkit.Must(Git{}.Run(t.Context(), "clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+g.Dir, empty.Dir))(t)
	dir = filepath.Join(t.TempDir(), "fetched")
	testkit.NoError(t, testkit.Must(Open(t.Context(), empty.Dir))(t).CheckOut(t.Context(), commit, dir))
	testkit.Equal(t, testkit.ReadText(t, filepath.Join(dir, "b/b.txt")), "2\n", "a fetched file")
}
