package ab

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The timers of the toolchain that runs this test can be patched, and a source that is
// not known cannot.
func TestPatchTesting(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "src", "testing", "benchmark.go"))
	if err != nil {
		t.Skip(err)
	}
	patched, err := patchTesting(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"urStart()\n\t\tb.start =", "b.start)\nurStop()", "b.duration = 0\nurReset()"} {
		if !strings.Contains(patched, want) {
			t.Errorf("the patched file has no %q", want)
		}
	}
	if _, err := patchTesting(strings.Replace(string(text), "b.duration = 0", "b.duration = 1", 1)); err == nil {
		t.Error("an unknown source was patched")
	}
}
