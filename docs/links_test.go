package docs

import (
	"errors"
	"go/ast"
	"go/build"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// module is the path of this module.
const module = "github.com/seed-09dcdc84/ur"

// linked is the documentation of a package.
type linked struct {
	name, path string
	names      map[string]bool   // "Type", "Type.Method", "Type.Field", "Func"
	types      map[string]bool   // exported: "Type", but no alias, and "Type.Method"
	imports    map[string]string // packages that its files import, by their names
	docs       map[string]string // doc comments, by their place
}

// docLink is a word that was meant as a link: an identifier in brackets.
var docLink = regexp.MustCompile(`\[\*?(?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)?\]`)

// codeBlock is code in a doc comment as HTML.
var codeBlock = regexp.MustCompile(`(?s)<pre>.*?</pre>`)

// packages returns the packages of the module by their paths. They are read once.
var packages = sync.OnceValues(func() (map[string]*linked, error) {
	packages := map[string]*linked{}
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
		p, err := readPackage(dir, path.Join(module, filepath.ToSlash(relative)))
		if err == nil && p != nil {
			packages[p.path] = p
		}
		return err
	})
	return packages, err
})

// publicPackages returns those of the packages that are neither internal nor of commands.
func publicPackages(t *testing.T) (public []*linked) {
	t.Helper()
	for _, p := range testkit.Must(packages())(t) {
		if !strings.Contains(p.path, "/internal/") && !strings.HasPrefix(p.path, module+"/cmd/") {
			public = append(public, p)
		}
	}
	testkit.FatalIf(t, len(public) < 20, "found %d public packages, want 20 or more", len(public))
	return public
}

// Every doc link of a public package names something that exists. A link that go/doc does
// not resolve is printed with its brackets.
func TestDocLinksResolve(t *testing.T) {
	all := testkit.Must(packages())(t)
	for _, p := range publicPackages(t) {
		for at, doc := range p.docs {
			for _, link := range brokenLinks(all, p, doc) {
				t.Errorf("%s: the link %s does not resolve", at, link)
			}
		}
	}
}

// readPackage reads the files of a folder that are built for a 64-bit PC with Linux. It
// returns nil where there is no package.
func readPackage(dir, importPath string) (*linked, error) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	found, err := context.ImportDir(dir, 0)
	var none *build.NoGoError
	if errors.As(err, &none) || err == nil && len(found.GoFiles) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &linked{found.Name, importPath, map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]string{}}
	for _, name := range found.GoFiles {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, spec := range file.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			name := path.Base(imported)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			p.imports[name] = imported
		}
		addDoc := func(groups ...*ast.CommentGroup) {
			for _, g := range groups {
				if g != nil {
					p.docs[set.Position(g.Pos()).String()] = g.Text()
				}
			}
		}
		addDoc(file.Doc)
		typeName := ""
		for _, d := range file.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					addDoc(n.Doc)
					recv := ""
					if n.Recv != nil {
						recv = receiver(n.Recv.List[0].Type)
					}
					p.names[join(recv, n.Name.Name)] = true
					if recv != "" && n.Name.IsExported() {
						p.types[join(recv, n.Name.Name)] = true
					}
					return false
				case *ast.GenDecl:
					addDoc(n.Doc)
				case *ast.TypeSpec:
					addDoc(n.Doc, n.Comment)
					typeName = n.Name.Name
					p.names[typeName] = true
					if n.Name.IsExported() && !n.Assign.IsValid() {
						p.types[typeName] = true
					}
				case *ast.ValueSpec:
					addDoc(n.Doc, n.Comment)
					for _, name := range n.Names {
						p.names[name.Name] = true
					}
					return false
				case *ast.Field: // also the methods of an interface
					addDoc(n.Doc, n.Comment)
					for _, name := range n.Names {
						p.names[join(typeName, name.Name)] = true
					}
				}
				return true
			})
		}
	}
	return p, nil
}

// receiver is the name of a receiver's type, the first one in it.
func receiver(x ast.Expr) (name string) {
	ast.Inspect(x, func(n ast.Node) bool {
		if found, ok := n.(*ast.Ident); ok && name == "" {
			name = found.Name
		}
		return name == ""
	})
	return name
}

// brokenLinks returns the links of a doc comment to nothing.
func brokenLinks(packages map[string]*linked, p *linked, text string) (broken []string) {
	parser := comment.Parser{
		LookupSym: func(recv, name string) bool { return p.names[join(recv, name)] },
		LookupPackage: func(name string) (string, bool) {
			imported, ok := p.imports[name]
			return imported, ok || name == p.name
		},
	}
	printer := comment.Printer{DocLinkURL: func(link *comment.DocLink) string {
		target := packages[link.ImportPath]
		if target != nil && link.Name != "" && !target.names[join(link.Recv, link.Name)] {
			broken = append(broken, "["+path.Base(link.ImportPath)+"."+join(link.Recv, link.Name)+"]")
		}
		return ""
	}}
	words := codeBlock.ReplaceAll(printer.HTML(parser.Parse(text)), nil)
	for _, plain := range docLink.FindAll(words, -1) {
		broken = append(broken, string(plain))
	}
	return broken
}

// join returns "Type.Method", or the name alone.
func join(recv, name string) string {
	if recv == "" {
		return name
	}
	return strings.TrimPrefix(recv, "*") + "." + name
}
