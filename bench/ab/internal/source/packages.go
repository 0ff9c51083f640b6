package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/build/constraint"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Tree is the module of one side.
type Tree struct {
	Root      string // root above all the side's files, when they are in use
	Dir       string // working folder of go, likewise
	Stored    string // root of the files when those of the other side are in use
	Options   *Request
	modules   []string            // paths of the repository's modules
	Packages  map[string]*Package // packages by import path: those outside the standard library
	Matched   []string            // import paths of packages with benchmarks that match the patterns
	Problem   string              // errors of go for packages that match the patterns
	Unchosen  []string            // benchmarks that do not match the pattern of the options
	Tagged    map[string]string   // build tags of files that have benchmarks but are not built
	Functions map[string][]string // benchmarks that may match it, by import path
	GODEBUG   map[string]string   // settings of test programs, by the tested package
	Toolchain Toolchain
	Overlay   map[string]string // files that replace others, for -overlay
	Temporary string            // folder for what go leaves when it is killed
	Env       []string          // added to the environment of go and of test programs
}

// place is the folder below the scratch folder where the files of a side are when they are in use.
const place = "src"

// newTree returns the tree of a side, whose files are in a folder while others are in use. The user stands in another one.
func newTree(j *Request, users, stored string) *Tree {
	return &Tree{Root: j.Scratch.Path(place), Dir: j.Scratch.Path(place, users), Stored: j.Scratch.Path(stored), Options: j,
		Temporary: j.Scratch.Path("gotmp")}
}

// Package is the output of "go list" for a package.
type Package struct {
	ImportPath, Name, Dir, ForTest               string
	DepOnly, Standard                            bool
	DefaultGODEBUG                               string
	Imports, TestImports, XTestImports           []string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles     []string
	SFiles, SwigFiles, SwigCXXFiles, SysoFiles   []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles  []string
	IgnoredGoFiles                               []string
	Module                                       *struct {
		Path, Version string
		Replace       *struct{ Path, Version string }
	}
	Error *struct{ Err string }

	inside bool // whether it is in the tree, and no copy of another module in a folder vendor
}

// listFields are the fields of Package.
const listFields = "ImportPath,Name,Dir,ForTest,DepOnly,Standard,DefaultGODEBUG,Imports,TestImports,XTestImports,GoFiles,CgoFiles,TestGoFiles," +
	"XTestGoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,IgnoredGoFiles,Module,Error"

// Go returns "go VERB ARGS" with the user's build flags.
func (t *Tree) Go(verb string, args ...string) frame.Program {
	all := []string{frame.GoCommand(), verb, "-buildvcs=false"}
	if t.Options.Tags != "" {
		all = append(all, "-tags="+t.Options.Tags)
	}
	if verb == "test" {
		all = append(all, "-vet=off") // an old commit need not satisfy the vet of today
	}
	p := frame.Program{Args: append(all, args...), Dir: t.Dir, Core: frame.NoCore, MaxOutput: 1 << 28, Env: slices.Concat(t.Env, []string{"GOTMPDIR=" + t.Temporary})}
	if t.Toolchain.linkedRoot != "" {
		p.Args[0] = filepath.Join(t.Toolchain.linkedRoot, "bin", "go")
		p.Env = append(p.Env, "GOROOT="+t.Toolchain.linkedRoot, "GOTOOLCHAIN=local")
	}
	return p
}

