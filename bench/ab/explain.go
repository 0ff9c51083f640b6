package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

const (
	mostParts   = 5
	mostProfile = 8 // rows to profile
)

// profiler profiles test programs.
type profiler struct {
	*build.Builds
	folder  string        // that keeps the profiles; "" is the scratch folder
	longest time.Duration // of a profile
}

// profileRun is the work of a profiled process.
type profileRun struct{ side, iterations int }

// explainRows profiles both sides of slower rows that no count explains, in the time that is left, and lists the
// functions behind the difference. The profiler of times takes a sample every 10 ms; a function is listed if its
// difference exceeds the noise of the counts. That of memory knows every allocation.
func explainRows(ctx context.Context, p *profiler, r *report.Report, benchmarks []*listing.Benchmark) {
	var rows []*report.Row
	for i := range r.Rows {
		row := &r.Rows[i]
		isTime := strings.HasPrefix(row.Unit, "sec/") && len(row.Functions) == 0
		if row.Verdict == verdict.Slower && (isTime || sampleIndex[row.Unit] != "") && row.Rounds > 1 {
			rows = append(rows, row)
		}
	}
	rows = slices.DeleteFunc(rows, func(row *report.Row) bool { // allocations explain their bytes
		return row.Unit == report.BytesUnit && slices.ContainsFunc(r.Rows, func(other report.Row) bool {
			return other.Name == row.Name && other.Unit == report.AllocsUnit && other.Verdict == verdict.Slower
		})
	})
	slices.SortStableFunc(rows, func(a, b *report.Row) int { return strings.Compare(a.Unit, b.Unit) }) // memory takes a moment
	rows = rows[:min(mostProfile, len(rows))]
	span := p.Begin(frame.Explain)
	limited, cancel := span.Context(ctx)
	defer cancel()
	for i, row := range rows {
		at := slices.IndexFunc(benchmarks, func(b *listing.Benchmark) bool { return b.Name == row.Name })
		if at < 0 {
			continue
		}
		p.Show("profiling "+row.Name, 0)
		duration := min(p.longest, time.Until(span.End)/time.Duration(3*(len(rows)-i)))
		explain := p.profileTimes
		if sampleIndex[row.Unit] != "" {
			explain = p.profileMemory
		}
		parts, err := explain(limited, benchmarks[at], row, duration)
		switch {
		case ctx.Err() != nil:
			return
		case limited.Err() != nil:
			r.Note(row.Name + " is not explained: there was no time for its profiles")
		case err != nil:
			r.Note(fmt.Sprintf("%s is not explained: %v", row.Name, err))
		case len(parts) == 0:
			r.Note(row.Name + ": no single function accounts for the difference beyond the noise of the profiles")
		}
		row.Parts = parts
	}
}

// unsafeInFiles matches the characters not allowed in a file name.
var unsafeInFiles = text.Regexp(`[^A-Za-z0-9._=-]+`)

// profileTimes lists the functions with a different time on both sides.
func (t *profiler) profileTimes(ctx context.Context, b *listing.Benchmark, row *report.Row, duration time.Duration) ([]report.Part, error) {
	iterations := int(max(1, min(1e9, duration.Seconds()/max(float64(row.Old), float64(row.New), 1e-9))))
	var counts [2]map[string]int
	for side := range counts {
		p, err := t.profileSide(ctx, b, profileRun{side, iterations}, "cpuprofile")
		if err != nil {
			return nil, err
		}
		counts[side] = sumSamples(p, "samples", func(place profile.Line) string { return place.Function.Name })
	}
	return differingFunctions(counts, iterations), nil
}

// sampleIndex is the value of a profile for a unit of memory.
var sampleIndex = map[string]string{report.AllocsUnit: "alloc_objects", report.BytesUnit: "alloc_space"}

