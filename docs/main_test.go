// Package docs tests the pages of the project as a reader uses them: README.md, CONTRIBUTING.md
// and the pages of this folder.
package docs

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

const root = ".."

// The commands of the pages find "ur" in the path.
func TestMain(m *testing.M) {
	testscript.Main(testkit.Wrap(m), map[string]func(){"ur": func() { cli.Main() }})
}

// pages returns the pages without the tutorials, which TestTutorials follows.
func pages(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md"}
	for _, file := range testkit.Must(filepath.Glob("*.md"))(t) {
		if !strings.HasPrefix(file, "tutorial-") {
			names = append(names, "docs/"+file)
		}
	}
	testkit.FatalIf(t, len(names) == 2, "no pages in docs")
	return names
}

// walkthrough heads the last part of a page, which TestTutorials follows.
const walkthrough = "\n## Walkthrough\n"

// readReference returns a page without its walkthrough.
func readReference(t *testing.T, name string) string {
	t.Helper()
	text, _, _ := strings.Cut(readPage(t, name), walkthrough)
	return text
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	return testkit.ReadText(t, filepath.Join(root, name))
}

// tracked returns the files of the module that git tracks, by name, of a pattern or all.
func tracked(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	list, err := exec.Command("git", append([]string{"-C", root, "ls-files", "-z", "--"}, patterns...)...).Output()
	testkit.SkipOn(t, err) // git lists the files of the module
	files := make(map[string]string)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		testkit.NoError(t, err)
		files[name] = string(text)
	}
	return files
}

// checkout copies the tracked files of the module, of a pattern or all, to a folder, so that commands neither
// leave files behind nor overwrite untracked files of the user.
func checkout(t *testing.T, folder string, patterns ...string) {
	t.Helper()
	for name, text := range tracked(t, patterns...) {
		testkit.WriteText(t, filepath.Join(folder, name), text)
	}
}

// Untracked files are not in the copy, and a write to the copy does not change the original.
func TestCheckout(t *testing.T) {
	const kept = "kept.by.a.reader.urt"
	testkit.SkipOn(t, os.WriteFile(filepath.Join(root, kept), []byte("mine"), 0o666))
	defer os.Remove(filepath.Join(root, kept))
	folder := t.TempDir()
	checkout(t, folder, "*.mod", "*.md", "*.urt")
	testkit.WantError(t, testkit.ErrorOf(os.Stat(filepath.Join(folder, kept))), "",
		"an untracked file is in the folder")
	for _, name := range []string{"go.mod", "docs/ladder.md"} {
		there := testkit.Must(os.Stat(filepath.Join(folder, name)))(t)
		here, err := os.Stat(filepath.Join(root, name))
		testkit.ErrorIf(t, err != nil || os.SameFile(here, there), "%s is not a copy: %v", name, err)
	}
}
