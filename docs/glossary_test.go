package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

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
