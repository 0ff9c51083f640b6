package sample

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Labels of the samples of a CPU profile taken during [Measure].
const (
	engineLabel = "engine"
	levelLabel  = "level"
)

// mostHot is the number of functions, and of blocks of assembly, listed for an engine.
const mostHot = 5

// Hotspots counts the samples of an engine at a level by their places.
type Hotspots struct {
	Samples   int64
	Lines     map[Line]int64   // innermost lines, those of inlined functions too
	Compiled  map[string]int64 // functions whose code ran, with those inlined into them
	Addresses map[uint64]int64
}

// Line is a line of a source.
type Line struct {
	Function, File string
	Number         int64
}

// ReadHotspots counts the samples of a CPU profile that was taken during [Measure], by "ENGINE LEVEL".
func ReadHotspots(raw []byte) (map[string]*Hotspots, error) {
	p, err := profile.ParseData(raw)
	if err != nil {
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	p.Prune(preemption(), nil)
	parts := make(map[string]*Hotspots)
	for _, s := range p.Sample {
		label := strings.TrimSpace(strings.Join(slices.Concat(s.Label[engineLabel], s.Label[levelLabel]), " "))
		if label == "" || len(s.Location) == 0 {
			continue // a frame of the harness
		}
		h := parts[label]
		if h == nil {
			h = &Hotspots{Lines: make(map[Line]int64), Compiled: make(map[string]int64), Addresses: make(map[uint64]int64)}
			parts[label] = h
		}
		inner, outer, n := Line{Function: "unknown"}, "unknown", s.Value[0] // CPU profiles count samples first
		if lines := s.Location[0].Line; len(lines) > 0 && lines[0].Function != nil {
			inner = Line{lines[0].Function.Name, lines[0].Function.Filename, lines[0].Line}
			outer = lines[len(lines)-1].Function.Name
		}
		h.Samples += n
		h.Lines[inner] += n
		h.Compiled[outer] += n
		h.Addresses[s.Location[0].Address] += n
	}
	return parts, nil
}

// preemption matches the frames that Go's scheduler puts on top of an interrupted function.
var preemption = text.Regexp(`^runtime\.asyncPreempt`)

// WriteHottest writes the hottest functions and commented blocks of assembly of each engine and level of a
// CPU profile that was taken during [Measure].
func WriteHottest(w io.Writer, raw []byte) error {
	parts, err := ReadHotspots(raw)
	if err != nil {
		return err
	}
	out := &text.Writer{To: w}
	for _, label := range slices.Sorted(maps.Keys(parts)) {
		h := parts[label]
		functions, blocks := make(map[string]int64), make(map[string]int64)
		for line, n := range h.Lines {
			functions[shortFunction(line.Function)] += n
			if first, comment, ok := block(line); ok {
				blocks[fmt.Sprintf("  %s:%d  %s", path.Base(filepath.ToSlash(line.File)), first, comment)] += n
			}
		}
		fmt.Fprintf(out, "\n%s, %s\n\n", label, text.Plural(h.Samples, "sample"))
		t := text.Table{Header: []string{"hottest functions and blocks", "share"}}
		for _, list := range []map[string]int64{functions, blocks} {
			places := text.Ranked(list)
			for _, place := range places[:min(mostHot, len(places))] {
				t.Add(place, fmt.Sprintf("%.1f %%", 100*float64(list[place])/float64(h.Samples)))
			}
		}
		_ = t.WriteText(out) // out remembers its error
	}
	return out.Err
}

// shortFunction leaves out the path of this module.
func shortFunction(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, record.ModulePath()+"/"), path.Dir(record.ModulePath())+"/")
}

// block returns the first line of the block of assembly around a place, and the comment that
// describes it. There is none in Go, and none where the file is not found or the function has no
// comment inside.
func block(at Line) (first int, comment string, ok bool) {
	if !strings.HasSuffix(at.File, ".s") {
		return 0, "", false
	}
	content, err := os.ReadFile(at.File)
	if err != nil { // built with -trimpath: below the working directory, if that is the module
		content, err = os.ReadFile(strings.TrimPrefix(strings.TrimPrefix(at.File, record.ModulePath()), "/"))
	}
	lines := strings.Split(string(content), "\n")
	if err != nil || at.Number > int64(len(lines)) {
		return 0, "", false
	}
	for line := int(at.Number); line > 0; line-- {
		s := strings.TrimSpace(lines[line-1])
		switch {
		case strings.HasPrefix(s, "TEXT"): // the function begins
			return first, comment, first > 0
		case strings.HasPrefix(s, "//") && (first == 0 || first == line+1):
			first, comment = line, strings.TrimSpace(strings.TrimPrefix(s, "//"))
		}
	}
	return 0, "", false
}
