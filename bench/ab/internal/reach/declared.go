package reach

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// sourceChanges are the functions in changed files, outside of test files, by whether their sources differ.
type sourceChanges struct {
	Changes []declaration                     // functions whose sources differ
	Same    map[string]bool                   // functions whose code can only differ by others
	files   map[string]map[string]declaration // functions of the new side, by file
}

// CompareSources compares the functions in changed files.
func CompareSources(s *source.Sides) *sourceChanges {
	c := &sourceChanges{Same: make(map[string]bool), files: make(map[string]map[string]declaration)}
	for _, name := range s.Changed {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		before := functionsIn(s, frame.Old, name)
		for function, f := range functionsIn(s, frame.New, name) {
			old, ok := before[function]
			if ok && bytes.Equal(old.text, f.text) {
				c.Same[function] = true
			} else if ok {
				c.Changes = append(c.Changes, f)
			}
		}
	}
	slices.SortFunc(c.Changes, func(a, b declaration) int { return strings.Compare(a.Function, b.Function) })
	return c
}

// declaration is a function of a file. One that is inlined everywhere has no code of its own.
type declaration struct {
	report.Place
	text []byte // without comments
	pkg  string // import path
}

// functionsIn returns the functions of a file of a side by their names, as symbols have them.
func functionsIn(s *source.Sides, side int, name string) map[string]declaration {
	t := s.Trees[side]
	pkg := ""
	for importPath, p := range t.Packages {
		switch file := path.Base(name); {
		case p.ForTest != "" || !t.Holds(p.Dir) || t.Folder(p) != path.Dir(name):
		case slices.Contains(slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles), file):
			pkg = importPath
		case slices.Contains(p.XTestGoFiles, file):
			pkg = importPath + "_test"
		}
	}
	code, err := os.ReadFile(filepath.Join(s.Files(side), filepath.FromSlash(name)))
	if err != nil || pkg == "" {
		return nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, code, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	functions := make(map[string]declaration)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			begin, end := files.Position(f.Pos()), files.Position(f.End())
			function := symbol.Path(pkg) + "." + functionName(f)
			functions[function] = declaration{report.Place{Function: function, File: name, Line: begin.Line},
				source.Tokens(code[begin.Offset:end.Offset]), pkg}
		}
	}
	return functions
}

// functionName is a function's name with its receiver, as in symbols: "F", "T.M" or "(*T).M".
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	receiver, pointer := f.Recv.List[0].Type, false
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver, pointer = star.X, true
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	name := "?"
	if id, ok := receiver.(*ast.Ident); ok {
		name = id.Name
	}
	if pointer {
		name = "(*" + name + ")"
	}
	return name + "." + f.Name.Name
}

// UsePlaces replaces the places of the code that differs by those of the functions whose sources differ. Callers
// that inline these, as benchmarks do, differ without a change of their own.
func (to *Change) UsePlaces(s *source.Sides, tests report.Tests, c *Comparison, sources *sourceChanges) {
	if to.Code != report.ChangedCode {
		return
	}
	isInlining := func(place report.Place) bool {
		isTest := strings.HasSuffix(place.File, "_test.go") && tests != report.OwnTests
		return isTest || !slices.Contains(s.Changed, place.File) || sources.Same[symbol.Declared(place.Function)]
	}
	places := slices.DeleteFunc(slices.Clone(to.Places), isInlining)
	if len(places) == 0 {
		places = sources.inlinedInto(s, to.Places, s.Trees[frame.New].Imported(c.Program), c.linkedFunctions())
	}
	if len(places) == 0 {
		return
	}
	to.Places = places
	for i, place := range places {
		if !slices.Contains(to.Changed, place.Function) {
			to.Changed = slices.Insert(to.Changed, i, place.Function)
		}
	}
}

// inlinedInto returns the changed functions of packages that callers inline: those without code of their own that
// the callers name, or else all without code, or all.
func (sources *sourceChanges) inlinedInto(s *source.Sides, callers []report.Place, below map[string]*source.Package,
	linked map[string]bool) []report.Place {
	isNamed := func(function string) bool {
		name := strconv.Quote(function[strings.LastIndexByte(function, '.')+1:])
		return slices.ContainsFunc(callers, func(caller report.Place) bool {
			if _, ok := sources.files[caller.File]; !ok {
				sources.files[caller.File] = functionsIn(s, frame.New, caller.File)
			}
			return bytes.Contains(sources.files[caller.File][symbol.Declared(caller.Function)].text, []byte(name))
		})
	}
	for _, isInlined := range []func(function string) bool{
		func(function string) bool { return !linked[function] && isNamed(function) },
		func(function string) bool { return !linked[function] },
		func(string) bool { return true },
	} {
		var places []report.Place
		for _, d := range sources.Changes {
			if below[d.pkg] != nil && isInlined(d.Function) {
				places = append(places, d.Place)
			}
		}
		if len(places) > 0 {
			return places
		}
	}
	return nil
}

// linkedFunctions returns the functions with code of their own in the program of the new side.
func (c *Comparison) linkedFunctions() map[string]bool {
	if c.linked == nil {
		c.linked = make(map[string]bool)
		for name := range c.Sides[frame.New].Linked[c.Program] {
			c.linked[symbol.Declared(name)] = true
		}
	}
	return c.linked
}
