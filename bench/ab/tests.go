package ab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Tests is the origin of the test files of a row.
type Tests string

// The origins.
const (
	HeadTests Tests = "head" // both sides ran the test files of the head
	BaseTests Tests = "base" // both sides ran the test files of the base
	OwnTests  Tests = "own"  // each side ran its own
)

// shareTests gives both sides of a package the test files of one side, if they differ and the
// other side compiles with them. This way, a benchmark added or changed by a commit is measured
// on the sources of both sides, and so are the benchmarks of a package from which the head
// removes all.
func (r *runner) shareTests(ctx context.Context) error {
	if r.options.Tests == OwnTests {
		return nil
	}
	r.tests, r.removed = make(map[string]Tests), make(map[string][]string)
	for _, origin := range []Tests{HeadTests, BaseTests} {
		if err := r.shareFrom(ctx, origin); err != nil {
			return err
		}
	}
	return nil
}

// originOf chooses the side whose test files a package is measured with.
func (r *runner) originOf(path string) Tests {
	head, base := slices.Contains(r.sides[newSide].matched, path), slices.Contains(r.sides[oldSide].matched, path)
	switch {
	case head && !base:
		return HeadTests
	case base && !head:
		return BaseTests
	}
	return r.options.Tests
}

// shareFrom copies the test files of one side to the other, for the packages measured with
// them.
func (r *runner) shareFrom(ctx context.Context, origin Tests) error {
	from, to := r.sides[newSide], r.sides[oldSide]
	if origin == BaseTests {
		from, to = to, from
	}
	var swaps []*swap
	for _, path := range union(from.matched, to.matched) {
		source, target := from.packages[path], to.packages[path]
		if r.tests[path] != "" || source == nil || target == nil || r.originOf(path) != origin {
			continue
		}
		s, err := newSwap(source, target)
		if err != nil {
			return err
		}
		if s != nil {
			swaps = append(swaps, s)
		}
	}
	if len(swaps) == 0 {
		return nil
	}
	// First all test files, then only those with benchmarks, then none.
	open := swaps
	for _, attempt := range []func(*swap) error{(*swap).all, (*swap).benchmarks} {
		for _, s := range open {
			if err := attempt(s); err != nil {
				return err
			}
		}
		failed, err := to.testErrors(ctx, open)
		if err != nil {
			return err
		}
		for _, s := range open {
			if failed[s.path] == "" {
				r.tests[s.path] = origin
				continue
			}
			s.why = failed[s.path]
			if err := s.undo(); err != nil {
				return err
			}
		}
		open = slices.DeleteFunc(slices.Clone(open), func(s *swap) bool { return failed[s.path] == "" })
	}
	for _, s := range swaps {
		r.noteSwap(s, origin)
	}
	return to.list(ctx)
}

// noteSwap adds a note on a package whose test files differ.
func (r *runner) noteSwap(s *swap, origin Tests) {
	changed := ""
	if len(s.changed) > 0 {
		changed = ", benchmarks added or changed: " + strings.Join(s.changed, ", ")
	}
	if r.tests[s.path] == "" {
		r.tests[s.path] = OwnTests
		r.note("%s: test files differ%s; each side is measured with its own, because those of the %s do not compile on the other side: %s",
			s.path, changed, origin, firstLine(s.why))
		return
	}
	if origin == HeadTests {
		r.removed[s.path] = s.removed
	}
	r.note("%s: test files differ%s; both sides are measured with those of the %s", s.path, changed, origin)
}

// addRemoved reports the benchmarks that the head removes from a package.
func (r *runner) addRemoved(p *Package) {
	for _, function := range r.removed[p.Path] {
		if mayMatch(r.options.Bench, function) {
			r.missing(p.name+"."+strings.TrimPrefix(function, "Benchmark"), "the head removes it; test files of the base would measure it")
		}
	}
}

// testsOf returns whose test files a package is measured with.
func (r *runner) testsOf(path string) Tests {
	if t := r.tests[path]; t != "" {
		return t
	}
	return r.options.Tests // both sides have the same
}

// union returns the elements of both lists, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// swap replaces the test files of a package on one side by those of the other side.
type swap struct {
	path     string
	from, to string            // folders
	names    []string          // of the test files, data included, of both sides
	saved    map[string][]byte // files of to before the swap
	changed  []string          // benchmarks added or changed
	removed  []string          // benchmarks of to missing in from
	why      string            // the files of from do not compile
}

// newSwap returns nil if the test files of both sides are the same.
func newSwap(from, to *goPackage) (*swap, error) {
	s := &swap{path: from.ImportPath, from: from.Dir, to: to.Dir, saved: make(map[string][]byte)}
	source, err := testFiles(from)
	if err != nil {
		return nil, err
	}
	if s.saved, err = testFiles(to); err != nil {
		return nil, err
	}
	if sameFiles(source, s.saved) {
		return nil, nil
	}
	s.names = union(slices.Collect(maps.Keys(source)), slices.Collect(maps.Keys(s.saved)))
	s.changed, s.removed = compareBenchmarks(source, s.saved)
	return s, nil
}

