package source

import (
	"bytes"
	"go/build"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// ComparedPatterns returns the patterns of the packages whose code is compared: those of the modules of the
// tree. If packages of other modules differ, or import those of the tree, all of them.
func ComparedPatterns(s *Sides) []string {
	var patterns, outside []string
	all := false
	changes := func(folder string) bool {
		return slices.ContainsFunc(s.Changed, func(name string) bool { return path.Dir(name) == folder })
	}
	for side, t := range s.Trees {
		for importPath, p := range t.Packages {
			isInside := func(imported string) bool { below := t.Packages[imported]; return below != nil && below.inside }
			other := s.Trees[1-side].Packages[importPath]
			switch {
			case p.inside && p.Module != nil:
				patterns = append(patterns, p.Module.Path+"/...")
				continue
			case p.inside:
				patterns = append(patterns, importPath)
				continue
			case other == nil || other.version() != p.version() || t.Holds(p.Dir) && changes(t.Folder(p)):
				all = true
			}
			all = all || slices.ContainsFunc(p.Imports, isInside)
			outside = append(outside, importPath)
		}
	}
	if all {
		patterns = append(patterns, outside...)
	}
	return frame.Union(patterns, nil)
}

// MatchesAny reports whether an import path, or that of a package's external tests, matches one of some patterns.
func MatchesAny(patterns []string, importPath string) bool {
	importPath = strings.TrimSuffix(importPath, "_test")
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		folder, isBelow := strings.CutSuffix(pattern, "/...")
		return importPath == folder || isBelow && strings.HasPrefix(importPath, folder+"/")
	})
}

// Embeds reports whether a package or its tests embed a file, relative to the root.
func (t *Tree) Embeds(p *Package, name string) bool {
	folder := t.Folder(p)
	return slices.ContainsFunc(slices.Concat(p.EmbedFiles, p.TestEmbedFiles, p.XTestEmbedFiles),
		func(file string) bool {
			return path.Join(folder, filepath.ToSlash(file)) == name
		})
}

// document matches files that no benchmark reads unless its sources name them: documentation, and settings of other
// programs.
var document = text.Regexp(`(?i)(^|/)\.[^/]*(/|$)|(^|/)(LICEN[CS]E|README|CHANGELOG|CHANGES|AUTHORS|CONTRIBUT[^/]*|PATENTS|NOTICE|MAINTAINERS|CODEOWNERS|Makefile|Dockerfile)(\.[a-z]+)?$|\.(md|rst|adoc|ya?ml)$`)

// ModuleFile matches the files behind the choice of packages.
var ModuleFile = text.Regexp(`(^|/)(go\.(mod|sum|work|work\.sum)|vendor/modules\.txt)$`)

// DropUnused leaves out the changed files that are neither code nor data. It needs the packages, which may embed a file
// of any name, or name it.
func (s *Sides) DropUnused() {
	named := sync.OnceValue(s.names)
	s.Changed = slices.DeleteFunc(s.Changed, func(name string) bool {
		return s.isUnused(name) && !s.isEmbedded(name) && !isNamed(named(), name)
	})
}

// isNamed reports whether some names have a changed file, a folder above it, or its extension. A file in a hidden folder
// has to be named itself, or that folder.
func isNamed(names map[string]bool, name string) bool {
	extension := path.Ext(name)
	return names["*"+extension] && extension != "" && !hiddenFolder().MatchString(name) ||
		slices.ContainsFunc(strings.Split(name, "/"), func(element string) bool {
			return names[element] && (element == path.Base(name) || !sourceFile().MatchString(name))
		})
}

// hiddenFolder matches names of files in a hidden folder.
var hiddenFolder = text.Regexp(`(^|/)\.[^/]*/`)

// names returns the elements of the paths in the strings of all sources of the tree, and the extensions of files they look for.
func (s *Sides) names() map[string]bool {
	names := make(map[string]bool)
	for side, t := range s.Trees {
		for _, p := range t.Packages {
			if !p.inside {
				continue
			}
			addNames(names, p.Text(s.Files(side), t))
			if t.readsCode(p, s.Files(side)) {
				names["*.go"] = true
			}
		}
	}
	return names
}

