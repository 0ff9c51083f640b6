package source

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

// BorrowedTests replace a package's test files on one side by those of the other side, by an overlay
// of the build. This way, a benchmark added or changed by a commit is measured on the sources of
// both sides, and so are a package's benchmarks where the head removes all.
type BorrowedTests struct {
	path    string      // import path
	Target  int         // side that gets the test files of the other
	folders [2]string   // folders of the package, relative to the roots
	names   [2][]string // test files of each side, with embedded ones
	Level   borrowLevel
	Why     string   // error of files that do not compile
	changed []string // benchmarks added or changed
	Removed []string // benchmarks that only the target has
}

// borrowLevel is the extent of borrowed tests. When the files of one level do not compile, the next one is
// tried.
type borrowLevel int

const (
	BorrowAll        borrowLevel = iota // all test files
	BorrowBenchmarks                    // those with benchmarks: a test of new internals does not compile with old ones
	BorrowNone
)

// FindBorrowedTests finds the packages whose test files differ, by import path.
func FindBorrowedTests(s *Sides) map[string]*BorrowedTests {
	borrowed := make(map[string]*BorrowedTests)
	before, after := s.Trees[frame.Old], s.Trees[frame.New]
	for _, importPath := range frame.Union(before.Matched, after.Matched) {
		p, q := before.Packages[importPath], after.Packages[importPath]
		if p == nil || q == nil || s.Tests == report.OwnTests {
			continue
		}
		w := &BorrowedTests{path: importPath, Target: frame.Old, folders: [2]string{before.Folder(p), after.Folder(q)}}
		head, base := slices.Contains(after.Matched, importPath), slices.Contains(before.Matched, importPath)
		if base && !head || base == head && s.Tests == report.BaseTests {
			w.Target = frame.New
		}
		var sources [2]map[string][]byte
		for side, p := range [2]*Package{p, q} {
			w.names[side] = slices.Concat(p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles)
			sources[side] = benchmarkSources(s.folderOf(side, w.folders[side]), w.names[side])
		}
		if slices.ContainsFunc(s.Changed, w.HasFile) {
			w.changed, w.Removed = compareBenchmarks(sources[1-w.Target], sources[w.Target])
			borrowed[importPath] = w
		}
	}
	return borrowed
}

// folderOf returns the current path of a folder of a side.
func (s *Sides) folderOf(side int, folder string) string {
	return filepath.Join(s.Files(side), filepath.FromSlash(folder))
}

// Origin is the side whose test files both have.
func (w *BorrowedTests) Origin() report.Tests {
	switch {
	case w.Level == BorrowNone:
		return report.OwnTests
	case w.Target == frame.Old:
		return report.HeadTests
	}
	return report.BaseTests
}

// AddTo adds the borrowed tests to the overlay of a build of its target, whose files are in place.
func (w *BorrowedTests) AddTo(overlay map[string]string, s *Sides) {
	if w.Level == BorrowNone {
		return
	}
	from, to := s.folderOf(1-w.Target, w.folders[1-w.Target]), s.folderOf(w.Target, w.folders[w.Target])
	for _, name := range frame.Union(w.names[frame.Old], w.names[frame.New]) {
		file, source := filepath.Join(to, filepath.FromSlash(name)), filepath.Join(from, filepath.FromSlash(name))
		exists := slices.Contains(w.names[1-w.Target], name)
		if w.Level == BorrowBenchmarks && strings.HasSuffix(name, "_test.go") && !hasBenchmark(source) &&
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

// CopyData gives their target the testdata of the other side: benchmarks read it when
// they run. The target's files are in place.
func (w *BorrowedTests) CopyData(s *Sides) error {
	from := filepath.Join(s.folderOf(1-w.Target, w.folders[1-w.Target]), "testdata")
	to := filepath.Join(s.folderOf(w.Target, w.folders[w.Target]), "testdata")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.CopyFS(to, os.DirFS(from))
}

// HasFile reports whether a file belongs to the test files of both sides, taken from one.
func (w *BorrowedTests) HasFile(name string) bool {
	if w == nil || w.Level == BorrowNone {
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

// Remark describes the differing test files of a package.
func (w *BorrowedTests) Remark() string {
	changed := ""
	if len(w.changed) > 0 {
		changed = ", benchmarks added or changed: " + frame.SomeOf(w.changed)
	}
	if w.Level == BorrowNone {
		why, _, _ := strings.Cut(w.Why, "\n")
		return fmt.Sprintf("%s: test files differ%s; each side is measured with its own, because those of the other do not compile on it: %s",
			w.path, changed, why)
	}
	return fmt.Sprintf("%s: test files differ%s; both sides are measured with those of the %s", w.path,
		changed, w.Origin())
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
			sources[string(text[at[2]:at[3]])] = Tokens(body)
		}
	}
	return sources
}
