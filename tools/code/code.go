// Package code finds the declarations of a module within reach of some of them, and compares them with
// another version. It reads sources, so versions of any age, for any processor,
// are compared without a build.
//
// Benchab compares object code instead, which is exact. Here that would take 20 s of CPU for each of some forty commits
// of the records, and the toolchain of each. Whole packages would be simpler, and too coarse: in 39 spans of four
// commits, two changed a declaration that a plain engine's figures reach, and 25 one of its packages.
//
// The reach is an upper bound: an identifier refers to the declaration of its name in the package unless
// a local one of that name is in scope, and a method runs if its type and its name are reached.
// Comments and positions do not count, as in benchab's comparison.
package code

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Tree holds the declarations of a version of a module. A declaration is named by its folder and its
// name: "board.Position", "engine/internal/lanes.goEngine.Name", ".Brain" at the root. Functions
// init have the name of their file behind a colon.
type Tree struct {
	module       string
	declarations map[string]*declaration
	packages     map[string]string   // names by folder
	methods      map[string][]string // declarations of methods by their type
	requires     []module.Version    // requirements of go.mod
}

// declaration is a function, type, constant or variable.
type declaration struct {
	text     []byte          // normalized, with the assembly of its name and embedded files
	refs     map[string]bool // declarations it may refer to
	selected map[string]bool // names it selects: methods and fields
}

// Read reads the module's declarations in a folder, as a processor and build tags choose its
// files. Tests do not belong to it.
func Read(root, arch string, tags ...string) (*Tree, error) {
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.ParseLax("go.mod", content, nil)
	if err != nil {
		return nil, err
	}
	t := &Tree{module: modfile.ModulePath(content), packages: make(map[string]string), declarations: make(map[string]*declaration), methods: make(map[string][]string)}
	for _, r := range mod.Require {
		t.requires = append(t.requires, r.Mod)
	}
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled, context.BuildTags = "linux", arch, false, tags
	var packages [][]*source
	err = filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if base := entry.Name(); dir != root && (base == "testdata" || base == "node_modules" ||
			strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return fs.SkipDir
		}
		found, err := context.ImportDir(dir, 0)
		if errors.As(err, new(*build.NoGoError)) {
			return nil
		}
		var sources []*source
		for _, name := range slices.Concat(found.GoFiles, found.SFiles) {
			s, reading := readSource(root, filepath.Join(dir, name))
			sources, err = append(sources, s), cmp.Or(err, reading)
		}
		if err == nil && len(sources) > 0 { // or there are only tests
			t.packages[sources[0].folder] = found.Name
			packages = append(packages, sources)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, sources := range packages {
		t.addPackage(sources)
	}
	return t, nil
}

// source is a file of a package.
type source struct {
	folder, name string // relative to the root, with slashes; its own name
	path         string
	text         []byte
	set          *token.FileSet
	file         *ast.File // nil for assembly
}

func readSource(root, name string) (*source, error) {
	folder, err := filepath.Rel(root, filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	s := &source{folder: strings.TrimPrefix(filepath.ToSlash(folder), "."), name: filepath.Base(name), path: name,
		set: token.NewFileSet()}
	if s.text, err = os.ReadFile(name); err != nil || !strings.HasSuffix(name, ".go") {
		return s, err
	}
	s.file, err = parser.ParseFile(s.set, name, s.text, parser.ParseComments)
	return s, err
}

// addPackage adds the declarations of a folder's files.
func (t *Tree) addPackage(sources []*source) {
	names := make(map[string]bool)
	for _, s := range sources {
		if s.file == nil {
			continue
		}
		for _, d := range s.file.Decls {
			forEachName(d, s.name, func(name string, _ ast.Node) { names[name] = true })
		}
	}
	assembly := functionsInAssembly(sources)
	for _, s := range sources {
		if s.file == nil {
			continue
		}
		for _, d := range s.file.Decls {
			forEachName(d, s.name, func(name string, node ast.Node) {
				own := &declaration{refs: make(map[string]bool), selected: make(map[string]bool)}
				own.text = append(s.normalized(node), assembly[name]...)
				own.text = append(own.text, s.embedded(d)...)
				t.addRefs(own, s, node, names)
				key := s.folder + "." + name
				t.declarations[key] = own
				if receiver, _, ok := strings.Cut(name, "."); ok {
					own.refs[s.folder+"."+receiver] = true
					t.methods[s.folder+"."+receiver] = append(t.methods[s.folder+"."+receiver], key)
				}
			})
		}
	}
	t.addInitializers(sources[0].folder)
}

// addInitializers lets variables refer to the functions init of their package with their names.
func (t *Tree) addInitializers(folder string) {
	for key, d := range t.declarations {
		if !strings.HasPrefix(key, folder+".init:") {
			continue
		}
		for ref := range d.refs {
			if other := t.declarations[ref]; other != nil && strings.HasPrefix(ref, folder+".") {
				other.refs[key] = true
			}
		}
	}
}

// forEachName calls a function for the names of a declaration, with the node of each.
func forEachName(d ast.Decl, file string, call func(name string, node ast.Node)) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := FunctionName(d)
		if name == "init" {
			name += ":" + file
		}
		call(name, d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				call(spec.Name.Name, spec)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if d.Tok == token.CONST { // it may continue those before it
						call(name.Name, d)
					} else {
						call(name.Name, spec)
					}
				}
			}
		}
	}
}

