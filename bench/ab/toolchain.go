package ab

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// goProgram returns the go command of the user's shell.
//
// "go run" and "go test" put the bin folder of their GOROOT first in PATH. If go.mod of their
// program requires a newer Go, this folder is a toolchain of the module cache, and would build
// the projects under test. Such folders are skipped. The remaining command selects the
// toolchain of the project from GOTOOLCHAIN and its go.mod.
var goProgram = sync.OnceValue(func() string { return findGo(os.Getenv("PATH")) })

func findGo(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if isSwitched(dir) {
			continue
		}
		name := filepath.Join(dir, "go")
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		if found, err := exec.LookPath(name); err == nil && filepath.IsAbs(found) {
			return found
		}
	}
	return "go"
}

// isSwitched reports whether a folder belongs to a toolchain of the module cache.
func isSwitched(dir string) bool {
	return strings.Contains(filepath.ToSlash(dir), "/golang.org/toolchain@")
}
