package source

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/git"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// checkout writes the files of one side: those of its commit, and those that "go test" finds in the user's folder beside
// them: submodules, files of Git LFS, generated code and folders vendor that git ignores, and repositories without a
// commit of this one. Nothing but the commit's files differs between the sides, unless the note names more.
type checkout struct {
	*Request
	side   int
	room   int64             // bytes that may still be copied
	copied hash.Hash         // of the copied files: names, sizes and times
	parts  map[string]string // contents of submodules by their folders
	absent []string          // names of files that are pointers to others
	beside []string          // names of source files and folders that no commit has
}

// mostCopied bounds the files that are copied beside a commit, in bytes; larger ones are symbolic links to the user's.
const mostCopied = 1 << 28

// written is a commit of a repository, or its work tree, in a folder. The name is that of a submodule, or "".
type written struct {
	commit    string
	workTree  bool
	dir, name string
}

// write writes the files of a commit, or of the work tree on top of it, to a new folder. The folder of a submodule has its
// path in the repository around it as its name.
func (c *checkout) write(ctx context.Context, r *repository, of written) error {
	if err := r.CheckOut(ctx, of.commit, of.dir); err != nil {
		return fmt.Errorf("check out %s in %s: %w", short(of.commit), r.root, err)
	}
	fmt.Fprintln(c.copied, of.name, of.commit)
	if err := c.addFiltered(ctx, r, of.dir, of.name); err != nil {
		return err
	}
	if of.workTree {
		for _, changed := range r.changed {
			if err := c.change(r, changed, of.dir); err != nil {
				return err
			}
		}
	}
	for _, beside := range r.besides {
		if err := c.addBeside(r, beside, of.dir); err != nil {
			return err
		}
	}
	return c.addSubmodules(ctx, r, of)
}

// change gives the copy a file of the work tree that its commit does not have, or has otherwise.
func (c *checkout) change(r *repository, name, dir string) error {
	from, to := filepath.Join(r.root, name), filepath.Join(dir, name)
	info, err := os.Lstat(from)
	if err == nil && info.IsDir() {
		return nil // a submodule
	}
	if err := os.RemoveAll(to); err != nil || info == nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	err = c.copy(from, to, info)
	if errors.Is(err, fs.ErrPermission) && !sourceFile().MatchString(name) {
		c.Note("%s cannot be read, so it is left out (want chmod u+r %s)", name, name)
		return nil
	}
	if errors.Is(err, fs.ErrPermission) {
		return frame.InputErrorf("%s: %v (want chmod u+r, or two commits to compare)", name, err)
	}
	return err
}

// copy copies a file or a symbolic link with its times: a program that generates files looks at them. Others, such as pipes, are
// left out.
func (c *checkout) copy(from, to string, info fs.FileInfo) error {
	fmt.Fprintln(c.copied, from, info.Size(), info.ModTime().UnixNano(), info.Mode())
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err == nil {
			err = os.Symlink(target, to)
		}
		return err
	case !info.Mode().IsRegular():
		return nil
	case info.Size() > c.room && !sourceFile().MatchString(from):
		return os.Symlink(from, to)
	}
	c.room -= info.Size()
	if err := frame.CopyFile(from, to); err != nil {
		return err
	}
	return errors.Join(os.Chmod(to, info.Mode().Perm()|0o600), os.Chtimes(to, info.ModTime(), info.ModTime()))
}

// addBeside copies a file or folder that no commit has, unless the commit has one of the name. Settings of other programs, and
// the packages of Node, are no business of Go's.
func (c *checkout) addBeside(r *repository, name, dir string) error {
	hasSource := false
	err := filepath.WalkDir(filepath.Join(r.root, name), func(from string, entry fs.DirEntry, err error) error {
		base := filepath.Base(from)
		isForeign := base == "node_modules" || base == ".git" || strings.HasPrefix(base, ".") && entry != nil && entry.IsDir()
		local, outside := filepath.Rel(r.root, from)
		switch {
		case isForeign && entry != nil && entry.IsDir():
			return filepath.SkipDir
		case isForeign, err != nil, outside != nil:
			return nil // what cannot be read is not there
		case entry.IsDir():
			return nil
		}
		to := filepath.Join(dir, local)
		info, err := entry.Info()
		if _, taken := os.Lstat(to); err != nil || taken == nil || os.MkdirAll(filepath.Dir(to), 0o777) != nil {
			return nil
		}
		hasSource = hasSource || sourceFile().MatchString(from) || ModuleFile().MatchString(filepath.ToSlash(local))
		if err = c.copy(from, to, info); errors.Is(err, fs.ErrPermission) {
			return nil
		}
		return err
	})
	if hasSource {
		c.beside = append(c.beside, name)
	}
	return err
}