// FunctionName returns a function's name behind that of its receiver's type, as in T.M for receivers T and *T, generic ones, too.
func FunctionName(f *ast.FuncDecl) string {
	name := f.Name.Name
	if f.Recv != nil {
		receiver := ""
		ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
			if x, ok := n.(*ast.Ident); ok && receiver == "" { // names of type parameters follow
				receiver = x.Name
			}
			return receiver == ""
		})
		name = receiver + "." + name
	}
	return name
}

// normalized returns a node's text as benchab compares it.
func (s *source) normalized(node ast.Node) []byte {
	begin, end := s.set.Position(node.Pos()).Offset, s.set.Position(node.End()).Offset
	return ab.Normalize(s.name, s.text[begin:end])
}

// embedded returns a declaration's embedded files.
func (s *source) embedded(d ast.Decl) (content []byte) {
	group, ok := d.(*ast.GenDecl)
	if !ok || group.Doc == nil {
		return nil
	}
	for _, comment := range group.Doc.List {
		patterns, ok := strings.CutPrefix(comment.Text, "//go:embed ")
		if !ok {
			continue
		}
		for pattern := range strings.FieldsSeq(patterns) {
			pattern = filepath.Join(filepath.Dir(s.path), filepath.FromSlash(pattern))
			files, _ := filepath.Glob(pattern) // the compiler checks patterns
			for _, file := range files {
				text, err := os.ReadFile(file)
				isFolder := err != nil
				content = fmt.Appendf(content, "%s %v %s\n", filepath.Base(file), isFolder, text)
			}
		}
	}
	return content
}

// addRefs finds the declarations and names in a node, and the versions of other modules.
func (t *Tree) addRefs(d *declaration, s *source, node ast.Node, names map[string]bool) {
	imports := make(map[string]string)
	for _, spec := range s.file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(imported)
		if folder, ok := t.folderOf(imported); ok {
			name = t.packages[folder]
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = imported
	}
	versions := make(map[string]bool)
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && imports[x.Name] != "" {
				if folder, ok := t.folderOf(imports[x.Name]); ok {
					d.refs[folder+"."+n.Sel.Name] = true
				} else {
					versions[t.requirement(imports[x.Name])] = true
				}
			}
			d.selected[n.Sel.Name] = true
			ast.Inspect(n.X, visit)
			return false // the selected name is no declaration of the package
		case *ast.Field: // the methods of an interface
			for _, name := range n.Names {
				if _, ok := n.Type.(*ast.FuncType); ok {
					d.selected[name.Name] = true
				}
			}
		case *ast.Ident:
			// The parser resolves local names, without types.
			isLocal := n.Obj != nil && n.Obj != s.file.Scope.Lookup(n.Name)
			if names[n.Name] && !isLocal {
				d.refs[s.folder+"."+n.Name] = true
			}
		}
		return true
	}
	ast.Inspect(node, visit)
	for _, version := range slices.Sorted(maps.Keys(versions)) {
		d.text = append(d.text, version...)
	}
}

