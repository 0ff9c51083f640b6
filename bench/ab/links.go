package ab

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// The addresses of a program's functions, and the physical pages of its file, change its speed
// by several percent. So each round links both sides anew, with a random order of functions.

// linkPool makes the binaries of rounds: links of both sides with one order of functions, or copies where they
// cannot be linked again. Links may be made ahead, while nothing is timed.
type linkPool struct {
	*job
	layouts bool // whether sides can be linked again
	cache   *cache
	most    int           // layouts of a package; further rounds use them again
	cost    time.Duration // duration of the last link of both sides

	mutex sync.Mutex
	pools map[*testPackage]*packageLinks
}

// packageLinks are a package's links.
type packageLinks struct {
	paths [][2]string // paths by layout
	used  int         // rounds that took one
}

// newLinkPool returns a pool without a bound of layouts.
func newLinkPool(j *job, b *builds) *linkPool {
	return &linkPool{job: j, layouts: b.layouts, cache: openCache(), most: math.MaxInt,
		pools: make(map[*testPackage]*packageLinks)}
}

// linksOf returns a package's links.
func (l *linkPool) linksOf(p *testPackage) *packageLinks {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.pools[p] == nil {
		l.pools[p] = &packageLinks{}
	}
	return l.pools[p]
}

// isLinked reports whether the rounds of a package have links of their own.
func (l *linkPool) isLinked(p *testPackage) bool {
	return l.layouts && p.links[frame.Old] != nil && p.links[frame.New] != nil
}

// ready counts the links of a package made ahead for later rounds.
func (l *linkPool) ready(p *testPackage) int {
	links := l.linksOf(p)
	return len(links.paths) - links.used
}

// made counts the package's layouts with the most.
func (l *linkPool) made() int {
	most := 0
	for p, links := range l.pools {
		if l.isLinked(p) {
			most = max(most, min(len(links.paths), links.used))
		}
	}
	return most
}

// ahead makes another layout of a package.
func (l *linkPool) ahead(ctx context.Context, p *testPackage) error {
	links := l.linksOf(p)
	n := len(links.paths) + 1
	var paths [2]string
	for side := range paths {
		paths[side] = l.Scratch.Path("links", fmt.Sprintf("%s-%d-%s", p.file, n, frame.SideNames[side]))
	}
	begin := time.Now()
	var errs [2]error
	var both sync.WaitGroup
	for side, path := range paths {
		if side == frame.Old && p.binaries[frame.Old] == p.binaries[frame.New] {
			paths[frame.Old] = paths[frame.New] // one commit
			continue
		}
		both.Go(func() { errs[side] = l.link(ctx, p, side, n, path) })
	}
	both.Wait()
	if err := cmp.Or(errs[frame.Old], errs[frame.New]); err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.cost = time.Since(begin)
	links.paths = append(links.paths, paths)
	return nil
}

// link makes a side's link with a layout, or takes it from the cache.
func (l *linkPool) link(ctx context.Context, p *testPackage, side, layout int, path string) error {
	key := l.cache.key("link", p.binaries[side], layout)
	if l.cache.copyLink(key, path) {
		l.Reuse("links")
		return nil
	}
	err := p.links[side].Link(ctx, layout, path)
	if err == nil {
		l.cache.keepLink(key, path)
	}
	return err
}

// begin makes layouts ahead in the background for some time, at most as many as the first look needs, until the
// returned function is called. It waits for the last one.
func (l *linkPool) begin(ctx context.Context, packages []*testPackage, most time.Duration) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	finished := make(chan struct{})
	end := time.Now().Add(most)
	go func() {
		defer close(finished)
		for range verdict.FirstLook {
			for _, p := range packages {
				if !l.isLinked(p) || ctx.Err() != nil || time.Now().After(end) {
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

// readyFor counts the links of packages made ahead, where the one with the fewest counts.
func (l *linkPool) readyFor(packages []*testPackage) int {
	least := math.MaxInt
	for _, p := range packages {
		if l.isLinked(p) {
			least = min(least, l.ready(p))
		}
	}
	if least == math.MaxInt {
		return 0
	}
	return least
}

// take returns a package's binaries for the next round.
func (l *linkPool) take(ctx context.Context, p *testPackage) ([2]string, error) {
	links := l.linksOf(p)
	if l.isLinked(p) && l.ready(p) <= 0 && len(links.paths) < l.most {
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
			p.links = [2]*build.LinkCommand{}
		}
	}
	if !l.isLinked(p) {
		return l.copies(p)
	}
	paths := links.paths[links.used%len(links.paths)]
	if links.used++; links.used > len(links.paths) {
		l.Note("links take long: rounds of %s use earlier layouts again", p.Path)
	}
	return paths, nil
}

// copies copies the binaries of the build into new pages.
func (l *linkPool) copies(p *testPackage) (paths [2]string, err error) {
	for side, binary := range p.binaries {
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
