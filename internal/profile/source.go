package profile

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// shortFile names the file of a place by its package, independent of the build directory:
// "board/bits.go" in this module, "runtime/proc.go" elsewhere. It is "" for a place without a
// file.
func shortFile(place spot) string {
	if place.file == "" {
		return ""
	}
	base := path.Base(filepath.ToSlash(place.file))
	return strings.TrimPrefix(path.Join(packageOf(place.name), base), experiment.ModulePath()+"/")
}

// packageOf returns the path of the package of a function: the part before the first dot after
// the last slash. Type parameters may have slashes too.
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[")
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + name
}

// sourceLine returns the text of a line without its indentation, or "" when the place is a
// whole function or its file is not found.
func sourceLine(place spot) string {
	lines := place.source()
	if place.line <= 0 || place.line > int64(len(lines)) {
		return ""
	}
	return strings.Join(strings.Fields(lines[place.line-1]), " ")
}

// source returns the lines of the file of a place, or nil when it is not found.
func (s spot) source() []string {
	if lines := sourceLines(s.file); lines != nil {
		return lines
	}
	return sourceLines(filepath.Join(moduleRoot(), filepath.FromSlash(shortFile(s)))) // built with -trimpath
}

// block returns the first line of the block of assembly around a place: the line of the comment
// that describes the block. There is none in Go, and none where the file is not found or the
// function has no comment inside.
func (s spot) block() (first spot, ok bool) {
	lines := s.source()
	if !strings.HasSuffix(s.file, ".s") || s.line > int64(len(lines)) {
		return spot{}, false
	}
	comment := int64(0)
	for line := s.line; line > 0; line-- {
		text := strings.TrimSpace(lines[line-1])
		switch {
		case strings.HasPrefix(text, "TEXT"): // the function begins
			return spot{s.name, s.file, comment}, comment > 0
		case strings.HasPrefix(text, "//") && (comment == 0 || comment == line+1):
			comment = line
		}
	}
	return spot{}, false
}

// sources are the files already read, by name; nil for a missing one.
var sources sync.Map

// sourceLines returns the lines of a file, or nil when it cannot be read.
func sourceLines(file string) []string {
	if lines, ok := sources.Load(file); ok {
		return lines.([]string)
	}
	var lines []string
	if text, err := os.ReadFile(file); err == nil {
		lines = strings.Split(string(text), "\n")
	}
	sources.Store(file, lines)
	return lines
}

// moduleRoot is the folder of this module above the working directory, or "." outside of it.
func moduleRoot() string {
	folder, err := os.Getwd()
	if err != nil {
		return "."
	}
	for {
		text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module "+experiment.ModulePath()+"\n") {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "."
		}
		folder = above
	}
}