// folderOf returns the folder of a package of the module.
func (t *Tree) folderOf(imported string) (folder string, ok bool) {
	rest, ok := strings.CutPrefix(imported+"/", t.module+"/")
	return strings.TrimSuffix(rest, "/"), ok
}

// requirement returns the module and version of a package of another module, "" of the standard library.
func (t *Tree) requirement(imported string) string {
	for _, required := range t.requires {
		if strings.HasPrefix(imported+"/", required.Path+"/") {
			return required.Path + " " + required.Version
		}
	}
	return ""
}

// textLine matches a function's beginning in assembly, and its name.
var textLine = regexp.MustCompile(`^TEXT\s+·(\w+)`)

// functionsInAssembly returns the normalized text of functions in assembly by their names, each with the data
// and macros of its file.
func functionsInAssembly(sources []*source) map[string][]byte {
	functions := make(map[string][]byte)
	for _, s := range sources {
		if s.file != nil {
			continue
		}
		var shared []byte
		own, name := make(map[string][]byte), ""
		for line := range bytes.Lines(ab.Normalize(s.name, s.text)) {
			if found := textLine.FindSubmatch(line); found != nil {
				name = string(found[1])
			}
			if name == "" || bytes.HasPrefix(line, []byte("DATA ")) || bytes.HasPrefix(line, []byte("GLOBL ")) ||
				line[0] == '#' {
				shared = append(shared, line...)
			} else {
				own[name] = append(own[name], line...)
			}
		}
		for name, text := range own {
			functions[name] = slices.Concat(functions[name], text, shared)
		}
	}
	return functions
}

// callable are the methods called by the standard library.
var callable = []string{"Len", "Less", "Swap", "Read", "Write", "Close", "Error", "Unwrap"}

// Reach returns the normalized texts of the declarations within reach of some roots. It does not follow those
// stopped by cut. An unknown root is an error.
func (t *Tree) Reach(roots []string, cut func(name string) bool) (map[string]string, error) {
	reached, selected := make(map[string]string), make(map[string]bool)
	for _, name := range callable {
		selected[name] = true
	}
	rest := slices.Clone(roots)
	for _, root := range roots {
		if t.declarations[root] == nil {
			return nil, fmt.Errorf("no declaration %s", root)
		}
	}
	for waiting := []string(nil); len(rest) > 0; {
		name := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		d := t.declarations[name]
		if _, known := reached[name]; known || d == nil || cut(name) {
			continue
		}
		reached[name] = string(d.text)
		rest = slices.AppendSeq(rest, maps.Keys(d.refs))
		maps.Copy(selected, d.selected)
		waiting = append(waiting, t.methods[name]...)
		waiting = slices.DeleteFunc(waiting, func(method string) bool {
			isSelected := selected[method[strings.LastIndexByte(method, '.')+1:]]
			if isSelected {
				rest = append(rest, method)
			}
			return isSelected
		})
	}
	return reached, nil
}

// Containing returns the declarations below a folder whose text has a literal, as in `"lanes/go"`.
func (t *Tree) Containing(folder, literal string) (names []string) {
	for name, d := range t.declarations {
		if strings.HasPrefix(name, folder) && bytes.Contains(d.text, []byte(strconv.Quote(strconv.Quote(literal)))) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Differing returns the names of declarations with different texts, or on one side only. No declaration has an
// empty text.
func Differing(before, after map[string]string) (names []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if before[name] != after[name] {
			names = append(names, name)
		}
	}
	return names
}
