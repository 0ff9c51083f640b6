package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

const (
	mostParts   = 5
	mostProfile = 8 // rows to profile
)

// explainRows profiles both sides of slower rows that no count explains, in the time that is left, and lists the
// functions behind the difference. The profiler of times takes a sample every 10 ms; a function is listed if its
// difference exceeds the noise of the counts. That of memory knows every allocation.
func explainRows(ctx context.Context, j *job, b *builds, r *report.Report, benchmarks []*benchmark) {
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
	limited, cancel := context.WithDeadline(ctx, j.end)
	defer cancel()
	for i, row := range rows {
		at := slices.IndexFunc(benchmarks, func(b *benchmark) bool { return b.name == row.Name })
		if at < 0 {
			continue
		}
		j.show(Progress{Phase: "profiling " + row.Name})
		duration := min(j.profileTime, j.left()/time.Duration(3*(len(rows)-i)))
		explain := profileTimes
		if sampleIndex[row.Unit] != "" {
			explain = profileMemory
		}
		parts, err := explain(limited, j, b, benchmarks[at], row, duration)
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
func profileTimes(ctx context.Context, j *job, all *builds, b *benchmark, row *report.Row,
	duration time.Duration) ([]report.Part, error) {
	iterations := int(max(1, min(1e9, duration.Seconds()/max(float64(row.Old), float64(row.New), 1e-9))))
	var counts [2]map[string]int
	for side := range counts {
		table, err := profileSide(ctx, j, all, b, side, iterations, []string{"cpuprofile"}, "-sample_index=samples")
		if err != nil {
			return nil, err
		}
		counts[side] = parseTop(table)
	}
	return differingFunctions(counts, iterations), nil
}

// sampleIndex is the value of a profile for a unit of memory.
var sampleIndex = map[string]string{report.AllocsUnit: "alloc_objects", report.BytesUnit: "alloc_space"}

// profileMemory lists the lines with more allocations, or larger ones, on the new side. Those in other modules count
// where this one calls them. Lines are compared by their texts, since a change moves them.
func profileMemory(ctx context.Context, j *job, all *builds, b *benchmark, row *report.Row,
	duration time.Duration) ([]report.Part, error) {
	const most = 1000 // iterations: the profile has every allocation
	iterations := int(max(1, min(most, duration/max(1, b.first[oldSide].run, b.first[newSide].run))))
	var counts [2]map[string]int
	places := make(map[string]string)
	for side := range counts {
		t := all.sides.trees[side]
		from := "-show=^" + regexp.QuoteMeta(linkName(b.pkg.Path))
		if p := t.packages[b.pkg.Path]; p != nil && p.Module != nil {
			from = "-show=^" + regexp.QuoteMeta(p.Module.Path)
		}
		table, err := profileSide(ctx, j, all, b, side, iterations, []string{"memprofilerate=1", "memprofile"},
			"-sample_index="+sampleIndex[row.Unit], "-unit=B", "-lines", from)
		if err != nil {
			return nil, err
		}
		counts[side] = make(map[string]int)
		for at, n := range parseTop(table) {
			space, colon := strings.LastIndexByte(at, ' '), strings.LastIndexByte(at, ':')
			if space < 0 || colon < space {
				continue // it is no line
			}
			file, number := at[space+1:colon], at[colon+1:]
			line := at[:space] + "\n" + lineOf(file, number)
			counts[side][line] += n
			if local, err := filepath.Rel(t.root, file); err == nil {
				places[line] = filepath.ToSlash(local) + ":" + number
			}
		}
	}
	var parts []report.Part
	for line, after := range counts[newSide] {
		// Set-up allocates less for an iteration, and the profile has only a part of the smallest objects.
		const some = 0.05
		if more := float64(after-counts[oldSide][line]) / float64(1+iterations); more >= some { // the first one runs alone
			function, _, _ := strings.Cut(line, "\n")
			parts = append(parts, report.Part{Function: function, Place: places[line], Delta: more})
		}
	}
	return largestParts(parts), nil
}

// lineOf returns a line of a file without its indentation, "" if there is none.
func lineOf(file, number string) string {
	content, _ := os.ReadFile(file)
	n, _ := strconv.Atoi(number)
	lines := strings.Split(string(content), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// profileSide profiles a side of a benchmark, and returns the table of "go tool pprof -top". The last of the
// flags of the test program takes the file. Only the benchmark itself runs so often: its siblings run once.
func profileSide(ctx context.Context, j *job, all *builds, b *benchmark, side, iterations int, flags []string,
	options ...string) (string, error) {
	folder := cmp.Or(j.Profiles, j.scratch.dir)
	name := strings.TrimSuffix(unsafeInFiles().ReplaceAllString(b.name, "_")+"."+strings.TrimSuffix(flags[len(flags)-1],
		"profile"), ".cpu")
	file, err := filepath.Abs(filepath.Join(folder, name+"."+sideNames[side]+".pprof"))
	if err != nil {
		return "", err
	}
	if err := all.sides.place(side); err != nil {
		return "", err
	}
	work := j.scratch.path("work")
	if err := os.WriteFile(work, fmt.Appendf(nil, "%dx 1 Benchmark%s\n", iterations, b.printed), 0o600); err != nil {
		return "", err
	}
	c := testRun{pkg: b.pkg, side: side, path: b.pkg.binaries[side], core: noCore, timeout: time.Minute,
		env:  []string{"UR_AB_WORK=" + work},
		args: benchArgs(joinPatterns([]string{b.printed}, false), "1x", b.procs)}
	for _, flag := range flags {
		c.args = append(c.args, "-test."+flag)
	}
	c.args[len(c.args)-1] += "=" + file
	if _, err := c.run(ctx, j); err != nil {
		return "", err
	}
	// The counts are those of a function without the functions it calls.
	p := program{args: slices.Concat(
		[]string{goProgram(), "tool", "pprof", "-top", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0"},
		options, []string{b.pkg.binaries[side], file}),
		dir: all.sides.trees[side].dir, core: noCore, timeout: time.Minute}
	out, err := p.run(ctx)
	return string(out.out), err
}

// parseTop reads a table of "go tool pprof -top": flat, flat%, sum%, cum, cum%, function.
func parseTop(table string) map[string]int {
	counts := make(map[string]int)
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 6 || !strings.HasSuffix(fields[1], "%") {
			continue
		}
		if flat, err := strconv.Atoi(strings.TrimSuffix(fields[0], "B")); err == nil {
			name := strings.TrimSuffix(strings.Join(fields[5:], " "), " (inline)")
			counts[name] += flat
		}
	}
	return counts
}

// differingFunctions returns the functions whose counts differ by more than chance, the largest
// difference first.
func differingFunctions(counts [2]map[string]int, iterations int) []report.Part {
	const interval = 0.01 // seconds between samples
	each := interval / float64(iterations)
	var parts []report.Part
	for _, name := range union(slices.Collect(maps.Keys(counts[oldSide])), slices.Collect(maps.Keys(counts[newSide]))) {
		before, after := float64(counts[oldSide][name]), float64(counts[newSide][name])
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
