package source

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/git"
)

// repository is the user's repository. It is only read: the files of commits are written to repositories of their own.
type repository struct {
	*git.Repository
	root   string // the work tree's root
	folder string // the user's working folder, within the root

	changed  []string // names of files that differ from HEAD, and of untracked ones
	unmerged []string // those with conflicts
	besides  []string // names of ignored files and folders, and of other repositories: no commit has them
}

// openRepository finds the repository of a folder.
func openRepository(ctx context.Context, dir string) (*repository, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, &frame.InputError{Msg: err.Error()}
	}
	for _, name := range []string{"git", frame.GoCommand()} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, frame.InputErrorf("git and Go are required: %v (want both there)", err)
		}
	}
	found, err := git.Open(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && os.Getenv("GIT_DIR") != "":
		return nil, frame.InputErrorf("%s: not in a git work tree (want a folder of one: GIT_DIR and GIT_WORK_TREE are not used): %v", dir, err)
	case err != nil:
		return nil, frame.InputErrorf("%s: not in a git work tree (want a folder of a repository, or two commands to compare): %v", dir, err)
	}
	r := &repository{Repository: found, root: found.Dir}
	if r.folder, err = filepath.Rel(r.root, dir); err != nil || !filepath.IsLocal(r.folder) {
		return nil, frame.InputErrorf("%s: the work tree of this repository is %s, by core.worktree (want a folder in it)", dir, r.root)
	}
	return r, r.readStatus(ctx)
}

// readStatus finds the files that no commit has.
func (r *repository) readStatus(ctx context.Context) error {
	status, err := r.Run(ctx, "status", "--porcelain", "-z", "--untracked-files=all", "--ignored=matching",
		"--ignore-submodules=none", "--no-renames")
	if err != nil {
		return err
	}
	for _, line := range splitNames(status) {
		code, name := line[:2], line[3:]
		switch {
		case code == "!!", code == "??" && strings.HasSuffix(name, "/"):
			r.besides = append(r.besides, strings.TrimSuffix(name, "/"))
			continue
		case strings.Contains(code, "U"), code == "AA", code == "DD":
			r.unmerged = append(r.unmerged, name)
		}
		r.changed = append(r.changed, name)
	}
	return errors.Join(r.dropFiltered(ctx), r.addHidden(ctx))
}

// splitNames splits the output of git -z.
func splitNames(out string) []string {
	return strings.FieldsFunc(out, func(c rune) bool { return c == 0 })
}

// dropFiltered removes files from the changed ones that only a filter has changed, as after the clone of a repository whose
// files are in Git LFS: git reads the files again whose times are those of its index, and without the filter they differ. In a
// later index, their times suffice.
func (r *repository) dropFiltered(ctx context.Context) error {
	if len(r.Filters) == 0 || len(r.changed) == 0 {
		return nil
	}
	names, err := filtered(ctx, r, r.Git)
	if err != nil || len(names) == 0 {
		return err
	}
	folder, err := os.MkdirTemp("", frame.ScratchPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	index := filepath.Join(folder, "index")
	after := time.Now().Add(time.Hour)
	err = frame.CopyFile(r.Index, index)
	if err == nil {
		err = os.Chtimes(index, after, after)
	}
	if err != nil {
		return err
	}
	later := r.Git
	later.Env = append(later.Env, "GIT_INDEX_FILE="+index)
	out, err := later.Run(ctx, "diff-files", "--name-only", "-z")
	if err != nil {
		return err
	}
	differing := splitNames(out)
	r.changed = slices.DeleteFunc(r.changed, func(name string) bool {
		return names[name] != "" && !slices.Contains(differing, name)
	})
	return nil
}

// filtered returns the hashes of the files that have a filter, by their names, in the index of the repository or a copy of it.
func filtered(ctx context.Context, r *repository, in git.Git) (map[string]string, error) {
	args := []string{"ls-files", "--stage", "-z", "--"}
	for _, name := range r.Filters {
		args = append(args, ":(top,attr:filter="+name+")")
	}
	return staged(ctx, in, args)
}

// staged returns the hashes of files in an index by their names.
func staged(ctx context.Context, in git.Git, args []string) (map[string]string, error) {
	out, err := in.Run(ctx, args...)
	hashes := make(map[string]string)
	for _, line := range splitNames(out) {
		if entry, name, ok := strings.Cut(line, "\t"); ok {
			hashes[name] = strings.Fields(entry)[1]
		}
	}
	return hashes, err
}

// addHidden adds the changed files that git does not look at, since the user has marked them with git update-index
// --assume-unchanged or --skip-worktree.
func (r *repository) addHidden(ctx context.Context) error {
	out, err := r.Run(ctx, "ls-files", "-v", "-z")
	if err != nil {
		return err
	}
	args := []string{"hash-object", "--"}
	for _, line := range splitNames(out) {
		tag, name := line[:1], line[2:]
		if tag != "S" && tag == strings.ToUpper(tag) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(r.root, name)); err == nil && info.Mode().IsRegular() {
			args = append(args, name)
		}
	}
	names := args[2:]
	if len(names) == 0 {
		return nil
	}
	hashes, err := staged(ctx, r.Git, append([]string{"--literal-pathspecs", "ls-files", "--stage", "-z", "--"}, names...))
	if err != nil {
		return err
	}
	current, err := r.Run(ctx, args...)
	for i, hash := range strings.Fields(current) {
		if i < len(names) && hashes[names[i]] != hash {
			r.changed = append(r.changed, names[i])
		}
	}
	return err
}

