package frame

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Clones and work trees of a module have one place, and find each other's builds.
func TestPlaces(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a/go.mod": "module x.org/m // here\n", "b/go.mod": "// m\nmodule \"x.org/m\"\n",
		"c/go.mod": "go 1.24\n", "a/deep/d.go": ""} {
		testkit.WriteText(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}
	for folder, want := range map[string]string{"a": "x.org/m", "a/deep": "x.org/m", "b": "x.org/m",
		"c": filepath.Join(root, "c")} {
		testkit.Equal(t, moduleAbove(filepath.Join(root, filepath.FromSlash(folder))), want, "the place of %s", folder)
	}
}

// What a killed run left goes at the next start; what a living one has stays.
func TestLeftovers(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	folder := func(name string) *os.File {
		dir := filepath.Join(parent, ScratchPrefix+name)
		testkit.NoError(t, os.MkdirAll(filepath.Join(dir, "old", "sub"), 0o700))
		testkit.NoError(t, os.Chmod(filepath.Join(dir, "old"), 0o500))
		lock := testkit.Must(os.Create(dir + lockSuffix))(t)
		t.Cleanup(func() { lock.Close(); os.Chmod(filepath.Join(dir, "old"), 0o700) })
		return lock
	}
	folder("dead").Close()
	living := folder("living")
	testkit.NoError(t, safefile.Lock(living))
	s := testkit.Must(NewScratch(""))(t)
	for name, want := range map[string]bool{"dead": false, "dead.lock": false, "living": true} {
		_, err := os.Stat(filepath.Join(parent, ScratchPrefix+name))
		testkit.Equal(t, err == nil, want, "%s is there", name)
	}
	testkit.NoError(t, s.Remove())
	testkit.WantError(t, testkit.ErrorOf(os.Stat(s.Dir)), "", "the folder of the run is still there")
}
