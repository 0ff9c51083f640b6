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
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/shell"
	"mvdan.cc/sh/v3/syntax"
)

var consoleBlock = regexp.MustCompile("(?m)(?:^<!-- (?:typed: (.*)|(figures vary)) -->\n)?^```console\n((?s:.*?))^```$")

// In a console block every line that begins with "$ " is run, and must print the lines below it; a
// line "..." stands for any number of lines. A comment "<!-- typed: 1 2 -->" above a console block
// has the lines that a user types at its prompts.
func TestPagesShowOutputOfCommands(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("sh")))
	t.Setenv("NO_COLOR", "1")
	t.Setenv("UR_PROGRESS", "off") // a slow machine would print more
	for _, page := range pages(t) {
		if !consoleBlock.MatchString(readReference(t, page)) {
			continue
		}
		if slowPages[page] && !testkit.Long() && !*testkit.Update {
			continue
		}
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			checkPage(t, page)
		})
	}
}

// slowPages are those whose commands take the most time: they run with UR_LONG.
var slowPages = map[string]bool{"docs/solve.md": true, "docs/learning.md": true, "README.md": true}

// checkPage runs the console blocks of a page in a folder of their own.
func checkPage(t *testing.T, page string) {
	folder := t.TempDir()
	text := readReference(t, page)
	if strings.Contains(text, "\n$ go ") {
		checkout(t, folder) // other commands need no file of the module
	}
	updated := consoleBlock.ReplaceAllStringFunc(text, func(block string) string {
		parts := consoleBlock.FindStringSubmatch(block)
		typed := strings.Fields(parts[1])
		form := asPrinted
		if parts[2] != "" {
			form = withoutFigures
		}
		return strings.Replace(block, parts[3], checkConsole(t, parts[3], form, func(command string) string {
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
		err := cli.Program().Run(context.Background(), args, screen, screen, io.Discard)
		testkit.Equal(t, err, nil, "%s", command)
		return screen.screen.String()
	}
	return run(t, folder, command)
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
				if err == nil {
					args = append(args, "--help")
					err = cli.Program().Run(context.Background(), args, strings.NewReader(""), io.Discard, io.Discard)
				}
				testkit.Equal(t, err, nil, "%s: %s", page, command[0])
				found++
			}
		}
	}
	testkit.ErrorIf(t, found == 0, "the pages name no command")
}

func TestPagesLinkToFilesThatExist(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)\)`)
	for _, page := range append(pages(t), "CHANGELOG.md") {
		for _, target := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			if strings.Contains(target[1], "://") {
				continue
			}
			file := filepath.Join(root, filepath.Dir(page), target[1])
			testkit.Equal(t, testkit.ErrorOf(os.Stat(file)), nil, "%s: a link", page)
		}
	}
}

// The map of README has every folder of the top level once.
func TestMapNamesFolders(t *testing.T) {
	_, text, _ := strings.Cut(readPage(t, "README.md"), "\n## Map\n")
	text, _, _ = strings.Cut(text, "\n## ")
	listed := make(map[string]int)
	for _, row := range regexp.MustCompile("(?m)^\\|(`.*?)\\|").FindAllStringSubmatch(text, -1) {
		for _, name := range regexp.MustCompile("`(.+?)`").FindAllStringSubmatch(row[1], -1) {
			listed[name[1]]++
		}
	}
	folders := make(map[string]int)
	for name := range tracked(t) {
		if folder, _, ok := strings.Cut(name, "/"); ok {
			folders[folder] = 1
		}
	}
	testkit.Equal(t, listed, folders, "folders of the map")
}

// Go code in a page is part of a file that is compiled and tested.
func TestPagesShowGoCodeThatIsTested(t *testing.T) {
	block := regexp.MustCompile("(?ms)^```go\n// ([^\n]*)\n\n(.*?)^```$")
	for _, page := range pages(t) {
		text := readReference(t, page)
		blocks := block.FindAllStringSubmatch(text, -1)
		testkit.Equal(t, len(blocks), strings.Count(text, "```go\n"), "%s: blocks of Go that name their file", page)
		for _, b := range blocks {
			file := readPage(t, b[1])
			for part := range strings.SplitSeq(b[2], "// ...\n") {
				testkit.ErrorIf(t, !strings.Contains(file, strings.Trim(part, "\n")),
					"%s: %s does not have\n%s", page, b[1], part)
			}
		}
	}
}

