package docs

import (
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// outside matches code that reads the user's folders or starts programs.
var outside = regexp.MustCompile(`"os/exec"|os\.User(Home|Cache|Config)Dir`)

// sandboxMain matches a TestMain whose tests have a home of their own.
var sandboxMain = regexp.MustCompile(`testkit\.(Main|Wrap)\(`)

// Every package whose tests could see the user's files runs them in a sandbox.
func TestSandboxes(t *testing.T) {
	list := exec.Command("go", "list", "-test", "-f",
		`{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}|{{join .Deps " "}}`, "./...")
	list.Dir = root
	out, err := list.Output()
	testkit.SkipOn(t, err)
	matches := func(pattern *regexp.Regexp, dir, files string) bool {
		return slices.ContainsFunc(strings.Fields(files), func(name string) bool {
			return pattern.MatchString(testkit.ReadText(t, filepath.Join(dir, name)))
		})
	}
	const self = "github.com/seed-09dcdc84/ur/internal/testkit"
	reaching, sandboxed, links := make(map[string]bool), make(map[string]bool), make(map[string]string)
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		name, dir, files, tests := part[0], part[1], part[2], part[3]
		switch {
		case strings.HasSuffix(name, ".test"):
			links[strings.TrimSuffix(name, ".test")] = part[4]
		case !strings.Contains(name, " "): // otherwise it is built for the tests of a package
			reaching[name] = name != self && matches(outside, dir, files)
			sandboxed[name] = name == self || matches(sandboxMain, dir, tests)
			reaching[name+".test"] = matches(outside, dir, tests)
		}
	}
	testkit.ErrorIf(t, len(links) < 50, "%d packages have tests", len(links))
	for name, linked := range links {
		linked := append(strings.Fields(linked), name, name+".test")
		if i := slices.IndexFunc(linked, func(dep string) bool { return reaching[dep] }); i >= 0 && !sandboxed[name] {
			t.Errorf("the tests of %s link %s and want func TestMain(m *testing.M) { testkit.Main(m) }", name,
				linked[i])
		}
	}
}

// Every type in the glossary is an exported type of a public package, and a name behind the type
// is one of its methods. Each term has one line, and lines are sorted.
func TestGlossaryNamesTypesThatExist(t *testing.T) {
	text := testkit.ReadText(t, "architecture.md")
	rows := regexp.MustCompile("(?m)^- \\*\\*(.+?)\\*\\*(?: `([^`]+)`)?: ").FindAllStringSubmatch(text, -1)
	got, want := len(rows), strings.Count(text, "\n- **")
	testkit.FatalIf(t, got != want || want < 40, "%d of %d lines have the form of a term, want at least 40", got, want)
	types := map[string]map[string]bool{} // of public packages, by their folders
	for _, p := range publicPackages(t) {
		types[strings.TrimPrefix(strings.TrimPrefix(p.path, path.Dir(module)+"/"), "ur/")] = p.types
	}
	var terms []string
	for _, row := range rows {
		term, name := row[1], row[2]
		terms = append(terms, strings.ToLower(term))
		if name == "" {
			continue
		}
		folder, typeName, _ := strings.Cut(name, ".")
		testkit.ErrorIf(t, !types[folder][typeName], "%s: %s is not an exported type or a method of one", term, name)
	}
	testkit.Equal(t, terms, slices.Compact(slices.Sorted(slices.Values(terms))), "terms, want them sorted and different")
}

// The layers have every public package. A package imports none of its own line, and none above it: the
// instrument below imports no game.
func TestLayers(t *testing.T) {
	layers := regexp.MustCompile("(?s)## Layers.*?```text\n(.*?)```").FindStringSubmatch(readPage(t, "docs/architecture.md"))[1]
	layer := map[string]int{}
	for i, line := range strings.Split(layers, "\n") {
		for name := range strings.FieldsSeq(line) {
			layer[name] = i
		}
	}
	unlisted := regexp.MustCompile(`(^|/)(cmd|docs|examples|testdata|tools|\w+test)(/|$)`)
	for _, p := range publicPackages(t) {
		name := path.Base(p.path)
		if p.path != module {
			name = strings.TrimPrefix(p.path, module+"/")
		}
		_, listed := layer[name]
		testkit.ErrorIf(t, !listed && !unlisted.MatchString(name), "package %s is in no line of the layers", name)
	}
	for name, above := range layer {
		folder := filepath.Join(root, name)
		if name == "ur" {
			folder = root
		}
		files := testkit.Must(filepath.Glob(filepath.Join(folder, "*.go")))(t)
		testkit.ErrorIf(t, len(files) == 0, "layers: %s has no files", name)
		for _, file := range files {
			parsed := testkit.Must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly))(t)
			for _, spec := range parsed.Imports {
				imported := strings.TrimPrefix(strings.TrimPrefix(strings.Trim(spec.Path.Value, `"`), "github.com/seed-09dcdc84/"), "ur/")
				if below, ok := layer[imported]; ok && below <= above && !strings.HasSuffix(file, "_test.go") {
					t.Errorf("%s imports %s, which does not stand below it", file, imported)
				}
			}
		}
	}
}
