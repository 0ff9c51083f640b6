package ab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// prepareModules makes the module of both sides usable outside its repository. Their files are
// not in use yet.
func (r *runner) prepareModules(ctx context.Context, repo *repository) error {
	if err := r.shareModule(repo); err != nil {
		return err
	}
	for _, t := range r.sides {
		if err := os.MkdirAll(filepath.Join(t.stored, repo.folder), 0o700); err != nil { // a folder of only the other side
			return err
		}
		err := filepath.WalkDir(t.stored, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			switch entry.Name() {
			case "go.mod":
				return r.keepReplacements(ctx, t, repo, file)
			case "go.work":
				return r.keepUses(ctx, t, repo, file)
			case ".gitmodules":
				r.note("git submodules are not checked out, so packages that need their files do not build (want a commit with these files, or two commands to compare: --old and --new)")
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shareModule copies go.mod and go.sum from the other side to a side older than Go modules.
func (r *runner) shareModule(repo *repository) error {
	var modules [2]string
	for side, t := range r.sides {
		modules[side] = moduleOf(t.stored, repo.folder)
	}
	if modules[oldSide] == "" && modules[newSide] == "" {
		return inputError("%s: no go.mod in this folder or above (want a module: run \"go mod init PATH\" and commit go.mod, or compare two commands)%s",
			filepath.Join(repo.root, repo.folder), nestedHint(r.sides[newSide].stored, repo.folder, r.options.Packages))
	}
	for side, t := range r.sides {
		other := modules[1-side]
		if modules[side] != "" || filepath.Base(other) != "go.mod" {
			continue
		}
		for _, name := range []string{other, strings.TrimSuffix(other, "mod") + "sum"} {
			err := copyFile(filepath.Join(r.sides[1-side].stored, name), filepath.Join(t.stored, name))
			if err != nil {
				return err
			}
		}
		r.note("%s has no go.mod and is built with the one of %s", r.labels[side], r.labels[1-side])
	}
	return nil
}

// moduleOf returns the go.mod or go.work in effect for a folder of a tree, relative to the
// root, or "".
func moduleOf(root, folder string) string {
	for dir := filepath.Clean(folder); ; dir = filepath.Dir(dir) {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(root, dir, name)); err == nil {
				return filepath.Join(dir, name)
			}
		}
		if dir == "." {
			return ""
		}
	}
}

// nestedHint names the folders of other modules that the patterns lead to, and the command that
// reaches them; "" without any.
func nestedHint(root, folder string, patterns []string) string {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	var found []string
	for _, pattern := range patterns {
		dir, _ := strings.CutSuffix(pattern, "...")
		if dir = path.Join(filepath.ToSlash(folder), dir); !strings.HasPrefix(pattern, ".") || !filepath.IsLocal(dir) {
			continue
		}
		if module := moduleOf(root, dir); module != "" && module != moduleOf(root, folder) {
			found = append(found, filepath.Dir(module))
		} else {
			found = append(found, modulesBelow(root, dir)...)
		}
	}
	found = union(found, nil)
	for i, dir := range found {
		if local, err := filepath.Rel(filepath.Join(root, folder), filepath.Join(root, dir)); err == nil {
			found[i] = local
		}
	}
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("; other modules are in the folders %s (want this command there: cd %s)", someOf(found), found[0])
}

// modulesBelow lists the folders of modules below a folder, relative to the root.
func modulesBelow(root, folder string) []string {
	var found []string
	top := filepath.Join(root, folder)
	filepath.WalkDir(top, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "vendor"):
			return filepath.SkipDir
		case entry.Name() == "go.mod" && filepath.Dir(file) != top:
			if dir, err := filepath.Rel(root, filepath.Dir(file)); err == nil {
				found = append(found, dir)
			}
		}
		return nil
	})
	return found
}

// keepReplacements makes the paths of "replace" directives to folders outside the repository
// absolute, because the files of a side are elsewhere.
func (r *runner) keepReplacements(ctx context.Context, t *tree, repo *repository, file string) error {
	if !mentionsParent(file) {
		return nil
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), "vendor", "modules.txt")); err == nil {
		return nil // the folder vendor has the sources, and must agree with go.mod
	}
	var module struct{ Replace []replacement }
	if err := t.editModule(ctx, &module, "mod", file); err != nil {
		return nil // go list reports it
	}
	var flags []string
	for _, replace := range module.Replace {
		if to := repo.outside(t, file, replace.New.Path); to != "" && replace.New.Version == "" {
			flags = append(flags, "-replace="+replace.Old.name()+"="+to)
		}
	}
	return r.edit(ctx, t, "mod", file, flags)
}

