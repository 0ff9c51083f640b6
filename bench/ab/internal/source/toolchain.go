package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// Toolchain is the result of "go env" in a side's tree.
type Toolchain struct {
	GOROOT, GOVERSION, GOOS, GOARCH, GOMODCACHE, GOFLAGS string

	linkedRoot string // symbolic link to a GOROOT in the module cache, or ""
}

// minor is the second number of the version; 0 of one that is not released.
func (c *Toolchain) minor() (minor int) {
	for word := range strings.FieldsSeq(c.GOVERSION) {
		fmt.Sscanf(word, "go1.%d", &minor)
	}
	return minor
}

// Shuffles reports whether the linker has -randlayout, as from Go 1.23 on.
func (c *Toolchain) Shuffles() bool { return c.minor() >= 23 || strings.Contains(c.GOVERSION, "devel") }

// Flag returns the value of a flag of "go build" in the user's GOFLAGS, and whether it is there.
func (c *Toolchain) Flag(name string) (value string, ok bool) {
	for _, flag := range strings.Fields(c.GOFLAGS) {
		if given, text, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); given == name {
			value, ok = strings.Trim(text, `'"`), true
		}
	}
	return value, ok
}

// TestArgs returns the arguments of test programs that the user's GOFLAGS has.
func (c *Toolchain) TestArgs() (args []string) {
	for _, name := range givenTestFlags {
		if value, ok := c.Flag(name); ok && value == "" {
			args = append(args, "-test."+name)
		} else if ok {
			args = append(args, "-test."+name+"="+value)
		}
	}
	return args
}

// ReadToolchain reads the toolchain for the module of a folder.
func ReadToolchain(ctx context.Context, dir string) (c Toolchain, err error) {
	p := frame.Program{
		Args: []string{frame.GoCommand(), "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOMODCACHE", "GOFLAGS"},
		Dir:  dir, Core: frame.NoCore}
	out, err := p.Run(ctx)
	if err == nil {
		err = json.Unmarshal(out.Output, &c)
	}
	if err != nil {
		return c, fmt.Errorf("go env: %w", err)
	}
	return c, nil
}

// LinkRoot makes a symbolic link to the toolchain if it lies in the module cache: go rejects an overlay
// of files there. The build cache does not depend on the place of GOROOT.
func (c *Toolchain) LinkRoot(s *frame.Scratch) error {
	inside, err := filepath.Rel(c.GOMODCACHE, c.GOROOT)
	if err != nil || !filepath.IsLocal(inside) {
		return nil
	}
	c.linkedRoot = s.Path("go-" + strings.Fields(c.GOVERSION)[0])
	if err := os.Symlink(c.GOROOT, c.linkedRoot); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// CanCount reports whether programs of the toolchain have a counter's requests.
func (c *Toolchain) CanCount() bool { return c.GOARCH == "amd64" || c.GOARCH == "arm64" }

// Root is the folder of the toolchain, in use.
func (c *Toolchain) Root() string { return cmp.Or(c.linkedRoot, c.GOROOT) }