// addNames adds the elements of the paths in the strings of a package, and the extensions it looks for in folders.
func addNames(names map[string]bool, sources string) {
	walks := readsFolders(sources)
	for _, literal := range literals(sources) {
		for element := range strings.SplitSeq(literal, "/") {
			names[element] = !isAddress(literal) || names[element]
		}
		if walks && extension().MatchString(literal) && literal != ".go" {
			names["*"+literal] = true
		}
	}
}

// extension matches the extension of a file, alone.
var extension = text.Regexp(`^\.\w+$`)

// literals returns the strings in Go sources, without those of imports.
func literals(sources string) (all []string) {
	file := token.NewFileSet().AddFile("", -1, len(sources))
	var s scanner.Scanner
	s.Init(file, []byte(sources), func(token.Position, string) {}, 0) // the compiler complains about errors
	imports := token.ILLEGAL                                          // or what an import ends with
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return all
		case kind == token.IMPORT:
			imports = token.SEMICOLON
		case imports == token.SEMICOLON && kind == token.LPAREN:
			imports = token.RPAREN
		case kind == imports:
			imports = token.ILLEGAL
		case kind == token.STRING && imports == token.ILLEGAL:
			if content, err := strconv.Unquote(literal); err == nil {
				all = append(all, content)
			}
		}
	}
}

// isAddress reports whether a text is the address of something on another machine.
func isAddress(text string) bool {
	return strings.Contains(text, "://") && !strings.Contains(text, "file://")
}

// pathElements returns the elements of all paths in texts, such as the arguments in a command of a shell.
func pathElements(texts []string) map[string]bool {
	elements := make(map[string]bool)
	for _, text := range texts {
		words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`;|&<>()=,", r) })
		for _, word := range append(words, text) {
			if isAddress(word) {
				continue
			}
			for element := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '/' || r == '\\' || r == ':' }) {
				elements[element] = true
			}
		}
	}
	return elements
}

// readsFolders reports whether sources list the files of folders.
func readsFolders(sources string) bool {
	return containsAny(sources, "WalkDir(", "ReadDir(", "Glob(", ".Walk(", "DirFS(")
}

// readsCode reports whether a file with benchmarks looks for Go files in folders above its own.
func (t *Tree) readsCode(p *Package, files string) bool {
	return slices.ContainsFunc(slices.Concat(p.TestGoFiles, p.XTestGoFiles), func(name string) bool {
		content, err := os.ReadFile(filepath.Join(files, filepath.FromSlash(t.Folder(p)), name))
		sources := string(content)
		if err != nil || !benchmarkFunction().Match(content) || !readsFolders(sources) || !strings.Contains(sources, ".go") {
			return false
		}
		all := literals(sources)
		return pathElements(all)[".."] && slices.ContainsFunc(all, func(literal string) bool {
			return literal == ".go" || strings.HasSuffix(literal, "*.go")
		})
	})
}

// isEmbedded reports whether a package embeds a file on a side.
func (s *Sides) isEmbedded(name string) bool {
	return slices.ContainsFunc(s.Trees[:], func(t *Tree) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(t.Packages)), func(p *Package) bool {
			return t.Holds(p.Dir) && t.Embeds(p, name)
		})
	})
}

// isUnused reports whether a changed file looks like neither code nor data: documentation, code that differs only in
// comments, or code for another system.
func (s *Sides) isUnused(name string) bool {
	switch inTestdata := strings.Contains("/"+name, "/testdata/"); {
	case inTestdata || ModuleFile().MatchString(name):
		return false
	case !sourceFile().MatchString(name):
		return document().MatchString(name)
	}
	var texts [2][]byte
	isBuilt := false
	for side := range s.Trees {
		path := filepath.Join(s.Files(side), filepath.FromSlash(name))
		var err error
		if texts[side], err = os.ReadFile(path); err == nil {
			matches, err := s.context.MatchFile(filepath.Split(path))
			isBuilt = isBuilt || matches || err != nil
		}
	}
	if !isBuilt {
		return true
	}
	return texts[frame.Old] != nil && texts[frame.New] != nil &&
		bytes.Equal(Normalize(name, texts[frame.Old]), Normalize(name, texts[frame.New]))
}

// sourceFile matches the sources of a build.
var sourceFile = text.Regexp(`\.(go|s|S|c|h|cc|cpp|cxx|hh|hpp|hxx|m)$`)

// buildContext returns the build context of the choice of files. Files with build constraints of
// GOFLAGS and of --tags belong to it.
func buildContext(tags string) build.Context {
	c := build.Default
	c.CgoEnabled = true
	for flag := range strings.FieldsSeq(os.Getenv("GOFLAGS")) {
		if value, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "tags="); ok {
			tags += "," + strings.Trim(value, `'"`)
		}
	}
	c.BuildTags = append(c.BuildTags, strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' })...)
	return c
}

