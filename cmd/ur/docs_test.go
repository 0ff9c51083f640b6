package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"mvdan.cc/sh/v3/shell"
)

// The documents, README, CONTRIBUTING and every page of docs, are tested as a reader uses
// them. In a block marked "console" every line that begins with "$ " is run, and what
// stands below it must be what it prints; a line "..." stands for any number of lines. In
// a block marked "sh" every command of ur must exist with the flags it is given. A comment
// "<!-- typed: 1 2 -->" above a console block is what somebody types at its prompts. Run
// this test with -update to write what the commands print into the documents.
func documents(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md"}
	pages, err := filepath.Glob(filepath.Join(moduleRoot, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages in docs, %v", len(pages), err)
	}
	for _, page := range pages {
		if !strings.HasPrefix(filepath.Base(page), "tutorial-") { // a test beside them follows these
			names = append(names, "docs/"+filepath.Base(page))
		}
	}
	return names
}

const moduleRoot = "../.."

// terminal is somebody who types a line at each prompt, and sees it on the screen.
type terminal struct {
	sync.Mutex
	asked  sync.Cond
	screen bytes.Buffer
	lines  []string
}

func newTerminal(lines []string) *terminal {
	t := &terminal{lines: lines}
	t.asked.L = t
	return t
}

func (t *terminal) Write(p []byte) (int, error) {
	t.Lock()
	defer t.Unlock()
	t.asked.Broadcast()
	return t.screen.Write(p)
}

// Read waits for a prompt.
func (t *terminal) Read(p []byte) (int, error) {
	t.Lock()
	defer t.Unlock()
	for !bytes.HasSuffix(t.screen.Bytes(), []byte(": ")) {
		t.asked.Wait()
	}
	if len(t.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.lines[0]+"\n")
	t.lines = t.lines[1:]
	t.screen.Write(p[:n])
	return n, nil
}

// readersFolder makes a copy of a fresh checkout of the module, so that commands which
// write files neither leave anything behind nor touch what the reader keeps beside the
// files of the module.
func readersFolder(t *testing.T) string {
	t.Helper()
	files, err := exec.Command("git", "-C", moduleRoot, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("only git knows which files belong to the module: %v", err)
	}
	folder := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(moduleRoot, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(copied), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// What a reader keeps in his checkout is not in the folder, and writing to the folder
// does not write to the checkout.
func TestReadersFolder(t *testing.T) {
	const kept = "kept.by.a.reader.urt"
	if err := os.WriteFile(filepath.Join(moduleRoot, kept), []byte("mine"), 0o666); err != nil {
		t.Skip(err)
	}
	defer os.Remove(filepath.Join(moduleRoot, kept))
	folder := readersFolder(t)
	if _, err := os.Stat(filepath.Join(folder, kept)); err == nil {
		t.Error("a file that is not the module's is in the folder")
	}
	for _, name := range []string{"go.mod", "docs/ladder.md"} {
		there, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if here, err := os.Stat(filepath.Join(moduleRoot, name)); err != nil || os.SameFile(here, there) {
			t.Errorf("%s is not a copy: %v", name, err)
		}
	}
}

// printed runs one command line of a document and returns what it prints.
func printed(t *testing.T, folder, command string, typed []string) string {
	t.Helper()
	if len(typed) > 0 {
		fields := strings.Fields(command)
		args := fields[slices.Index(fields, "ur")+1:]
		screen := newTerminal(typed)
		if err := cli.Program.Run(context.Background(), args, screen, screen, io.Discard); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		return screen.screen.String()
	}
	var out bytes.Buffer
	shell := exec.Command("sh", "-c", command)
	shell.Dir = folder
	shell.Stdout, shell.Stderr = &out, &out
	if err := shell.Run(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, out.String())
	}
	return out.String()
}

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

func TestMatches(t *testing.T) {
	tests := []struct {
		text, pattern string
		want          bool
	}{
		{"a b", "a b", true},
		{"a b", "a", false},
		{"a", "a b", false},
		{"a b c", "a ... c", true},
		{"a c", "a ... c", true},
		{"a b c", "... b", false},
		{"a b c", "...", true},
	}
	for _, test := range tests {
		if got := matches(strings.Fields(test.text), strings.Fields(test.pattern)); got != test.want {
			t.Errorf("matches(%q, %q) = %v, want %v", test.text, test.pattern, got, test.want)
		}
	}
}

var consoleBlock = regexp.MustCompile("(?m)(?:^<!-- typed: (.*) -->\n)?^```console\n((?s:.*?))^```$")

func TestDocumentsShowWhatCommandsPrint(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	t.Setenv("NO_COLOR", "1")
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // a reader's tables would show in hints
	for _, document := range documents(t) {
		if !consoleBlock.MatchString(readDocument(t, document)) {
			continue
		}
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			checkDocument(t, document)
		})
	}
}

