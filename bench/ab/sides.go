package ab

import (
	"cmp"
	"context"
	"errors"
	"go/build"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// sides are the trees of two commits. Both are built and run in one place, where the files of one side
// are at a time: paths are part of programs, and of the names of their data.
type sides struct {
	trees    [2]*tree
	labels   [2]string // names in messages
	commits  [2]string // commits; the work tree is on top of its one
	subject  string    // subject of the new side's commit
	contents [2]string // what identifies the files of each side
	workTree bool      // the new side is the work tree with its changes
	folder   string    // the user's folder, relative to the root
	changed  []string  // files that differ and are code or data, relative to the root
	data     []string  // those that benchmarks may read, with symbolic links to them; see changedData
	current  int       // side whose files are in place, or -1
	context  build.Context
}

// checkOut writes the files of both sides, and finds the differing ones.
func checkOut(ctx context.Context, j *job) (*sides, error) {
	repo, err := openRepository(ctx, j.Dir)
	if err != nil {
		return nil, err
	}
	s := &sides{folder: repo.folder, current: -1, context: buildContext(j.Tags)}
	if err := s.chooseCommits(ctx, j, repo); err != nil {
		return nil, err
	}
	changed, err := repo.differing(ctx, s.commits[frame.Old], s.commits[frame.New])
	if err != nil {
		return nil, err
	}
	var copies [2]*checkout
	var errs [2]error
	frame.InParallel(2, len(copies), func(side int) {
		copies[side] = newCheckout(j, side)
		dir := j.Scratch.Path(frame.SideNames[side])
		errs[side] = copies[side].write(ctx, repo, s.commits[side], side == frame.New && s.workTree, dir, "")
		s.contents[side] = copies[side].contents(s.commits[side])
		s.trees[side] = &tree{root: j.Scratch.Path("src"), dir: j.Scratch.Path("src", repo.folder), stored: dir,
			options: &j.Options, temporary: j.Scratch.Path("gotmp")}
	})
	if err := cmp.Or(errs[frame.Old], errs[frame.New]); err != nil {
		return nil, err
	}
	noteCopies(j, copies)
	if s.workTree {
		changed = append(changed, repo.changed...)
	}
	err = prepareModules(ctx, j, s.trees, repo)
	if err == nil {
		err = useWorkspace(ctx, j, s.trees, repo)
	}
	if err == nil {
		err = prepareSides(ctx, j, s)
	}
	if err != nil {
		return nil, err
	}
	if j.Prepare != "" {
		changed, s.contents = append(changed, filesOf(s, ".")...), [2]string{} // which are not known
	}
	for folder, commit := range copies[frame.New].parts {
		if copies[frame.Old].parts[folder] != commit {
			changed = append(changed, filesOf(s, folder)...)
		}
	}
	s.changed = slices.DeleteFunc(frame.Union(changed, nil), func(name string) bool {
		return sameFile(filepath.Join(s.files(frame.Old), name), filepath.Join(s.files(frame.New), name)) || s.isUnused(name)
	})
	return s, nil
}

// prepareSides runs the user's command in the folder of each side.
func prepareSides(ctx context.Context, j *job, s *sides) error {
	if j.Prepare == "" {
		return nil
	}
	return s.each(func(side int) error {
		j.Show("preparing "+s.labels[side], 0)
		p := frame.Program{Args: []string{"sh", "-c", j.Prepare}, Dir: s.trees[side].dir, Env: s.trees[side].env, Core: frame.NoCore,
			MaxOutput: 1 << 28}
		out, err := p.Run(ctx)
		if err != nil && ctx.Err() == nil {
			return frame.FieldErrorf("Prepare", "%q of %s: %v", j.Prepare, s.labels[side], frame.FailureOf(out.Output, err))
		}
		return err
	})
}

// filesOf lists the files of both sides in a folder.
func filesOf(s *sides, folder string) []string {
	return append(filesBelow(s.files(frame.Old), folder), filesBelow(s.files(frame.New), folder)...)
}

// noteCopies notes the files that no commit has.
func noteCopies(j *job, copies [2]*checkout) {
	if beside := frame.Union(copies[frame.Old].beside, copies[frame.New].beside); len(beside) > 0 {
		j.Note("no commit has %s: both sides use the current files (want a command that prepares each side, if they depend on it)", frame.SomeOf(beside))
	}
	if absent := frame.Union(copies[frame.Old].absent, copies[frame.New].absent); len(absent) > 0 {
		j.Note("%s: the content is not here, so what reads it reads a pointer or encrypted text (want git lfs pull, or git-crypt unlock)",
			frame.SomeOf(absent))
	}
}

// chooseCommits resolves the commits of both sides.
func (s *sides) chooseCommits(ctx context.Context, j *job, repo *repository) (err error) {
	base, head := j.Base, j.Head
	if base == "" {
		if base, err = repo.mergeBase(ctx); err != nil {
			return err
		}
	}
	if s.commits[frame.Old], err = repo.commit(ctx, base); err != nil {
		if wrong, ok := errors.AsType[*InputError](err); ok {
			wrong.Field = "Base"
		}
		return err
	}
	clean := repo.isClean()
	if head == "" {
		if err := repo.checkWorkTree(); err != nil {
			return err
		}
		head = "HEAD"
	} else if !clean {
		j.Note("uncommitted changes in the work tree are not measured")
	}
	if s.commits[frame.New], err = repo.commit(ctx, head); err != nil {
		return err
	}
	if s.subject, err = repo.Run(ctx, "log", "-1", "--format=%s", s.commits[frame.New]); err != nil {
		return err
	}
	if j.Head == "" && j.Base == "" && clean && s.commits[frame.Old] == s.commits[frame.New] {
		return frame.FieldErrorf("Base", "the work tree equals %s (want another commit to compare with, as in HEAD~1)",
			short(s.commits[frame.Old]))
	}
	s.labels = [2]string{short(s.commits[frame.Old]), short(s.commits[frame.New])}
	if j.Head == "" && !clean {
		s.workTree, s.labels[frame.New] = true, "the work tree"
	}
	return nil
}

// short is the beginning of a commit's hash.
func short(commit string) string { return commit[:min(12, len(commit))] }

// place puts the files of a side to the place where both are built and run.
func (s *sides) place(side int) error {
	if s.current == side {
		return nil
	}
	if s.current >= 0 {
		if err := os.Rename(s.trees[s.current].root, s.trees[s.current].stored); err != nil {
			return err
		}
	}
	s.current = -1
	if err := os.Rename(s.trees[side].stored, s.trees[side].root); err != nil {
		return err
	}
	s.current = side
	return nil
}

// files returns the current folder of a side's files.
func (s *sides) files(side int) string {
	if s.current == side {
		return s.trees[side].root
	}
	return s.trees[side].stored
}

// each calls a function for each side, with the side's files in place.
func (s *sides) each(call func(side int) error) error {
	for side := range different(s.trees) {
		if err := s.place(side); err != nil {
			return err
		}
		if err := call(side); err != nil {
			return err
		}
	}
	return nil
}

// different yields both trees by side, or the new one alone where one commit is both sides.
func different(trees [2]*tree) iter.Seq2[int, *tree] {
	return func(yield func(side int, t *tree) bool) {
		if trees[frame.Old] == trees[frame.New] || yield(frame.Old, trees[frame.Old]) {
			yield(frame.New, trees[frame.New])
		}
	}
}
