package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
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

// givenTestFlags are the flags of package testing that the user may give to the test programs.
var givenTestFlags = []string{"short", "parallel", "skip", "failfast", "fullpath"}

// ParseTestArgs returns arguments of test programs as the programs take them, from those of "go test": -short becomes
// -test.short, and what stands behind -args stays as it is.
func ParseTestArgs(line string) ([]string, error) {
	if line == "" {
		return nil, nil
	}
	words, err := process.SplitWords(line, os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%w (want words as of a shell, as in -short -args -config FILE)", err)
	}
	for i, word := range words {
		flag, isFlag := strings.CutPrefix(strings.Replace(word, "--", "-", 1), "-")
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "test."), "=")
		switch {
		case !isFlag:
		case name == "args":
			return slices.Delete(words, i, i+1), nil
		case slices.Contains(givenTestFlags, name):
			words[i] = "-test." + strings.TrimPrefix(flag, "test.")
		case testFlag().MatchString(name):
			return nil, fmt.Errorf("-%s cannot be passed on: each run sets it, or it changes the output (want flags of the tests, or -%s)", name, strings.Join(givenTestFlags, ", -"))
		case buildFlag().MatchString(name):
			return nil, fmt.Errorf("-%s is a flag of the build (want GOFLAGS=-%s)", name, flag)
		}
	}
	return words, nil
}

// testFlag matches the other ones, which the run sets or whose output is not that of benchmarks, and flags of the build.
var testFlag, buildFlag = text.Regexp(`^(bench|benchmem|benchtime|blockprofile(rate)?|count|cover\w*|cpu(profile)?|fuzz\w*|json|list|` +
	`mem(profile(rate)?)|mutexprofile(fraction)?|outputdir|paniconexit0|run|shuffle|timeout|trace|v)$`),
	text.Regexp(`^(race|msan|asan|tags|gcflags|asmflags|ldflags|mod|modfile|overlay|pgo|toolexec|trimpath|vet)$`)
