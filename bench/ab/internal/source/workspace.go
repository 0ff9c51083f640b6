package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// useWorkspace lets both sides use the workspace that is in effect in the user's folder: a go.work of the repository as the side
// has it, and another one, above the repository or from GOWORK, as it is, with the modules of the repository taken from
// the side. The files of the sides are not in use yet.
func useWorkspace(ctx context.Context, j *Request, trees [2]*Tree, repo *repository) error {
	p := frame.Program{Args: []string{frame.GoCommand(), "env", "GOWORK"}, Dir: filepath.Join(repo.root, repo.folder), Core: frame.NoCore}
	out, err := p.Run(ctx)
	file := strings.TrimSpace(string(out.Output))
	if err != nil || file == "" || file == "off" {
		return ctx.Err() // go list reports other errors
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if name, err := filepath.Rel(repo.root, file); err == nil && filepath.IsLocal(name) {
		for side, t := range different(trees) {
			if _, err := os.Stat(filepath.Join(t.Stored, name)); err == nil {
				t.Env = []string{"GOWORK=" + filepath.Join(t.Root, name)}
				continue
			}
			t.Env = []string{"GOWORK=off"}
			j.Note("the %s side does not have %s, so it uses the versions that go.mod requires", frame.SideNames[side], name)
		}
		return nil
	}
	for side, t := range different(trees) {
		if err := t.copyWorkspace(ctx, repo, file, j.Scratch.Path("workspace-"+frame.SideNames[side])); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// copyWorkspace lets the side use a copy of a workspace outside of the repository, in a new folder.
func (t *Tree) copyWorkspace(ctx context.Context, repo *repository, file, folder string) error {
	from, to := filepath.Dir(file), filepath.Join(folder, "go.work")
	text, err := os.ReadFile(file)
	if err == nil {
		err = errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(to, text, 0o600))
	}
	if err != nil {
		return err
	}
	if sum, err := os.ReadFile(strings.TrimSuffix(file, ".work") + ".work.sum"); err == nil {
		if err := os.WriteFile(to+".sum", sum, 0o600); err != nil {
			return err
		}
	}
	if vendor := filepath.Join(from, "vendor"); isFolder(vendor) {
		if err := os.Symlink(vendor, filepath.Join(folder, "vendor")); err != nil {
			return err
		}
	}
	p := frame.Program{Args: []string{frame.GoCommand(), "work", "edit", "-json", to}, Dir: folder, Core: frame.NoCore}
	out, err := p.Run(ctx)
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err = errors.Join(err, json.Unmarshal(out.Output, &work)); err != nil {
		return err
	}
	var flags, others []string
	absolute := func(path string) string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(from, filepath.FromSlash(path))
		}
		return t.placeOf(repo, path)
	}
	for _, use := range work.Use {
		flags = append(flags, "-dropuse="+use.DiskPath)
		path := absolute(use.DiskPath)
		if t.Holds(path) && ModuleOf(t.Stored, t.folderOf(path)) != filepath.Join(t.folderOf(path), "go.mod") {
			continue // the side does not have this module
		}
		if flags = append(flags, "-use="+path); !t.Holds(path) {
			others = append(others, path)
		}
	}
	for _, replace := range work.Replace {
		if replace.New.Version == "" {
			flags = append(flags, "-replace="+strings.TrimSuffix(replace.Old.Path+"@"+replace.Old.Version, "@")+"="+absolute(replace.New.Path))
		}
	}
	p.Args = slices.Concat([]string{frame.GoCommand(), "work", "edit"}, flags, []string{to})
	if _, err := p.Run(ctx); err != nil {
		return err
	}
	t.Env = []string{"GOWORK=" + to}
	if len(others) > 0 {
		t.Options.Note("%s uses folders outside the repository: both sides use the current contents of %s", file, frame.SomeOf(others))
	}
	return nil
}

// folderOf returns a folder in the tree relative to its root.
func (t *Tree) folderOf(path string) string {
	name, _ := filepath.Rel(t.Root, path)
	return name
}

// placeOf returns the path of a file of the user in this tree, if the file is in the repository, and the path itself otherwise.
func (t *Tree) placeOf(r *repository, path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	if name, err := filepath.Rel(r.root, real); err == nil && filepath.IsLocal(name) {
		return filepath.Join(t.Root, name)
	}
	return path
}

// isFolder reports whether a path leads to a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
