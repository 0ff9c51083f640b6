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

// WriteHottest writes the hottest functions and blocks of assembly of each engine and level of a
// CPU profile that was taken during [Measure].
func WriteHottest(w io.Writer, raw []byte) error {
	p, err := profile.ParseData(raw)
	if err != nil {
		return fmt.Errorf("CPU profile: %w", err)
	}
	p.Prune(preemption(), nil)
	parts := make(map[string]*hotspots)
	for _, s := range p.Sample {
		label := strings.TrimSpace(strings.Join(slices.Concat(s.Label[engineLabel], s.Label[levelLabel]), " "))
		if label == "" || len(s.Location) == 0 {
			continue // a frame of the harness
		}
		if parts[label] == nil {
			parts[label] = &hotspots{functions: make(map[string]int64), blocks: make(map[string]int64)}
		}
		parts[label].add(s)
	}
	out := &text.Writer{To: w}
	for _, label := range slices.Sorted(maps.Keys(parts)) {
		h := parts[label]
		fmt.Fprintf(out, "\n%s, %s\n\n", label, text.Plural(h.samples, "sample"))
		t := text.Table{Header: []string{"hottest functions and blocks", "share"}}
		for _, list := range []map[string]int64{h.functions, h.blocks} {
			places := text.Ranked(list)
			for _, place := range places[:min(mostHot, len(places))] {
				t.Add(place, fmt.Sprintf("%.1f %%", 100*float64(list[place])/float64(h.samples)))
			}
		}
		_ = t.WriteText(out) // out remembers its error
	}
	return out.Err
}

// hotspots counts an engine's samples at a level.
type hotspots struct {
	samples   int64
	functions map[string]int64
	blocks    map[string]int64 // commented blocks of assembly, by their first line
}

// add adds a sample, by its innermost function.
func (h *hotspots) add(s *profile.Sample) {
	n := s.Value[0] // CPU profiles count samples first
	h.samples += n
	if len(s.Location[0].Line) == 0 || s.Location[0].Line[0].Function == nil {
		h.functions["unknown"] += n
		return
	}
	line := s.Location[0].Line[0]
	h.functions[shortFunction(line.Function.Name)] += n
	if first, comment, ok := block(line); ok {
		h.blocks[fmt.Sprintf("  %s:%d  %s", path.Base(filepath.ToSlash(line.Function.Filename)), first, comment)] += n
	}
}

// preemption matches the frames that Go's scheduler puts on top of an interrupted function.
var preemption = text.Regexp(`^runtime\.asyncPreempt`)

// shortFunction leaves out the path of this module.
func shortFunction(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, record.ModulePath()+"/"), path.Dir(record.ModulePath())+"/")
}

// block returns the first line of the block of assembly around a place, and the comment that
// describes it. There is none in Go, and none where the file is not found or the function has no
// comment inside.
func block(at profile.Line) (first int, comment string, ok bool) {
	file := at.Function.Filename
	if !strings.HasSuffix(file, ".s") {
		return 0, "", false
	}
	content, err := os.ReadFile(file)
	if err != nil { // built with -trimpath: below the working directory, if that is the module
		content, err = os.ReadFile(strings.TrimPrefix(strings.TrimPrefix(file, record.ModulePath()), "/"))
	}
	lines := strings.Split(string(content), "\n")
	if err != nil || at.Line > int64(len(lines)) {
		return 0, "", false
	}
	for line := int(at.Line); line > 0; line-- {
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