// profileMemory lists the lines with more allocations, or larger ones, on the new side. Those in other modules count
// where this one calls them. Lines are compared by their texts, since a change moves them.
func (t *profiler) profileMemory(ctx context.Context, b *listing.Benchmark, row *report.Row, duration time.Duration) ([]report.Part, error) {
	const most = 1000 // iterations: the profile has every allocation
	iterations := int(max(1, min(most, duration/max(1, b.First[frame.Old].Run, b.First[frame.New].Run))))
	var counts [2]map[string]int
	places := make(map[string]string)
	for side := range counts {
		tree := t.Sides.Trees[side]
		from := b.Pkg.Path
		if p := tree.Packages[b.Pkg.Path]; p != nil && p.Module != nil {
			from = p.Module.Path
		}
		p, err := t.profileSide(ctx, b, profileRun{side, iterations}, "memprofilerate=1", "memprofile")
		if err != nil {
			return nil, err
		}
		counts[side] = sumSamples(p, sampleIndex[row.Unit], func(place profile.Line) string {
			name, file := symbol.WithoutTypeArguments(place.Function.Name), place.Function.Filename
			if !strings.HasPrefix(name, from) && !strings.HasPrefix(name, symbol.Path(from)) {
				return ""
			}
			line := name + "\n" + lineOf(file, int(place.Line))
			if local, err := filepath.Rel(tree.Root, file); err == nil {
				places[line] = fmt.Sprintf("%s:%d", filepath.ToSlash(local), place.Line)
			}
			return line
		})
	}
	var parts []report.Part
	for line, after := range counts[frame.New] {
		// Set-up allocates less for an iteration, and the profile has only a part of the smallest objects.
		const some = 0.05
		if more := float64(after-counts[frame.Old][line]) / float64(1+iterations); more >= some { // the first one runs alone
			function, _, _ := strings.Cut(line, "\n")
			parts = append(parts, report.Part{Function: function, Place: places[line], Delta: more})
		}
	}
	return largestParts(parts), nil
}

// lineOf returns a line of a file without its indentation, "" if there is none.
func lineOf(file string, n int) string {
	content, _ := os.ReadFile(file)
	lines := strings.Split(string(content), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// profileSide profiles a side of a benchmark. The last of the flags of the test program takes the file. Only the
// benchmark itself runs so often: its siblings run once.
func (t *profiler) profileSide(ctx context.Context, b *listing.Benchmark, of profileRun, flags ...string) (*profile.Profile, error) {
	folder := cmp.Or(t.folder, t.Scratch.Dir)
	name := strings.TrimSuffix(unsafeInFiles().ReplaceAllString(b.Name, "_")+"."+strings.TrimSuffix(flags[len(flags)-1],
		"profile"), ".cpu")
	file, err := filepath.Abs(filepath.Join(folder, name+"."+frame.SideNames[of.side]+".pprof"))
	if err != nil {
		return nil, err
	}
	if err := t.Sides.Use(of.side); err != nil {
		return nil, err
	}
	work := t.Scratch.Path("work")
	if err := os.WriteFile(work, fmt.Appendf(nil, "%dx 1 Benchmark%s\n", of.iterations, b.Printed), 0o600); err != nil {
		return nil, err
	}
	c := build.TestRun{Pkg: b.Pkg.TestPackage, Side: of.side, Core: frame.NoCore, Timeout: time.Minute,
		Env:  []string{"UR_AB_WORK=" + work},
		Args: build.BenchArgs(build.JoinPatterns([]string{b.Printed}, false), "1x", b.Procs)}
	for _, flag := range flags {
		c.Args = append(c.Args, "-test."+flag)
	}
	c.Args[len(c.Args)-1] += "=" + file
	if _, err := t.RunTest(ctx, c); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return profile.ParseData(content)
}

// sumSamples sums a value of a profile's samples by their innermost place with a name.
func sumSamples(p *profile.Profile, value string, name func(place profile.Line) string) map[string]int {
	sums := make(map[string]int)
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == value })
	for i := 0; at >= 0 && i < len(p.Sample); i++ {
		if place := innermostName(p.Sample[i], name); place != "" {
			sums[place] += int(p.Sample[i].Value[at])
		}
	}
	return sums
}

// innermostName returns the first name of the places of a sample, from the inside; "" without one.
func innermostName(s *profile.Sample, name func(place profile.Line) string) string {
	for _, location := range s.Location {
		for _, place := range location.Line {
			if place.Function == nil {
				continue
			}
			if found := name(place); found != "" {
				return found
			}
		}
	}
	return ""
}

// differingFunctions returns the functions whose counts differ by more than chance, the largest
// difference first.
func differingFunctions(counts [2]map[string]int, iterations int) []report.Part {
	const interval = 0.01 // seconds between samples
	each := interval / float64(iterations)
	var parts []report.Part
	for _, name := range frame.Union(slices.Collect(maps.Keys(counts[frame.Old])), slices.Collect(maps.Keys(counts[frame.New]))) {
		before, after := float64(counts[frame.Old][name]), float64(counts[frame.New][name])
		if noise := 2 * math.Sqrt(before+after); math.Abs(after-before) > noise {
			parts = append(parts, report.Part{Function: name, Delta: (after - before) * each, Error: noise * each})
		}
	}
	return largestParts(parts)
}

// largestParts returns the largest differences, the largest first.
func largestParts(parts []report.Part) []report.Part {
	slices.SortStableFunc(parts, func(a, b report.Part) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)), strings.Compare(a.Place, b.Place))
	})
	return parts[:min(mostParts, len(parts))]
}
