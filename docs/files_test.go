package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// A page must not send its reader to a file that neither the module has nor a command
// above on the same page has made, nor make a file twice.
func TestPagesMakeFilesBeforeTheyUseThem(t *testing.T) {
	used := 0
	for _, page := range pages(t) {
		made := madeFiles{}
		for _, script := range commandsOf(readReference(t, page)) {
			for _, problem := range made.run(script) {
				t.Errorf("%s: %s", page, problem)
			}
		}
		used += len(made)
	}
	if used < 5 {
		t.Errorf("the pages make %d files: are their commands read?", used)
	}
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
		if got := strings.Join(madeFiles{}.run(script), "; "); got != want {
			t.Errorf("%s\ngives %q, want %q", script, got, want)
		}
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

// madeFiles are the files that the commands of a page have made so far.
type madeFiles map[string]bool

var (
	// fileName is a word that names a file: by what it ends with, or as a program to be run.
	fileName = regexp.MustCompile(`^[\w./-]+\.(txt|urt|rgu|rgn|svg|csv|html|gz|jsonl?|safetensors|md|test)$|^\./\w[\w.]*$`)
	// outputs are flags behind which stands a file that is made.
	outputs = []string{"-o", "--cpuprofile", "--record", "--curve", "--tree-out", "--html", "--readme", "--docs",
		"--svg", "--plot"}
)

// run reads a script and returns what is wrong with the files that it names.
func (made madeFiles) run(script string) (problems []string) {
	parsed, err := syntax.NewParser(syntax.KeepComments(false)).Parse(strings.NewReader(script), "")
	if err != nil {
		return []string{err.Error()}
	}
	syntax.Walk(parsed, func(node syntax.Node) bool {
		stmt, ok := node.(*syntax.Stmt)
		if !ok {
			return true
		}
		if call, ok := stmt.Cmd.(*syntax.CallExpr); ok {
			words, err := expand.Fields(nil, call.Args...)
			if err != nil {
				problems = append(problems, err.Error())
			}
			problems = append(problems, made.call(words)...)
		}
		for _, redirection := range stmt.Redirs {
			file, err := expand.Literal(nil, redirection.Word)
			switch {
			case err != nil:
				problems = append(problems, err.Error())
			case redirection.Op == syntax.RdrOut && file != os.DevNull:
				problems = append(problems, made.make(file)...)
			case redirection.Op == syntax.RdrIn:
				problems = append(problems, made.use(file)...)
			}
		}
		return true
	})
	return problems
}

// call looks at the words of one command.
func (made madeFiles) call(words []string) (problems []string) {
	last := len(words) - 1 // the output of a conversion, before its switches
	for last > 0 && strings.HasPrefix(words[last], "--") {
		last--
	}
	converts := slices.Contains(words, "convert")
	for i, word := range words {
		if i > 0 && slices.Contains(outputs, words[i-1]) || converts && i == last {
			problems = append(problems, made.make(word)...)
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
				problems = append(problems, made.use(part)...)
			}
		}
	}
	return problems
}

// make notes a file that is made. One that the module has may be made again.
func (made madeFiles) make(file string) []string {
	if made[filepath.Clean(file)] {
		return []string{file + " is made twice"}
	}
	made[filepath.Clean(file)] = true
	return nil
}

// use returns what is wrong with a file that is used.
func (made madeFiles) use(file string) []string {
	if made[filepath.Clean(file)] {
		return nil
	}
	if _, err := os.Stat(filepath.Join(root, file)); err == nil {
		return nil
	}
	return []string{file + " is used before it is made"}
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
			if _, err := os.Stat(filepath.Join(root, found[1])); err != nil && !strings.Contains(found[1], "NAME") {
				t.Errorf("%s: %v", page, err)
			}
			files++
		}
		for _, found := range codeName.FindAllStringSubmatch(text, -1) {
			code, _ := os.ReadFile(filepath.Join(root, found[2])) // a missing file has its error above
			if !regexp.MustCompile(`\b` + found[1] + `\b`).Match(code) {
				t.Errorf("%s: %s has no %s", page, found[2], found[1])
			}
			names++
		}
	}
	if files < 30 || names < 10 {
		t.Errorf("found %d files and %d names", files, names)
	}
}
