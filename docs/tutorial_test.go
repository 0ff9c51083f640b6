package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The tutorials are followed from top to bottom, as a reader does: a Go block below a line
// "Create `FILE`:" becomes that file, an sh block is run, and a console block is run and must
// print the lines below each command; "..." stands for any lines. Only the clone is not
// downloaded: it is a copy of the tracked files. Only UR_LONG follows all of them.
func TestTutorials(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "builds the program of a tutorial")
	pages := testkit.Must(filepath.Glob("tutorial-*.md"))(t)
	testkit.FatalIf(t, len(pages) < 2, "found %d tutorials, want 2 or more", len(pages))
	pages = append(pages, "ab.md")
	if !testkit.Long() {
		pages = []string{"tutorial-game.md"}
	}
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text := readPage(t, "docs/"+page)
			if _, part, ok := strings.Cut(text, walkthrough); ok {
				text = part
			}
			follow(t, t.TempDir(), text)
		})
	}
}

// block matches a fenced block with the line above it.
var block = regexp.MustCompile("(?m)^(.*)\n\n?```(go|asm|sh|console)\n((?s:.*?))^```$")

// create matches the line above a block that is a file.
var create = regexp.MustCompile("Create `([^`]+)`")

// follow does the steps of a page in a folder.
func follow(t *testing.T, folder, page string) {
	steps := 0
	for _, m := range block.FindAllStringSubmatch(page, -1) {
		above, kind, text := m[1], m[2], m[3]
		switch file := create.FindStringSubmatch(above); {
		case file != nil:
			testkit.WriteText(t, filepath.Join(folder, file[1]), text)
		case kind == "sh":
			if strings.HasPrefix(text, "git clone ") {
				checkout(t, filepath.Join(folder, "ur"))
				_, text, _ = strings.Cut(text, "\n")
			}
			run(t, folder, buildOriginal(t, folder, text))
			useOriginal(t, folder)
		case kind == "console":
			checkConsole(t, text, asPrinted, func(command string) string { return run(t, folder, command) })
		default:
			t.Errorf("a Go block has no line above it that names its file: %q", above)
		}
		steps++
	}
	testkit.ErrorIf(t, steps < 5, "found %d steps, want 5 or more", steps)
}

// useOriginal replaces the copy in a workspace by the original, whose packages are compiled for
// the other tests already.
func useOriginal(t *testing.T, folder string) {
	t.Helper()
	work, err := os.ReadFile(filepath.Join(folder, "go.work"))
	if err != nil || !strings.Contains(string(work), "./ur\n") {
		return
	}
	run(t, folder, "go work edit -dropuse=./ur -use='"+sources(t)+"'")
}

// buildOriginal lets commands build programs of the original, for the same reason.
func buildOriginal(t *testing.T, folder, commands string) string {
	return strings.ReplaceAll(commands, "(cd ur && go build -o ../", "(cd '"+sources(t)+"' && go build -o '"+folder+"'/")
}

// sources returns the folder of the module.
func sources(t *testing.T) string {
	t.Helper()
	return testkit.Must(filepath.Abs(root))(t)
}

// run runs commands and returns their output.
func run(t *testing.T, folder, commands string) string {
	t.Helper()
	shell := exec.Command("sh", "-ec", commands)
	shell.Dir = folder
	shell.Env = append(os.Environ(), "NO_COLOR=1", "UR_PROGRESS=off", "GOWORK=", "GOFLAGS=-mod=readonly")
	return testkit.Run(t, shell)
}

// The player in Python, of at most 40 lines, plays the games of greedy.
func TestPlayerInPython(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("python3")))
	code := regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(readPage(t, "docs/matches.md"))
	testkit.FatalIf(t, code == nil || strings.Count(code[1], "\n") > 40,
		"no player in Python, or one of more than 40 lines")
	folder := t.TempDir()
	testkit.WriteText(t, filepath.Join(folder, "greedy.py"), code[1])
	games := strconv.Itoa(testkit.Trials(40, 1000))
	lines := func(player string) []string {
		record := filepath.Join(folder, "games.jsonl")
		run(t, folder, "ur match "+player+" random --games "+games+" --force --record "+record)
		turns := regexp.MustCompile(`"turns":"[^"]*","result":"[^"]*"`)
		return turns.FindAllString(testkit.ReadText(t, record), -1)
	}
	got, want := lines("'exec:python3 greedy.py'"), lines("greedy")
	testkit.ErrorIf(t, strings.Join(got, "\n") != strings.Join(want, "\n") || len(want) < 40,
		"%d games differ from %d of greedy", len(got), len(want))
}
