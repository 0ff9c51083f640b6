package ab

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
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

// swap replaces the test files of a package on one side by those of the other side, by an overlay
// of the build. This way, a benchmark added or changed by a commit is measured on the sources of
// both sides, and so are the benchmarks of a package from which the head removes all.
type swap struct {
	path    string
	target  int         // side that gets the test files of the other
	folders [2]string   // of the package, relative to the roots
	names   [2][]string // of the test files of the sides, with embedded ones
	level   swapLevel
	why     string   // the files do not compile
	changed []string // benchmarks added or changed
	removed []string // benchmarks of the target that the other side does not have
}

// swapLevel is the extent of a swap. When the files of one level do not compile, the next one is
// tried.
type swapLevel int

const (
	swapAll        swapLevel = iota // all test files
	swapBenchmarks                  // those with benchmarks: a test of new internals does not compile with old ones
	swapNone
)

// findSwaps finds the packages whose test files differ.
func (r *runner) findSwaps() {
	r.swaps = make(map[string]*swap)
	before, after := r.sides[oldSide], r.sides[newSide]
	for _, importPath := range union(before.matched, after.matched) {
		p, q := before.packages[importPath], after.packages[importPath]
		if p == nil || q == nil || r.options.Tests == OwnTests {
			continue
		}
		s := &swap{path: importPath, target: oldSide, folders: [2]string{before.folder(p), after.folder(q)}}
		head, base := slices.Contains(after.matched, importPath), slices.Contains(before.matched, importPath)
		if base && !head || base == head && r.options.Tests == BaseTests {
			s.target = newSide
		}
		var sources [2]map[string][]byte
		differs := false
		for side, p := range [2]*goPackage{p, q} {
			folder := s.folders[side]
			s.names[side] = slices.Concat(p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles)
			sources[side] = benchmarkSources(r.folder(side, folder), s.names[side])
			differs = differs || slices.ContainsFunc(r.touched, func(name string) bool {
				return slices.ContainsFunc(s.names[side], func(file string) bool { return path.Join(folder, file) == name }) ||
					strings.HasPrefix(name, path.Join(folder, "testdata")+"/")
			})
		}
		if differs {
			s.changed, s.removed = compareBenchmarks(sources[1-s.target], sources[s.target])
			r.swaps[importPath] = s
		}
	}
}

// folder returns where a folder of a side is now.
func (r *runner) folder(side int, folder string) string {
	return filepath.Join(r.files(side), filepath.FromSlash(folder))
}

// origin is the side whose test files both have.
func (s *swap) origin() Tests {
	if s.target == oldSide {
		return HeadTests
	}
	return BaseTests
}

// addTo adds the swap to the overlay of a build of its target, whose files are in use.
func (s *swap) addTo(overlay map[string]string, r *runner) {
	if s.level == swapNone {
		return
	}
	from, to := r.folder(1-s.target, s.folders[1-s.target]), r.folder(s.target, s.folders[s.target])
	for _, name := range union(s.names[oldSide], s.names[newSide]) {
		file, source := filepath.Join(to, filepath.FromSlash(name)), filepath.Join(from, filepath.FromSlash(name))
		exists := slices.Contains(s.names[1-s.target], name)
		if s.level == swapBenchmarks && strings.HasSuffix(name, "_test.go") && !hasBenchmark(source) && !(!exists && hasBenchmark(file)) {
			continue
		}
		if !exists {
			source = ""
		}
		overlay[file] = source
	}
}

// hasBenchmark reports whether a file declares a benchmark.
func hasBenchmark(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && benchmarkFunction().Match(text)
}

// copyData gives the target of a swap the testdata of the other side: benchmarks read it when
// they run. The files of the target are in use.
func (s *swap) copyData(r *runner) error {
	from := filepath.Join(r.folder(1-s.target, s.folders[1-s.target]), "testdata")
	to := filepath.Join(r.folder(s.target, s.folders[s.target]), "testdata")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.CopyFS(to, os.DirFS(from))
}

// note adds a note on a package whose test files differ.
func (s *swap) note(r *runner) {
	changed := ""
	if len(s.changed) > 0 {
		changed = ", benchmarks added or changed: " + someOf(s.changed)
	}
	if s.level == swapNone {
		why, _, _ := strings.Cut(s.why, "\n")
		r.note("%s: test files differ%s; each side is measured with its own, because those of the %s do not compile on the other side: %s",
			s.path, changed, s.origin(), why)
		return
	}
	r.note("%s: test files differ%s; both sides are measured with those of the %s", s.path, changed, s.origin())
}

// addRemoved reports the benchmarks the head removes from a package.
func (r *runner) addRemoved(p *Package) {
	s := r.swaps[p.Path]
	if s == nil || s.target != oldSide || s.level == swapNone {
		return
	}
	for _, function := range s.removed {
		if mayMatch(r.options.Bench, function) {
			r.missing(p.name+"."+strings.TrimPrefix(function, "Benchmark"), "the head removes it; test files of the base would measure it")
		}
	}
}

// testsOf returns whose test files a package is measured with.
func (r *runner) testsOf(importPath string) Tests {
	switch s := r.swaps[importPath]; {
	case s == nil:
		return r.options.Tests // both sides have the same
	case s.level == swapNone:
		return OwnTests
	default:
		return s.origin()
	}
}

// union returns the elements of both lists, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// compareBenchmarks lists the benchmarks that are missing or different in another set of sources, and
// those that only the other set has, under any name.
func compareBenchmarks(after, before map[string][]byte) (changed, removed []string) {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if !bytes.Equal(after[name], before[name]) {
			changed = append(changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		renamed := func(other string) bool { return before[other] == nil && bytes.Equal(after[other], before[name]) }
		if after[name] == nil && !slices.ContainsFunc(changed, renamed) {
			removed = append(removed, name)
		}
	}
	return changed, removed
}

// benchmarkSources returns the tokens of every benchmark function in test files of a folder.
func benchmarkSources(dir string, names []string) map[string][]byte {
	sources := make(map[string][]byte)
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(dir, name)) // the build reports an error
		for _, at := range benchmarkFunction().FindAllSubmatchIndex(text, -1) {
			body, _, _ := bytes.Cut(text[at[3]:], []byte("\n}"))
			sources[string(text[at[2]:at[3]])] = tokens(body)
		}
	}
	return sources
}
