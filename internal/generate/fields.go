package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// sources are the parsed packages of a module, by their folders below its root.
type sources struct {
	root     string
	packages map[string]*source
}

// source is a package: its struct and other types, and the imports of the file of each.
type source struct {
	folder  string
	types   map[string]*ast.TypeSpec
	wire    map[string]ast.Expr // by type: the struct that its MarshalJSON writes
	textual map[string]bool     // types with a MarshalText or String for JSON
	imports map[string]string   // of all files: import paths by their names
}

// load parses a package once.
func (s *sources) load(folder string) (*source, error) {
	if p := s.packages[folder]; p != nil {
		return p, nil
	}
	p := &source{folder, map[string]*ast.TypeSpec{}, map[string]ast.Expr{}, map[string]bool{}, map[string]string{}}
	names, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no Go files: %w", folder, fs.ErrNotExist)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.add(file)
	}
	s.packages[folder] = p
	return p, nil
}

// add adds the declarations of a file.
func (p *source) add(file *ast.File) {
	for _, spec := range file.Imports {
		target := strings.Trim(spec.Path.Value, `"`)
		name := target[strings.LastIndexByte(target, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		p.imports[name] = target
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					p.types[t.Name.Name] = t
				}
			}
		case *ast.FuncDecl:
			p.addMethod(d)
		}
	}
}

// addMethod notes a method that changes the JSON form of its type.
func (p *source) addMethod(f *ast.FuncDecl) {
	if f.Recv == nil {
		return
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	name, ok := receiver.(*ast.Ident)
	if !ok {
		return
	}
	switch f.Name.Name {
	case "MarshalText":
		p.textual[name.Name] = true
	case "MarshalJSON":
		ast.Inspect(f, func(n ast.Node) bool {
			if t, ok := n.(*ast.StructType); ok && p.wire[name.Name] == nil {
				p.wire[name.Name] = t
			}
			return true
		})
	}
}

// A field is a member of a JSON object.
type field struct {
	path, kind, meaning string
}

// fields returns the members of a struct type, nested ones behind the path of their object. A
// member without a comment is an error that names it.
func (s *sources) fields(folder, name string) ([]field, error) {
	p, err := s.load(folder)
	if err != nil {
		return nil, err
	}
	if p.types[name] == nil {
		return nil, fmt.Errorf("%s: no type %s", folder, name)
	}
	w := walk{sources: s}
	w.named(p, name, "")
	return w.fields, errors.Join(w.errs...)
}

// walk collects the members of one schema.
type walk struct {
	*sources
	fields []field
	open   []string // types being walked, to end at recursive ones
	errs   []error
}

// named walks a type of a package and returns its JSON type.
func (w *walk) named(p *source, name, path string) string {
	t, full := p.types[name], p.folder+"."+name
	switch {
	case p.wire[name] != nil:
		return w.value(p, p.wire[name], path)
	case p.textual[name]:
		return "string"
	case t == nil:
		return basic(name)
	case path != "" && schemaOf(p.folder, name) != "":
		return "object, as in " + schemaOf(p.folder, name)
	case slices.Contains(w.open, full):
		return "object, as above"
	}
	w.open = append(w.open, full)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	return w.value(p, t.Type, path)
}

// value walks the type of a value and returns its JSON type.
func (w *walk) value(p *source, t ast.Expr, path string) string {
	switch t := t.(type) {
	case *ast.Ident:
		return w.named(p, t.Name, path)
	case *ast.StarExpr:
		return w.value(p, t.X, path)
	case *ast.ArrayType:
		return "array of " + w.value(p, t.Elt, path+"[]")
	case *ast.MapType:
		return "object of " + w.value(p, t.Value, path+".NAME")
	case *ast.IndexExpr:
		return w.value(p, t.X, path)
	case *ast.SelectorExpr:
		target := p.imports[t.X.(*ast.Ident).Name]
		folder, ours := strings.CutPrefix(target, modulePath)
		if !ours {
			return basic(target + "." + t.Sel.Name)
		}
		other, err := w.load(strings.TrimPrefix(folder, "/"))
		if err != nil {
			w.errs = append(w.errs, err)
			return ""
		}
		return w.named(other, t.Sel.Name, path)
	case *ast.StructType:
		w.members(p, t, path)
		return "object"
	}
	return "value"
}

// members walks the members of an object.
func (w *walk) members(p *source, t *ast.StructType, path string) {
	for _, f := range t.Fields.List {
		tag := ""
		if f.Tag != nil {
			tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		}
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case name == "-" || name == "" && len(f.Names) > 0:
			continue
		case name == "": // embedded: its members are those of this object
			w.value(p, f.Type, path)
			continue
		}
		full := strings.TrimPrefix(path+"."+name, ".")
		at := len(w.fields)
		w.fields = append(w.fields, field{path: full, meaning: meaning(f, name)})
		kind := w.value(p, f.Type, full)
		if _, pointer := f.Type.(*ast.StarExpr); pointer && !strings.Contains(options, "omit") {
			kind += " or null"
		}
		if strings.Contains(options, "omit") {
			kind += ", optional"
		}
		w.fields[at].kind = kind
		if w.fields[at].meaning == "" {
			w.errs = append(w.errs, fmt.Errorf("%s: field %s has no comment", p.folder, full))
		}
	}
}

// meaning returns the comment of a field: the one behind it, the one above it, or the common
// one of its name.
func meaning(f *ast.Field, name string) string {
	bound := boundOf.FindStringSubmatch(name)
	switch {
	case f.Comment != nil:
		return strings.Join(strings.Fields(f.Comment.Text()), " ")
	case common[name] != "":
		return common[name]
	case bound != nil && bound[2] == "lo":
		return "lower bound of the interval of `" + bound[1] + "`"
	case bound != nil:
		return "upper bound of the interval of `" + bound[1] + "`"
	}
	return strings.Join(strings.Fields(f.Doc.Text()), " ")
}

// boundOf matches the bounds of a confidence interval.
var boundOf = regexp.MustCompile(`^(.+)_(lo|hi)$`)

// basic returns the JSON type of a type without a declaration of ours.
func basic(name string) string {
	switch strings.TrimRight(name, "0123456789") {
	case "string", "time.Time", "error":
		return "string"
	case "bool":
		return "boolean"
	case "int", "uint", "byte", "rune", "time.Duration":
		return "integer"
	case "float":
		return "number"
	}
	return "value"
}

// writeFields writes the members of a schema as a table.
func (s *sources) writeFields(w io.Writer, folder, name string) error {
	fields, err := s.fields(folder, name)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "| field | type | meaning |\n|---|---|---|\n")
	for _, f := range fields {
		if f.path == "schema" {
			continue // the heading
		}
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", f.path, f.kind, strings.ReplaceAll(f.meaning, "|", `\|`))
	}
	return nil
}