// A page must not send its reader to a file that neither the module has nor a command
// above on the same page has made, nor make a file twice.
func TestPagesMakeFilesBeforeTheyUseThem(t *testing.T) {
	used := 0
	for _, page := range pages(t) {
		m := madeFiles{made: map[string]bool{}}
		for _, script := range commandsOf(readReference(t, page)) {
			m.run(script)
		}
		testkit.Equal(t, m.problems, nil, "problems of %s", page)
		used += len(m.made)
	}
	testkit.ErrorIf(t, used < 5, "the pages make %d files: are their commands read?", used)
}

func TestMadeFiles(t *testing.T) {
	for script, want := range map[string]string{
		"ur show brain > a.txt\nur match brain:a.txt brain":           "",
		"ur match brain:a.txt brain":                                  "a.txt is used before it is made",
		"ur match 'net:a.safetensors@2' brain":                        "a.safetensors is used before it is made",
		"benchab --old './mine --json'":                               "./mine is used before it is made",
		"go build -o mine ./cmd/ur\nbenchab --old ./mine":             "",
		"benchab old.txt README.md":                                   "old.txt is used before it is made",
		"ur eval < in.jsonl":                                          "in.jsonl is used before it is made",
		"ur solve -o a.urt && ur convert a.urt b.rgu\nur check b.rgu": "",
		"ur bench run -o a.txt\ngo test > a.txt":                      "a.txt is made twice",
		"./old.test -test.bench .":                                    "./old.test is used before it is made",
	} {
		m := madeFiles{made: map[string]bool{}}
		m.run(script)
		testkit.Equal(t, strings.Join(m.problems, "; "), want, "%s\ngives", script)
	}
}

// commandsOf returns the scripts of a document: what stands in its blocks marked "sh", and
// behind "$ " in those marked "console".
func commandsOf(text string) (scripts []string) {
	for _, block := range regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		script := block[2]
		if block[1] == "console" {
			var lines []string
			for line := range strings.SplitSeq(script, "\n") {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					lines = append(lines, command)
				}
			}
			script = strings.Join(lines, "\n")
		}
		scripts = append(scripts, script)
	}
	return scripts
}

// madeFiles are the files that the commands of a page have made so far, and what is wrong with their use.
type madeFiles struct {
	made     map[string]bool
	problems []string
}

var (
	// fileName is a word that names a file: by what it ends with, or as a program to be run.
	fileName = regexp.MustCompile(`^[\w./-]+\.(txt|urt|rgu|rgn|svg|csv|html|gz|jsonl?|safetensors|md|test)$|^\./\w[\w.]*$`)
	// outputs are words behind which stands a file that is made.
	outputs = []string{"-o", "tee", "--cpuprofile", "--record", "--curve", "--tree-out", "--html", "--readme", "--docs",
		"--svg", "--plot"}
)

// run reads a script.
func (m *madeFiles) run(script string) {
	parsed, err := syntax.NewParser(syntax.KeepComments(false)).Parse(strings.NewReader(script), "")
	if err != nil {
		m.problems = append(m.problems, err.Error())
		return
	}
	syntax.Walk(parsed, func(node syntax.Node) bool {
		stmt, ok := node.(*syntax.Stmt)
		if !ok {
			return true
		}
		if call, ok := stmt.Cmd.(*syntax.CallExpr); ok {
			words, err := expand.Fields(nil, call.Args...)
			if err != nil {
				m.problems = append(m.problems, err.Error())
			}
			m.call(words)
		}
		for _, redirection := range stmt.Redirs {
			file, err := expand.Literal(nil, redirection.Word)
			switch {
			case err != nil:
				m.problems = append(m.problems, err.Error())
			case redirection.Op == syntax.RdrOut && file != os.DevNull:
				m.make(file)
			case redirection.Op == syntax.RdrIn:
				m.use(file)
			}
		}
		return true
	})
}

