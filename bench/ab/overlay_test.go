package ab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// buildPatched builds the benchmarks of a file with the patched package testing, and returns the
// binary and its folder.
func buildPatched(t *testing.T, code string) (binary, dir string) {
	t.Helper()
	testkit.SkipIf(t, testing.Short(), "builds a test binary")
	dir = newRepository(t)
	commit(t, dir, "zero", map[string]string{"go.mod": module, "a.go": "package a\n", "a_test.go": code})
	s := testkit.Must(frame.NewScratch(dir))(t)
	t.Cleanup(func() { _ = s.Remove() })
	tree := &source.Tree{Root: dir, Dir: dir, Stored: dir, Options: &source.Request{}, Temporary: s.Path("gotmp"),
		Toolchain: testkit.Must(source.ReadToolchain(t.Context(), dir))(t)}
	overlay, err := build.MakeOverlay(&tree.Toolchain, s)
	testkit.SkipOn(t, err)
	replaced := s.Path("overlay.json")
	testkit.WriteText(t, replaced, string(testkit.Must(json.Marshal(map[string]any{"Replace": overlay}))(t)))
	binary = s.Path("a.test")
	build := tree.Go("test", "-work", "-c", "-o", binary, "-overlay="+replaced, ".")
	testkit.Must(build.Run(t.Context()))(t)
	left, _ := os.ReadDir(s.Path("gotmp")) // a killed go leaves its folder likewise
	testkit.Equal(t, len(left), 1, "number of folders that go leaves in that of the run, %v", left)
	return binary, dir
}

// A sample repeats a benchmark with the same iterations, with and without B.Loop, and prints one
// result.
func testRepeats(t *testing.T, binary, dir string) {
	work := filepath.Join(t.TempDir(), "work")
	testkit.NoError(t, os.WriteFile(work, []byte("50x 3 BenchmarkCalled\n70x 4 BenchmarkLooped\n"), 0o666))
	p := frame.Program{Args: append([]string{binary, "-test.run=^$"}, build.BenchArgs("^Benchmark(Called|Looped)$", "1x", 1)...),
		Dir: dir, Core: frame.NoCore, Env: []string{"UR_AB_WORK=" + work}}
	out := testkit.Must(p.Run(t.Context()))(t)
	text := string(out.Output)
	testkit.Equal(t, strings.Count(text, "called 50\n"), 3, "runs of BenchmarkCalled in\n%s", text)
	testkit.Equal(t, strings.Count(text, "looped 70\n"), 4, "runs of BenchmarkLooped in\n%s", text)
	lines := listing.ParseSamples(out.Output, 1)
	testkit.ErrorIf(t, len(lines) != 2 || lines[0].Iterations != 50 || lines[1].Iterations != 70, "results %+v", lines)
}

// Go 1.23 is the oldest one that is supported.
func TestOlderToolchains(t *testing.T) {
	for version, want := range map[string]bool{"go1.22.12": false, "go1.23.0": true, "go1.26.8": true,
		"devel go1.27-abc": true} {
		testkit.Equal(t, (&source.Toolchain{GOVERSION: version}).Shuffles(), want, "%s", version)
	}
}
