package main

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// modulePath begins the import paths of the module's packages.
const modulePath = "github.com/seed-09dcdc84/ur"

// imports maps a package to the packages of the module that it imports, both as folders below
// the root. The root is ".".
type imports map[string]map[string]bool

// readImports reads the imports of all Go files outside tests. It reads files of every platform,
// so the result does not depend on the machine.
func readImports(root string) (imports, error) {
	all := imports{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if name != root && (strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		return all.addFile(filepath.ToSlash(folder), name)
	})
	return all, err
}

// addFile adds the imports of a file. Programs outside cmd are left out.
func (all imports) addFile(folder, name string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	if parsed.Name.Name == "main" && !strings.HasPrefix(folder, "cmd/") {
		return nil
	}
	if all[folder] == nil {
		all[folder] = map[string]bool{}
	}
	for _, spec := range parsed.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if below, ok := strings.CutPrefix(to, modulePath); ok && (below == "" || below[0] == '/') {
			all[folder][cmp.Or(strings.TrimPrefix(below, "/"), ".")] = true
		}
	}
	return nil
}

// layerOf returns the package that stands for a folder in the diagram: a command for everything
// below it, and "" for internal packages, whose imports count as those of their importers.
func layerOf(folder string) string {
	if rest, ok := strings.CutPrefix(folder, "cmd/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return "cmd/" + name
	}
	if slices.Contains(strings.Split(folder, "/"), "internal") || strings.HasPrefix(folder, "examples/") {
		return ""
	}
	return folder
}

// public returns the imports between public packages and commands, with internal packages
// looked through.
func (all imports) public() imports {
	shown := imports{}
	for folder := range all {
		if from := layerOf(folder); from != "" {
			if shown[from] == nil {
				shown[from] = map[string]bool{}
			}
			all.collect(shown[from], folder)
			delete(shown[from], from)
		}
	}
	return shown
}

// collect adds the public packages that a folder imports, also through internal ones.
func (all imports) collect(found map[string]bool, folder string) {
	for to := range all[folder] {
		if name := layerOf(to); name != "" {
			found[name] = true
			continue
		}
		all.collect(found, to)
	}
}

// height returns the layer of a package: 1 without imports, otherwise one above its highest
// import.
func (all imports) height(name string) int {
	highest := 0
	for to := range all[name] {
		highest = max(highest, all.height(to))
	}
	return highest + 1
}

// direct returns the imports of a package that it does not also reach through another one.
func (all imports) direct(name string) []string {
	var list []string
	for to := range all[name] {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(all[name])), func(other string) bool { return all.reaches(other, to) }) {
			list = append(list, to)
		}
	}
	slices.Sort(list)
	return list
}

// reaches reports whether a package imports another one, directly or not.
func (all imports) reaches(from, to string) bool {
	for next := range all[from] {
		if next == to || all.reaches(next, to) {
			return true
		}
	}
	return false
}

// writeLayers draws the public packages and commands from top to bottom: the layer, the package
// and the packages directly below it.
func (all imports) writeLayers(w io.Writer) error {
	shown := all.public()
	names := slices.SortedFunc(maps.Keys(shown), func(a, b string) int {
		return cmp.Or(cmp.Compare(shown.height(b), shown.height(a)), cmp.Compare(a, b))
	})
	lines := []string{"```text", "layer  package           built on"}
	last := 0
	for _, name := range names {
		layer := ""
		if h := shown.height(name); h != last {
			layer, last = strconv.Itoa(h), h
		}
		var on []string
		for _, to := range shown.direct(name) {
			on = append(on, rootName(to))
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%5s  %-16s  %s", layer, rootName(name), strings.Join(on, "  ")), " "))
	}
	_, err := fmt.Fprintln(w, strings.Join(append(lines, "```"), "\n"))
	return err
}

// rootName is the name of a package in the diagram.
func rootName(folder string) string {
	if folder == "." {
		return path.Base(modulePath)
	}
	return folder
}
