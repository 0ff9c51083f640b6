package frame

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/affinity"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// The sides of a comparison.
const (
	Old = iota
	New
)

// SideNames name the sides in messages.
var SideNames = [2]string{"old", "new"}

// Run has the parts that all steps of a run share: its working folder, time, orders, cores and remarks.
type Run struct {
	Budget
	Seed    uint64 // of all orders
	Scratch *Scratch
	Rand    *rand.Rand
	Cores   []int     // available for processes
	Load    []float64 // runnable processes at the beginning, if known

	OnProgress func(Progress) // or nil
	mutex      sync.Mutex
	Remarks    []string       // remarks for the reader
	Reused     map[string]int // parts from the cache, by kind
}

// NewRun begins a run on the module of a folder, with a seed of its orders; 0 is another one each time. The caller closes it.
func NewRun(folder string, seed uint64, b Budget) (*Run, error) {
	s, err := NewScratch(folder)
	if err != nil {
		if s != nil {
			err = errors.Join(err, s.Remove())
		}
		return nil, fmt.Errorf("create a working folder: %w", err)
	}
	for seed == 0 {
		seed = rand.Uint64() >> 32
	}
	return &Run{Scratch: s, Seed: seed, Rand: rand.New(rand.NewPCG(seed, 11)), Budget: b, Cores: affinity.Cores(),
		Reused: make(map[string]int)}, nil
}

// Close removes the working folder at the end of a run with an error or nil.
func (r *Run) Close(err *error) {
	if removing := r.Scratch.Remove(); *err == nil {
		*err = removing
	}
}

// Progress is how far a run is.
type Progress struct {
	Phase   string        // step in words: "building", "measuring"
	Round   int           // current round, from 1; 0 before the first
	Rows    int           // measured benchmarks
	Decided int           // benchmarks that need no further round
	Left    time.Duration // estimate; 0 while unknown
	Plan    string        // benchmarks to measure and their time; "" except at its announcement
}

// Report reports how far the run is.
func (r *Run) Report(p Progress) {
	if r.OnProgress != nil {
		r.OnProgress(p)
	}
}

// Show reports a phase of the run, of some benchmarks or 0.
func (r *Run) Show(phase string, rows int) { r.Report(Progress{Phase: phase, Rows: rows}) }

// Note adds a remark for the reader, once.
func (r *Run) Note(format string, args ...any) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if remark := fmt.Sprintf(format, args...); !slices.Contains(r.Remarks, remark) {
		r.Remarks = append(r.Remarks, remark)
	}
}

// Parallelism is the largest number of processes at once while nothing is timed.
func (r *Run) Parallelism() int { return max(1, len(r.Cores)) }

// Lanes is the number of processes at once where times of many benchmarks are measured and precise ones cannot be had:
// neighbours share caches, and maybe a core.
func (r *Run) Lanes() int { return max(1, min(len(r.Cores), max(2, len(r.Cores)/2))) }

// CoresFor is the number of processes for each package, while some packages run at once and nothing is timed.
func (r *Run) CoresFor(packages int) int { return max(1, r.Parallelism()/max(1, packages)) }

// Reuse counts a part from the cache.
func (r *Run) Reuse(kind string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.Reused[kind]++
}

// ReusedParts lists what came from the cache.
func (r *Run) ReusedParts() (parts []string) {
	for _, kind := range slices.Sorted(maps.Keys(r.Reused)) {
		parts = append(parts, fmt.Sprintf("%d %s", r.Reused[kind], kind))
	}
	return parts
}

// SomeOf lists the first few names.
func SomeOf(names []string) string { return text.Some(names, 5) }

// Union returns the elements of both lists, sorted.
func Union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// MostProcs is the number of processors of a parallel benchmark.
func (r *Run) MostProcs() int {
	if n, err := strconv.Atoi(os.Getenv("GOMAXPROCS")); err == nil && n > 0 {
		return n
	}
	return max(1, len(r.Cores), runtime.NumCPU())
}

// InParallel calls a function for each index, a number of them at once.
func InParallel(workers, n int, call func(i int)) {
	var all sync.WaitGroup
	places := make(chan struct{}, workers)
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			call(i)
		})
	}
	all.Wait()
}
