package ab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// runner is one run.
type runner struct {
	options Options
	scratch *scratch
	labels  [2]string // of the sides, in messages
	sides   [2]*tree  // nil of commands
	using   int       // the side whose files are in use, or -1
	report  *Report
	family  verdict.Family
	rng     *rand.Rand
	begin   time.Time
	end     time.Time // no round begins later
	cores   []int     // available for processes

	touched  []string // files that differ and are code or data, relative to the root
	data     []string // of these, the data
	swaps    map[string]*swap
	programs [2]*programs
	noCode   string // reason for code that is not compared

	units map[string]int // better direction of custom units, as programs declare it

	layouts bool   // each side is linked again and again
	noCPU   string // reason for missing CPU times inside the timers
	target  sampleTime
	share   bool           // benchmarks share processes
	slow    float64        // elapsed over CPU time of the runs so far
	again   verdict.Family // rows to measure again

	benchmarks []*benchmark
	same       int // benchmark functions that the change does not reach
}

// ErrTime is the error of a run whose time ends before the measurement begins.
var ErrTime = errors.New("no time to measure")

// Run compares two sides. It returns an error if nothing can be compared at all, an
// [*InputError] if the user caused it. If ctx ends during the measurement, the report holds the
// results so far, and the error is that of ctx.
func Run(ctx context.Context, o Options) (report *Report, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	for o.Seed == 0 {
		o.Seed = rand.Uint64() >> 32
	}
	s, err := newScratch(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("create a working folder: %w", err)
	}
	defer func() {
		if removing := s.remove(); err == nil && removing != nil {
			err = removing
		}
	}()
	r := newRunner(o, s)
	r.report.Load = appendLoad(nil)
	if o.Old != "" {
		err = r.compareCommands(ctx)
	} else {
		err = r.compareCommits(ctx)
	}
	if r.report.measuring {
		if ctx.Err() != nil {
			r.report.Interrupted, err = true, ctx.Err()
		}
		r.finish()
		if err == nil && o.Explain {
			r.explain(ctx)
		}
		return r.report, err
	}
	return nil, err
}

// newRunner returns a run that works in a folder.
func newRunner(o Options, s *scratch) *runner {
	rule := verdict.DefaultRule()
	rule.Limit = o.Limit
	now := time.Now()
	return &runner{
		options: o, scratch: s, using: -1, family: verdict.Family{Rule: rule}, again: verdict.Family{Rule: rule},
		rng: rand.New(rand.NewPCG(o.Seed, 11)), units: make(map[string]int),
		begin: now, end: now.Add(o.Time), cores: process.Cores(),
		report: &Report{Schema: schema, Rows: []Row{}, Packages: []*Package{}, Limit: o.Limit, Alpha: rule.Alpha, Seed: o.Seed, Date: now.UTC().Format("20060102T150405Z")},
	}
}

// compareCommits prepares the two sides and measures the benchmarks the change reaches.
func (r *runner) compareCommits(ctx context.Context) error {
	limited, cancel := context.WithDeadline(ctx, r.end)
	defer cancel()
	if err := r.prepare(limited); err != nil {
		if ctx.Err() == nil && limited.Err() != nil {
			return fmt.Errorf("%w: the builds take longer than %v; what is built stays in the build cache", ErrTime, r.options.Time)
		}
		return err
	}
	if failed := r.report.inState(failedState); len(failed) == len(r.report.Packages) {
		return inputError("nothing to compare: no package with benchmarks builds on both sides:\n%s", failed[0].Error)
	}
	r.report.measuring = true
	r.addSame()
	if len(r.report.inState(measuredState)) == 0 {
		return nil
	}
	if err := r.discover(ctx); err != nil {
		return err
	}
	if len(r.benchmarks) == 0 && len(r.report.Rows) == 0 && ctx.Err() == nil && len(r.report.inState(failedState)) == 0 && r.same == 0 {
		r.report.measuring = false
		return inputError("no benchmark matches %q", r.options.Bench)
	}
	return r.measure(ctx)
}

