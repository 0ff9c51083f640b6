package ab

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// swap replaces a package's test files on one side by those of the other side, by an overlay
// of the build. This way, a benchmark added or changed by a commit is measured on the sources of
// both sides, and so are a package's benchmarks where the head removes all.
type swap struct {
	path    string      // import path
	target  int         // side that gets the test files of the other
	folders [2]string   // folders of the package, relative to the roots
	names   [2][]string // test files of each side, with embedded ones
	level   swapLevel
	why     string   // error of files that do not compile
	changed []string // benchmarks added or changed
	removed []string // benchmarks that only the target has
}

// swapLevel is a swap's extent. When the files of one level do not compile, the next one is
// tried.
type swapLevel int

const (
	swapAll        swapLevel = iota // all test files
	swapBenchmarks                  // those with benchmarks: a test of new internals does not compile with old ones
	swapNone
)

// findSwaps finds the packages whose test files differ, by import path.
func findSwaps(s *sides, tests report.Tests) map[string]*swap {
	swaps := make(map[string]*swap)
	before, after := s.trees[frame.Old], s.trees[frame.New]
	for _, importPath := range frame.Union(before.matched, after.matched) {
		p, q := before.packages[importPath], after.packages[importPath]
		if p == nil || q == nil || tests == report.OwnTests {
			continue
		}
		w := &swap{path: importPath, target: frame.Old, folders: [2]string{before.folder(p), after.folder(q)}}
		head, base := slices.Contains(after.matched, importPath), slices.Contains(before.matched, importPath)
		if base && !head || base == head && tests == report.BaseTests {
			w.target = frame.New
		}
		var sources [2]map[string][]byte
		differs := false
		for side, p := range [2]*goPackage{p, q} {
			folder := w.folders[side]
			w.names[side] = slices.Concat(p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles)
			sources[side] = benchmarkSources(s.folderOf(side, folder), w.names[side])
			differs = differs || slices.ContainsFunc(s.changed, func(name string) bool {
				return slices.ContainsFunc(w.names[side],
					func(file string) bool { return path.Join(folder, file) == name }) ||
					strings.HasPrefix(name, path.Join(folder, "testdata")+"/")
			})
		}
		if differs {
			w.changed, w.removed = compareBenchmarks(sources[1-w.target], sources[w.target])
			swaps[importPath] = w
		}
	}
	return swaps
}

// folderOf returns the current path of a folder of a side.
func (s *sides) folderOf(side int, folder string) string {
	return filepath.Join(s.files(side), filepath.FromSlash(folder))
}

// origin is the side whose test files both have.
func (w *swap) origin() report.Tests {
	switch {
	case w.level == swapNone:
		return report.OwnTests
	case w.target == frame.Old:
		return report.HeadTests
	}
	return report.BaseTests
}

// addTo adds the swap to the overlay of a build of its target, whose files are in place.
func (w *swap) addTo(overlay map[string]string, s *sides) {
	if w.level == swapNone {
		return
	}
	from, to := s.folderOf(1-w.target, w.folders[1-w.target]), s.folderOf(w.target, w.folders[w.target])
	for _, name := range frame.Union(w.names[frame.Old], w.names[frame.New]) {
		file, source := filepath.Join(to, filepath.FromSlash(name)), filepath.Join(from, filepath.FromSlash(name))
		exists := slices.Contains(w.names[1-w.target], name)
		if w.level == swapBenchmarks && strings.HasSuffix(name, "_test.go") && !hasBenchmark(source) &&
			!(!exists && hasBenchmark(file)) {
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
// they run. The target's files are in place.
func (w *swap) copyData(s *sides) error {
	from := filepath.Join(s.folderOf(1-w.target, w.folders[1-w.target]), "testdata")
	to := filepath.Join(s.folderOf(w.target, w.folders[w.target]), "testdata")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.CopyFS(to, os.DirFS(from))
}

// hasFile reports whether a file belongs to the test files of both sides, taken from one.
func (w *swap) hasFile(name string) bool {
	if w == nil || w.level == swapNone {
		return false
	}
	for side, folder := range w.folders {
		isTest := func(file string) bool { return path.Join(folder, file) == name }
		if strings.HasPrefix(name, path.Join(folder, "testdata")+"/") || slices.ContainsFunc(w.names[side], isTest) {
			return true
		}
	}
	return false
}

// remark describes the differing test files of a package.
func (w *swap) remark() string {
	changed := ""
	if len(w.changed) > 0 {
		changed = ", benchmarks added or changed: " + frame.SomeOf(w.changed)
	}
	if w.level == swapNone {
		why, _, _ := strings.Cut(w.why, "\n")
		return fmt.Sprintf("%s: test files differ%s; each side is measured with its own, because those of the other do not compile on it: %s",
			w.path, changed, why)
	}
	return fmt.Sprintf("%s: test files differ%s; both sides are measured with those of the %s", w.path,
		changed, w.origin())
}

// compareBenchmarks lists the benchmarks that are missing or different in another set of sources, and
// those of the other set alone, under any name.
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
