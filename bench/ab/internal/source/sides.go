// Package source finds what a run compares: the commits of a repository, their files with those beside them, their modules and
// packages, and the files that differ. A [Request] goes in, and [Sides] come out: the folders of both sides, each ready for the
// go command, one of them in the common place at a time.
package source

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

// Request names the sides of a run.
type Request struct {
	*frame.Run
	Dir        string   // where the user stands; "" is the current folder
	Base, Head string   // commits; "" is the merge base with the main branch, or the work tree
	Packages   []string // patterns as "go test" takes them; none is ./...
	Bench      string   // regular expression of benchmarks, as of go test -bench
	Tags       string   // tags for go build -tags
	Prepare    string   // command of a shell that runs in Dir of each side before it is built
}

// Sides are the trees of two commits. Both are built and run in one place, where the files of one side
// are at a time: paths are part of programs, and of the names of their data.
type Sides struct {
	*Request
	Trees    [2]*Tree
	Labels   [2]string // names in messages
	Commits  [2]string // commits; the work tree is on top of its one
	Subject  string    // subject of the new side's commit
	Contents [2]string // what identifies the files of each side
	WorkTree bool      // the new side is the work tree with its changes
	Folder   string    // the user's folder, relative to the root
	Changed  []string  // files that differ and are code or data, relative to the root
	data     []string  // those that benchmarks may read, with symbolic links to them; see ChangedData
	Current  int       // side whose files are in place, or -1
	context  build.Context
}

// CheckOut writes the files of both sides, and finds the differing ones.
func CheckOut(ctx context.Context, j *Request) (*Sides, error) {
	repo, err := openRepository(ctx, j.Dir)
	if err != nil {
		return nil, err
	}
	s := &Sides{Request: j, Folder: repo.folder, Current: -1, context: buildContext(j.Tags)}
	if err := s.chooseCommits(ctx, j, repo); err != nil {
		return nil, err
	}
	changed, err := repo.differing(ctx, s.Commits[frame.Old], s.Commits[frame.New])
	if err != nil {
		return nil, err
	}
	var copies [2]*checkout
	var errs [2]error
	frame.InParallel(2, len(copies), func(side int) {
		copies[side] = newCheckout(j, side)
		dir := j.Scratch.Path(frame.SideNames[side])
		errs[side] = copies[side].write(ctx, repo, written{s.Commits[side], side == frame.New && s.WorkTree, dir, ""})
		s.Contents[side] = copies[side].contents(s.Commits[side])
		s.Trees[side] = &Tree{Root: j.Scratch.Path("src"), Dir: j.Scratch.Path("src", repo.folder), Stored: dir,
			Options: j, Temporary: j.Scratch.Path("gotmp")}
	})
	if err := cmp.Or(errs[frame.Old], errs[frame.New]); err != nil {
		return nil, err
	}
	noteCopies(j, copies)
	if s.WorkTree {
		changed = append(changed, repo.changed...)
	}
	err = prepareModules(ctx, j, s.Trees, repo)
	if err == nil {
		err = useWorkspace(ctx, j, s.Trees, repo)
	}
	if err == nil {
		err = prepareSides(ctx, j, s)
	}
	if err != nil {
		return nil, err
	}
	if j.Prepare != "" {
		changed, s.Contents = append(changed, filesOf(s, ".")...), [2]string{} // which are not known
	}
	for folder, commit := range copies[frame.New].parts {
		if copies[frame.Old].parts[folder] != commit {
			changed = append(changed, filesOf(s, folder)...)
		}
	}
	s.Changed = slices.DeleteFunc(frame.Union(changed, nil), func(name string) bool {
		return sameFile(filepath.Join(s.Files(frame.Old), name), filepath.Join(s.Files(frame.New), name))
	})
	return s, nil
}

// prepareSides runs the user's command in the folder of each side.
func prepareSides(ctx context.Context, j *Request, s *Sides) error {
	if j.Prepare == "" {
		return nil
	}
	return s.Each(func(side int) error {
		j.Show("preparing "+s.Labels[side], 0)
		p := frame.Program{Args: []string{"sh", "-c", j.Prepare}, Dir: s.Trees[side].Dir, Env: s.Trees[side].Env, Core: frame.NoCore,
			MaxOutput: 1 << 28}
		out, err := p.Run(ctx)
		if err != nil && ctx.Err() == nil {
			return frame.FieldErrorf("Prepare", "%q of %s: %v", j.Prepare, s.Labels[side], frame.FailureOf(out.Output, err))
		}
		return err
	})
}

// filesOf lists the files of both sides in a folder.
func filesOf(s *Sides, folder string) []string {
	return append(filesBelow(s.Files(frame.Old), folder), filesBelow(s.Files(frame.New), folder)...)
}

