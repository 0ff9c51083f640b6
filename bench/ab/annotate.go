package ab

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Place is a line of the head's sources.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"` // relative to the root of the repository, with slashes
	Line     int    `json:"line"` // number of the line
}

// addPlaces finds the declarations behind slower rows: the functions whose machine code
// differs, or the benchmark if none of them is in the repository.
func (r *runner) addPlaces() {
	if r.sides[newSide] == nil {
		return
	}
	byName := make(map[string]*benchmark)
	for _, b := range r.benchmarks {
		byName[b.name] = b
	}
	var declared map[string]Place
	for i := range r.report.Rows {
		row := &r.report.Rows[i]
		b := byName[row.Name]
		if row.Verdict != verdict.Slower || b == nil {
			continue
		}
		if declared == nil {
			declared = r.sides[newSide].declarations()
		}
		for _, function := range slices.Concat(row.Changed, []string{b.pkg.Path + ".Benchmark" + topLevel(b.printed)}) {
			place, ok := declared[plainFunction(function)]
			if ok && !slices.Contains(row.Places, place) && (len(row.Places) == 0 || slices.Contains(row.Changed, function)) {
				row.Places = append(row.Places, place)
			}
		}
	}
}

// plainFunction is the name of a function without type arguments and the numbers of
// closures: "a.(*T[...]).M.func1" is "a.(*T).M".
func plainFunction(name string) string {
	name = strings.ReplaceAll(name, "[...]", "")
	begin := strings.LastIndexByte(name, '/') + 1
	parts := strings.Split(name[begin:], ".")
	for len(parts) > 2 && strings.HasPrefix(parts[len(parts)-1], "func") {
		parts = parts[:len(parts)-1]
	}
	return name[:begin] + strings.Join(parts, ".")
}

// declarations returns the places of all functions of the tree, by their names in binaries.
func (t *tree) declarations() map[string]Place {
	places := make(map[string]Place)
	for path, p := range t.packages {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			relative, outside := filepath.Rel(t.root, filepath.Join(p.Dir, name))
			if err != nil || outside != nil {
				continue
			}
			for _, d := range parsed.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					full := path + "." + receiver(f) + f.Name.Name
					places[full] = Place{full, filepath.ToSlash(relative), files.Position(f.Pos()).Line}
				}
			}
		}
	}
	return places
}

// receiver returns how the name of a method begins in binaries: "(*T)." or "T.".
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	kind, begin, end := f.Recv.List[0].Type, "", "."
	if star, ok := kind.(*ast.StarExpr); ok {
		kind, begin, end = star.X, "(*", ")."
	}
	switch x := kind.(type) {
	case *ast.IndexExpr:
		kind = x.X
	case *ast.IndexListExpr:
		kind = x.X
	}
	if name, ok := kind.(*ast.Ident); ok {
		return begin + name.Name + end
	}
	return ""
}

// writeAnnotations writes GitHub workflow commands: an error on each function behind a slower
// row, a warning for each other failing row.
func (r *Report) writeAnnotations(w io.Writer) error {
	out := &text.Writer{To: w}
	for _, row := range r.Rows {
		if row.Verdict.Passes() {
			continue
		}
		message := fmt.Sprintf("%s %s ± %s %s %s", row.Name, percent(row.Delta), row.margin(), row.Unit, row.Reason)
		if row.Verdict != verdict.Slower {
			fmt.Fprintf(out, "::warning title=benchmark %s::%s\n", row.Verdict, escaped(message))
			continue
		}
		for _, place := range row.Places {
			fmt.Fprintf(out, "::error file=%s,line=%d,title=benchmark slower::%s\n", escaped(place.File), place.Line, escaped(message))
		}
		if len(row.Places) == 0 {
			fmt.Fprintf(out, "::error title=benchmark slower::%s\n", escaped(message))
		}
	}
	return out.Err
}

// escaped replaces the characters with a meaning in a workflow command or its properties.
func escaped(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(strings.TrimSpace(text.Plain(s)))
}
