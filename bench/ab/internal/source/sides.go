// Package source finds what a run compares: the commits of a repository, their files with those beside them, their modules and
// packages, and the files that differ. A [Request] goes in, and [Sides] come out: the folders of both sides, each ready for the
// go command, one of them in the common place at a time.
package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/build"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// Request names the sides of a run, and how they are built.
type Request struct {
	*frame.Run
	Dir        string   // where the user stands; "" is the current folder
	Base, Head string   // commits; "" is the merge base with the main branch, or the work tree
	Alone      bool     // the head is both sides
	Packages   []string // patterns as "go test" takes them; none is ./...
	Bench      string   // regular expression of benchmarks, as of go test -bench
	Tags       string   // tags for go build -tags
	Prepare    string   // command of a shell that runs in Dir of each side before it is built

	Tests    report.Tests // origin of the test files
	TestArgs []string     // arguments of the test programs
	Layouts  bool         // whether programs are linked again and again, if that is possible
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

// CheckOut writes the files of both sides, and finds the differing ones. A head alone is written to the place where both
// sides of a comparison are.
func CheckOut(ctx context.Context, j *Request) (*Sides, error) {
	repo, err := openRepository(ctx, j.Dir)
	if err != nil {
		return nil, err
	}
	s := &Sides{Request: j, Folder: repo.folder, Current: -1, context: buildContext(j.Tags)}
	if err := s.chooseCommits(ctx, repo); err != nil {
		return nil, err
	}
	for side, name := range frame.SideNames {
		s.Trees[side] = newTree(j, repo.folder, name)
	}
	if j.Alone {
		t := newTree(j, repo.folder, place)
		s.Trees, s.Current = [2]*Tree{t, t}, frame.New
	}
	copies, err := s.write(ctx, repo)
	if err != nil || j.Alone {
		return s, err
	}
	changed, err := repo.differing(ctx, s.Commits[frame.Old], s.Commits[frame.New])
	if err != nil {
		return nil, err
	}
	for side, c := range copies {
		s.Contents[side] = fmt.Sprintf("%s %x", s.Commits[side], c.copied.Sum(nil))
	}
	if s.WorkTree {
		changed = append(changed, repo.changed...)
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

// write writes the files of the trees, and makes them ready for the go command.
func (s *Sides) write(ctx context.Context, repo *repository) (copies [2]*checkout, err error) {
	var errs [2]error
	var all sync.WaitGroup
	for side, t := range different(s.Trees) {
		copies[side] = &checkout{Request: s.Request, side: side, room: mostCopied, copied: sha256.New(),
			parts: make(map[string]string)}
		all.Go(func() {
			errs[side] = copies[side].write(ctx, repo, written{s.Commits[side], side == frame.New && s.WorkTree, t.Stored, ""})
		})
	}
	all.Wait()
	if err := cmp.Or(errs[frame.Old], errs[frame.New]); err != nil {
		return copies, err
	}
	s.noteCopies(cmp.Or(copies[frame.Old], copies[frame.New]), copies[frame.New])
	err = s.prepareModules(repo)
	if err == nil {
		err = s.useWorkspace(ctx, repo)
	}
	if err == nil && s.Prepare != "" {
		err = s.Each(func(side int) error { return s.prepare(ctx, side) })
	}
	return copies, err
}

// prepare runs the user's command in the folder of a side.
func (s *Sides) prepare(ctx context.Context, side int) error {
	s.Show("preparing "+s.Labels[side], 0)
	p := frame.Program{Args: []string{"sh", "-c", s.Prepare}, Dir: s.Trees[side].Dir, Env: s.Trees[side].Env, Core: frame.NoCore,
		MaxOutput: 1 << 28}
	out, err := p.Run(ctx)
	if err != nil && ctx.Err() == nil {
		return frame.FieldErrorf("Prepare", "%q of %s: %v", s.Prepare, s.Labels[side], frame.FailureOf(out.Output, err))
	}
	return err
}

// filesOf lists the files of both sides in a folder.
func filesOf(s *Sides, folder string) []string {
	return append(filesBelow(s.Files(frame.Old), folder), filesBelow(s.Files(frame.New), folder)...)
}

// noteCopies notes the files of both sides that no commit has.
func (s *Sides) noteCopies(before, after *checkout) {
	if beside := frame.Union(before.beside, after.beside); len(beside) > 0 {
		s.Note("no commit has %s: both sides use the current files (want a command that prepares each side, if they depend on it)", frame.SomeOf(beside))
	}
	if absent := frame.Union(before.absent, after.absent); len(absent) > 0 {
		s.Note("%s: the content is not here, so what reads it reads a pointer or encrypted text (want git lfs pull, or git-crypt unlock)",
			frame.SomeOf(absent))
	}
}

// chooseCommits resolves the commits of both sides.
func (s *Sides) chooseCommits(ctx context.Context, repo *repository) (err error) {
	if s.Alone {
		err = s.chooseHead(ctx, repo)
		s.Commits[frame.Old], s.Labels[frame.Old] = s.Commits[frame.New], s.Labels[frame.New]
		return err
	}
	base := s.Base
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
	s.Labels[frame.Old] = short(s.Commits[frame.Old])
	if err := s.chooseHead(ctx, repo); err != nil {
		return err
	}
	if s.Head == "" && s.Base == "" && !s.WorkTree && s.Commits[frame.Old] == s.Commits[frame.New] {
		return frame.FieldErrorf("Base", "the work tree equals %s (want another commit to compare with, as in HEAD~1)",
			s.Labels[frame.Old])
	}
	return nil
}

// chooseHead resolves the commit of the new side.
func (s *Sides) chooseHead(ctx context.Context, repo *repository) (err error) {
	head := s.Head
	switch {
	case head == "":
		if err := repo.checkWorkTree(); err != nil {
			return err
		}
		s.WorkTree, head = !repo.isClean(), "HEAD"
	case !repo.isClean():
		s.Note("uncommitted changes in the work tree are not measured")
	}
	if s.Commits[frame.New], err = repo.commit(ctx, head); err != nil {
		return err
	}
	if s.Labels[frame.New] = short(s.Commits[frame.New]); s.WorkTree {
		s.Labels[frame.New] = "the work tree"
	}
	s.Subject, err = repo.Run(ctx, "log", "-1", "--format=%s", s.Commits[frame.New])
	return err
}

// HeadCommit returns the commit of the new side and its subject, which the work tree does not have.
func (s *Sides) HeadCommit() (commit, subject string, isWorkTree bool) {
	if s.WorkTree {
		return "", "", true
	}
	return s.Commits[frame.New], s.Subject, false
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
