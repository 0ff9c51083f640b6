package frame

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A toolchain that another go.mod asked for does not build the project.
func TestSwitchedToolchainIsSkipped(t *testing.T) {
	dir := t.TempDir()
	var path []string
	for _, name := range []string{"mod/golang.org/toolchain@v0.0.1-go1.99.0.linux-amd64/bin", "go/bin"} {
		bin := filepath.Join(dir, filepath.FromSlash(name))
		testkit.NoError(t, os.MkdirAll(bin, 0o777))
		for _, file := range []string{"go", "go.exe"} {
			testkit.NoError(t, os.WriteFile(filepath.Join(bin, file), nil, 0o777))
		}
		path = append(path, bin)
	}
	got := findGo(strings.Join(path, string(filepath.ListSeparator)))
	testkit.Equal(t, filepath.Dir(got), path[1], "folder of go")
	testkit.Equal(t, findGo(path[0]), "go", "go")
}