// List reads the packages that match the patterns, and those imported by their tests.
func (t *Tree) List(ctx context.Context) error {
	patterns := t.Options.Packages
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	p := t.Go("list", append([]string{"-e", "-deps", "-test", "-json=" + listFields, "--"}, patterns...)...)
	out, err := p.Run(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		const oldest = 19 // whose "go list" prints chosen fields
		if c, unknown := ReadToolchain(ctx, t.Dir); unknown == nil && c.minor() > 0 && c.minor() < oldest {
			return fmt.Errorf("%s is too old (want Go 1.%d or later)", c.GOVERSION, oldest)
		}
		return fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
	}
	t.Functions, t.Tagged = make(map[string][]string), make(map[string]string)
	t.Packages, t.GODEBUG, t.Matched, t.Unchosen, t.Problem = make(map[string]*Package), make(map[string]string), nil, nil, ""
	decoder := json.NewDecoder(bytes.NewReader(out.Output))
	for {
		var p Package
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if !p.DepOnly && t.Holds(p.Dir) {
			t.addTagged(&p)
		}
		if p.Error != nil && !p.DepOnly && t.Problem == "" {
			t.Problem = strings.NewReplacer(t.Root+string(filepath.Separator), "", t.Root, ".").Replace(p.Error.Err)
		}
		if tested, ok := strings.CutSuffix(p.ImportPath, ".test"); ok && p.ForTest == "" && p.Name == "main" {
			t.GODEBUG[tested] = p.DefaultGODEBUG
			continue
		}
		p.inside = t.Holds(p.Dir) && !strings.Contains(filepath.ToSlash(p.Dir)+"/", "/vendor/")
		if p.Standard {
			continue
		}
		if p.ForTest != "" {
			t.addVariant(&p)
			continue
		}
		t.Packages[p.ImportPath] = &p
		if p.DepOnly || !t.Holds(p.Dir) {
			continue
		}
		if t.Functions[p.ImportPath] = t.chosen(&p); len(t.Functions[p.ImportPath]) > 0 {
			t.Matched = append(t.Matched, p.ImportPath)
		}
	}
	slices.Sort(t.Matched)
	return nil
}

// addTagged finds the files of a package whose benchmarks are built with further build tags only.
func (t *Tree) addTagged(p *Package) {
	for _, name := range p.IgnoredGoFiles {
		content, err := os.ReadFile(filepath.Join(p.Dir, name))
		line := buildLine().FindSubmatch(content)
		if err != nil || line == nil || !strings.HasSuffix(name, "_test.go") || !benchmarkFunction().Match(content) {
			continue
		}
		expression, err := constraint.Parse(string(line[0]))
		if err != nil {
			continue
		}
		var tags []string
		isMet := expression.Eval(func(tag string) bool {
			isOwn := !systemTag().MatchString(tag)
			if isOwn {
				tags = append(tags, tag)
			}
			return isOwn || tag == runtime.GOOS || tag == runtime.GOARCH || tag == "unix"
		})
		if isMet && len(tags) > 0 {
			t.Tagged[path.Join(t.Folder(p), name)] = strings.Join(tags, ",")
		}
	}
}

// buildLine matches a constraint of a file, and systemTag tags that no user sets.
var buildLine, systemTag = text.Regexp(`(?m)^//go:build .*`), text.Regexp(`^(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|` +
	`plan9|solaris|wasip1|windows|unix|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm|cgo|gc|gccgo|race|msan|asan|purego|ignore|go1\..*)$`)

// addVariant adds a package that is built again for the test of a package that it imports. Its
// sources are those of the plain package, and it may be the only one that go lists.
func (t *Tree) addVariant(p *Package) {
	plain := func(path string) string {
		path, _, _ = strings.Cut(path, " [")
		return path
	}
	p.ImportPath = plain(p.ImportPath)
	if t.Packages[p.ImportPath] != nil || p.ImportPath == p.ForTest || p.ImportPath == p.ForTest+"_test" {
		return
	}
	for i, path := range p.Imports {
		p.Imports[i] = plain(path)
	}
	t.Packages[p.ImportPath] = p
}

// Holds reports whether a folder is in the tree.
func (t *Tree) Holds(dir string) bool {
	inside, err := filepath.Rel(t.Root, dir)
	return dir != "" && err == nil && filepath.IsLocal(inside)
}

