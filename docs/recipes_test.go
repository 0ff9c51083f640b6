package docs

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A recipe of CONTRIBUTING.md is followed with the name "novel" by an archive in testdata/recipes. Its comment has
// the lines
//
//	run COMMAND => ARGUMENTS   a command of the recipe, and arguments that make it quick
//	changed FILES              files that a command of the recipe changes
//	other FILES                further files that the recipe names: models, and parts of other examples
//
// An entry for a file that exists is an edit, like a diff without line numbers; any other is a new file.
type recipe struct {
	title    string
	text     string     // section of CONTRIBUTING.md, in one line
	commands [][]string // what the recipe names, and arguments
	touched  []string   // files of the example
	other    []string
}

// readRecipe reads a recipe and applies its edits to a copy of the tree.
func readRecipe(t *testing.T, name, folder string) (r recipe) {
	t.Helper()
	file := strings.TrimSuffix(filepath.Base(name), ".txtar")
	r.title = strings.ToUpper(file[:1]) + strings.ReplaceAll(file[1:], "-", " ")
	_, section, ok := strings.Cut(readPage(t, "CONTRIBUTING.md"), "\n### "+r.title+"\n")
	testkit.FatalIf(t, !ok, "CONTRIBUTING.md has no recipe %q", r.title)
	section, _, _ = strings.Cut(section, "\n#")
	r.text = strings.ReplaceAll(strings.Join(strings.Fields(section), " "), "NAME", "novel")
	archive := testkit.Must(txtar.ParseFile(name))(t)
	for line := range strings.Lines(string(archive.Comment)) {
		switch kind, rest, _ := strings.Cut(strings.TrimSpace(line), " "); kind {
		case "run":
			command, arguments, _ := strings.Cut(rest, " =>")
			r.commands = append(r.commands, []string{command, arguments})
		case "changed":
			r.touched = append(r.touched, strings.Fields(rest)...)
		case "other":
			r.other = strings.Fields(rest)
		default:
			t.Fatalf("%s: unknown line %q", name, line)
		}
	}
	for _, f := range archive.Files {
		r.touched = append(r.touched, f.Name)
		target := filepath.Join(folder, f.Name)
		text := string(f.Data)
		if before, err := os.ReadFile(target); err == nil {
			text = edited(t, f.Name, string(before), text)
		}
		testkit.WriteText(t, target, text)
	}
	return r
}

// edited returns a text after an edit: lines with " " or "-" in front stand in it once, and those with "+" below follow
// the first kind and replace the second.
func edited(t *testing.T, name, text, edit string) string {
	t.Helper()
	var old, now string
	replace := func() {
		testkit.FatalIf(t, strings.Count("\n"+text, "\n"+old) != 1, "%s does not have these lines once:\n%s", name, old)
		text = strings.Replace("\n"+text, "\n"+old, "\n"+now, 1)[1:]
		old, now = "", ""
	}
	added := false
	for line := range strings.Lines(edit) {
		sign, line := line[0], line[1:]
		if added && sign != '+' {
			replace()
		}
		if added = sign == '+'; !added {
			old += line
		}
		if sign != '-' {
			now += line
		}
	}
	replace()
	return text
}

var (
	namedFile    = regexp.MustCompile(`[\w./-]+/[\w.-]+\.(?:go|txtar|txt|md)`)
	namedCommand = regexp.MustCompile("`(go (?:run|test) [^`]*)`")
)

// Whoever follows a recipe changes the files that it names and no others, and its commands succeed.
func TestRecipes(t *testing.T) {
	testkit.NeedLong(t, "compiles all packages after changes")
	folder := t.TempDir()
	checkout(t, folder)
	var recipes []recipe
	for _, name := range testkit.Must(filepath.Glob("testdata/recipes/*.txtar"))(t) {
		recipes = append(recipes, readRecipe(t, name, folder))
	}
	testkit.ErrorIf(t, len(recipes) < 7, "%d recipes are followed", len(recipes))
	for _, r := range recipes {
		t.Run(r.title, func(t *testing.T) { r.check(t, folder) })
	}
}

// check compares the files of a recipe with those touched, and runs its commands.
func (r recipe) check(t *testing.T, folder string) {
	named := make(map[string]bool)
	for _, file := range namedFile.FindAllString(r.text, -1) {
		named[file] = true
	}
	for _, file := range slices.Concat(r.touched, r.other) {
		testkit.ErrorIf(t, !named[file], "the recipe does not name %s", file)
		delete(named, file)
	}
	testkit.ErrorIf(t, len(named) > 0, "the recipe names %q, which its example does not touch", slices.Sorted(maps.Keys(named)))
	var commands []string
	for _, found := range namedCommand.FindAllStringSubmatch(r.text, -1) {
		commands = append(commands, found[1])
	}
	var run []string
	for _, c := range r.commands {
		run = append(run, c[0])
	}
	testkit.Equal(t, strings.Join(run, "\n"), strings.Join(commands, "\n"), "commands of the example and of the recipe")
	for _, c := range r.commands {
		shell := exec.Command("sh", "-ec", c[0]+c[1])
		shell.Dir = folder
		// Paths that do not depend on the folder share compiled packages with other runs.
		shell.Env = append(os.Environ(), "NO_COLOR=1", "UR_PROGRESS=off", "UR_LONG=", "GOWORK=", "GOFLAGS=-trimpath -vet=off")
		testkit.Run(t, shell)
	}
}
