package ab

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// repository is the user's repository. It is only read: trees of commits are written with a
// separate index, so nothing is registered or locked in the repository.
type repository struct {
	root   string   // the work tree's root
	env    []string // git's environment
	folder string   // the user's working folder, within the root
}

// openRepository finds the repository of a folder.
func openRepository(ctx context.Context, dir string) (*repository, error) {
	dir = cmp.Or(dir, ".")
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, &InputError{Msg: err.Error()}
	}
	for _, name := range []string{"git", goProgram()} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, inputError("git and Go are required: %v (want both there)", err)
		}
	}
	r := &repository{root: dir}
	root, err := r.git(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, inputError("%s: not in a git work tree (want a folder of a repository, or two commands to compare): %v", dir, err)
	}
	if r.root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	r.folder, err = filepath.Rel(r.root, dir)
	return r, err
}

// git runs git in the root and returns its output without the final newline.
func (r *repository) git(ctx context.Context, env []string, args ...string) (string, error) {
	p := program{args: append([]string{"git", "-C", r.root}, args...), core: noCore, most: 1 << 30,
		env: slices.Concat([]string{"GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"}, r.env, env)}
	out, err := p.run(ctx)
	return strings.TrimRight(string(out.out), "\r\n"), err
}

// commit resolves the name of a commit.
func (r *repository) commit(ctx context.Context, name string) (string, error) {
	hash, err := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil && ctx.Err() == nil {
		if r.isShallow(ctx) {
			return "", inputError("commit %q: not in %s, a shallow clone (%s)", name, r.root, fetchHint(name))
		}
		return "", inputError("commit %q: unknown in %s (a package is written ./%s)", name, r.root,
			strings.TrimPrefix(name, "./"))
	}
	return hash, err
}

// isShallow reports whether the clone lacks history.
func (r *repository) isShallow(ctx context.Context) bool {
	answer, err := r.git(ctx, nil, "rev-parse", "--is-shallow-repository")
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
	if head, err := r.git(ctx, nil, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); err == nil {
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
		return "", inputError("no branch %s in %s, a shallow clone (want git fetch --unshallow origin main:refs/remotes/origin/main, or a commit such as HEAD~1)", names, r.root)
	}
	return "", inputError("no branch %s to compare with (want a commit, as in HEAD~1)", names)
}

// mergeBase returns the commit where the current branch left the main one. On the main
// branch itself that is HEAD if the work tree has changes, otherwise HEAD~1.
func (r *repository) mergeBase(ctx context.Context) (string, error) {
	if _, err := r.commit(ctx, "HEAD"); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", inputError("%s: no commits yet (want one to compare with)", r.root)
	}
	branch, err := r.mainBranch(ctx)
	if err != nil {
		return "", err
	}
	if current, err := r.git(ctx, nil, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil &&
		current == strings.TrimPrefix(branch, "origin/") {
		clean, err := r.isClean(ctx)
		if err != nil || !clean {
			return "HEAD", err
		}
		return "HEAD~1", nil
	}
	base, err := r.git(ctx, nil, "merge-base", "HEAD", branch)
	if err != nil && ctx.Err() == nil {
		if r.isShallow(ctx) {
			return "", inputError("no common commit of HEAD and %s in a shallow clone (%s)", branch, fetchHint(""))
		}
		return "", inputError("no common commit of HEAD and %s (want a commit to compare with, as in HEAD~1)", branch)
	}
	return base, err
}

// checkMerged rejects an index with merge conflicts.
func (r *repository) checkMerged(ctx context.Context) error {
	conflicts, err := r.git(ctx, nil, "ls-files", "--unmerged")
	if err == nil && conflicts != "" {
		_, file, _ := strings.Cut(strings.SplitN(conflicts, "\n", 2)[0], "\t")
		return inputError("%s: unresolved merge conflicts in the work tree (want them resolved, or two commits to compare)", file)
	}
	return err
}

// isClean reports whether the work tree equals HEAD.
func (r *repository) isClean(ctx context.Context) (bool, error) {
	changes, err := r.git(ctx, nil, "status", "--porcelain")
	return changes == "", err
}

// snapshot returns a tree of the work tree, as "git add --all" would commit it. Its objects are in a new
// folder, and not in the repository.
func (r *repository) snapshot(ctx context.Context, dir string) (string, error) {
	var paths [2]string
	for i, name := range []string{"index", "objects"} {
		path, err := r.git(ctx, nil, "rev-parse", "--git-path", name)
		if err != nil {
			return "", err
		}
		if paths[i] = path; !filepath.IsAbs(path) {
			paths[i] = filepath.Join(r.root, path)
		}
	}
	objects := filepath.Join(dir, "objects")
	index, err := os.ReadFile(paths[0]) // it knows the files without changes
	if err == nil {
		err = errors.Join(os.MkdirAll(objects, 0o700), os.WriteFile(filepath.Join(dir, "index"), index, 0o600))
	}
	if err != nil {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index"), "GIT_OBJECT_DIRECTORY=" + objects,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + paths[1]}
	if _, err := r.git(ctx, env, "add", "--all"); err != nil {
		return "", fmt.Errorf("git add of the work tree: %w", err)
	}
	r.env = []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + objects}
	return r.git(ctx, env, "write-tree")
}

// changes lists the differing files of two commits or trees.
func (r *repository) changes(ctx context.Context, base, head string) ([]string, error) {
	names, err := r.git(ctx, nil, "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", base, head, "--")
	return strings.FieldsFunc(names, func(c rune) bool { return c == 0 }), err
}

// write writes the files of a commit or tree to a new folder.
func (r *repository) write(ctx context.Context, tree, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	env := []string{"GIT_INDEX_FILE=" + dir + ".index"}
	if _, err := r.git(ctx, env, "read-tree", tree); err != nil {
		return fmt.Errorf("git read-tree %s: %w", tree, err)
	}
	if _, err := r.git(ctx, env, "checkout-index", "--all", "--quiet",
		"--prefix="+dir+string(filepath.Separator)); err != nil {
		return fmt.Errorf("git checkout-index of %s: %w", tree, err)
	}
	return nil
}
