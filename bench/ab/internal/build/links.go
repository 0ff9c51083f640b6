package build

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// The addresses of a program's functions, and the physical pages of its file, change its speed
// by several percent. So each round links both sides anew, with a random order of functions.

// Links makes the binaries of rounds: links of both sides with one order of functions, or copies where they
// cannot be linked again. Links may be made ahead, while nothing is timed.
type Links struct {
	*frame.Run
	layouts bool // whether sides can be linked again
	Cache   *Cache
	Most    int           // layouts of a package; further rounds use them again
	Cost    time.Duration // duration of the last link of both sides

	mutex sync.Mutex
	pools map[*TestPackage]*packageLinks
	fails map[*TestPackage]bool // cannot be linked again after all
}

// packageLinks are a package's links.
type packageLinks struct {
	paths [][2]string // paths by layout
	used  int         // rounds that took one
}

// NewLinks returns a pool without a bound of layouts.
func NewLinks(b *Builds) *Links {
	return &Links{Run: b.Run, layouts: b.layouts, Cache: openCache(), Most: math.MaxInt,
		pools: make(map[*TestPackage]*packageLinks), fails: make(map[*TestPackage]bool)}
}

// linksOf returns a package's links.
func (l *Links) linksOf(p *TestPackage) *packageLinks {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.pools[p] == nil {
		l.pools[p] = &packageLinks{}
	}
	return l.pools[p]
}

// IsLinked reports whether the rounds of a package have links of their own.
func (l *Links) IsLinked(p *TestPackage) bool {
	return l.layouts && !l.fails[p] && p.links[frame.Old] != nil && p.links[frame.New] != nil
}

// ready counts the links of a package made ahead for later rounds.
func (l *Links) ready(p *TestPackage) int {
	links := l.linksOf(p)
	return len(links.paths) - links.used
}

// Made counts the package's layouts with the most.
func (l *Links) Made() int {
	most := 0
	for p, links := range l.pools {
		if l.IsLinked(p) {
			most = max(most, min(len(links.paths), links.used))
		}
	}
	return most
}

// ahead makes another layout of a package.
func (l *Links) ahead(ctx context.Context, p *TestPackage) error {
	links := l.linksOf(p)
	n := len(links.paths) + 1
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
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.Cost = time.Since(begin)
	links.paths = append(links.paths, paths)
	return nil
}

// link makes a side's link with a layout, or takes it from the cache. It returns its path.
func (l *Links) link(ctx context.Context, p *TestPackage, side, layout int) (path string, err error) {
	path = l.Scratch.Path("links", fmt.Sprintf("%s-%d-%s", p.file, layout, frame.SideNames[side]))
	key := l.Cache.Key("link", p.Binaries[side], layout)
	if l.Cache.copyLink(key, path) {
		l.Reuse("links")
	} else if err = p.links[side].Link(ctx, layout, path); err == nil {
		l.Cache.keepLink(key, path)
	}
	return path, err
}

// Begin makes layouts ahead in the background for some time, at most as many as the first look needs, until the
// returned function is called. It waits for the last one.
func (l *Links) Begin(ctx context.Context, packages []*TestPackage, most time.Duration) (done func()) {
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
	least := math.MaxInt
	for _, p := range packages {
		if l.IsLinked(p) {
			least = min(least, l.ready(p))
		}
	}
	if least == math.MaxInt {
		return 0
	}
	return least
}

// Take returns a package's binaries for the next round.
func (l *Links) Take(ctx context.Context, p *TestPackage) ([2]string, error) {
	links := l.linksOf(p)
	if l.IsLinked(p) && l.ready(p) <= 0 && len(links.paths) < l.Most {
		limited, cancel := context.WithDeadline(ctx, l.Latest())
		defer cancel()
		err := l.ahead(limited, p)
		switch {
		case ctx.Err() != nil:
			return [2]string{}, ctx.Err()
		case err != nil && limited.Err() != nil && len(links.paths) == 0:
			return l.copies(p) // the last round
		case err != nil && limited.Err() == nil:
			l.Note("%s cannot be linked again, so its intervals do not cover layouts: %v", p.Path, err)
			l.fails[p] = true
		}
	}
	if !l.IsLinked(p) {
		return l.copies(p)
	}
	paths := links.paths[links.used%len(links.paths)]
	if links.used++; links.used > len(links.paths) {
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