// keepUses does the same for the folders of a workspace.
func (r *runner) keepUses(ctx context.Context, t *tree, repo *repository, file string) error {
	if !mentionsParent(file) {
		return nil
	}
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []replacement
	}
	if err := t.editModule(ctx, &work, "work", file); err != nil {
		return nil // go list reports it
	}
	var flags []string
	for _, use := range work.Use {
		if to := repo.outside(t, file, use.DiskPath); to != "" {
			flags = append(flags, "-dropuse="+use.DiskPath, "-use="+to)
		}
	}
	for _, replace := range work.Replace {
		if to := repo.outside(t, file, replace.New.Path); to != "" && replace.New.Version == "" {
			flags = append(flags, "-replace="+replace.Old.name()+"="+to)
		}
	}
	return r.edit(ctx, t, "work", file, flags)
}

// replacement is a replace directive, as go prints it.
type replacement struct{ Old, New moduleVersion }

type moduleVersion struct{ Path, Version string }

// name returns the module as flags of "go mod edit" name it.
func (m moduleVersion) name() string {
	if m.Version == "" {
		return m.Path
	}
	return m.Path + "@" + m.Version
}

// mentionsParent reports whether a file contains a path that begins above its folder.
func mentionsParent(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && strings.Contains(string(text), "../")
}

// outside returns the absolute path of a folder named by a file of the tree, if it is outside
// the repository.
func (r *repository) outside(t *tree, file, name string) string {
	if !strings.HasPrefix(name, "../") {
		return ""
	}
	dir, err := filepath.Rel(t.stored, filepath.Dir(file))
	if err != nil || filepath.IsLocal(path.Join(filepath.ToSlash(dir), name)) {
		return ""
	}
	return filepath.Join(r.root, dir, filepath.FromSlash(name))
}

// editModule prints a module file or workspace as JSON and decodes it.
func (t *tree) editModule(ctx context.Context, into any, verb, file string) error {
	p := program{args: []string{goProgram(), verb, "edit", "-json", file}, dir: filepath.Dir(file), core: noCore}
	out, err := p.run(ctx)
	return errors.Join(err, json.Unmarshal(out.out, into))
}

// edit changes a module file or workspace, and notes it.
func (r *runner) edit(ctx context.Context, t *tree, verb, file string, flags []string) error {
	if len(flags) == 0 {
		return nil
	}
	p := program{args: slices.Concat([]string{goProgram(), verb, "edit"}, flags, []string{file}), dir: filepath.Dir(file), core: noCore}
	if _, err := p.run(ctx); err != nil {
		return fmt.Errorf("go %s edit %s: %w", verb, file, err)
	}
	name, _ := filepath.Rel(t.stored, file)
	r.note("%s refers to folders outside the repository: both sides use their current contents", name)
	return nil
}

// noteNested names the modules below the measured one whose benchmarks were not measured.
func (r *runner) noteNested(folder string) {
	if len(r.options.Packages) > 0 {
		return
	}
	root := r.files(newSide)
	var nested []string
	for _, dir := range modulesBelow(root, folder) {
		within := func(p *goPackage) bool {
			local, err := filepath.Rel(filepath.Join(r.sides[newSide].root, dir), p.Dir)
			return err == nil && filepath.IsLocal(local)
		}
		isMeasured := slices.ContainsFunc(slices.Collect(maps.Values(r.sides[newSide].packages)), within)
		if !isMeasured && containsBenchmarks(filepath.Join(root, dir)) {
			nested = append(nested, dir)
		}
	}
	if len(nested) > 0 {
		r.note("benchmarks of the modules in %s are not measured: run this command there", someOf(nested))
	}
}

// containsBenchmarks reports whether a folder or one below it has benchmarks.
func containsBenchmarks(dir string) bool {
	found := errors.New("found")
	return filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, "_test.go") && hasBenchmark(file) {
			return found
		}
		return nil
	}) == found
}
