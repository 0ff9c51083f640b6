// Package build makes test programs. The sides go in, and their [Builds] come out: a program of each package and side, whose
// package testing has CPU clocks and counts. [Links] make further programs with other orders of functions, and [SetTraps]
// one that ends where changed functions run. A [TestRun] runs a program.
package build

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
)

// overlayFiles are added to package testing of the building toolchain.
//
//go:embed overlay/*.txt
var overlayFiles embed.FS

// cpuClock is the CPU clock of an operating system.
type cpuClock struct {
	file string // that reads it
	Name string // name in the report
}

// getrusage is the CPU clock of Unix systems other than Linux.
var getrusage = cpuClock{"clock_unix.go", "getrusage, in microseconds"}

// cpuClocks are the CPU clocks by operating system.
var cpuClocks = map[string]cpuClock{
	"linux": {"clock_linux.go", "clock_gettime"}, "darwin": getrusage, "freebsd": getrusage,
	"netbsd": getrusage, "openbsd": getrusage, "dragonfly": getrusage,
}

// edit is a change of testing/benchmark.go. The text must be there as often as expected.
type edit struct {
	what    string
	find    string // a regular expression
	replace string
	times   int
}

// edits let the timers of package testing read the CPU clock as well, and count instructions where
// that is asked for. Package testing compiles a regular expression for each listed name and each benchmark: exact names
// need none. The wall clock is read last at the start of a section and first at its end, so
// wall-clock figures are those of the unpatched package. The requests to a counter are still closer
// to the work; without a counter each is one predicted branch.
var edits = []edit{
	{"timer start", `(?m)^(\t+b\.start = (?:highPrecisionTimeNow|time\.Now)\(\))$`,
		"urStart()\n$1\nif urCounting {\nurCountStart(b)\n}", 2},
	{"timer stop", `(?m)^(\t+b\.duration \+= (?:highPrecisionTime|time\.)Since\(b\.start\))$`,
		"if urCounting {\nurCountStop(b)\n}\n$1\nurStop()", 1},
	{"timer reset", `(?m)^(\tb\.duration = 0)$`, "$1\nurReset(b)", 1},
	{"collection", `(?m)^\truntime\.GC\(\)$`, "\turCollect()", 1},
	{"run", `(?m)^(\tb\.parallelism = 1)$`, "$1\nurBegin(b)", 1},
	{"end", `(?m)^(\tb\.result = BenchmarkResult\{)`, "urRepeat(b)\n$1", 1},
	{"result", `(?m)^(\t+results := r\.String\(\))$`, "$1\nresults += urFigures(b, r)", 1},
	{"skip", `(?m)^(\t+tag = "SKIP")$`, "$1\nurSkipped(b.name)", 1},
	{"first run", `(?m)^(func \(b \*B\) run1\(\) bool \{)$`, "$1\nb.benchTime = urBenchTime(b.name, b.benchTime)", 1},
	{"matcher", `(?m)^(\t+match: +newMatcher\()matchString,`, "${1}urMatch(matchString),", 1},
	{"parallel run", `(?m)^(func \(b \*B\) RunParallel\(body func\(\*PB\)\) \{)$`, "$1\nurTimer.parallel = true", 1},
}

// patchTesting returns testing/benchmark.go with the CPU clock in its timers.
func patchTesting(source string) (string, error) {
	for _, e := range edits {
		find := regexp.MustCompile(e.find)
		if found := len(find.FindAllStringIndex(source, -1)); found != e.times {
			return "", fmt.Errorf("testing/benchmark.go of this toolchain is unknown: %d of %q (want %d)", found,
				e.what, e.times)
		}
		source = find.ReplaceAllString(source, e.replace)
	}
	return source + resetLoop(source) + readClock(source), nil
}

// readClock returns the function that reads the clock of the timers as a section without work does.
func readClock(source string) string {
	now, since := "time.Now()", "time.Since"
	if strings.Contains(source, "highPrecisionTimeNow()") {
		now, since = "highPrecisionTimeNow()", "highPrecisionTimeSince"
	}
	return fmt.Sprintf("\nfunc urReadClock() {\n\tt := %s\n\t_ = %s(t)\n}\n", now, since)
}

// resetLoop returns the function that lets B.Loop begin again, and reports whether it has run. The
// state of the loop differs between releases of Go.
func resetLoop(source string) string {
	state, zero := "0", ""
	for _, field := range []struct{ used, n, zero string }{
		{"b.loopN", "b.loopN", "b.loopN = 0"},
		{"b.loop.n", "b.loop.n", "b.loop.n, b.loop.i = 0, 0"},
		{"b.loop.done = true", "b.loop.n", "b.loop.n, b.loop.i, b.loop.done = 0, 0, false"},
	} {
		if strings.Contains(source, field.used) {
			state, zero = field.n, field.zero
		}
	}
	return fmt.Sprintf("\nfunc urResetLoop(b *B) bool {\n\tran := %s > 0\n\t%s\n\treturn ran\n}\n", state, zero)
}

// MakeOverlay writes the files of package testing with the CPU clock to a folder, and returns the
// overlay. The error is the reason why CPU times are not available; it ends nothing.
func MakeOverlay(c *source.Toolchain, s *frame.Scratch) (map[string]string, error) {
	if _, ok := c.Flag("overlay"); ok {
		return nil, errors.New("the build already uses -overlay")
	}
	clock, ok := cpuClocks[c.GOOS]
	switch {
	case !c.Shuffles():
		return nil, fmt.Errorf("%s is too old for the CPU clock in timers (want Go 1.23 or later)", c.GOVERSION)
	case c.GOOS == "windows":
		return nil, errors.New("the CPU clock of windows, GetProcessTimes, is too coarse")
	case !ok:
		return nil, fmt.Errorf("no CPU clock is known for %s", c.GOOS)
	}
	if err := c.LinkRoot(s); err != nil {
		return nil, err
	}
	folder := filepath.Join(c.Root(), "src", "testing")
	source, err := os.ReadFile(filepath.Join(folder, "benchmark.go"))
	if err != nil {
		return nil, err
	}
	patched, err := patchTesting(string(source))
	if err != nil {
		return nil, err
	}
	dir := s.Path("overlay", c.GOVERSION)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	overlay := make(map[string]string)
	add := func(name, text string) error {
		path := filepath.Join(dir, name)
		overlay[filepath.Join(folder, name)] = path
		return os.WriteFile(path, []byte(text), 0o600)
	}
	request, reading := overlayFiles.ReadFile("overlay/request_other.s.txt")
	if c.CanCount() {
		request, reading = count.Assembly.ReadFile("request_" + c.GOARCH + ".s")
	}
	err = errors.Join(reading, add("benchmark.go", patched), add("ur_request.s", string(request)))
	for name, file := range map[string]string{"ur_clock.go": clock.file, "ur_figures.go": "figures.go",
		"ur_count.go": "count.go"} {
		text, reading := overlayFiles.ReadFile("overlay/" + file + ".txt")
		err = errors.Join(err, reading, add(name, string(text)))
	}
	return overlay, err
}
