package ab

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/affinity"
)

// runner is one run.
type runner struct {
	options Options
	scratch *scratch
	labels  [2]string // of the sides, in messages
	sides   [2]*tree  // nil of commands
	report  *Report
	family  verdict.Family
	rng     *rand.Rand
	begin   time.Time
	end     time.Time // no round begins later
	cores   []int     // available for processes

	removed map[string][]string // benchmarks removed by the head, by import path
	tests   map[string]Tests    // whose test files both sides have, by import path, where they differ

	units map[string]int // better direction of custom units, as programs declare it

	layouts bool    // each side is linked again and again
	noCPU   string  // reason for missing CPU times inside the timers
	linker  *linker // nil without layouts
	work    sampleTime
	share   bool           // benchmarks share processes
	slow    float64        // elapsed over CPU time of the runs so far
	same    verdict.Family // rows whose code is the same
	again   verdict.Family // rows to measure again

	benchmarks []*benchmark

	places    []place // of commands: printed by both
	placeRows []*verdict.Row
}

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
	s, err := newScratch()
	if err != nil {
		return nil, fmt.Errorf("create a working folder: %w", err)
	}
	defer func() {
		if removing := s.remove(); err == nil && removing != nil {
			err = removing
		}
	}()
	r := &runner{
		options: o, scratch: s, family: verdict.Family{Rule: o.Rule}, same: verdict.Family{Rule: o.Rule}, again: verdict.Family{Rule: o.Rule},
		rng: rand.New(rand.NewPCG(o.Seed, 11)), units: make(map[string]int), begin: time.Now(), cores: affinity.Cores(),
		report: &Report{Schema: schema, Limit: o.Rule.Limit, Alpha: o.Rule.Alpha, Seed: o.Seed, started: time.Now()},
	}
	r.end = r.begin.Add(o.Time)
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
		if err == nil {
			r.explain(ctx)
		}
		return r.report, err
	}
	return nil, err
}

// compareCommits prepares the two sides and measures the packages that may differ.
func (r *runner) compareCommits(ctx context.Context) error {
	repo, err := openRepository(ctx, r.scratch, r.options.Dir)
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
		where := cmp.Or(strings.Join(r.options.Packages, " "), "./...")
		t := r.sides[newSide]
		if problem := cmp.Or(t.problem, r.sides[oldSide].problem); problem != "" {
			hint := ""
			if len(r.options.Packages) > 0 {
				hint = nestedHint(t.root, repo.folder, r.options.Packages)
			}
			return inputError("no benchmarks in %s: %s%s", where, problem, hint)
		}
		if names := union(t.unchosen, nil); len(names) > 0 {
			return fieldError("Bench", "no benchmark matches %q in %s (there are %s)", r.options.Bench, where, someOf(names))
		}
		return inputError("no benchmarks on either side in %s%s", where, nestedHint(t.root, repo.folder, r.options.Packages))
	}
	r.noteNested(repo.folder)
	if err := r.build(ctx); err != nil {
		return err
	}
	if failed := r.report.inState(Failed); len(failed) == len(r.report.Packages) {
		return inputError("nothing to compare: no package with benchmarks builds on both sides:\n%s", failed[0].Error)
	}
	r.report.measuring = true
	r.extendTime()
	if r.layouts {
		r.linker = r.startLinker(ctx, r.report.inState(Measured))
		defer r.linker.end()
	}
	if err := r.discover(ctx); err != nil {
		return err
	}
	if len(r.report.inState(Measured)) > 0 && len(r.benchmarks) == 0 && len(r.report.Rows) == 0 && ctx.Err() == nil {
		if len(r.report.inState(Failed)) == 0 {
			r.report.measuring = false
			return inputError("no benchmark matches %q", r.options.Bench)
		}
	}
	return r.measure(ctx)
}

// extendTime leaves at least half of the time for measuring, however long it took to
// build.
func (r *runner) extendTime() {
	if least := time.Now().Add(r.options.Time / 2); r.end.Before(least) {
		r.end = least
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
		if clean {
			r.labels[newSide] = "the work tree"
		}
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
		r.report.Head, r.labels[newSide] = "", "the work tree"
		r.report.WorkTree = true
	}
	for side := range r.sides {
		dir := r.scratch.path(sideNames[side])
		if r.report.WorkTree && side == newSide {
			err = repo.copyWorkTree(ctx, dir)
		} else {
			err = repo.writeCommit(ctx, commits[side], dir)
		}
		if err != nil {
			return err
		}
		r.sides[side] = newTree(dir, repo.folder, &r.options, r.scratch)
	}
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
