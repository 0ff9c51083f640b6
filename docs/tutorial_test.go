// Package docs holds the tests that follow the tutorials.
package docs

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = ".."

// The tutorials are followed from top to bottom, as a reader does: a Go block below a line
// "Create `FILE`:" becomes that file, an sh block is run, and a console block is run and must
// print the lines below each command; "..." stands for any lines. Only the clone is not
// downloaded: it is a copy of the tracked files.
func TestTutorials(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs of the tutorials")
	}
	pages, err := filepath.Glob("tutorial-*.md")
	if err != nil || len(pages) < 3 {
		t.Fatalf("found %d tutorials, want 3 or more: %v", len(pages), err)
	}
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			follow(t, t.TempDir(), string(text))
		})
	}
}

// block matches a fenced block with the line above it.
var block = regexp.MustCompile("(?m)^(.*)\n\n?```(go|sh|console)\n((?s:.*?))^```$")

// create matches the line above a block that is a file.
var create = regexp.MustCompile("Create `([^`]+)`")

// follow does the steps of a page in a folder.
func follow(t *testing.T, folder, page string) {
	steps := 0
	for _, m := range block.FindAllStringSubmatch(page, -1) {
		above, kind, text := m[1], m[2], m[3]
		switch file := create.FindStringSubmatch(above); {
		case file != nil:
			write(t, filepath.Join(folder, file[1]), text)
		case kind == "sh":
			if strings.HasPrefix(text, "git clone ") {
				clone(t, filepath.Join(folder, "ur"))
				_, text, _ = strings.Cut(text, "\n")
			}
			run(t, folder, text)
		case kind == "console":
			checkConsole(t, folder, text)
		default:
			t.Errorf("a Go block has no line above it that names its file: %q", above)
		}
		steps++
	}
	if steps < 5 {
		t.Errorf("found %d steps, want 5 or more", steps)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// clone copies the tracked files of the module.
func clone(t *testing.T, to string) {
	t.Helper()
	list, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("git lists the files of the module: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), string(text))
	}
}

// run runs commands and returns their output.
func run(t *testing.T, folder, commands string) string {
	t.Helper()
	shell := exec.Command("sh", "-ec", commands)
	shell.Dir = folder
	shell.Env = append(os.Environ(), "NO_COLOR=1", "GOWORK=", "GOFLAGS=-mod=readonly", "XDG_CONFIG_HOME="+t.TempDir())
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", commands, err, out)
	}
	return string(out)
}

// checkConsole runs the commands of a console block and compares their output.
func checkConsole(t *testing.T, folder, text string) {
	t.Helper()
	for part := range strings.SplitSeq("\n"+text, "\n$ ") {
		command, want, _ := strings.Cut(part, "\n")
		if command == "" {
			continue
		}
		got := run(t, folder, command)
		if !matches(lines(got), lines(want)) {
			t.Errorf("%s prints\n%s\nwant\n%s", command, got, want)
		}
	}
}

func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }

// matches compares text with a pattern in which a line "..." stands for any lines.
func matches(text, pattern []string) bool {
	if len(pattern) == 0 {
		return len(text) == 0
	}
	if pattern[0] == "..." {
		return matches(text, pattern[1:]) || len(text) > 0 && matches(text[1:], pattern)
	}
	return len(text) > 0 && strings.TrimRight(text[0], " ") == pattern[0] && matches(text[1:], pattern[1:])
}
