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

// unlisted matches packages whose types are not public, or are those of examples.
var unlisted = regexp.MustCompile(`(^|/)(examples|testdata|maintain|_[^/]*)(/|$)`)

// A type name belongs to one public package, but for those of the file, with the reason.
func TestTypeNamesAreUnique(t *testing.T) {
	shared := map[string]bool{}
	for _, row := range testkit.Rows(t, "testdata/shared.txt", 2) {
		shared[row[0]] = row[1] != ""
	}
	in := make(map[string][]string) // packages by type name
	for _, p := range publicPackages(t) {
		for name := range p.types {
			if p.name != "main" && !strings.Contains(name, ".") && !unlisted.MatchString(p.path) {
				in[name] = append(in[name], p.path)
			}
		}
	}
	testkit.ErrorIf(t, len(in) < 100, "found %d type names, want 100 or more", len(in))
	for name, in := range in {
		testkit.ErrorIf(t, len(in) > 1 && !shared[name],
			"the type name %s has several meanings in %q: rename all but one, or give the reason in testdata/shared.txt",
			name, in)
	}
	for name := range shared {
		testkit.ErrorIf(t, len(in[name]) < 2, "%s is in at most one package: remove it from testdata/shared.txt", name)
	}
}

// Every public package has an overview and an example that runs; test kits and this package need none.
func TestPublicPackagesHaveExamples(t *testing.T) {
	hidden := regexp.MustCompile(`(^|/)(internal|testdata|cmd|maintain|docs|_\w+|\w+test)/`)
	overview, example := map[string]bool{}, map[string]bool{}
	for name, text := range tracked(t, "*.go") {
		folder := path.Dir(name)
		switch {
		case hidden.MatchString(name) || strings.Contains(text, "\npackage main\n"):
		case strings.HasSuffix(name, "_test.go"):
			example[folder] = example[folder] || strings.Contains(text, "\nfunc Example") &&
				strings.Contains(text, "// Output:")
		default:
			overview[folder] = overview[folder] || strings.Contains("\n"+text, "\n// Package ")
		}
	}
	testkit.ErrorIf(t, len(overview) < 30, "found %d public packages, want 30 or more", len(overview))
	for folder, described := range overview {
		testkit.ErrorIf(t, !described || !example[folder],
			"package %s: overview %v, example %v", folder, described, example[folder])
	}
}

// outside matches code that reads the user's folders or starts programs.
var outside = regexp.MustCompile(`"os/exec"|os\.User(Home|Cache|Config)Dir`)

// sandboxMain matches a TestMain whose tests have a home of their own.
var sandboxMain = regexp.MustCompile(`sandbox\.(Main|Wrap)\(`)

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
	const self = "github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
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
			t.Errorf("the tests of %s link %s and want func TestMain(m *testing.M) { sandbox.Main(m) }", name,
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

// A package imports no package of its own line of the layers, and none above it: the instrument below
// imports no game.
func TestLayers(t *testing.T) {
	layers := regexp.MustCompile("(?s)## Layers.*?```text\n(.*?)```").FindStringSubmatch(readPage(t, "docs/architecture.md"))[1]
	layer := map[string]int{}
	for i, line := range strings.Split(layers, "\n") {
		for name := range strings.FieldsSeq(line) {
			layer[name] = i
		}
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

// limits are the largest shares of lines, in percent, that may hold a word. The words are
// harmless in themselves; text that needs them often makes a reader translate. The limits
// are about twice the shares in the Go standard library's own comments.
var limits = []struct {
	name    string
	word    *regexp.Regexp
	percent float64
}{
	{"what", regexp.MustCompile(`(?i)\bwhat\b`), 1.5},
	{"that", regexp.MustCompile(`(?i)\bthat\b`), 11},
	{"which", regexp.MustCompile(`(?i)\bwhich\b`), 2.5},
	{"tell, say", regexp.MustCompile(`(?i)\b(tell|tells|told|say|says|said)\b`), 0.8},
	{"who, somebody, nobody, whoever", regexp.MustCompile(`(?i)\b(somebody|nobody|whoever|who)\b`), 0.5},
}

func TestProseShares(t *testing.T) {
	for name, lines := range map[string][]string{"comments": comments(t), "documents": documents(t)} {
		testkit.ErrorIf(t, len(lines) < 1000, "%s: found %d lines, want more than 1,000", name, len(lines))
		for _, limit := range limits {
			found := 0
			for _, line := range lines {
				if limit.word.MatchString(line) {
					found++
				}
			}
			share := 100 * float64(found) / float64(len(lines))
			testkit.ErrorIf(t, share > limit.percent, "%s: %q stands in %.1f %% of %d lines, want at most %.1f %%",
				name, limit.name, share, len(lines), limit.percent)
		}
	}
}

// comments returns the comment lines of all Go files but tests and generated files.
func comments(t *testing.T) []string {
	var all []string
	for name, text := range tracked(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") ||
			strings.HasPrefix(text, "// Code generated") {
			continue
		}
		for line := range strings.SplitSeq(text, "\n") {
			text, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
			if isComment && !strings.HasPrefix(text, "go:") {
				all = append(all, text)
			}
		}
	}
	return all
}

// documents returns the lines of all pages, without code and tables.
func documents(t *testing.T) []string {
	var all []string
	for _, text := range tracked(t, "*.md") {
		code := false
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			} else if !code && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "|") {
				all = append(all, line)
			}
		}
	}
	return all
}

// bareWant matches the text of an error that names the right form but not the problem.
var bareWant = regexp.MustCompile(`(?:Errorf|errors\.New|[uU]sageError|inputError|fieldError|malformed|fault)\("[^"]*[:,] want `)

// An error names the problem, and then the right form in parentheses.
func TestErrorsNameTheProblem(t *testing.T) {
	for name, text := range tracked(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			testkit.ErrorIf(t, bareWant.MatchString(line),
				"%s:%d: %s: want \"<what>: <problem> (want <right form>)\"", name, i+1, strings.TrimSpace(line))
		}
	}
}
