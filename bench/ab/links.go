package ab

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// The addresses of a program's functions, and the physical pages of its file, change its speed
// by several percent. So each round links both sides anew, with a random order of functions.

// recipe is the command that linked a test binary.
type recipe struct {
	args []string // with the link command first
	dir  string
	env  []string
}

// wrapperName is the program that records the commands of the linker.
const wrapperName = "record-link"

// wrapper runs a tool, and records the arguments of the linker in a file of their own.
const wrapper = `#!/bin/sh
case "$1" in
*/link)
	if [ "$2" != -V=full ]; then
		{ pwd; for a; do printf '%s\n' "$a"; done; } > "$UR_AB_LINKS/$$"
	fi ;;
esac
exec "$@"
`

// canRecord reports whether the linker's commands can be recorded.
func canRecord() bool { return runtime.GOOS != "windows" && runtime.GOOS != "plan9" }

// readRecipes reads the commands recorded by the wrapper, by the import path of the package.
func readRecipes(dir string, goroot string) map[string]*recipe {
	recipes := make(map[string]*recipe)
	entries, _ := os.ReadDir(dir) // or none were recorded
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		c := &recipe{dir: lines[0], args: lines[1:], env: []string{"GOROOT=" + goroot, "GOGC=400"}}
		if path := c.testedPackage(); path != "" {
			recipes[path] = c
		}
	}
	return recipes
}

// testedPackage returns the import path of the package whose test binary was linked: the
// file of imports names the path of the program.
func (c *recipe) testedPackage() string {
	at := slices.Index(c.args, "-importcfg")
	if at < 0 || at+1 >= len(c.args) {
		return ""
	}
	text, err := os.ReadFile(c.args[at+1])
	if err != nil {
		return ""
	}
	_, rest, ok := strings.Cut(string(text), `path\t`)
	if !ok {
		return ""
	}
	path, _, _ := strings.Cut(rest, `\n`)
	return strings.TrimSuffix(path, ".test")
}

// link links the binary once more, with another order of functions.
func (c *recipe) link(ctx context.Context, seed int, path string) error {
	args := []string{c.args[0], "-s", "-w", fmt.Sprintf("-randlayout=%d", seed)}
	rest := c.args[1:]
	for i := 0; i < len(rest); i++ {
		switch arg := rest[i]; {
		case arg == "-o":
			args = append(args, "-o", path)
			i++
		case strings.HasPrefix(arg, "-randlayout"), arg == "-s", arg == "-w", arg == "-dumpdep":
		default:
			args = append(args, arg)
		}
	}
	p := program{args: args, dir: c.dir, env: c.env, core: noCore, timeout: 5 * time.Minute}
	_, err := p.run(ctx)
	return err
}

// renew makes the binaries of a package for a round: new links of both sides with one order of
// functions, or copies where they cannot be linked again.
func (r *runner) renew(ctx context.Context, p *Package) (paths [2]string, err error) {
	p.rounds++
	for side := range paths {
		paths[side] = r.scratch.path("links", fmt.Sprintf("%s-%s", p.file, sideNames[side]))
		if err := os.Remove(paths[side]); err != nil && !os.IsNotExist(err) {
			return paths, err
		}
	}
	var errs [2]error
	if r.layouts && p.recipes[oldSide] != nil && p.recipes[newSide] != nil {
		var both sync.WaitGroup
		for side, path := range paths {
			both.Go(func() { errs[side] = p.recipes[side].link(ctx, r.layoutSeed(p.rounds), path) })
		}
		both.Wait()
		if err = cmp.Or(errs[oldSide], errs[newSide]); err == nil || ctx.Err() != nil {
			p.links++
			return paths, err
		}
		r.note("%s cannot be linked again, so its intervals do not cover layouts: %v", p.Path, err)
		p.recipes = [2]*recipe{}
	}
	return paths, cmp.Or(fresh(p.binaries[oldSide], paths[oldSide]), fresh(p.binaries[newSide], paths[newSide]))
}

// layoutSeed is the seed of the order of functions of a round. Both sides have the same.
func (r *runner) layoutSeed(n int) int { return int(r.options.Seed%1_000_000)*1000 + n + 1 }

// fresh copies a program into new pages.
func fresh(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	// Reading and writing: a copy made by the file system itself may share its pages.
	if _, err := io.Copy(struct{ io.Writer }{target}, struct{ io.Reader }{source}); err != nil {
		target.Close()
		return err
	}
	return target.Close()
}
