package ab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// tree is the module of one side.
type tree struct {
	root      string // of all files of the side, when they are in use
	dir       string // working folder of go, likewise
	stored    string // root of the files when those of the other side are in use
	options   *Options
	packages  map[string]*goPackage // by import path: those outside of the standard library
	matched   []string              // import paths of packages with benchmarks that match the patterns
	problem   string                // errors of go for packages that match the patterns
	unchosen  []string              // benchmarks that do not match the pattern of the options
	functions map[string][]string   // benchmarks that may match it, by import path
	godebug   map[string]string     // settings of test programs, by the tested package
	toolchain toolchain
	overlay   map[string]string // files that replace others, for -overlay
}

// goPackage is the output of "go list" for a package.
type goPackage struct {
	ImportPath, Name, Dir, ForTest               string
	DepOnly, Standard                            bool
	DefaultGODEBUG                               string
	Imports, TestImports, XTestImports           []string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles     []string
	SFiles, SwigFiles, SwigCXXFiles, SysoFiles   []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles  []string
	Module                                       *struct {
		Path, Version string
		Replace       *struct{ Path, Version string }
	}
	Error *struct{ Err string }

	inside bool // in the tree, and not a copy of another module in a folder vendor
}

// listFields are the fields of goPackage.
const listFields = "ImportPath,Name,Dir,ForTest,DepOnly,Standard,DefaultGODEBUG,Imports,TestImports,XTestImports,GoFiles,CgoFiles,TestGoFiles," +
	"XTestGoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,Module,Error"

// goCommand returns "go VERB ARGS" with the user's build flags.
func (t *tree) goCommand(verb string, args ...string) program {
	all := []string{goProgram(), verb, "-buildvcs=false"}
	if t.options.Tags != "" {
		all = append(all, "-tags="+t.options.Tags)
	}
	if verb == "test" {
		all = append(all, "-vet=off") // an old commit need not satisfy the vet of today
	}
	return program{args: append(all, args...), dir: t.dir, core: noCore, most: 1 << 28}
}

// list reads the packages that match the patterns, and those that their tests import.
func (t *tree) list(ctx context.Context) error {
	patterns := t.options.Packages
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	p := t.goCommand("list", append([]string{"-e", "-deps", "-test", "-json=" + listFields, "--"}, patterns...)...)
	out, err := p.run(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
	}
	t.functions = make(map[string][]string)
	t.packages, t.godebug, t.matched, t.unchosen, t.problem = make(map[string]*goPackage), make(map[string]string), nil, nil, ""
	decoder := json.NewDecoder(bytes.NewReader(out.out))
	for {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil && !p.DepOnly && t.problem == "" {
			t.problem = strings.NewReplacer(t.root+string(filepath.Separator), "", t.root, ".").Replace(p.Error.Err)
		}
		if tested, ok := strings.CutSuffix(p.ImportPath, ".test"); ok && p.ForTest == "" && p.Name == "main" {
			t.godebug[tested] = p.DefaultGODEBUG
			continue
		}
		p.inside = t.holds(p.Dir) && !strings.Contains(filepath.ToSlash(p.Dir)+"/", "/vendor/")
		if p.Standard {
			continue
		}
		if p.ForTest != "" {
			t.addVariant(&p)
			continue
		}
		t.packages[p.ImportPath] = &p
		if p.DepOnly || !t.holds(p.Dir) {
			continue
		}
		if t.functions[p.ImportPath] = t.chosen(&p); len(t.functions[p.ImportPath]) > 0 {
			t.matched = append(t.matched, p.ImportPath)
		}
	}
	slices.Sort(t.matched)
	return nil
}

// addVariant adds a package that is built again for the test of a package that it imports. Its
// sources are those of the plain package, and it may be the only one that go lists.
func (t *tree) addVariant(p *goPackage) {
	plain := func(path string) string {
		path, _, _ = strings.Cut(path, " [")
		return path
	}
	p.ImportPath = plain(p.ImportPath)
	if t.packages[p.ImportPath] != nil || p.ImportPath == p.ForTest || p.ImportPath == p.ForTest+"_test" {
		return
	}
	for i, path := range p.Imports {
		p.Imports[i] = plain(path)
	}
	t.packages[p.ImportPath] = p
}

// holds reports whether a folder is in the tree.
func (t *tree) holds(dir string) bool {
	inside, err := filepath.Rel(t.root, dir)
	return dir != "" && err == nil && filepath.IsLocal(inside)
}

// folder returns the folder of a package relative to the root, with slashes.
func (t *tree) folder(p *goPackage) string {
	dir, err := filepath.Rel(t.root, p.Dir)
	if err != nil {
		return p.Dir
	}
	return filepath.ToSlash(dir)
}

// benchmarkFunction matches the beginning of a benchmark, and its name.
var benchmarkFunction = text.Regexp(`(?m)^func (Benchmark(?:[^a-z(][^(]*)?)\(`)