// pointer begins a file of Git LFS, which names the content.
const pointer = "version https://git-lfs.github.com/spec/"

// addFiltered gives the copy the contents of files with a filter, as they are in the work tree, or kept by Git LFS.
func (c *checkout) addFiltered(ctx context.Context, r *repository, dir, name string) error {
	if len(r.Filters) == 0 {
		return nil
	}
	own, err := filtered(ctx, r, git.Git{Dir: dir})
	if err != nil || len(own) == 0 {
		return err
	}
	users, err := filtered(ctx, r, r.Git)
	if err != nil {
		return err
	}
	for file, hash := range own {
		from, to := filepath.Join(r.root, file), filepath.Join(dir, file)
		if users[file] != hash || slices.Contains(r.changed, file) {
			from = storedContent(r, to)
		}
		info, err := os.Stat(from)
		if err == nil && info.Mode().IsRegular() {
			if err = os.Remove(to); err == nil {
				err = c.copy(from, to, info)
			}
			if err != nil {
				return err
			}
		}
		if begin := beginOf(to); strings.HasPrefix(begin, pointer) || strings.HasPrefix(begin, "\x00GITCRYPT\x00") {
			c.absent = append(c.absent, path.Join(name, file))
		}
	}
	return nil
}

// beginOf returns the first bytes of a file.
func beginOf(name string) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	begin := make([]byte, 1<<10)
	n, _ := file.Read(begin)
	return string(begin[:n])
}

// storedContent returns the path of the content that a file of Git LFS points to; "" if it is not a pointer.
func storedContent(r *repository, file string) string {
	begin := beginOf(file)
	found := objectOf().FindStringSubmatch(begin)
	if !strings.HasPrefix(begin, pointer) || found == nil {
		return ""
	}
	return filepath.Join(r.Common(), "lfs", "objects", found[1][:2], found[1][2:4], found[1])
}

// objectOf matches the hash of a pointer.
var objectOf = text.Regexp(`(?m)^oid sha256:([0-9a-f]{64})$`)

// addSubmodules writes the submodules of a commit that are checked out in the work tree.
func (c *checkout) addSubmodules(ctx context.Context, r *repository, of written) error {
	if _, err := os.Stat(filepath.Join(of.dir, ".gitmodules")); err != nil {
		return nil
	}
	out, err := git.Git{Dir: of.dir}.Run(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return err
	}
	for _, line := range splitNames(out) {
		entry, folder, _ := strings.Cut(line, "\t")
		fields := strings.Fields(entry)
		if fields[0] != "160000" { // the mode of a submodule
			continue
		}
		commit, whole := fields[1], path.Join(of.name, folder)
		sub, err := openRepository(ctx, filepath.Join(r.root, folder))
		if err != nil || sub.folder != "." {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.Note("the submodule %s is not checked out, so packages that need its files do not build (want git submodule update --init %s)",
				whole, whole)
			continue
		}
		head, err := sub.commit(ctx, "HEAD")
		if err != nil {
			return err
		}
		current := of.workTree
		if _, err := sub.Run(ctx, "cat-file", "-e", commit+"^{commit}"); err != nil && !current {
			c.Note("the submodule %s lacks commit %s of the %s side, which uses its current files (want git -C %s fetch)", whole,
				short(commit), frame.SideNames[c.side], whole)
			current = true
		}
		if current {
			commit = head
		}
		c.parts[whole] = commit
		if current && !sub.isClean() {
			c.parts[whole] = fmt.Sprint(commit, " of the ", frame.SideNames[c.side], " side")
		}
		if err := c.write(ctx, sub, written{commit, current, filepath.Join(of.dir, folder), whole}); err != nil {
			return err
		}
	}
	return nil
}

// sameFile reports whether two files, or symbolic links, are equal.
func sameFile(x, y string) bool {
	a, noX := os.Lstat(x)
	b, noY := os.Lstat(y)
	const executable = 0o111
	switch {
	case noX != nil || noY != nil:
		return noX != nil && noY != nil
	case a.Mode().Type() != b.Mode().Type() || a.Mode()&executable != b.Mode()&executable:
		return false
	case a.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(x)
		other, _ := os.Readlink(y)
		return to == other
	case !a.Mode().IsRegular():
		return true
	case a.Size() != b.Size():
		return false
	}
	before, err := os.ReadFile(x)
	after, failed := os.ReadFile(y)
	return err == nil && failed == nil && string(before) == string(after)
}

// filesBelow lists the files below a folder of a tree, relative to its root, without those of git.
func filesBelow(root, folder string) (names []string) {
	filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
		switch name, outside := filepath.Rel(root, file); {
		case err != nil || outside != nil:
		case entry.IsDir() && entry.Name() == ".git":
			return filepath.SkipDir
		case !entry.IsDir():
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	return names
}
