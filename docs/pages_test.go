package docs

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"mvdan.cc/sh/v3/shell"
)

var consoleBlock = regexp.MustCompile("(?m)(?:^<!-- typed: (.*) -->\n)?^```console\n((?s:.*?))^```$")

// In a console block every line that begins with "$ " is run, and must print the lines below it; a
// line "..." stands for any number of lines. A comment "<!-- typed: 1 2 -->" above a console block
// has the lines that a user types at its prompts.
func TestPagesShowOutputOfCommands(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	t.Setenv("NO_COLOR", "1")
	t.Setenv("UR_PROGRESS", "off") // a slow machine would print more
	for _, page := range pages(t) {
		if !consoleBlock.MatchString(readReference(t, page)) {
			continue
		}
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			checkPage(t, page)
		})
	}
}

// checkPage runs the console blocks of a page in a folder of their own.
func checkPage(t *testing.T, page string) {
	folder := t.TempDir()
	checkout(t, folder)
	text := readReference(t, page)
	updated := consoleBlock.ReplaceAllStringFunc(text, func(block string) string {
		parts := consoleBlock.FindStringSubmatch(block)
		typed := strings.Fields(parts[1])
		return strings.Replace(block, parts[2], checkConsole(t, parts[2], func(command string) string {
			return output(t, folder, command, typed)
		}), 1)
	})
	if updated == text || !*testkit.Update {
		return
	}
	updated += strings.TrimPrefix(readPage(t, page), text)
	testkit.NoError(t, os.WriteFile(filepath.Join(root, page), []byte(updated), 0o644))
}

// output runs one command line of a page and returns its output.
func output(t *testing.T, folder, command string, typed []string) string {
	t.Helper()
	if len(typed) > 0 {
		fields := strings.Fields(command)
		args := fields[slices.Index(fields, "ur")+1:]
		screen := newTerminal(typed)
		if err := cli.Program().Run(context.Background(), args, screen, screen, io.Discard); err != nil {
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

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	urCommand  = regexp.MustCompile(`(?m)(?:^|[|&;(] *|[A-Z_]+=\S+ |go tool |\./cmd/)ur( [^|<>#&;)\n]*|$)`)
)

// In a block marked "sh" every command of ur exists, with its flags.
func TestPagesNameCommandsThatExist(t *testing.T) {
	found := 0
	for _, page := range pages(t) {
		for _, block := range shellBlock.FindAllStringSubmatch(readPage(t, page), -1) {
			for _, command := range urCommand.FindAllStringSubmatch(block[1], -1) {
				args, err := shell.Fields(command[1], nil)
				if err != nil {
					t.Errorf("%s: %s: %v", page, command[0], err)
					continue
				}
				args = append(args, "--help")
				var out bytes.Buffer
				if err := cli.Program().Run(context.Background(), args, strings.NewReader(""), &out, &out); err != nil {
					t.Errorf("%s: %s: %v", page, command[0], err)
				}
				found++
			}
		}
	}
	if found == 0 {
		t.Error("the pages name no command")
	}
}

func TestPagesLinkToFilesThatExist(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)\)`)
	for _, page := range append(pages(t), "CHANGELOG.md") {
		for _, target := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			if strings.Contains(target[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), target[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// Go code in a page is part of a file that is compiled and tested.
func TestPagesShowGoCodeThatIsTested(t *testing.T) {
	block := regexp.MustCompile("(?ms)^```go\n// ([^\n]*)\n\n(.*?)^```$")
	for _, page := range pages(t) {
		text := readReference(t, page)
		blocks := block.FindAllStringSubmatch(text, -1)
		if got := strings.Count(text, "```go\n"); got != len(blocks) {
			t.Errorf("%s: %d of %d blocks of Go do not begin with a comment that names their file", page, got-len(blocks), got)
		}
		for _, b := range blocks {
			file := readPage(t, b[1])
			for part := range strings.SplitSeq(b[2], "// ...\n") {
				if !strings.Contains(file, strings.Trim(part, "\n")) {
					t.Errorf("%s: %s does not have\n%s", page, b[1], part)
				}
			}
		}
	}
}
