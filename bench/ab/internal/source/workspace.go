package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// useWorkspace lets both sides use the workspace that is in effect in the user's folder: a go.work of the repository as the side
// has it, and another one, above the repository or from GOWORK, as it is, with the modules of the repository taken from
// the side. The files of the sides are not in use yet.
func (s *Sides) useWorkspace(ctx context.Context, repo *repository) error {
	p := frame.Program{Args: []string{frame.GoCommand(), "env", "-json=false", "GOWORK"}, Dir: filepath.Join(repo.root, repo.folder), Core: frame.NoCore}
	out, err := p.Run(ctx)
	file := strings.TrimSpace(string(out.Output))
	if err != nil || file == "" || file == "off" {
		return ctx.Err() // go list reports other errors
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	name, err := filepath.Rel(repo.root, file)
	isOwn := err == nil && filepath.IsLocal(name)
	for side, t := range different(s.Trees) {
		if !isOwn {
			if err := t.copyWorkspace(repo, file, s.Scratch.Path("workspace-"+frame.SideNames[side])); err != nil {
				return err
			}
		} else if _, err := os.Stat(filepath.Join(t.Stored, name)); err == nil {
			t.Env = []string{"GOWORK=" + filepath.Join(t.Root, name)}
		} else {
			t.Env = []string{"GOWORK=off"}
			s.Note("the %s side does not have %s, so it uses the versions that go.mod requires", frame.SideNames[side], name)
		}
	}
	return nil
}

// copyWorkspace lets the side use a copy of a workspace outside of the repository, in a new folder.
func (t *Tree) copyWorkspace(repo *repository, file, folder string) error {
	from, to := filepath.Dir(file), filepath.Join(folder, "go.work")
	content, err := os.ReadFile(file)
	var others []string
	move := func(path string, isUsed bool) string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(from, filepath.FromSlash(path))
		}
		path = t.placeOf(repo, path)
		switch folder := t.folderOf(path); {
		case !isUsed:
		case !t.Holds(path):
			others = append(others, path)
		case ModuleOf(t.Stored, folder) != filepath.Join(folder, "go.mod"):
			return "" // the side does not have this module
		}
		return path
	}
	if err == nil {
		content, err = moveFolders(file, content, move)
	}
	if err != nil {
		return frame.InputErrorf("workspace: %v (want a valid file, or GOWORK=off)", err)
	}
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(to, content, 0o600)); err != nil {
		return err
	}
	if sum, err := os.ReadFile(strings.TrimSuffix(file, ".work") + ".work.sum"); err == nil {
		if err := os.WriteFile(to+".sum", sum, 0o600); err != nil {
			return err
		}
	}
	if info, err := os.Stat(filepath.Join(from, "vendor")); err == nil && info.IsDir() {
		if err := os.Symlink(filepath.Join(from, "vendor"), filepath.Join(folder, "vendor")); err != nil {
			return err
		}
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