// chosen returns the benchmarks of the package that may match the pattern of the options. It
// keeps the names of the others for messages.
func (t *tree) chosen(p *goPackage) (functions []string) {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			continue
		}
		for _, found := range benchmarkFunction().FindAllSubmatch(text, -1) {
			if function := string(found[1]); mayMatch(t.options.Bench, function) {
				functions = append(functions, function)
			} else {
				t.unchosen = append(t.unchosen, function)
			}
		}
	}
	return functions
}

// mayMatch reports whether "go test -bench PATTERN" may run a function: whether the first elements of
// the pattern match it.
func mayMatch(pattern, function string) bool {
	expression, err := regexp.Compile(laterElements().ReplaceAllString(pattern, ""))
	return err != nil || expression.MatchString(function) // a group of elements was cut
}

// laterElements matches the elements of a pattern after the first one.
var laterElements = text.Regexp(`/[^|]*`)

// others returns the sources of a package that are not Go or assembly, and those of cgo, whose
// comments are C.
func (p *goPackage) others() []string {
	return slices.Concat(p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles)
}

// version identifies the sources of a package of another module.
func (p *goPackage) version() string {
	switch m := p.Module; {
	case m == nil:
		return ""
	case m.Replace != nil:
		return m.Replace.Path + "@" + m.Replace.Version
	default:
		return m.Path + "@" + m.Version
	}
}

// compared returns the patterns of the packages whose code is compared: those of the modules of the
// tree. If packages of other modules differ, or import those of the tree, all of them.
func (r *runner) compared() []string {
	var patterns, outside []string
	all := false
	for side, t := range r.sides {
		for path, p := range t.packages {
			isInside := func(imported string) bool { below := t.packages[imported]; return below != nil && below.inside }
			other := r.sides[1-side].packages[path]
			switch {
			case p.inside && p.Module != nil:
				patterns = append(patterns, p.Module.Path+"/...")
				continue
			case p.inside:
				patterns = append(patterns, path)
				continue
			case other == nil || other.version() != p.version() || t.holds(p.Dir) && r.isTouched(t.folder(p)):
				all = true
			}
			all = all || slices.ContainsFunc(p.Imports, isInside)
			outside = append(outside, path)
		}
	}
	if all {
		patterns = append(patterns, outside...)
	}
	return union(patterns, nil)
}

// isTouched reports whether a file of a folder differs, relative to the root.
func (r *runner) isTouched(folder string) bool {
	return slices.ContainsFunc(r.touched, func(name string) bool { return path.Dir(name) == folder })
}

// opaque returns the packages, as symbols have them, with other sources than Go or assembly that
// differ, and those with embedded files that differ. The headers of C may be anywhere.
func (r *runner) opaque() (packages, embedding map[string]bool) {
	packages, embedding = make(map[string]bool), make(map[string]bool)
	for _, t := range r.sides {
		for importPath, p := range t.packages {
			if !t.holds(p.Dir) {
				continue
			}
			if slices.ContainsFunc(r.touched, func(name string) bool { return t.embeds(p, name) }) {
				embedding[linkName(importPath)], embedding[linkName(importPath+"_test")] = true, true
			}
			if len(p.others()) == 0 {
				continue
			}
			differs := func(name string) bool {
				return len(p.CgoFiles) > 0 && !strings.HasSuffix(name, ".go") ||
					path.Dir(name) == t.folder(p) && slices.Contains(p.others(), path.Base(name))
			}
			if slices.ContainsFunc(r.touched, differs) {
				packages[linkName(importPath)] = true
			}
		}
	}
	return packages, embedding
}

// embeds reports whether a package or its tests embed a file, relative to the root.
func (t *tree) embeds(p *goPackage, name string) bool {
	folder := t.folder(p)
	return slices.ContainsFunc(slices.Concat(p.EmbedFiles, p.TestEmbedFiles, p.XTestEmbedFiles), func(file string) bool {
		return path.Join(folder, filepath.ToSlash(file)) == name
	})
}

// notData matches files that benchmarks do not read: documentation, and settings of other
// programs.
var notData = text.Regexp(`(?i)(^|/)(\.[^/]*|LICEN[CS]E|README|CHANGELOG|CHANGES|AUTHORS|CONTRIBUT[^/]*|PATENTS|NOTICE|MAINTAINERS|CODEOWNERS|Makefile|Dockerfile)(\.[a-z]+)?(/|$)|\.(md|rst|adoc|ya?ml)$`)

// moduleFile matches files that choose packages.
var moduleFile = text.Regexp(`(^|/)(go\.(mod|sum|work|work\.sum)|vendor/modules\.txt)$`)

