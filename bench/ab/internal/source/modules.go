package source

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/mod/modfile"
)

// prepareModules makes the module of both sides usable outside its repository. Their files are
// not in use yet.
func (s *Sides) prepareModules(repo *repository) error {
	head := s.Trees[frame.New].Stored
	for side, t := range different(s.Trees) {
		if ModuleOf(t.Stored, s.Folder) == "" && (side == frame.New || ModuleOf(head, s.Folder) != "") {
			return frame.InputErrorf("%s: no go.mod in this folder or above on the %s side (want a module: run \"go mod init PATH\" and commit go.mod, or compare two commands)%s",
				filepath.Join(repo.root, s.Folder), frame.SideNames[side], NestedHint(head, s.Folder, s.Packages))
		}
		folder := filepath.Join(t.Stored, s.Folder) // perhaps one of only the other side
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		err := filepath.WalkDir(t.Stored, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "vendor":
				return filepath.SkipDir // copies of others' modules, some with their go.mod
			case entry.IsDir():
				return nil
			}
			name := entry.Name()
			if name == "go.mod" {
				content, _ := os.ReadFile(file) // go list reports an error
				if path := modfile.ModulePath(content); path != "" {
					t.modules = append(t.modules, path)
				}
			}
			if name == "go.mod" || name == "go.work" {
				return t.keepOutside(repo, file)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ModuleOf returns the go.mod or go.work in effect for a folder of a tree, relative to the
// root, or "".
func ModuleOf(root, folder string) string {
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

// NestedHint names the folders of other modules that the patterns lead to, and the command that
// reaches them; "" without any.
func NestedHint(root, folder string, patterns []string) string {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	var found []string
	for _, pattern := range patterns {
		dir, _ := strings.CutSuffix(pattern, "...")
		if dir = path.Join(filepath.ToSlash(folder), dir); !strings.HasPrefix(pattern, ".") || !filepath.IsLocal(dir) {
			continue
		}
		if module := ModuleOf(root, dir); module != "" && module != ModuleOf(root, folder) {
			found = append(found, filepath.Dir(module))
		} else {
			found = append(found, modulesBelow(root, dir)...)
		}
	}
	found = frame.Union(found, nil)
	for i, dir := range found {
		if local, err := filepath.Rel(filepath.Join(root, folder), filepath.Join(root, dir)); err == nil {
			found[i] = local
		}
	}
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("; other modules are in the folders %s (want this command there: cd %s)",
		frame.SomeOf(found), found[0])
}

// modulesBelow lists the folders of modules with benchmarks below a folder, relative to the root.
func modulesBelow(root, folder string) []string {
	var found []string
	filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "vendor"):
			return filepath.SkipDir
		case strings.HasSuffix(file, "_test.go") && hasBenchmark(file):
			local, err := filepath.Rel(root, filepath.Dir(file))
			if module := filepath.Dir(ModuleOf(root, local)); err == nil &&
				ModuleOf(root, local) != ModuleOf(root, folder) {
				found = append(found, module)
			}
		}
		return nil
	})
	return frame.Union(found, nil)
}

// keepOutside makes the paths of folders outside the repository absolute in a module file or a
// workspace, because a side's files are elsewhere. Paths that lead into the repository lead to the side's files.
func (t *Tree) keepOutside(repo *repository, file string) error {
	content, err := os.ReadFile(file)
	if err != nil || !otherFolder().Match(content) {
		return err
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), "vendor", "modules.txt")); err == nil && filepath.Base(file) == "go.mod" {
		return nil // the folder vendor has the sources, and must agree with go.mod
	}
	var moved []string
	edited, err := moveFolders(file, content, func(folder string, _ bool) string {
		to := outsideOf(repo, t, file, folder)
		if to == "" {
			return folder
		}
		moved = append(moved, to)
		return to
	})
	if err != nil || len(moved) == 0 {
		return nil // go list reports an error
	}
	if slices.ContainsFunc(moved, func(folder string) bool { return !t.Holds(folder) }) {
		name, _ := filepath.Rel(t.Stored, file)
		t.Options.Note("%s refers to folders outside the repository: both sides use their current contents", name)
	}
	return os.WriteFile(file, edited, 0o600)
}

// moveFolders returns a go.mod or go.work with other folders in the place of its own. The function returns the new path
// of a folder, or "" for one that the workspace uses no longer.
func moveFolders(file string, content []byte, move func(folder string, isUsed bool) string) ([]byte, error) {
	setLast := func(line *modfile.Line, path string) {
		line.Token[len(line.Token)-1] = modfile.AutoQuote(filepath.ToSlash(path))
	}
	var syntax *modfile.FileSyntax
	var replaced []*modfile.Replace
	if filepath.Base(file) == "go.mod" {
		f, err := modfile.Parse(file, content, nil)
		if err != nil {
			return nil, err
		}
		syntax, replaced = f.Syntax, f.Replace
	} else {
		f, err := modfile.ParseWork(file, content, nil)
		if err != nil {
			return nil, err
		}
		syntax, replaced = f.Syntax, f.Replace
		for _, use := range f.Use {
			if use.Path == "" {
				continue // dropped with another of its name
			}
			if to := move(use.Path, true); to != "" {
				setLast(use.Syntax, to)
			} else if err := f.DropUse(use.Path); err != nil {
				return nil, err
			}
		}
		f.Cleanup()
	}
	for _, r := range replaced {
		if r.New.Version == "" { // a folder, and no module
			setLast(r.Syntax, move(r.New.Path, false))
		}
	}
	return modfile.Format(syntax), nil
}

// otherFolder matches a path that may lead out of a side's files.
var otherFolder = text.Regexp(`(?m)\.\./|(=>|use|^|\()\s*"?/[^/]`)

// outsideOf returns the absolute path of a folder named by a file of the tree, if the name leads out of the tree.
func outsideOf(r *repository, t *Tree, file, name string) string {
	if filepath.IsAbs(name) {
		return t.placeOf(r, name)
	}
	if !strings.HasPrefix(name, "../") {
		return ""
	}
	dir, err := filepath.Rel(t.Stored, filepath.Dir(file))
	if err != nil || filepath.IsLocal(path.Join(filepath.ToSlash(dir), name)) {
		return ""
	}
	return t.placeOf(r, filepath.Join(r.root, dir, filepath.FromSlash(name)))
}

// NoteNested names the modules below the measured one whose benchmarks were not measured.
func (s *Sides) NoteNested() {
	t, nested := s.Trees[frame.New], []string(nil)
	for _, dir := range modulesBelow(s.Files(frame.New), s.Folder) {
		within := func(p *Package) bool {
			return p.inside && strings.HasPrefix(t.Folder(p)+"/", filepath.ToSlash(dir)+"/")
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(t.Packages)), within) {
			nested = append(nested, dir)
		}
	}
	if len(nested) > 0 && len(s.Packages) == 0 {
		s.Note("benchmarks of the modules in %s are not measured: run this command there", frame.SomeOf(nested))
	}
}

// NoteReleased names the repository's modules that the measured one takes from a release, so that it measures
// none of their files.
func (s *Sides) NoteReleased() {
	t := s.Trees[frame.New]
	for _, name := range t.modules {
		for _, p := range t.Packages {
			if p.Module != nil && p.Module.Path == name && !p.inside {
				s.Note("%s is measured at %s, which go.mod requires, and not with the files of this repository (want: go mod edit -replace %s=FOLDER)",
					name, p.Module.Version, name)
			}
		}
	}
}
