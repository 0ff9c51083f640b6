package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The timers of the toolchain that runs this test can be patched, and a source that is
// not known cannot.
func TestPatchTesting(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	testkit.SkipOn(t, err)
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "src", "testing", "benchmark.go"))
	testkit.SkipOn(t, err)
	patched := testkit.Must(patchTesting(string(text)))(t)
	for _, want := range []string{"urStart()\n\t\tb.start =", "b.start)\nurStop()", "b.duration = 0\nurReset(b)"} {
		testkit.ErrorIf(t, !strings.Contains(patched, want), "the patched file has no %q", want)
	}
	unknown := strings.Replace(string(text), "b.duration = 0", "b.duration = 1", 1)
	testkit.WantError(t, testkit.ErrorOf(patchTesting(unknown)), "", "an unknown source was patched")
}

// The report names the CPU clock of every system, or the reason for wall-clock times.
func TestCPUClocks(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	testkit.SkipOn(t, err)
	for system, want := range map[string]struct{ reason, clock, code string }{
		"linux":   {"", "clock_gettime", "SYS_CLOCK_GETTIME"},
		"darwin":  {"", "getrusage, in microseconds", "Getrusage"},
		"windows": {"GetProcessTimes, is too coarse", "", ""},
		"plan9":   {"no CPU clock is known for plan9", "", ""},
	} {
		s := &frame.Scratch{Dir: t.TempDir()}
		c := source.Toolchain{GOROOT: strings.TrimSpace(string(out)), GOVERSION: "go1.26", GOOS: system}
		_, err := MakeOverlay(&c, s)
		if want.reason != "" {
			testkit.WantError(t, err, want.reason, "%s", system)
			continue
		}
		testkit.NoError(t, err)
		testkit.WantText(t, system+":\n"+testkit.ReadText(t, s.Path("overlay", "go1.26", "ur_clock.go")), want.code)
		testkit.Equal(t, cpuClocks[system].Name, want.clock, "%s: clock", system)
	}
}