// call looks at the words of one command.
func (m *madeFiles) call(words []string) {
	last := len(words) - 1 // the output of a conversion, before its switches
	for last > 0 && strings.HasPrefix(words[last], "--") {
		last--
	}
	converts := slices.Contains(words, "convert")
	for i, word := range words {
		if i > 0 && slices.Contains(outputs, words[i-1]) || converts && i == last {
			m.make(word)
			continue
		}
		if _, value, ok := strings.Cut(word, "="); ok {
			word = value
		}
		for part := range strings.FieldsSeq(word) { // a command line of its own, as of --old
			if _, file, ok := strings.Cut(part, ":"); ok {
				part = file
			}
			part, _, _ = strings.Cut(part, "@") // plies
			if fileName.MatchString(part) {
				m.use(part)
			}
		}
	}
}

// make notes a file that is made. One that the module has may be made again.
func (m *madeFiles) make(file string) {
	if m.made[filepath.Clean(file)] {
		m.problems = append(m.problems, file+" is made twice")
	}
	m.made[filepath.Clean(file)] = true
}

// use notes a file that is used before it is made.
func (m *madeFiles) use(file string) {
	_, err := os.Stat(filepath.Join(root, file))
	if err != nil && !m.made[filepath.Clean(file)] {
		m.problems = append(m.problems, file+" is used before it is made")
	}
}

var (
	codeFile = regexp.MustCompile("`([a-z_][\\w./-]*/[\\w.-]+\\.(?:go|s|tsx?|txt))`")
	codeName = regexp.MustCompile("`(\\w+)` (?:in|of) `([a-z_][\\w./-]*/[\\w.-]+\\.(?:go|s|tsx?))`")
)

// The files that recipes and walks name exist, and hold the names that stand before them.
func TestPagesNameCodeThatExists(t *testing.T) {
	files, names := 0, 0
	for _, page := range []string{"CONTRIBUTING.md", "docs/architecture.md"} {
		text := strings.Join(strings.Fields(readPage(t, page)), " ")
		for _, found := range codeFile.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(root, found[1]))
			testkit.ErrorIf(t, err != nil && !strings.Contains(found[1], "NAME"), "%s: %v", page, err)
			files++
		}
		for _, found := range codeName.FindAllStringSubmatch(text, -1) {
			code, _ := os.ReadFile(filepath.Join(root, found[2])) // a missing file has its error above
			testkit.ErrorIf(t, !regexp.MustCompile(`\b`+found[1]+`\b`).Match(code),
				"%s: %s has no %s", page, found[2], found[1])
			names++
		}
	}
	testkit.ErrorIf(t, files < 30 || names < 10, "found %d files and %d names", files, names)
}

// checkConsole runs the commands of a console block, the lines that begin with "$ ", and compares
// the output of each with the lines below it, in a form. It returns the block, with the actual output if
// -update is given.
func checkConsole(t *testing.T, block string, form func(string) string, run func(command string) string) string {
	t.Helper()
	var result strings.Builder
	for part := range strings.SplitSeq("\n"+strings.TrimSuffix(block, "\n"), "\n$ ") {
		if part == "" {
			continue
		}
		command, want, _ := strings.Cut(part, "\n")
		got := strings.Split(strings.TrimSuffix(run(command), "\n"), "\n")
		if !matches(strings.Split(form(strings.Join(got, "\n")), "\n"), strings.Split(form(want), "\n")) {
			if *testkit.Update {
				want = trimLines(got)
			} else {
				t.Errorf("%s\nprints\n%s\nthe page has\n%s", command, strings.Join(got, "\n"), want)
			}
		}
		result.WriteString("$ " + command + "\n" + want + "\n")
	}
	return result.String()
}

func asPrinted(text string) string { return text }

var (
	number = regexp.MustCompile(`\d[\d.,]*([kMGnµm]\b)?`)
	spaces = regexp.MustCompile(` +`)
)

// withoutFigures replaces numbers, and the spaces of columns.
func withoutFigures(text string) string {
	return spaces.ReplaceAllString(number.ReplaceAllString(strings.ReplaceAll(text, "\t", " "), "#"), " ")
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
		testkit.Equal(t, matches(strings.Fields(test.text), strings.Fields(test.pattern)), test.want,
			"matches(%q, %q)", test.text, test.pattern)
	}
}

// trimLines joins lines without the spaces at their ends.
func trimLines(lines []string) string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// terminal is a user who types a line at each prompt and sees it on the screen.
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
