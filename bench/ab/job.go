package ab

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// The sides of a comparison.
const (
	oldSide = iota
	newSide
)

// sideNames name the sides in messages.
var sideNames = [2]string{"old", "new"}

// job is a run's frame for all its steps: options, working folder, clock and remarks.
type job struct {
	Options
	scratch *scratch
	rng     *rand.Rand
	frame.Budget
	cores []int // available for processes

	testArgs []string // the user's arguments of test programs

	mutex   sync.Mutex
	remarks []string       // remarks for the reader
	besides []string       // names of source files and folders that no commit has
	reused  map[string]int // parts from the cache, by kind
}

// newJob opens the working folder of a run and starts its clock.
func newJob(o Options) (*job, error) {
	for o.Seed == 0 {
		o.Seed = rand.Uint64() >> 32
	}
	s, err := newScratch(o.Dir)
	if err != nil {
		if s != nil {
			err = errors.Join(err, s.remove())
		}
		return nil, fmt.Errorf("create a working folder: %w", err)
	}
	args, err := parseTestArgs(o.Args)
	return &job{Options: o, scratch: s, rng: rand.New(rand.NewPCG(o.Seed, 11)), Budget: frame.NewBudget(o.Time, o.Explain),
		cores: process.Cores(), testArgs: args, reused: make(map[string]int)}, err
}

// ExplainTime prints how a run with the options shares its time among its phases.
func (o *Options) ExplainTime(w io.Writer) error { return frame.NewBudget(o.Time, o.Explain).Write(w) }

// note adds a remark for the reader, once.
func (j *job) note(format string, args ...any) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if remark := fmt.Sprintf(format, args...); !slices.Contains(j.remarks, remark) {
		j.remarks = append(j.remarks, remark)
	}
}

// parallelism is the largest number of processes at once while nothing is timed.
func (j *job) parallelism() int { return max(1, len(j.cores)) }

// lanes is the number of processes at once where times of many benchmarks are measured and precise ones cannot be had:
// neighbours share caches, and maybe a core.
func (j *job) lanes() int { return max(1, min(len(j.cores), max(2, len(j.cores)/2))) }

// coresFor is the number of processes for each of some packages at once, likewise.
func (j *job) coresFor(packages int) int { return max(1, j.parallelism()/max(1, packages)) }

// reuse counts a part from the cache.
func (j *job) reuse(kind string) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.reused[kind]++
}

// reusedParts lists what came from the cache.
func (j *job) reusedParts() (parts []string) {
	for _, kind := range slices.Sorted(maps.Keys(j.reused)) {
		parts = append(parts, fmt.Sprintf("%d %s", j.reused[kind], kind))
	}
	return parts
}

// someOf lists the first few names.
func someOf(names []string) string { return text.Some(names, 5) }

// union returns the elements of both lists, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
