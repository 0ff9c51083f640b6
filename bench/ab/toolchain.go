package ab

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// goProgram returns the go command that a shell of the user would run.
//
// "go run" and "go test" put the bin folder of their GOROOT first in PATH. If go.mod of the
// program they run asks for a newer Go, that is a toolchain of the module cache, and the
// projects of others would be built with it. Such folders are skipped; the command that is
// found selects the toolchain of the project itself, as GOTOOLCHAIN and its go.mod say.
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