// IsData reports whether a changed file is one that benchmarks may read: no code that the
// compiler compares.
func (s *Sides) IsData(name string) bool {
	if strings.Contains("/"+name, "/testdata/") {
		return true
	}
	if strings.HasSuffix(name, ".go") || ModuleFile().MatchString(name) {
		return false
	}
	for _, t := range s.Trees {
		for _, p := range t.Packages {
			if t.Holds(p.Dir) && path.Dir(name) == t.Folder(p) &&
				slices.Contains(append(p.Others(), p.SFiles...), path.Base(name)) {
				return false
			}
		}
	}
	return true
}

// CanReach reports whether the change may reach benchmarks of a package: by the modules, or by files of packages that
// they import, or by those they read.
func (s *Sides) CanReach(importPath string) bool {
	isForAll := func(name string) bool { return ModuleFile().MatchString(name) || path.Ext(name) == ".pgo" }
	if slices.ContainsFunc(s.Changed, isForAll) {
		return true
	}
	for _, t := range s.Trees {
		for _, p := range t.Imported(importPath) {
			if t.Holds(p.Dir) && slices.ContainsFunc(s.Changed, func(name string) bool {
				isHeader := len(p.CgoFiles) > 0 && path.Ext(name) != ".go"
				return isHeader || path.Dir(name) == t.Folder(p) || t.Embeds(p, name)
			}) {
				return true
			}
		}
	}
	return s.ReadsChanged(importPath, s.ChangedData())
}

// ChangedData lists the changed files benchmarks may read, with symbolic links to them. It needs the packages.
func (s *Sides) ChangedData() []string {
	if s.data == nil {
		isCode := func(name string) bool { return !s.IsData(name) }
		s.data = withAliases(s, slices.DeleteFunc(slices.Clone(s.Changed), isCode))
	}
	return s.data
}

// ReadsChanged reports whether a file differs that the benchmarks of a package may read. That are
// files of its folder and of testdata below it; files of other folders below it if its sources
// name them or read folders; and all files if the sources of a linked package name a folder
// above theirs, or look for the place of their source or of the process. Documents have to be named.
func (s *Sides) ReadsChanged(importPath string, data []string) bool {
	for side, t := range s.Trees {
		p := t.Packages[importPath]
		if p == nil {
			continue
		}
		linked, sources := t.Imported(importPath), ""
		maps.DeleteFunc(linked, func(_ string, p *Package) bool { return !p.inside })
		for _, p := range linked {
			sources += p.Text(s.Files(side), t)
		}
		mentions := func(name string) bool { return t.mentionsCode(linked, sources, name) }
		isCode := func(name string) bool { return path.Ext(name) == ".go" }
		if slices.ContainsFunc(s.Changed, mentions) || buildsPrograms(sources) && slices.ContainsFunc(s.Changed, isLinked) ||
			slices.ContainsFunc(s.Changed, isCode) && t.readsCode(p, s.Files(side)) {
			return true
		}
		if len(data) == 0 {
			continue
		}
		texts, names := literals(sources), make(map[string]bool)
		elements := pathElements(texts)
		addNames(names, sources)
		everywhere := elements[".."] || containsAny(sources, "runtime.Caller", "Getwd(", "filepath.Abs(")
		below := readsFolders(sources)
		folder := t.Folder(p)
		opensNone := !openingFiles().MatchString(sources)
		isEmbedded := func(name string) bool {
			return slices.ContainsFunc(slices.Collect(maps.Values(linked)), func(p *Package) bool { return t.Embeds(p, name) })
		}
		isElement := func(element string) bool { return elements[element] }
		for _, name := range data {
			local, inside := strings.CutPrefix(name, folder+"/")
			if folder == "." {
				local, inside = name, true
			}
			first, _, nested := strings.Cut(local, "/")
			begins := func(literal string) bool { return strings.HasPrefix(literal, first) }
			switch {
			case opensNone && isEmbedded(name): // only its variable reads it
			case isDocument(name) && !isEmbedded(name) && !isNamed(names, name):
			case everywhere, inside && (!nested || first == "testdata" || below ||
				slices.ContainsFunc(strings.Split(local, "/"), isElement) || slices.ContainsFunc(texts, begins)):
				return true
			}
		}
	}
	return false
}

