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
	root           string // of all files of the side
	dir            string // working folder of go
	options        *Options
	scratch        *scratch
	packages       map[string]*goPackage // by import path, those of the tree only
	matched        []string              // import paths of packages with benchmarks that match the patterns
	problem        string                // errors of go for packages that match the patterns
	data           []dataFile            // possible inputs of benchmarks
	module         []byte                // hash of go.mod and go.sum
	withBenchmarks []string              // folders, relative to the root
	unchosen       []string              // benchmarks that do not match the pattern of the options
	caller         bool                  // a file asks for runtime.Caller, whose paths -trimpath cuts

	standard  map[string]bool // import paths of the standard library
	toolchain toolchain
	overlay   string // file for -overlay; "" without
}

// newTree returns the tree of a side; the user stands in folder.
func newTree(root, folder string, o *Options, s *scratch) *tree {
	return &tree{root: root, dir: filepath.Join(root, folder), options: o, scratch: s}
}

// goPackage is the output of "go list" for a package.
type goPackage struct {
	ImportPath                                   string
	Dir                                          string
	ForTest                                      string
	DepOnly, Standard                            bool
	Imports, TestImports, XTestImports           []string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles     []string
	SFiles, SwigFiles, SwigCXXFiles, SysoFiles   []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles  []string
	Error                                        *struct{ Err string }
}

// listFields are the fields of goPackage.
const listFields = "ImportPath,Dir,Standard,ForTest,DepOnly,Imports,TestImports,XTestImports,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles," +
	"CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,Error"

// goCommand returns "go VERB ARGS" with the user's build flags.
func (t *tree) goCommand(verb string, args ...string) process {
	all := []string{goProgram(), verb, "-buildvcs=false"}
	if !t.caller {
		all = append(all, "-trimpath")
	}
	if t.options.Tags != "" {
		all = append(all, "-tags="+t.options.Tags)
	}
	vet := "-vet=off" // an old commit need not satisfy the vet of today
	for _, flag := range t.options.BuildFlags {
		if isVet := strings.HasPrefix(strings.TrimLeft(flag, "-"), "vet="); isVet {
			vet = flag
		} else {
			all = append(all, flag)
		}
	}
	if verb == "test" {
		all = append(all, vet)
	}
	return process{args: append(all, args...), dir: t.dir, core: NoCore, most: 1 << 28}
}

// list reads the packages that match the patterns, and the imports of their tests.
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
	t.standard = make(map[string]bool)
	t.packages, t.matched, t.unchosen, t.problem = make(map[string]*goPackage), nil, nil, ""
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
		if p.Standard {
			t.standard[p.ImportPath] = true
		}
		if strings.HasSuffix(p.ImportPath, ".test") || !t.holds(p.Dir) {
			continue
		}
		if p.ForTest != "" {
			t.addVariant(&p)
			continue
		}
		t.packages[p.ImportPath] = &p
		if !p.DepOnly && t.hasChosen(&p) {
			t.matched = append(t.matched, p.ImportPath)
		}
	}
	slices.Sort(t.matched)
	return t.readOthers()
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

// shareTrimming cuts paths out of the binaries of both sides, or of none.
func (r *runner) shareTrimming() {
	caller := r.sides[oldSide].caller || r.sides[newSide].caller
	r.sides[oldSide].caller, r.sides[newSide].caller = caller, caller
}

// holds reports whether a folder is in the tree.
func (t *tree) holds(dir string) bool {
	inside, err := filepath.Rel(t.root, dir)
	return dir != "" && err == nil && filepath.IsLocal(inside)
}

// benchmarkFunction matches the beginning of a benchmark, and its name.
var benchmarkFunction = regexp.MustCompile(`(?m)^func (Benchmark(?:[^a-z(][^(]*)?)\(`)

// hasChosen reports whether test files of the package have a benchmark that may match the
// pattern of the options. It keeps the names of the others for messages.
func (t *tree) hasChosen(p *goPackage) bool {
	chosen := false
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			continue
		}
		for _, found := range benchmarkFunction.FindAllSubmatch(text, -1) {
			if function := string(found[1]); mayMatch(t.options.Bench, function) {
				chosen = true
			} else {
				t.unchosen = append(t.unchosen, function)
			}
		}
	}
	return chosen
}

// mayMatch reports whether "go test -bench PATTERN" can run a function: whether the first
// element of an alternative of the pattern matches it.
func mayMatch(pattern, function string) bool {
	depth, begin, cut := 0, 0, -1
	matches := func(end int) bool {
		if cut >= 0 {
			end = cut
		}
		expression, err := regexp.Compile(pattern[begin:end])
		return err != nil || expression.MatchString(function)
	}
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '/':
			if depth == 0 && cut < 0 {
				cut = i
			}
		case '|':
			if depth == 0 {
				if matches(i) {
					return true
				}
				begin, cut = i+1, -1
			}
		}
	}
	return matches(len(pattern))
}

