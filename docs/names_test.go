package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
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