// prepare builds the two sides, and finds the benchmarks the change reaches.
func (r *runner) prepare(ctx context.Context) error {
	repo, err := openRepository(ctx, r.options.Dir)
	if err != nil {
		return err
	}
	if err := r.checkOut(ctx, repo); err != nil {
		return err
	}
	if err := r.trees(ctx); err != nil {
		return err
	}
	if len(r.report.Packages) == 0 {
		return r.noBenchmarks(repo)
	}
	r.noteNested(repo.folder)
	return r.build(ctx)
}

// noBenchmarks is the error of a run without benchmarks.
func (r *runner) noBenchmarks(repo *repository) error {
	where, root := cmp.Or(strings.Join(r.options.Packages, " "), "./..."), r.files(newSide)
	t := r.sides[newSide]
	if problem := cmp.Or(t.problem, r.sides[oldSide].problem); problem != "" {
		hint := ""
		if len(r.options.Packages) > 0 || filepath.Base(moduleOf(root, repo.folder)) == "go.work" {
			hint = nestedHint(root, repo.folder, r.options.Packages)
		}
		return inputError("no benchmarks in %s: %s%s", where, problem, hint)
	}
	if names := union(t.unchosen, nil); len(names) > 0 {
		return fieldError("Bench", "no benchmark matches %q in %s (there are %s)", r.options.Bench, where, someOf(names))
	}
	return inputError("no benchmarks on either side in %s%s", where, nestedHint(root, repo.folder, r.options.Packages))
}

// addSame adds the rows of the benchmarks the change does not reach.
func (r *runner) addSame() {
	for _, p := range r.report.Packages {
		for _, function := range slices.Sorted(maps.Keys(p.reach)) {
			name := p.name + "." + strings.TrimPrefix(function, "Benchmark")
			if p.reach[function].code != sameCode || r.options.isExcluded(name) {
				continue
			}
			r.same++
			r.add(name, verdict.Identical, "").Code = sameCode
		}
	}
}

// checkOut writes the files of both sides.
func (r *runner) checkOut(ctx context.Context, repo *repository) error {
	base, head := r.options.Base, r.options.Head
	var err error
	if base == "" {
		if base, err = repo.mergeBase(ctx); err != nil {
			return err
		}
	}
	var commits [2]string
	if commits[oldSide], err = repo.commit(ctx, base); err != nil {
		if wrong, ok := errors.AsType[*InputError](err); ok {
			wrong.Field = "Base"
		}
		return err
	}
	clean, err := repo.isClean(ctx)
	if err != nil {
		return err
	}
	if head == "" {
		if err := repo.checkMerged(ctx); err != nil {
			return err
		}
		head = "HEAD"
	} else if !clean {
		r.note("uncommitted changes in the work tree are not measured")
	}
	if commits[newSide], err = repo.commit(ctx, head); err != nil {
		return err
	}
	if r.options.Head == "" && r.options.Base == "" && clean && commits[oldSide] == commits[newSide] {
		return inputError("the work tree equals %s (want another commit to compare with, as in HEAD~1)", short(commits[oldSide]))
	}
	r.report.Base, r.report.Head = commits[oldSide], commits[newSide]
	r.labels = [2]string{short(commits[oldSide]), short(commits[newSide])}
	if r.options.Head == "" && !clean {
		r.report.WorkTree, r.report.Head, r.labels[newSide] = true, "", "the work tree"
		if commits[newSide], err = repo.snapshot(ctx, r.scratch.path("git")); err != nil {
			return err
		}
	}
	touched, err := repo.changes(ctx, commits[oldSide], commits[newSide])
	if err != nil {
		return err
	}
	for side := range r.sides {
		dir := r.scratch.path(sideNames[side])
		if err := repo.write(ctx, commits[side], dir); err != nil {
			return err
		}
		r.sides[side] = &tree{root: r.scratch.path("src"), dir: r.scratch.path("src", repo.folder), stored: dir, options: &r.options}
	}
	r.touched = slices.DeleteFunc(touched, r.isUnused)
	return r.prepareModules(ctx, repo)
}

// short is the beginning of a commit's hash.
func short(commit string) string { return commit[:min(12, len(commit))] }

// note adds a remark for the reader, once.
func (r *runner) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if slices.Contains(r.report.Notes, text) {
		return
	}
	r.report.Notes = append(r.report.Notes, text)
}