// isDocument reports whether a file looks like documentation, or settings of other programs.
func isDocument(name string) bool {
	return document().MatchString(name) && !strings.Contains("/"+name, "/testdata/") && !sourceFile().MatchString(name)
}

// buildsPrograms reports whether sources may call go to build or run a program of the module.
func buildsPrograms(sources string) bool {
	return containsAny(sources, "exec.Command") && containsAny(sources, `"go"`) && containsAny(sources, `"build"`, `"run"`, `"install"`)
}

// isLinked reports whether a file may be part of a program.
func isLinked(name string) bool {
	return sourceFile().MatchString(name) && !strings.HasSuffix(name, "_test.go")
}

// openingFiles matches calls for opening files by their names.
var openingFiles = text.Regexp(`\bos\.(Open|Read|DirFS|Root)|\bioutil\.Read|\b(ParseFiles|ParseGlob|DecodeFile|LoadFile)\(`)

// mentionsCode reports whether sources name a changed Go file that is not linked, or its folder: they may
// read it, or build it.
func (t *Tree) mentionsCode(linked map[string]*Package, sources, name string) bool {
	if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
		return false
	}
	folder, file := path.Split(name)
	folder = strings.TrimSuffix(folder, "/")
	for _, p := range linked {
		if t.Folder(p) == folder {
			return containsAny(sources, `"`+file+`"`)
		}
	}
	return containsAny(sources, `/`+file+`"`, `"`+file+`"`) || folder != "" && containsAny(sources, `./`+folder+`"`, `./`+folder+`/`)
}

// withAliases adds the names of changed files behind symbolic links.
func withAliases(s *Sides, names []string) []string {
	if len(names) == 0 {
		return nil
	}
	all := slices.Clone(names)
	for side := range s.Trees {
		root := s.Files(side)
		filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.Type()&fs.ModeSymlink == 0 {
				return nil
			}
			target, err := os.Readlink(file)
			link, outside := filepath.Rel(root, file)
			if err != nil || outside != nil || filepath.IsAbs(target) {
				return nil
			}
			link = filepath.ToSlash(link)
			to := path.Join(path.Dir(link), filepath.ToSlash(target))
			for _, name := range names {
				if rest, ok := strings.CutPrefix(name, to); ok && (rest == "" || rest[0] == '/') {
					all = append(all, link+rest)
				}
			}
			return nil
		})
	}
	return frame.Union(all, nil)
}

// containsAny reports whether a text contains one of others.
func containsAny(text string, others ...string) bool {
	return slices.ContainsFunc(others, func(other string) bool { return strings.Contains(text, other) })
}

// Text returns the Go sources of a package, whose tree is in a folder now.
func (p *Package) Text(files string, t *Tree) string {
	var all strings.Builder
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(files, filepath.FromSlash(t.Folder(p)), name))
		if err == nil {
			all.Write(text)
		}
	}
	return all.String()
}