// sameFiles reports whether two sets of files are equal but for comments in Go files.
func sameFiles(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		other, ok := b[name]
		isGo := strings.HasSuffix(name, "_test.go")
		if !ok || !bytes.Equal(text, other) && !(isGo && bytes.Equal(tokens(text), tokens(other))) {
			return false
		}
	}
	return true
}

// testFiles reads the test files of a package: its _test.go files, the files they embed and
// its folder testdata, by their names relative to the package. Large data is read as well:
// the sides differ in few packages.
func testFiles(p *goPackage) (map[string][]byte, error) {
	files := make(map[string][]byte)
	add := func(name string) error {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err == nil {
			files[filepath.ToSlash(name)] = text
		}
		return err
	}
	goFiles, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range goFiles {
		if err := add(filepath.Base(name)); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Concat(p.TestEmbedFiles, p.XTestEmbedFiles) {
		if err := add(name); err != nil {
			return nil, err
		}
	}
	err = filepath.WalkDir(filepath.Join(p.Dir, "testdata"), func(path string, entry os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(p.Dir, path)
		if err != nil {
			return err
		}
		return add(name)
	})
	return files, err
}

// all takes all test files of the other side.
func (s *swap) all() error {
	return s.replace(func(string) bool { return true })
}

// benchmarks takes only the test files with benchmarks from the other side and keeps those
// without: a test of new internals does not compile with old ones.
func (s *swap) benchmarks() error {
	return s.replace(func(name string) bool {
		if !strings.HasSuffix(name, "_test.go") {
			return true
		}
		text, err := os.ReadFile(filepath.Join(s.from, name))
		return err == nil && benchmarkFunction.Match(text) || err != nil && benchmarkFunction.Match(s.saved[name])
	})
}

// replace gives the chosen files the content of the other side.
func (s *swap) replace(chosen func(name string) bool) error {
	for _, name := range s.names {
		if !chosen(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.from, name))
		if err := s.write(name, text, err == nil); err != nil {
			return err
		}
	}
	return nil
}

// undo puts the files back.
func (s *swap) undo() error {
	for _, name := range s.names {
		text, ok := s.saved[name]
		if err := s.write(name, text, ok); err != nil {
			return err
		}
	}
	return nil
}

// write gives a file its content, or removes it.
func (s *swap) write(name string, text []byte, exists bool) error {
	path := filepath.Join(s.to, filepath.FromSlash(name))
	if !exists {
		if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// testErrors compiles the test files of the packages and returns the errors, by import path.
func (t *tree) testErrors(ctx context.Context, swaps []*swap) (map[string]string, error) {
	failed := make(map[string]string)
	if len(swaps) == 0 {
		return failed, nil
	}
	args := []string{"-e", "-test", "-export", "-json=ImportPath,ForTest,Error,DepsErrors", "--"}
	for _, s := range swaps {
		args = append(args, s.path)
	}
	out, err := t.goCommand("list", args...).run(ctx, t.scratch)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(out.out))
	for {
		var p struct {
			ImportPath, ForTest string
			Error               *struct{ Err string }
			DepsErrors          []*struct{ Err string }
		}
		if err := decoder.Decode(&p); err == io.EOF {
			return failed, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		path := strings.TrimSuffix(p.ImportPath, ".test")
		switch {
		case p.Error != nil && p.ForTest != "":
			failed[p.ForTest] = p.Error.Err
		case len(p.DepsErrors) > 0 && failed[path] == "":
			failed[path] = p.DepsErrors[0].Err
		}
	}
}

// compareBenchmarks lists the benchmarks of a set of test files that are missing or different
// in another set, and those that only the other set has, under any name.
func compareBenchmarks(files, others map[string][]byte) (changed, removed []string) {
	after, before := benchmarkSources(files), benchmarkSources(others)
	for name, source := range after {
		if !bytes.Equal(source, before[name]) {
			changed = append(changed, name)
		}
	}
	for name, source := range before {
		renamed := func(other string) bool { return before[other] == nil && bytes.Equal(after[other], source) }
		if after[name] == nil && !slices.ContainsFunc(changed, renamed) {
			removed = append(removed, name)
		}
	}
	slices.Sort(changed)
	slices.Sort(removed)
	return changed, removed
}

// benchmarkSources returns the tokens of every benchmark function behind its name.
func benchmarkSources(files map[string][]byte) map[string][]byte {
	sources := make(map[string][]byte)
	for name, text := range files {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			continue // go list reports it
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && isBenchmarkName(f.Name.Name) {
				sources[f.Name.Name] = tokens(text[set.Position(f.Type.Params.Pos()).Offset:set.Position(f.End()).Offset])
			}
		}
	}
	return sources
}

// tokens returns the tokens of Go code, without comments.
func tokens(text []byte) []byte {
	var out bytes.Buffer
	hashTokens(&out, text)
	return out.Bytes()
}

// firstLine returns the first line of a compiler's message, without headings.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return strings.TrimSpace(text)
}
