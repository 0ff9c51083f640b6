package main

import (
	"errors"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module is the path of this module.
const module = "github.com/seed-09dcdc84/ur"

// linked is the documentation of a package: its names, and the packages that its files
// import, by their names.
type linked struct {
	*doc.Package
	names   map[string]bool // "Type", "Type.Method", "Func"
	imports map[string]string
	files   []*ast.File
}

// docLink is a word that was meant as a link: an identifier in brackets.
var docLink = regexp.MustCompile(`\[\*?(?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)?\]`)

// Every doc link of a public package names something that exists. A link that go/doc does
// not resolve is printed with its brackets.
func TestDocLinksResolve(t *testing.T) {
	packages := map[string]*linked{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); dir != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
			name == "testdata" || name == "node_modules") {
			return fs.SkipDir
		}
		relative, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		p, err := readPackage(fset, dir, path.Join(module, filepath.ToSlash(relative)))
		if err == nil && p != nil {
			packages[p.ImportPath] = p
		}
		return err
	})
	if err != nil || len(packages) < 20 {
		t.Fatalf("%d packages: %v", len(packages), err)
	}
	checked := 0
	for _, p := range packages {
		if strings.Contains(p.ImportPath, "/internal/") || strings.HasPrefix(p.ImportPath, module+"/cmd/") {
			continue
		}
		checked++
		for _, d := range p.docs() {
			for _, link := range brokenLinks(packages, p, d.text) {
				t.Errorf("%s: %s: the link %s does not resolve", p.ImportPath, d.of, link)
			}
		}
	}
	if checked < 15 {
		t.Errorf("%d public packages were checked", checked)
	}
}

// readPackage reads the files of a folder that are built for a 64-bit PC with Linux. It
// returns nil where there is no package.
func readPackage(fset *token.FileSet, dir, importPath string) (*linked, error) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	context.BuildTags = []string{"gorecord.simd"}
	found, err := context.ImportDir(dir, 0)
	var none *build.NoGoError
	if errors.As(err, &none) || err == nil && len(found.GoFiles) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &linked{names: map[string]bool{}, imports: map[string]string{}}
	for _, name := range found.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file)
		for _, spec := range file.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			name := path.Base(imported)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			p.imports[name] = imported
		}
	}
	if p.Package, err = doc.NewFromFiles(fset, p.files, importPath, doc.AllDecls|doc.PreserveAST); err != nil {
		return nil, err
	}
	for _, d := range p.docs() {
		p.names[d.of] = true
	}
	for _, group := range [][]*doc.Value{p.Consts, p.Vars} {
		for _, v := range group {
			p.addNames(v)
		}
	}
	for _, typ := range p.Types {
		for _, v := range slices.Concat(typ.Consts, typ.Vars) {
			p.addNames(v)
		}
		p.addFields(typ)
	}
	return p, nil
}

// addNames adds the names of a declaration.
func (p *linked) addNames(v *doc.Value) {
	for _, name := range v.Names {
		p.names[name] = true
	}
}

// addFields adds the fields of a struct and the methods of an interface, to which links can
// go too.
func (p *linked) addFields(typ *doc.Type) {
	for _, spec := range typ.Decl.Specs {
		spec, ok := spec.(*ast.TypeSpec)
		if !ok || spec.Name.Name != typ.Name {
			continue
		}
		var fields *ast.FieldList
		switch t := spec.Type.(type) {
		case *ast.StructType:
			fields = t.Fields
		case *ast.InterfaceType:
			fields = t.Methods
		default:
			continue
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				p.names[typ.Name+"."+name.Name] = true
			}
		}
	}
}

// docOf is a doc comment and its name.
type docOf struct{ of, text string }

// docs returns all doc comments of exported and other declarations, those of fields included.
func (p *linked) docs() (list []docOf) {
	list = append(list, docOf{"package " + p.Name, p.Doc})
	funcs := func(prefix string, fs []*doc.Func) {
		for _, f := range fs {
			list = append(list, docOf{prefix + f.Name, f.Doc})
		}
	}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			list = append(list, docOf{strings.Join(v.Names, ", "), v.Doc})
		}
	}
	funcs("", p.Funcs)
	values(p.Consts)
	values(p.Vars)
	for _, typ := range p.Types {
		list = append(list, docOf{typ.Name, typ.Doc})
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
		values(typ.Consts)
		values(typ.Vars)
		ast.Inspect(typ.Decl, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				list = append(list, docOf{typ.Name + " (a field)", field.Doc.Text() + "\n" + field.Comment.Text()})
			}
			return true
		})
	}
	return list
}

// brokenLinks returns the links of a doc comment to nothing.
func brokenLinks(packages map[string]*linked, p *linked, text string) (broken []string) {
	parser := p.Parser()
	parser.LookupSym = func(recv, name string) bool { return p.names[join(recv, name)] }
	parser.LookupPackage = func(name string) (string, bool) {
		if name == p.Name {
			return "", true
		}
		imported, ok := p.imports[name]
		return imported, ok
	}
	var walk func(list []comment.Text)
	walk = func(list []comment.Text) {
		for _, x := range list {
			switch x := x.(type) {
			case comment.Plain:
				broken = append(broken, docLink.FindAllString(string(x), -1)...)
			case *comment.DocLink:
				if target := packages[x.ImportPath]; target != nil && x.Name != "" &&
					!target.names[join(x.Recv, x.Name)] {
					broken = append(broken, "["+path.Base(x.ImportPath)+"."+join(x.Recv, x.Name)+"]")
				}
			case *comment.Link:
				walk(x.Text)
			}
		}
	}
	var blocks func(list []comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				walk(b.Text)
			case *comment.Heading:
				walk(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(parser.Parse(text).Content)
	return broken
}

// join returns "Type.Method", or the name alone.
func join(recv, name string) string {
	if recv == "" {
		return name
	}
	return strings.TrimPrefix(recv, "*") + "." + name
}