// noteCopies notes the files that no commit has.
func noteCopies(j *Request, copies [2]*checkout) {
	if beside := frame.Union(copies[frame.Old].beside, copies[frame.New].beside); len(beside) > 0 {
		j.Note("no commit has %s: both sides use the current files (want a command that prepares each side, if they depend on it)", frame.SomeOf(beside))
	}
	if absent := frame.Union(copies[frame.Old].absent, copies[frame.New].absent); len(absent) > 0 {
		j.Note("%s: the content is not here, so what reads it reads a pointer or encrypted text (want git lfs pull, or git-crypt unlock)",
			frame.SomeOf(absent))
	}
}

// chooseCommits resolves the commits of both sides.
func (s *Sides) chooseCommits(ctx context.Context, j *Request, repo *repository) (err error) {
	base, head := j.Base, j.Head
	if base == "" {
		if base, err = repo.mergeBase(ctx); err != nil {
			return err
		}
	}
	if s.Commits[frame.Old], err = repo.commit(ctx, base); err != nil {
		if wrong, ok := errors.AsType[*frame.InputError](err); ok {
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
	if s.Commits[frame.New], err = repo.commit(ctx, head); err != nil {
		return err
	}
	if s.Subject, err = repo.Run(ctx, "log", "-1", "--format=%s", s.Commits[frame.New]); err != nil {
		return err
	}
	if j.Head == "" && j.Base == "" && clean && s.Commits[frame.Old] == s.Commits[frame.New] {
		return frame.FieldErrorf("Base", "the work tree equals %s (want another commit to compare with, as in HEAD~1)",
			short(s.Commits[frame.Old]))
	}
	s.Labels = [2]string{short(s.Commits[frame.Old]), short(s.Commits[frame.New])}
	if j.Head == "" && !clean {
		s.WorkTree, s.Labels[frame.New] = true, "the work tree"
	}
	return nil
}

// short is the beginning of a commit's hash.
func short(commit string) string { return commit[:min(12, len(commit))] }

// Use puts the files of a side to the place where both are built and run.
func (s *Sides) Use(side int) error {
	if s.Current == side {
		return nil
	}
	if s.Current >= 0 {
		if err := os.Rename(s.Trees[s.Current].Root, s.Trees[s.Current].Stored); err != nil {
			return err
		}
	}
	s.Current = -1
	if err := os.Rename(s.Trees[side].Stored, s.Trees[side].Root); err != nil {
		return err
	}
	s.Current = side
	return nil
}

// Files returns the current folder of a side's files.
func (s *Sides) Files(side int) string {
	if s.Current == side {
		return s.Trees[side].Root
	}
	return s.Trees[side].Stored
}

// Each calls a function for each side, with the side's files in place.
func (s *Sides) Each(call func(side int) error) error {
	for side := range different(s.Trees) {
		if err := s.Use(side); err != nil {
			return err
		}
		if err := call(side); err != nil {
			return err
		}
	}
	return nil
}

// different yields both trees by side, or the new one alone where one commit is both sides.
func different(trees [2]*Tree) iter.Seq2[int, *Tree] {
	return func(yield func(side int, t *Tree) bool) {
		if trees[frame.Old] == trees[frame.New] || yield(frame.Old, trees[frame.Old]) {
			yield(frame.New, trees[frame.New])
		}
	}
}

// CheckOutOne writes the files of one commit, or of the work tree, to the place where both sides of a comparison are.
func CheckOutOne(ctx context.Context, j *Request) (*Sides, error) {
	repo, err := openRepository(ctx, j.Dir)
	if err != nil {
		return nil, err
	}
	s := &Sides{Request: j, Folder: repo.folder, Current: frame.New, context: buildContext(j.Tags)}
	clean := repo.isClean()
	name := j.Head
	switch {
	case name == "":
		if err := repo.checkWorkTree(); err != nil {
			return nil, err
		}
		s.WorkTree, name = !clean, "HEAD"
	case !clean:
		j.Note("uncommitted changes in the work tree are not measured")
	}
	commit, err := repo.commit(ctx, name)
	if err == nil {
		s.Subject, err = repo.Run(ctx, "log", "-1", "--format=%s", commit)
	}
	if err != nil {
		return nil, err
	}
	s.Commits, s.Labels = [2]string{commit, commit}, [2]string{short(commit), short(commit)}
	if s.WorkTree {
		s.Labels = [2]string{"the work tree", "the work tree"}
	}
	root := j.Scratch.Path("src")
	t := &Tree{Root: root, Dir: j.Scratch.Path("src", repo.folder), Stored: root, Options: j,
		Temporary: j.Scratch.Path("gotmp")}
	s.Trees = [2]*Tree{t, t}
	files := newCheckout(j, frame.New)
	for _, step := range []func() error{
		func() error { return files.write(ctx, repo, written{commit, s.WorkTree, root, ""}) },
		func() error { return prepareModules(ctx, j, s.Trees, repo) },
		func() error { return useWorkspace(ctx, j, s.Trees, repo) },
		func() error { return prepareSides(ctx, j, s) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	noteCopies(j, [2]*checkout{files, files})
	return s, nil
}
