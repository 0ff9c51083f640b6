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

// explainTimes profiles both sides of slower rows that no count explains, in the time that is left, and lists the
// functions behind the difference. The profiler takes a sample every 10 ms. A function is listed if its
// difference exceeds the noise of the counts.
func explainTimes(ctx context.Context, j *job, b *builds, r *report.Report, benchmarks []*benchmark) {
	var rows []*report.Row
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Verdict == verdict.Slower && strings.HasPrefix(row.Unit, "sec/") && len(row.Functions) == 0 && row.Rounds > 1 && len(rows) < mostProfile {
			rows = append(rows, row)
		}
	}
	limited, cancel := context.WithDeadline(ctx, j.end)
	defer cancel()
	for i, row := range rows {
		at := slices.IndexFunc(benchmarks, func(b *benchmark) bool { return b.name == row.Name })
		if at < 0 {
			continue
		}
		j.show(Progress{Phase: "profiling " + row.Name})
		duration := min(j.profileTime, j.left()/time.Duration(3*(len(rows)-i)))
		parts, err := profileRow(limited, j, b, benchmarks[at], row, duration)
		switch {
		case ctx.Err() != nil:
			return
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

// profileRow profiles both sides of a benchmark with the same number of iterations.
func profileRow(ctx context.Context, j *job, all *builds, b *benchmark, row *report.Row, duration time.Duration) ([]report.Part, error) {
	iterations := int(max(1, min(1e9, duration.Seconds()/max(float64(row.Old), float64(row.New), 1e-9))))
	folder := cmp.Or(j.Profiles, j.scratch.dir)
	var counts [2]map[string]int
	for side := range counts {
		file, err := filepath.Abs(filepath.Join(folder, fmt.Sprintf("%s.%s.pprof", unsafeInFiles().ReplaceAllString(row.Name, "_"), sideNames[side])))
		if err != nil {
			return nil, err
		}
		if err := all.sides.place(side); err != nil {
			return nil, err
		}
		// Only the benchmark itself runs so often: its siblings run once.
		work := j.scratch.path("work")
		if err := os.WriteFile(work, fmt.Appendf(nil, "%dx 1 Benchmark%s\n", iterations, b.printed), 0o600); err != nil {
			return nil, err
		}
		c := testRun{pkg: b.pkg, side: side, path: b.pkg.binaries[side], core: noCore, timeout: time.Minute + 20*duration, env: []string{"UR_AB_WORK=" + work},
			args: append(benchArgs(joinPatterns([]string{b.printed}, false), "1x", b.procs), "-test.cpuprofile="+file)}
		if _, err := c.run(ctx, j); err != nil {
			return nil, err
		}
		// The counts are those of a function without the functions it calls.
		p := program{args: []string{goProgram(), "tool", "pprof", "-top", "-sample_index=samples", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0",
			b.pkg.binaries[side], file}, dir: all.sides.trees[side].dir, core: noCore, timeout: time.Minute}
		out, err := p.run(ctx)
		if err != nil {
			return nil, err
		}
		counts[side] = parseTop(string(out.out))
	}
	return differingFunctions(counts, iterations), nil
}

// parseTop reads a table of "go tool pprof -top": flat, flat%, sum%, cum, cum%, function.
func parseTop(table string) map[string]int {
	counts := make(map[string]int)
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 6 || !strings.HasSuffix(fields[1], "%") {
			continue
		}
		if flat, err := strconv.Atoi(fields[0]); err == nil {
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
	slices.SortStableFunc(parts, func(a, b report.Part) int { return cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)) })
	return parts[:min(mostParts, len(parts))]
}
