package build

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// The addresses of a program's functions, and the physical pages of its file, change its speed
// by several percent. So each round links both sides anew, with a random order of functions.

// Links makes the binaries of rounds: links of both sides with one order of functions, or copies where they
// cannot be linked again. Links may be made ahead, while nothing is timed.
type Links struct {
	*Builds
	Cache *Cache
	Most  int           // layouts of a package; further rounds use them again
	Cost  time.Duration // duration of the last link of both sides
	pools map[*TestPackage]*pool
}

// pool has the links of a package.
type pool struct {
	made  [][2]string // links of both sides, by layout
	used  int         // rounds that took one
	fails bool        // the package cannot be linked again
}

// NewLinks returns links without a bound of layouts.
func NewLinks(b *Builds) *Links {
	l := &Links{Builds: b, Cache: openCache(), Most: math.MaxInt, pools: make(map[*TestPackage]*pool)}
	for _, p := range b.Packages {
		l.pools[p] = &pool{}
	}
	return l
}

// IsLinked reports whether the rounds of a package have links of their own.
func (l *Links) IsLinked(p *TestPackage) bool {
	return l.layouts && p.links[frame.Old] != nil && p.links[frame.New] != nil && !l.pools[p].fails
}

// ready counts the links made ahead for later rounds.
func (p *pool) ready() int { return len(p.made) - p.used }

// Made counts the package's layouts with the most.
func (l *Links) Made() (most int) {
	for p, of := range l.pools {
		if l.IsLinked(p) {
			most = max(most, min(len(of.made), of.used))
		}
	}
	return most
}

// ahead makes another layout of a package.
func (l *Links) ahead(ctx context.Context, p *TestPackage) error {
	of := l.pools[p]
	n := len(of.made) + 1
	begin := time.Now()
	var paths [2]string
	var errs [2]error
	isOne := p.Binaries[frame.Old] == p.Binaries[frame.New] // one commit
	var both sync.WaitGroup
	for side := range paths {
		if side == frame.New || !isOne {
			both.Go(func() { paths[side], errs[side] = l.link(ctx, p, side, n) })
		}
	}
	if both.Wait(); isOne {
		paths[frame.Old] = paths[frame.New]
	}
	if err := cmp.Or(errs[frame.Old], errs[frame.New]); err != nil {
		return err
	}
	l.Cost = time.Since(begin)
	of.made = append(of.made, paths)
	return nil
}

// link makes a side's link with a layout, or takes it from the cache. It returns its path.
func (l *Links) link(ctx context.Context, p *TestPackage, side, layout int) (path string, err error) {
	path = l.Scratch.Path("links", fmt.Sprintf("%s-%d-%s", p.file, layout, frame.SideNames[side]))
	key := l.Cache.Key("link", p.Binaries[side], layout)
	if l.Cache.copyLink(key, path) {
		l.Reuse("links")
	} else if err = p.links[side].link(ctx, layout, path); err == nil {
		l.Cache.keepLink(key, path)
	}
	return path, err
}

// MakeAhead makes layouts ahead in the background for some time, at most as many as the first look needs, until the
// returned function is called. It waits for the last one. Nothing else takes or makes links meanwhile.
func (l *Links) MakeAhead(ctx context.Context, packages []*TestPackage, most time.Duration) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	finished := make(chan struct{})
	end := time.Now().Add(most)
	go func() {
		defer close(finished)
		for range verdict.FirstLook {
			for _, p := range packages {
				if !l.IsLinked(p) || ctx.Err() != nil || time.Now().After(end) {
					continue
				}
				if l.ahead(ctx, p) != nil {
					return // the rounds explain it
				}
			}
		}
	}()
	return func() {
		cancel()
		<-finished
	}
}

// ReadyFor counts the links of packages made ahead, where the one with the fewest counts.
func (l *Links) ReadyFor(packages []*TestPackage) int {
	fewest := math.MaxInt
	for _, p := range packages {
		if l.IsLinked(p) {
			fewest = min(fewest, l.pools[p].ready())
		}
	}
	if fewest == math.MaxInt {
		return 0
	}
	return fewest
}

// Take returns a package's binaries for the next round.
func (l *Links) Take(ctx context.Context, p *TestPackage) ([2]string, error) {
	of := l.pools[p]
	if l.IsLinked(p) && of.ready() <= 0 && len(of.made) < l.Most {
		limited, cancel := context.WithDeadline(ctx, l.Latest())
		defer cancel()
		err := l.ahead(limited, p)
		switch {
		case ctx.Err() != nil:
			return [2]string{}, ctx.Err()
		case err != nil && limited.Err() != nil && len(of.made) == 0:
			return l.copies(p) // the last round
		case err != nil && limited.Err() == nil:
			l.Note("%s cannot be linked again, so its intervals do not cover layouts: %v", p.Path, err)
			of.fails = true
		}
	}
	if !l.IsLinked(p) {
		return l.copies(p)
	}
	paths := of.made[of.used%len(of.made)]
	if of.used++; of.used > len(of.made) {
		l.Note("links take long: rounds of %s use earlier layouts again", p.Path)
	}
	return paths, nil
}

// copies copies the binaries of the build into new pages.
func (l *Links) copies(p *TestPackage) (paths [2]string, err error) {
	for side, binary := range p.Binaries {
		paths[side] = l.Scratch.Path("links", fmt.Sprintf("%s-%s", p.file, frame.SideNames[side]))
		if err := os.Remove(paths[side]); err != nil && !os.IsNotExist(err) {
			return paths, err
		}
		if err := frame.CopyFile(binary, paths[side]); err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// linkCommand is the link command of a test binary.
type linkCommand struct {
	args []string // arguments, the link command first
	env  []string
}

// wrapperName is the recorder of link commands.
const wrapperName = "record-link"

// wrapper runs a tool, and records the linker's arguments in a file of their own.
const wrapper = `#!/bin/sh
case "$1" in
*/compile)
	if [ "$2" != -V=full ]; then
		: > "$UR_AB_LINKS/compiled"
	fi ;;
*/link)
	if [ "$2" != -V=full ]; then
		{ pwd; for a; do printf '%s\n' "$a"; done; } > "$UR_AB_LINKS/$$"
	fi ;;
esac
exec "$@"
`

// canRecord reports whether the linker's commands can be recorded.
func canRecord() bool { return runtime.GOOS != "windows" && runtime.GOOS != "plan9" }

// readLinkCommands reads the commands recorded by the wrapper, by the package's import path.
func readLinkCommands(dir string, goroot string) map[string]*linkCommand {
	commands := make(map[string]*linkCommand)
	entries, _ := os.ReadDir(dir) // or none were recorded
	for _, entry := range entries {
		record, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(string(record), "\n"), "\n")
		c := &linkCommand{args: lines[1:], env: []string{"GOROOT=" + goroot, "GOGC=400"}}
		if path := c.testedPackage(); path != "" {
			commands[path] = c
		}
	}
	return commands
}

// testedPackage returns the import path of the package whose test binary was linked.
func (c *linkCommand) testedPackage() string {
	at := slices.Index(c.args, "-importcfg")
	if at < 0 || at+1 >= len(c.args) {
		return ""
	}
	config, _ := os.ReadFile(c.args[at+1])
	return code.TestedPackage(string(config))
}

// link links the binary once more, with another order of functions.
func (c *linkCommand) link(ctx context.Context, seed int, path string) error {
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
	p := frame.Program{Args: args, Dir: filepath.Dir(path), Env: c.env, Core: frame.NoCore, Timeout: 5 * time.Minute}
	_, err := p.Run(ctx)
	return err
}