// checkDocument runs the console blocks of a document, one after another, in a folder of
// their own.
func checkDocument(t *testing.T, document string) {
	folder := readersFolder(t)
	text := readDocument(t, document)
	updated := consoleBlock.ReplaceAllStringFunc(text, func(block string) string {
		parts := consoleBlock.FindStringSubmatch(block)
		return strings.Replace(block, parts[2], checkConsole(t, folder, parts[2], strings.Fields(parts[1])), 1)
	})
	if updated == text {
		return
	}
	if err := os.WriteFile(filepath.Join(moduleRoot, document), []byte(updated), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkConsole runs the commands of a console block. It returns the block, with what
// they print where -update asks for it.
func checkConsole(t *testing.T, folder, block string, typed []string) string {
	var result strings.Builder
	for part := range strings.SplitSeq("\n"+strings.TrimSuffix(block, "\n"), "\n$ ") {
		if part == "" {
			continue
		}
		command, want, _ := strings.Cut(part, "\n")
		got := strings.Split(strings.TrimSuffix(printed(t, folder, command, typed), "\n"), "\n")
		if !matches(got, strings.Split(want, "\n")) {
			if *update {
				want = trimLines(got)
			} else {
				t.Errorf("%s\nprints\n%s\nthe document has\n%s", command, strings.Join(got, "\n"), want)
			}
		}
		result.WriteString("$ " + command + "\n" + want + "\n")
	}
	return result.String()
}

// trimLines joins lines without the space at their ends.
func trimLines(lines []string) string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	urCommand  = regexp.MustCompile(`(?m)(?:^|[|&;(] *|[A-Z_]+=\S+ |go tool |\./cmd/)ur( [^|<>#&;)\n]*|$)`)
)

func TestDocumentsNameCommandsThatExist(t *testing.T) {
	found := 0
	for _, document := range documents(t) {
		for _, block := range shellBlock.FindAllStringSubmatch(readDocument(t, document), -1) {
			for _, command := range urCommand.FindAllStringSubmatch(block[1], -1) {
				args, err := shell.Fields(command[1], nil)
				if err != nil {
					t.Errorf("%s: %s: %v", document, command[0], err)
					continue
				}
				args = append(args, "--help")
				var out bytes.Buffer
				if err := cli.Program.Run(context.Background(), args, strings.NewReader(""), &out, &out); err != nil {
					t.Errorf("%s: %s: %v", document, command[0], err)
				}
				found++
			}
		}
	}
	if found == 0 {
		t.Error("the documents name no command")
	}
}

// A document must not send its reader to a file that is not there.
func TestDocumentsLinkToFilesThatExist(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)\)`)
	for _, document := range append(documents(t), "CHANGELOG.md") {
		for _, target := range link.FindAllStringSubmatch(readDocument(t, document), -1) {
			if strings.Contains(target[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(moduleRoot, filepath.Dir(document), target[1])); err != nil {
				t.Errorf("%s: %v", document, err)
			}
		}
	}
}

// Go code in a document must stand in a file that is compiled and tested.
func TestDocumentsShowGoCodeThatIsTested(t *testing.T) {
	block := regexp.MustCompile("(?ms)^```go\n// ([^\n]*)\n\n(.*?)^```$")
	for _, document := range documents(t) {
		text := readDocument(t, document)
		blocks := block.FindAllStringSubmatch(text, -1)
		if got := strings.Count(text, "```go\n"); got != len(blocks) {
			t.Errorf("%s: %d of %d blocks of Go do not begin with a comment that names their file", document, got-len(blocks), got)
		}
		for _, b := range blocks {
			file := readDocument(t, b[1])
			for part := range strings.SplitSeq(b[2], "// ...\n") {
				if !strings.Contains(file, strings.Trim(part, "\n")) {
					t.Errorf("%s: %s does not have\n%s", document, b[1], part)
				}
			}
		}
	}
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