// isUnused reports whether a changed file is neither code nor data: documentation, or Go code that
// differs only in comments.
func (r *runner) isUnused(name string) bool {
	inTestdata := strings.Contains("/"+name, "/testdata/")
	switch {
	case inTestdata || moduleFile().MatchString(name):
		return false
	case !strings.HasSuffix(name, ".go"):
		return notData().MatchString(name)
	}
	var texts [2][]byte
	for side := range r.sides {
		var err error
		if texts[side], err = os.ReadFile(filepath.Join(r.files(side), filepath.FromSlash(name))); err != nil {
			return false
		}
		if bytes.Contains(texts[side], []byte(`"C"`)) {
			return false
		}
	}
	return bytes.Equal(tokens(texts[oldSide]), tokens(texts[newSide]))
}

// isData reports whether a changed file is one that benchmarks may read: no code that the
// compiler compares.
func (r *runner) isData(name string) bool {
	if strings.Contains("/"+name, "/testdata/") {
		return true
	}
	if strings.HasSuffix(name, ".go") || moduleFile().MatchString(name) || notData().MatchString(name) {
		return false
	}
	for _, t := range r.sides {
		for _, p := range t.packages {
			isSource := path.Dir(name) == t.folder(p) && slices.Contains(append(p.others(), p.SFiles...), path.Base(name))
			if t.holds(p.Dir) && (isSource || t.embeds(p, name)) {
				return false
			}
		}
	}
	return true
}

// hasOtherData reports whether a file differs that the benchmarks of a package may read. That are
// files of its folder and of testdata below it; files of other folders below it if its sources
// name them or read folders; and all files if the sources of a linked package name a folder
// above theirs, or look for the place of their source or of the process.
func (r *runner) hasOtherData(importPath string) bool {
	for side, t := range r.sides {
		p := t.packages[importPath]
		if p == nil || len(r.data) == 0 {
			continue
		}
		linked := make(map[string]bool)
		t.addImports(linked, slices.Concat([]string{importPath}, p.TestImports, p.XTestImports))
		sources := ""
		for name := range linked {
			sources += t.packages[name].source(r.files(side), t)
		}
		everywhere := containsAny(sources, `"../`, "`../", `".."`, "runtime.Caller", "Getwd(", "filepath.Abs(")
		below := containsAny(sources, "WalkDir(", "ReadDir(", "Glob(", ".Walk(", "DirFS(")
		folder := t.folder(p)
		for _, name := range r.data {
			local, inside := strings.CutPrefix(name, folder+"/")
			if folder == "." {
				local, inside = name, true
			}
			first, _, nested := strings.Cut(local, "/")
			switch {
			case everywhere, inside && (!nested || first == "testdata" || below || containsAny(sources, `"`+first, "`"+first)):
				return true
			}
		}
	}
	return false
}

// containsAny reports whether a text contains one of others.
func containsAny(text string, others ...string) bool {
	return slices.ContainsFunc(others, func(other string) bool { return strings.Contains(text, other) })
}

// source returns the Go sources of a package, whose tree is in a folder now.
func (p *goPackage) source(files string, t *tree) string {
	var all strings.Builder
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(files, filepath.FromSlash(t.folder(p)), name))
		if err == nil {
			all.Write(text)
		}
	}
	return all.String()
}

// addImports adds the packages of the tree that are imported, directly or not.
func (t *tree) addImports(needed map[string]bool, imports []string) {
	for _, name := range imports {
		if p := t.packages[name]; p != nil && p.inside && !needed[name] {
			needed[name] = true
			t.addImports(needed, p.Imports)
		}
	}
}

// tokens returns what the compiler sees of a Go file: its tokens, and the comments that are
// directives. Positions, which only stack traces have, do not count; the end of a line does
// where it ends a statement.
func tokens(text []byte) []byte {
	var out bytes.Buffer
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, scanner.ScanComments)
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return out.Bytes()
		case kind == token.COMMENT && !isDirective(literal):
			continue
		case kind == token.SEMICOLON:
			literal = "" // "\n" or ";"
		}
		fmt.Fprintf(&out, "%d %q\n", kind, literal)
	}
}

// isDirective reports whether a comment means something to go: "//go:noinline",
// "// +build", "//line", "//export".
func isDirective(comment string) bool {
	for _, begin := range []string{"//go:", "//line ", "/*line ", "//export ", "// +build", "//+build", "//extern ", "//sys"} {
		if strings.HasPrefix(comment, begin) {
			return true
		}
	}
	return false
}

// shortNames names packages by the last element of their import paths that is no major
// version, and by their whole paths where two would have the same name.
func shortNames(paths []string) map[string]string {
	names, count := make(map[string]string), make(map[string]int)
	for _, path := range paths {
		names[path] = strings.TrimSuffix(binaryName(path), ".test")
		count[names[path]]++
	}
	for path, name := range names {
		if count[name] > 1 {
			names[path] = path
		}
	}
	return names
}

// binaryName is how "go test -c" names the test binary of a package.
func binaryName(path string) string {
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && majorVersion().MatchString(last) {
		last = elements[len(elements)-2]
	}
	return cmp.Or(last, "main") + ".test"
}

var majorVersion = text.Regexp(`^v[1-9][0-9]*$`)