// dataFile is a file other than Go source, and its hash.
type dataFile struct {
	name string // relative to the root, with slashes
	hash []byte
}

// notData matches files that benchmarks do not read: documentation, and settings of other
// programs.
var notData = regexp.MustCompile(`(?i)(^|/)(\.[^/]*|LICEN[CS]E|README|CHANGELOG|CHANGES|AUTHORS|CONTRIBUT[^/]*|PATENTS|NOTICE|MAINTAINERS|CODEOWNERS|Makefile|Dockerfile)(\.[a-z]+)?(/|$)|\.(md|rst|adoc|ya?ml)$`)

// readOthers hashes the inputs of test binaries besides packages: the versions of other
// modules, and files that benchmarks may read. It also looks for calls of runtime.Caller.
func (t *tree) readOthers() error {
	module := sha256.New()
	t.data, t.caller, t.withBenchmarks = nil, false, nil
	linked := t.linkedFolders()
	err := filepath.WalkDir(t.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(t.root, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(relative)
		switch inTestdata := strings.Contains("/"+name, "/testdata/"); {
		case slices.Contains([]string{"go.mod", "go.sum", "go.work", "modules.txt"}, entry.Name()) && !inTestdata:
			return hashFile(module, name, path)
		case strings.HasSuffix(name, ".go") && !inTestdata:
			return t.readSource(path, filepath.Dir(relative), entry, linked)
		case notData.MatchString(name) && !inTestdata:
			return nil
		}
		h := sha256.New()
		err = hashFile(h, name, path)
		t.data = append(t.data, dataFile{name, h.Sum(nil)})
		return err
	})
	t.module = module.Sum(nil)
	return err
}

// linkedFolders returns the folders of the packages linked into the test binaries.
func (t *tree) linkedFolders() map[string]bool {
	needed := make(map[string]bool)
	for _, path := range t.matched {
		p := t.packages[path]
		needed[path] = true
		t.addImports(needed, slices.Concat(p.Imports, p.TestImports, p.XTestImports))
	}
	folders := make(map[string]bool)
	for path := range needed {
		if folder, err := filepath.Rel(t.root, t.packages[path].Dir); err == nil {
			folders[folder] = true
		}
	}
	return folders
}

// readSource inspects a Go file of a folder. A call of runtime.Caller matters only in a linked
// file.
func (t *tree) readSource(path, folder string, entry fs.DirEntry, linked map[string]bool) error {
	if !entry.Type().IsRegular() {
		return nil
	}
	text, err := os.ReadFile(path)
	t.caller = t.caller || linked[folder] && bytes.Contains(text, []byte("runtime.Caller"))
	if strings.HasSuffix(path, "_test.go") && benchmarkFunction.Match(text) && !slices.Contains(t.withBenchmarks, folder) {
		t.withBenchmarks = append(t.withBenchmarks, folder)
	}
	return err
}

// dataHash hashes the files that benchmarks of a package may read: those below its folder and
// in any folder testdata, or all files if a file of the package names a folder above it. The C
// sources included by cgo count as data.
func (t *tree) dataHash(p *goPackage) []byte {
	below := ""
	if dir, err := filepath.Rel(t.root, p.Dir); err == nil && dir != "." {
		below = filepath.ToSlash(dir) + "/"
	}
	all := len(p.CgoFiles) > 0 || p.mentions(`"../`, "`../", `".."`)
	h := sha256.New()
	for _, f := range t.data {
		if all || strings.HasPrefix(f.name, below) || strings.Contains("/"+f.name, "/testdata/") {
			fmt.Fprintf(h, "%q %x\n", f.name, f.hash)
		}
	}
	return h.Sum(nil)
}

// mentions reports whether a Go file of the package contains one of the texts.
func (p *goPackage) mentions(texts ...string) bool {
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
		source, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err == nil && slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(source, []byte(text)) }) {
			return true
		}
	}
	return false
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
	h.Write(t.dataHash(p))
	if err := p.hash(h, true); err != nil {
		return nil, err
	}
	delete(needed, path)
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if err := t.packages[name].hash(h, false); err != nil {
			return nil, err
		}
		if len(t.packages[name].CgoFiles) > 0 {
			h.Write(t.dataHash(t.packages[name]))
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
		p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles, p.profile())
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

// profile returns the profile that guides the optimizer of a package main, if it has one.
func (p *goPackage) profile() []string {
	const name = "default.pgo"
	if _, err := os.Stat(filepath.Join(p.Dir, name)); err != nil {
		return nil
	}
	return []string{name}
}

// hashTokens adds what the compiler sees of a Go file: its tokens, and the comments that
// are directives. Positions, which only stack traces tell, do not count; the end of a
// line does where it ends a statement.
func hashTokens(h io.Writer, text []byte) {
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
	if len(elements) > 1 && majorVersion.MatchString(last) {
		last = elements[len(elements)-2]
	}
	return cmp.Or(last, "main") + ".test"
}

var majorVersion = regexp.MustCompile(`^v[1-9][0-9]*$`)
