package ab

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tree is the module of one side.
type tree struct {
	root     string // of all files of the side
	dir      string // in which go is run
	options  *Options
	scratch  *scratch
	packages map[string]*goPackage // by import path, those of the tree only
	matched  []string              // import paths that the patterns chose and that have benchmarks
	problem  string                // what go says of a package that the patterns chose, if anything
	testdata []byte                // hash of all folders testdata
	module   []byte                // hash of go.mod and go.sum
}

// newTree returns the tree of a side; the user stands in folder.
func newTree(root, folder string, o *Options, s *scratch) *tree {
	return &tree{root: root, dir: filepath.Join(root, folder), options: o, scratch: s}
}

// goPackage is what "go list" says of a package.
type goPackage struct {
	ImportPath                                   string
	Dir                                          string
	ForTest                                      string
	DepOnly                                      bool
	Imports, TestImports, XTestImports           []string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles     []string
	SFiles, SwigFiles, SwigCXXFiles, SysoFiles   []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles  []string
	Error                                        *struct{ Err string }
}

// listFields are the fields of goPackage.
const listFields = "ImportPath,Dir,ForTest,DepOnly,Imports,TestImports,XTestImports,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles," +
	"CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,Error"

// goCommand returns "go VERB ARGS" with the user's build flags.
func (t *tree) goCommand(verb string, args ...string) process {
	all := []string{"go", verb, "-buildvcs=false", "-trimpath"}
	if t.options.Tags != "" {
		all = append(all, "-tags="+t.options.Tags)
	}
	all = append(all, t.options.BuildFlags...)
	return process{args: append(all, args...), dir: t.dir, core: NoCore, most: 1 << 28}
}

// list reads the packages that the patterns choose, and what their tests import.
func (t *tree) list(ctx context.Context) error {
	patterns := t.options.Packages
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	p := t.goCommand("list", append([]string{"-e", "-deps", "-test", "-json=" + listFields, "--"}, patterns...)...)
	out, err := p.run(ctx, t.scratch)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
	}
	t.packages = make(map[string]*goPackage)
	decoder := json.NewDecoder(bytes.NewReader(out.out))
	for {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil && !p.DepOnly && t.problem == "" {
			t.problem = p.Error.Err
		}
		if p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") || !t.holds(p.Dir) {
			continue
		}
		t.packages[p.ImportPath] = &p
		if !p.DepOnly && p.hasBenchmarks() {
			t.matched = append(t.matched, p.ImportPath)
		}
	}
	slices.Sort(t.matched)
	return t.hashOthers()
}

// holds reports whether a folder is in the tree.
func (t *tree) holds(dir string) bool {
	inside, err := filepath.Rel(t.root, dir)
	return dir != "" && err == nil && filepath.IsLocal(inside)
}

// benchmarkFunction is how a benchmark begins.
var benchmarkFunction = regexp.MustCompile(`(?m)^func Benchmark[^a-z]`)

// hasBenchmarks reports whether test files of the package have a benchmark.
func (p *goPackage) hasBenchmarks() bool {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err == nil && benchmarkFunction.Match(text) {
			return true
		}
	}
	return false
}

// hashOthers hashes what test binaries depend on beside packages: the versions of other
// modules, and files that tests may read.
func (t *tree) hashOthers() error {
	module, testdata := sha256.New(), sha256.New()
	err := filepath.WalkDir(t.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(t.root, path)
		if err != nil {
			return err
		}
		switch slashed := "/" + filepath.ToSlash(name); {
		case slices.Contains([]string{"go.mod", "go.sum", "go.work", "modules.txt"}, entry.Name()):
			return hashFile(module, name, path)
		case strings.Contains(slashed, "/testdata/"):
			return hashFile(testdata, name, path)
		}
		return nil
	})
	t.module, t.testdata = module.Sum(nil), testdata.Sum(nil)
	return err
}

// hashFile adds the name of a file and its bytes to a hash.
func hashFile(h hash.Hash, name, path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		target, err := os.Readlink(path)
		fmt.Fprintf(h, "%q -> %q\n", name, target)
		return err
	}
	text, err := os.ReadFile(path)
	fmt.Fprintf(h, "%q %d\n%s", name, len(text), text)
	return err
}

// fingerprint hashes all that the test binary of a package is made of, but for comments:
// two sides on which it is the same have the same machine code.
func (t *tree) fingerprint(path string) ([]byte, error) {
	p := t.packages[path]
	if p == nil {
		return nil, fs.ErrNotExist
	}
	needed := map[string]bool{}
	t.addImports(needed, slices.Concat(p.Imports, p.TestImports, p.XTestImports))
	h := sha256.New()
	h.Write(t.module)
	h.Write(t.testdata)
	if err := p.hash(h, true); err != nil {
		return nil, err
	}
	delete(needed, path)
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if err := t.packages[name].hash(h, false); err != nil {
			return nil, err
		}
	}
	return h.Sum(nil), nil
}

// addImports adds the packages of the tree that are imported, directly or not.
func (t *tree) addImports(needed map[string]bool, imports []string) {
	for _, name := range imports {
		if p := t.packages[name]; p != nil && !needed[name] {
			needed[name] = true
			t.addImports(needed, p.Imports)
		}
	}
}

// hash adds the package, with its tests if asked.
func (p *goPackage) hash(h hash.Hash, tests bool) error {
	if p.Error != nil {
		return errors.New(p.Error.Err)
	}
	fmt.Fprintf(h, "package %q\n", p.ImportPath)
	sources := slices.Clone(p.GoFiles)
	others := slices.Concat(p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles,
		p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles)
	if tests {
		sources = slices.Concat(sources, p.TestGoFiles, p.XTestGoFiles)
		others = slices.Concat(others, p.TestEmbedFiles, p.XTestEmbedFiles)
	}
	for _, name := range slices.Sorted(slices.Values(sources)) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "file %q\n", name)
		hashTokens(h, text)
	}
	slices.Sort(others)
	for _, name := range slices.Compact(others) {
		if err := hashFile(h, name, filepath.Join(p.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// hashTokens adds what the compiler sees of a Go file: its tokens, and the comments that
// are directives. Positions, which only stack traces tell, do not count; the end of a
// line does where it ends a statement.
func hashTokens(h hash.Hash, text []byte) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, scanner.ScanComments)
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return
		case kind == token.COMMENT && !isDirective(literal):
			continue
		case kind == token.SEMICOLON:
			literal = "" // "\n" or ";"
		}
		fmt.Fprintf(h, "%d %q\n", kind, literal)
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

// shortNames gives packages the shortest names that tell them apart: the last element
// of the import path, and more where two have the same.
func shortNames(paths []string) map[string]string {
	names := make(map[string]string)
	for _, path := range paths {
		elements := strings.Split(path, "/")
		for n := 1; n <= len(elements); n++ {
			name := strings.Join(elements[len(elements)-n:], "/")
			names[path] = name
			same := func(other string) bool {
				return other != path && (other == name || strings.HasSuffix(other, "/"+name))
			}
			if !slices.ContainsFunc(paths, same) {
				break
			}
		}
	}
	return names
}

// binaryName is how "go test -c" names the test binary of a package.
func binaryName(path string) string {
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && majorVersion.MatchString(last) {
		last = elements[len(elements)-2]
	}
	return cmp.Or(last, "main") + ".test"
}

var majorVersion = regexp.MustCompile(`^v[1-9][0-9]*$`)
