package ab

import (
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
// by several percent. So each round uses new links: both sides are linked again and again with
// a random order of functions, while others are measured.

// link is one linked test binary.
type link struct {
	path string
	used bool // its pages were measured before: the next round copies the file
}

// unit is one link of each side of a package, and the sampling unit of the test.
type unit struct {
	links  [2]link
	rounds int
}

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

// writeWrapper writes the wrapper.
func (s *scratch) writeWrapper() error {
	return os.WriteFile(s.path(wrapperName), []byte(wrapper), 0o700)
}

// readRecipes reads the commands recorded by the wrapper, by the import path of the package.
func readRecipes(dir string, goroot string) map[string]*recipe {
	recipes := make(map[string]*recipe)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return recipes
	}
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
func (c *recipe) link(ctx context.Context, s *scratch, seed int, path string) error {
	args := []string{c.args[0], "-s", "-w", fmt.Sprintf("-randlayout=%d", seed)}
	rest := c.args[1:]
	for i := 0; i < len(rest); i++ {
		switch arg := rest[i]; {
		case arg == "-o":
			args = append(args, "-o", path)
			i++
		case strings.HasPrefix(arg, "-randlayout"), arg == "-s", arg == "-w":
		default:
			args = append(args, arg)
		}
	}
	p := process{args: args, dir: c.dir, env: c.env, core: NoCore, timeout: 5 * time.Minute}
	_, err := p.run(ctx, s)
	return err
}

// linker makes links in the background.
type linker struct {
	mu       sync.Mutex
	packages []*Package
	stop     context.CancelFunc
	done     chan struct{}
}

// mostBytes bounds the files of all links.
const mostBytes = 6 << 30

// startLinker links the packages again and again, the one with the fewest links first, as
// long as they want more. A few packages want links before their benchmarks are listed.
func (r *runner) startLinker(ctx context.Context, packages []*Package) *linker {
	const few = 3
	for _, p := range packages {
		p.wantsLinks = p.relinks() && len(packages) <= few
		if p.relinks() { // the first unit is there: rounds begin at once
			u := &unit{}
			for side, path := range p.binaries {
				u.links[side] = link{path: path, used: true}
			}
			p.units = []*unit{u}
		}
	}
	ctx, stop := context.WithCancel(ctx)
	l := &linker{packages: slices.Clone(packages), stop: stop, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		for ctx.Err() == nil {
			p, n := l.next(r.options.Layouts)
			if p == nil {
				select {
				case <-ctx.Done():
				case <-time.After(5 * time.Millisecond):
				}
				continue
			}
			u, err := r.linkBoth(ctx, p, n)
			l.mu.Lock()
			if err != nil {
				p.linkError = err
			} else {
				p.units = append(p.units, u)
			}
			l.mu.Unlock()
		}
	}()
	return l
}

// end stops the linker and waits for it.
func (l *linker) end() {
	if l != nil {
		l.stop()
		<-l.done
	}
}

// next returns the package to link next and the number of its unit, or nil if none needs a
// link. A package gets a few links more than it has used.
func (l *linker) next(layouts int) (*Package, int) {
	const ahead = 3
	l.mu.Lock()
	defer l.mu.Unlock()
	var chosen *Package
	size := int64(0)
	for _, p := range l.packages {
		size += int64(len(p.units)) * p.size
		unused := 0
		for _, u := range p.units {
			if u.rounds == 0 {
				unused++
			}
		}
		if !p.wantsLinks || p.linkError != nil || len(p.units) >= layouts+p.moreLinks || unused >= ahead {
			continue
		}
		if chosen == nil || len(p.units)-p.moreLinks < len(chosen.units)-chosen.moreLinks {
			chosen = p
		}
	}
	if chosen == nil || size > mostBytes {
		return nil, 0
	}
	return chosen, len(chosen.units)
}

// linkBoth makes a unit.
func (r *runner) linkBoth(ctx context.Context, p *Package, n int) (*unit, error) {
	u := &unit{}
	err := onBothSides(func(side int) error {
		path := r.scratch.path("links", fmt.Sprintf("%s-%s-%d", p.file, sideNames[side], n))
		u.links[side] = link{path: path}
		return p.recipes[side].link(ctx, r.scratch, r.layoutSeed(n), path)
	})
	return u, err
}

// layoutSeed is the seed of the order of functions of a unit. Both sides have the same.
func (r *runner) layoutSeed(n int) int { return int(r.options.Seed%1_000_000)*1000 + n + 1 }

// unit returns the number of the unit of this round and its files: a unit without measurements,
// or else the one with the fewest. From a given number on, only units with higher numbers are
// used.
func (r *runner) unit(p *Package, from int) (n int, paths [2]string, err error) {
	r.linker.lock()
	defer r.linker.unlock()
	if !p.relinks() { // every round is a unit: the file is drawn anew, the layout is not
		n = p.copies
		p.copies++
		for side := range paths {
			paths[side], err = fresh(p.binaries[side], r.scratch.path("links", fmt.Sprintf("%s-%s", p.file, sideNames[side])))
			if err != nil {
				return n, paths, err
			}
		}
		return n, paths, nil
	}
	n = -1
	for i, u := range p.units {
		if i >= from && (n < 0 || u.rounds < p.units[n].rounds) {
			n = i
		}
	}
	if n < 0 {
		return n, paths, nil
	}
	u := p.units[n]
	u.rounds++
	for side := range u.links {
		l := &u.links[side]
		if l.used {
			again, err := fresh(l.path, l.path+"x")
			if err != nil {
				return n, paths, err
			}
			if err := os.Rename(again, l.path); err != nil {
				return n, paths, err
			}
		}
		l.used = true
		paths[side] = l.path
	}
	return n, paths, nil
}

func (l *linker) lock() {
	if l != nil {
		l.mu.Lock()
	}
}

func (l *linker) unlock() {
	if l != nil {
		l.mu.Unlock()
	}
}

// relinks reports whether units are links: otherwise they are copies of one file.
func (p *Package) relinks() bool { return p.recipes[oldSide] != nil && p.recipes[newSide] != nil }

// fresh copies a program into new pages.
func fresh(from, to string) (string, error) {
	if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
		return "", err
	}
	source, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return "", err
	}
	// Reading and writing: a copy made by the file system itself may share its pages.
	if _, err := io.Copy(struct{ io.Writer }{target}, struct{ io.Reader }{source}); err != nil {
		target.Close()
		return "", err
	}
	return to, target.Close()
}
