package ab

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// toolchain is the result of "go env" in a side's tree.
type toolchain struct {
	GOROOT, GOVERSION, GOOS, GOARCH, GOMODCACHE, GOFLAGS string
}

// shuffles reports whether the linker has -randlayout: that of Go 1.23 or later.
func (c *toolchain) shuffles() bool {
	minor := 0
	for word := range strings.FieldsSeq(c.GOVERSION) {
		fmt.Sscanf(word, "go1.%d", &minor)
	}
	return minor >= 23 || strings.Contains(c.GOVERSION, "devel")
}

// flag returns the value of a flag of "go build" in the user's GOFLAGS, and whether it is there.
func (t *tree) flag(name string) (value string, ok bool) {
	for _, flag := range strings.Fields(t.toolchain.GOFLAGS) {
		if given, text, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); given == name {
			value, ok = strings.Trim(text, `'"`), true
		}
	}
	return value, ok
}

// readToolchain reads the toolchain that builds a tree.
func (t *tree) readToolchain(ctx context.Context) error {
	p := program{args: []string{goProgram(), "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOMODCACHE", "GOFLAGS"}, dir: t.dir, core: noCore}
	out, err := p.run(ctx)
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	if err := json.Unmarshal(out.out, &t.toolchain); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	return nil
}

// linkRoot makes a symbolic link to the toolchain if it lies in the module cache: go rejects an overlay
// of files there. The build cache does not depend on the place of GOROOT.
func (t *tree) linkRoot(s *scratch) error {
	inside, err := filepath.Rel(t.toolchain.GOMODCACHE, t.toolchain.GOROOT)
	if err != nil || !filepath.IsLocal(inside) {
		return nil
	}
	t.linkedRoot = s.path("go-" + strings.Fields(t.toolchain.GOVERSION)[0])
	if err := os.Symlink(t.toolchain.GOROOT, t.linkedRoot); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// canCount reports whether programs of the toolchain have a counter's requests.
func (t *tree) canCount() bool { return t.toolchain.GOARCH == "amd64" || t.toolchain.GOARCH == "arm64" }

// goroot is the root of the toolchain that builds the tree.
func (t *tree) goroot() string { return cmp.Or(t.linkedRoot, t.toolchain.GOROOT) }