// Folder returns the folder of a package relative to the root, with slashes.
func (t *Tree) Folder(p *Package) string {
	dir, err := filepath.Rel(t.Root, p.Dir)
	if err != nil {
		return p.Dir
	}
	return filepath.ToSlash(dir)
}

// benchmarkFunction matches the beginning of a benchmark, and its name.
var benchmarkFunction = text.Regexp(`(?m)^func (Benchmark(?:[^a-z(][^(]*)?)\(`)

// chosen returns the benchmarks of the package that may match the pattern of the options. It
// keeps the names of the others for messages.
func (t *Tree) chosen(p *Package) (functions []string) {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			continue
		}
		for _, found := range benchmarkFunction().FindAllSubmatch(text, -1) {
			if function := string(found[1]); MayMatch(t.Options.Bench, function) {
				functions = append(functions, function)
			} else {
				t.Unchosen = append(t.Unchosen, function)
			}
		}
	}
	return functions
}

// MayMatch reports whether "go test -bench PATTERN" may run a function: whether the first elements of
// the pattern match it.
func MayMatch(pattern, function string) bool {
	expression, err := regexp.Compile(laterElements().ReplaceAllString(pattern, ""))
	return err != nil || expression.MatchString(function) // a group of elements was cut
}

// laterElements matches a pattern's elements after the first one.
var laterElements = text.Regexp(`/[^|]*`)

// Others returns the sources of a package that are not Go or assembly, and those of cgo, whose
// comments are C.
func (p *Package) Others() []string {
	return slices.Concat(p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SwigFiles,
		p.SwigCXXFiles, p.SysoFiles)
}

// version identifies the sources of a package of another module.
func (p *Package) version() string {
	switch m := p.Module; {
	case m == nil:
		return ""
	case m.Replace != nil:
		return m.Replace.Path + "@" + m.Replace.Version
	default:
		return m.Path + "@" + m.Version
	}
}

// ShortNames names packages by the last element of their import paths that is no major version. Where two would have the
// same name, the version and as many elements as tell them apart belong to it.
func ShortNames(paths []string) map[string]string {
	names := make(map[string]string)
	for _, path := range paths {
		names[path] = lastElement(path, anyVersion())
	}
	for n, isOpen := 1, true; isOpen; n++ {
		isOpen = false
		for _, same := range text.Groups(paths, func(path string) string { return names[path] }) {
			for i := 0; len(same) > 1 && i < len(same); i++ {
				elements := strings.Split(same[i], "/")
				begin := len(elements) - n
				if anyVersion().MatchString(elements[len(elements)-1]) {
					begin--
				}
				names[same[i]], isOpen = strings.Join(elements[max(0, begin):], "/"), true
			}
		}
	}
	return names
}

// BinaryName is how "go test -c" names a package's test binary.
func BinaryName(path string) string {
	return cmp.Or(lastElement(path, majorVersion()), "main") + ".test"
}

// lastElement returns the last element of an import path before its version.
func lastElement(path string, version *regexp.Regexp) string {
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && version.MatchString(last) {
		last = elements[len(elements)-2]
	}
	return last
}

// The versions at the end of import paths. A module cannot end in v1, but the folder of an interface can.
var (
	anyVersion   = text.Regexp(`^v[1-9][0-9]*$`)
	majorVersion = text.Regexp(`^v([2-9]|[1-9][0-9]+)$`)
)

// Imported returns a package and those it and its tests import, at any distance, without the standard library.
func (t *Tree) Imported(importPath string) map[string]*Package {
	all := make(map[string]*Package)
	var add func(paths []string)
	add = func(paths []string) {
		for _, path := range paths {
			if p := t.Packages[path]; p != nil && all[path] == nil {
				all[path] = p
				add(p.Imports)
			}
		}
	}
	if p := t.Packages[importPath]; p != nil {
		add(slices.Concat([]string{importPath}, p.TestImports, p.XTestImports))
	}
	return all
}
