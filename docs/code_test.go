package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// shared are the type names that several public packages may have, with the reason. Any
// other name belongs to one package.
var shared = map[string]string{
	"Config":  convention,
	"Options": convention,
	"Limits":  convention,
	"Result":  convention,
	"Report":  convention,
	"Status":  convention,

	"Array":      secondGame,
	"Move":       secondGame,
	"Position":   secondGame,
	"Side":       secondGame,
	"Player":     secondGame,
	"Program":    secondGame,
	"Game":       secondGame,
	"Engine":     secondGame,
	"Book":       "search.Book stores any game's openings; reversi.Book is the interface of a reader",
	"Plan":       "of a match, and of a training",
	"Point":      "of a learning curve",
	"Provenance": "of a figure in a record, and of a learned file",
	"Run":        "of measurements, and of a training",
	"Series":     "of samples, and of games",
	"Setup":      "ur.Setup is how games begin, session.Setup adds the two players",
	"Session":    "of a worker, of a protocol, and of a person",
	"Server":     "a server of pages, and of tasks",
	"Kind":       "match.Kind of players, fleet.Kind of tasks",
	"Score":      "of a match in its package, of a player in the others",
	"Table":      "search.Table remembers positions, solve.Table is the exact solution",
	"Brain":      "ur.Brain is the weights, play.Brain the player that uses them",
	"Net":        "valuenet.Net is the weights, play.Net the player that uses them",
	"Choice":     "a move chosen by a player, of either game",
	"Step":       "of the progress of a comparison, and of a replayed game",
	"Row":        rows,
	"Progress":   rows,
	"Clock":      rows,
	"Searcher":   "play.Searcher is search.Searcher bound to the game",
	"Evaluator":  "ur.Evaluator values boards by a brain, play.Evaluator moves by a player",

	"Checkpoint": "of a solution, and of a training run",
}

const (
	convention = "every package has one, by Go's convention: it is read with the package's name"
	secondGame = "Ur's and Reversi's, or a package's view of the same thing, read with the package's name"
	rows       = "each instrument has its own kind, read with the package's name"
)

// unlisted matches folders whose types are not public, or are those of examples.
var unlisted = regexp.MustCompile(`^(internal|cmd|examples|testdata|node_modules|maintain|_.*|\.git.*|\.ci)$`)

func TestTypeNamesAreUnique(t *testing.T) {
	packages := make(map[string][]string) // by type name
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && unlisted.MatchString(d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil || file.Name.Name == "main" {
			return err
		}
		for _, d := range file.Decls {
			if types, ok := d.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				for _, s := range types.Specs {
					spec := s.(*ast.TypeSpec)
					name, in := spec.Name.Name, filepath.ToSlash(filepath.Dir(name))
					if ast.IsExported(name) && !spec.Assign.IsValid() && // an alias has no meaning of its own
						!slices.Contains(packages[name], in) {
						packages[name] = append(packages[name], in)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 100 {
		t.Errorf("found %d type names, want 100 or more", len(packages))
	}
	var names []string
	for name, in := range packages {
		if len(in) > 1 && shared[name] == "" {
			names = append(names, name+" in "+strings.Join(in, ", "))
		}
	}
	sort.Strings(names)
	for _, name := range names {
		t.Errorf("the type name %s has several meanings: rename all but one, or give the reason in shared", name)
	}
	for name := range shared {
		if len(packages[name]) < 2 {
			t.Errorf("%s is in at most one package: remove it from shared", name)
		}
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
	if len(overview) < 30 {
		t.Errorf("found %d public packages, want 30 or more", len(overview))
	}
	for folder, described := range overview {
		if !described || !example[folder] {
			t.Errorf("package %s: overview %v, example %v", folder, described, example[folder])
		}
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
	if err != nil {
		t.Skip(err)
	}
	matches := func(pattern *regexp.Regexp, dir, files string) bool {
		return slices.ContainsFunc(strings.Fields(files), func(name string) bool {
			text := testkit.Must(os.ReadFile(filepath.Join(dir, name)))(t)
			return pattern.Match(text)
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
	if len(links) < 50 {
		t.Errorf("%d packages have tests", len(links))
	}
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
	text := testkit.Must(os.ReadFile("architecture.md"))(t)
	rows := regexp.MustCompile("(?m)^- \\*\\*(.+?)\\*\\*(?: `([^`]+)`)?: ").FindAllStringSubmatch(string(text), -1)
	if got, want := len(rows), strings.Count(string(text), "\n- **"); got != want || want < 40 {
		t.Fatalf("%d of %d lines have the form of a term, want at least 40", got, want)
	}
	types := map[string]map[string]bool{} // exported names of packages
	var terms []string
	for _, row := range rows {
		term, name := row[1], row[2]
		terms = append(terms, strings.ToLower(term))
		if name == "" {
			continue
		}
		folder, typeName, _ := strings.Cut(name, ".")
		if types[folder] == nil {
			types[folder] = exportedTypes(t, folder)
		}
		if !types[folder][typeName] {
			t.Errorf("%s: %s is not an exported type or a method of one", term, name)
		}
	}
	if !slices.IsSorted(terms) {
		t.Error("the terms are not sorted")
	}
	if unique := slices.Compact(slices.Clone(terms)); len(unique) != len(terms) {
		t.Errorf("%d terms, %d of them different", len(terms), len(unique))
	}
}

// exportedTypes returns the exported types of a package as "Type", and their methods as
// "Type.Method".
func exportedTypes(t *testing.T, folder string) map[string]bool {
	t.Helper()
	if strings.Contains(folder, "internal") {
		t.Errorf("%s is not a public package", folder)
	}
	if folder == "ur" {
		folder = "."
	}
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("package %s: %d files, %v", folder, len(files), err)
	}
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed := testkit.Must(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))(t)
		addTypes(names, parsed)
	}
	return names
}

// addTypes adds the exported types and methods of a file.
func addTypes(names map[string]bool, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
					names[s.Name.Name] = true
				}
			}
		case *ast.FuncDecl:
			if d.Recv == nil || !d.Name.IsExported() {
				continue
			}
			receiver := d.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if id, ok := receiver.(*ast.Ident); ok {
				names[id.Name+"."+d.Name.Name] = true
			}
		}
	}
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
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("layers: %s has %d files, %v", name, len(files), err)
		}
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
