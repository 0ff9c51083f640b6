package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Profile is where engines spend their time: the JSON object of "ur bench profile
// --json".
type Profile struct {
	Schema    string  `json:"schema"` // ur.profile/1
	CPU       string  `json:"cpu"`
	Go        string  `json:"go"`
	Commit    string  `json:"commit"` // "" when it is not known
	OS        string  `json:"os"`
	Arch      string  `json:"arch"`
	Seed      uint64  `json:"seed"`      // of the order of slices
	Hertz     float64 `json:"hertz"`     // samples a second
	Corpus    string  `json:"corpus"`    // of the work, set by the caller
	Signature string  `json:"signature"` // the same
	Engines   []Part  `json:"engines"`   // by engine, then by level

	Pinning     experiment.Pinning `json:"pinning"` // the core of the run
	Interrupted bool               `json:"interrupted,omitempty"`
}

// Part is where one engine spends its time at one level.
type Part struct {
	Engine  string  `json:"engine"`
	Level   string  `json:"level"`
	Unit    string  `json:"unit"`
	Time    float64 `json:"time"`    // of a unit of work while it was profiled
	Seconds float64 `json:"seconds"` // profiled
	Samples int64   `json:"samples"`

	// Flat lists functions by the time spent in them, Cumulative functions by the time in or
	// below them, Blocks the commented blocks of assembly by their first line, and Lines the
	// lines of source or assembly, each in order of falling time. Functions above an engine are
	// left out.
	Flat       []Hotspot `json:"flat"`             // functions by the time spent in them
	Cumulative []Hotspot `json:"cumulative"`       // functions by the time in or below them
	Blocks     []Hotspot `json:"blocks,omitempty"` // commented blocks of assembly, by their first line
	Lines      []Hotspot `json:"lines"`            // lines of source or assembly
}

// Hotspot is a function or a line and its time.
type Hotspot struct {
	Function string  `json:"function"`
	File     string  `json:"file,omitempty"`   // after the path of its package, except in this module
	Line     int64   `json:"line,omitempty"`   // 0 for a whole function
	Source   string  `json:"source,omitempty"` // the text of the line, when its file is found
	Samples  int64   `json:"samples"`
	Share    float64 `json:"share"` // of the samples of its engine at its level, 0 to 1
	Time     float64 `json:"time"`  // share of the time of a unit of work
}

// Profile analyses the collected samples. The lists have up to top entries each, all for 0.
func (c *Collected) Profile(e experiment.Environment, top int) *Profile {
	p := &Profile{
		Schema:      "ur.profile/1",
		CPU:         e.CPU,
		Go:          e.Go,
		Commit:      e.Commit,
		OS:          e.OS,
		Arch:        e.Arch,
		Seed:        c.options.Seed,
		Pinning:     c.Pinning,
		Interrupted: c.Interrupted,
	}
	if c.profile.Period > 0 {
		p.Hertz = stat.Significant(float64(time.Second) / float64(c.profile.Period))
	}
	for _, w := range c.Work {
		part := c.part(w)
		for _, list := range []*[]Hotspot{&part.Flat, &part.Cumulative, &part.Blocks, &part.Lines} {
			*list = head(*list, top)
		}
		p.Engines = append(p.Engines, part)
	}
	return p
}

// head returns up to n entries, all for 0.
func head[T any](list []T, n int) []T {
	if n == 0 {
		return list
	}
	return list[:min(n, len(list))]
}

// part analyses the samples of one case.
func (c *Collected) part(w Worked) Part {
	part := Part{
		Engine:  w.Engine,
		Level:   w.Level,
		Unit:    w.Subject.Unit(),
		Time:    stat.Significant(w.perUnit()),
		Seconds: stat.Significant(w.Elapsed.Seconds()),
	}
	flat, cumulative, blocks, lines := make(spots), make(spots), make(spots), make(spots)
	for _, sample := range c.profile.Sample {
		if !labelled(sample, part.Engine, part.Level) {
			continue
		}
		n := sample.Value[0] // CPU profiles count samples first
		frames := below(interrupted(stack(sample)), c.options.Harness)
		part.Samples += n
		flat.add(frames[0].function(), n)
		lines.add(frames[0], n)
		if block, ok := frames[0].block(); ok {
			blocks.add(block, n)
		}
		seen := make(map[spot]bool)
		for _, frame := range frames {
			if f := frame.function(); !seen[f] {
				seen[f] = true
				cumulative.add(f, n)
			}
		}
	}
	part.Flat, part.Cumulative = flat.list(part), cumulative.list(part)
	part.Lines = lines.list(part)
	if len(blocks) > 0 {
		part.Blocks = blocks.list(part)
	}
	return part
}

// labelled reports whether a sample is of an engine at a level.
func labelled(sample *profile.Sample, engine, level string) bool {
	return slices.Equal(sample.Label[engineLabel], []string{engine}) &&
		slices.Equal(sample.Label[levelLabel], []string{level})
}

// spot is a place in the program; line 0 stands for the whole function.
type spot struct {
	name, file string
	line       int64
}

// function is the function of a line.
func (s spot) function() spot { return spot{s.name, s.file, 0} }

// stack lists the places of a sample from the innermost on, including inlined functions. There
// is one at least.
func stack(sample *profile.Sample) []spot {
	var frames []spot
	for _, location := range sample.Location {
		for _, line := range location.Line {
			if f := line.Function; f != nil {
				frames = append(frames, spot{f.Name, f.Filename, line.Line})
			}
		}
		if len(location.Line) == 0 {
			frames = append(frames, spot{name: fmt.Sprintf("address %#x", location.Address)})
		}
	}
	if len(frames) == 0 {
		frames = append(frames, spot{name: "unknown"})
	}
	return frames
}

// timer is the function that runs the passes of subjects.
const timer = "experiment.Clock.Time"

// below leaves out the frames of the harness, if there are others: those of the timing
// function, of the subject's Pass it calls, and of the harness package's functions after it.
func below(frames []spot, harness string) []spot {
	end := slices.IndexFunc(frames, func(s spot) bool { return strings.HasSuffix(s.name, timer) })
	if end < 1 {
		return frames
	}
	if end > 1 {
		end-- // the subject's Pass
	}
	for end > 1 && packageOf(frames[end-1].name) == harness {
		end--
	}
	return frames[:end]
}

// interrupted leaves out the frames that Go's scheduler puts on top of an interrupted function:
// the time belongs to the function.
func interrupted(frames []spot) []spot {
	const preempt = "runtime.asyncPreempt"
	for i := len(frames) - 2; i >= 0; i-- {
		if frames[i].name == preempt {
			return frames[i+1:]
		}
	}
	return frames
}

// spots counts samples by place.
type spots map[spot]int64

func (s spots) add(place spot, n int64) { s[place] += n }

// list sorts the places of a part by samples, and by name where these are equal.
func (s spots) list(part Part) []Hotspot {
	hot := make([]Hotspot, 0, len(s))
	for place, n := range s {
		share := float64(n) / float64(part.Samples)
		hot = append(hot, Hotspot{
			Function: place.name,
			File:     shortFile(place),
			Line:     place.line,
			Source:   sourceLine(place),
			Samples:  n,
			Share:    stat.Significant(share),
			Time:     stat.Significant(share * part.Time),
		})
	}
	slices.SortFunc(hot, func(a, b Hotspot) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Line, b.Line))
	})
	return hot
}