// commit resolves the name of a commit.
func (r *repository) commit(ctx context.Context, name string) (string, error) {
	hash, err := r.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil && ctx.Err() == nil {
		if r.isShallow(ctx) {
			return "", frame.InputErrorf("commit %q: not in %s, a shallow clone (%s)", name, r.root, fetchHint(name))
		}
		if start, _, _ := strings.Cut(strings.ReplaceAll(name, "^", "~"), "~"); start != name && start != "" {
			if _, err := r.commit(ctx, start); err == nil {
				return "", frame.InputErrorf("commit %q: unknown in %s, where %s has fewer commits behind it (want another commit to compare with, or changes to compare with HEAD)", name, r.root, start)
			}
		}
		return "", frame.InputErrorf("commit %q: unknown in %s (a package is written ./%s)", name, r.root,
			strings.TrimPrefix(name, "./"))
	}
	return hash, err
}

// isShallow reports whether the clone lacks history.
func (r *repository) isShallow(ctx context.Context) bool {
	answer, err := r.Run(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && answer == "true"
}

// fetchHint names the command for bringing a commit to a shallow clone. A hash needs no history.
func fetchHint(name string) string {
	if _, err := hex.DecodeString(name); err == nil && len(name) >= 40 {
		return "want this commit: git fetch --depth=1 origin " + name
	}
	return "want more history: git fetch --unshallow, git fetch --depth=N, or fetch-depth: 0 of actions/checkout"
}

// mainBranch returns the name of the branch where others start.
func (r *repository) mainBranch(ctx context.Context) (string, error) {
	candidates := []string{"origin/main", "origin/master", "main", "master", "trunk"}
	if head, err := r.Run(ctx, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); err == nil {
		candidates = append([]string{head}, slices.DeleteFunc(candidates,
			func(name string) bool { return name == head })...)
	}
	for _, name := range candidates {
		if _, err := r.commit(ctx, name); err == nil {
			return name, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	names := strings.Join(candidates, ", ")
	if r.isShallow(ctx) {
		return "", frame.InputErrorf("no branch %s in %s, a shallow clone (want git fetch --unshallow origin main:refs/remotes/origin/main, or a commit such as HEAD~1)", names, r.root)
	}
	return "", frame.InputErrorf("no branch %s to compare with (want a commit, as in HEAD~1)", names)
}

// mergeBase returns the commit where the current branch left the main one. On the main
// branch itself that is HEAD if the work tree has changes, otherwise HEAD~1.
func (r *repository) mergeBase(ctx context.Context) (string, error) {
	if _, err := r.commit(ctx, "HEAD"); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", frame.InputErrorf("%s: no commits yet (want one to compare with)", r.root)
	}
	branch, err := r.mainBranch(ctx)
	if err != nil {
		return "", err
	}
	if current, err := r.Run(ctx, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil &&
		current == strings.TrimPrefix(branch, "origin/") {
		if !r.isClean() {
			return "HEAD", nil
		}
		return "HEAD~1", nil
	}
	base, err := r.Run(ctx, "merge-base", "HEAD", branch)
	if err != nil && ctx.Err() == nil {
		if r.isShallow(ctx) {
			return "", frame.InputErrorf("no common commit of HEAD and %s in a shallow clone (%s)", branch, fetchHint(""))
		}
		return "", frame.InputErrorf("no common commit of HEAD and %s (want a commit to compare with, as in HEAD~1)", branch)
	}
	return base, err
}

// checkWorkTree rejects a work tree that cannot be measured.
func (r *repository) checkWorkTree() error {
	if len(r.unmerged) > 0 {
		return frame.InputErrorf("%s: unresolved merge conflicts in the work tree (want them resolved, or two commits to compare)",
			r.unmerged[0])
	}
	if _, err := os.Stat(r.Index); errors.Is(err, os.ErrNotExist) {
		return frame.InputErrorf("%s: no files are checked out (want git checkout, or two commits to compare, as in HEAD~1 HEAD)", r.root)
	}
	return nil
}

// isClean reports whether the work tree equals HEAD.
func (r *repository) isClean() bool { return len(r.changed) == 0 }

// differing lists the differing files of two commits.
func (r *repository) differing(ctx context.Context, base, head string) ([]string, error) {
	names, err := r.Run(ctx, "diff-tree", "-r", "--name-only", "--no-renames", "-z", base, head, "--")
	return splitNames(names), err
}
